"""MUS106: a name that goes over a line end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS106"
TITLE = "CUDA name split by a line continuation"
WHY = """
A backslash before the newline joins the two halves into one name. The tool renames whole words only.
"""
EXAMPLE = """
cudaMem\\
cpy(a, b, n, kind);
"""
INSTEAD = """
Put the name on one line and run again.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("the C++ standard, [lex.phases]",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "#define A \\\n  cudaFree\n",
    "cudaMemcpy(a);",
)
INVALID = (Case("cudaMem\\\ncpy(a);", findings=("cudaMem\\\ncpy",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
