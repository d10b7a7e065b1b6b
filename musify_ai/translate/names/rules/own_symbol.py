"""MUS107: a name of the API that the file defines itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS107"
TITLE = "The file defines a symbol with a CUDA name"
WHY = """
A function, type, macro or variable of the project's own has a name of the API (a wrapper, a shim, an interposer).
Renaming it could tie it to the wrong thing, so no occurrence in the file is renamed.
"""
EXAMPLE = """
static int cudaFree(void *p) { return pool_free(p); }
"""
INSTEAD = """
Rename the symbol by hand together with its users if it stands in for CUDA's; leave it if it does not.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("measured over 4,886 public files: 132 names begin with cuda and are in no CUDA header",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaFree(p);",
    "struct S { int cudaFree; };",
)
INVALID = (Case("#define cudaFree(p) mine(p)\ncudaFree(q);", findings=("cudaFree",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
