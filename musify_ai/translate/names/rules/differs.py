"""MUS111: a name whose MUSA namesake is another thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS111"
TITLE = "MUSA has the name in another shape or meaning"
WHY = """
A rename would build, or nearly, and do something else: other arguments, another layout, or nothing at all.
"""
EXAMPLE = """
cudaGridDependencySynchronize();
"""
INSTEAD = """
Rewrite the place after the note in the finding.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "torchada 0.1.103 replaces the PDL calls by nothing",
    "MooreThreads/mate: csrc/mate_utils.hpp",
)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaMalloc(&p, 4);",
    "cudaDeviceSynchronize();",
)
INVALID = (Case("cudaGridDependencySynchronize();", findings=("cudaGridDependencySynchronize",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
