"""MUS112: a library's version number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS112"
TITLE = "Version number of a library, on another scale"
WHY = """
MUSA's libraries count their versions from the beginning, so a renamed comparison is silently always true or always
false. Left as it is the macro is undefined, and reads as 0 in `#if`.
"""
EXAMPLE = """
if (CUDNN_VERSION >= 8000) {}
"""
INSTEAD = """
Decide by what the branch needs, with a macro of the project's.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("torchada pull request 100 (MUSA_VERSION is 50200)",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "#if MY_VERSION > 1\n#endif\n",
    "cudaMalloc(&p, 4);",
)
INVALID = (Case("f(CUFFT_VER_MINOR);", findings=("CUFFT_VER_MINOR",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
