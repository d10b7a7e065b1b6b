"""MUS109: a CUDA name in a string that is looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import FileView, findings_of

CODE = "MUS109"
TITLE = "CUDA name in a string, in a file that looks symbols up"
WHY = """
Strings are never edited: most speak to people. A string that is exactly a CUDA name, in a file that calls dlsym or
cuGetProcAddress, may be a symbol's name, and then it has to change with the library.
"""
EXAMPLE = """
auto entry = dlsym(library, "cuInit");
"""
INSTEAD = """
Change the string by hand where it is looked up in a MUSA library (libmusa, libmusart, ...).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("the vendor's musify-text renames in every string",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    'puts("cudaFree");',
    'dlsym(h, "cudaFree failed");',
)
INVALID = (Case('p = dlsym(h, "cudaFree");', findings=("cudaFree",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
