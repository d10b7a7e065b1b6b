"""MUS104: a CUDA name made by `##`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS104"
TITLE = "CUDA name pasted together by a macro"
WHY = """
The whole name exists only after preprocessing, so no table can be asked for it, and renaming the fixed part in silence
would be a guess about every name the macro makes.
"""
EXAMPLE = """
#define SET(what) cudaFuncSet##what(function, value)
"""
INSTEAD = """
Rename the fixed part by hand (the finding suggests it) after a look at the arguments the macro is called with; or write
the names out.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("hipify and the vendor's own tool leave such names without a word",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "#define JOIN(a, b) a##b\n",
    "#define M(n) my_##n\n",
)
INVALID = (Case("#define M(n) cuda##n\n", findings=("cuda",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
