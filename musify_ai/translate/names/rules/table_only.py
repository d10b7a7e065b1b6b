"""MUS102: a rename that only a published table proves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS102"
TITLE = "Renamed on the word of a published table"
WHY = """
The pair stands in Moore Threads' own table, but in no public MUSA code. The table was made by rules and holds faults
(`nCutoffValue` became `nMutoffValue`), so a pair that nobody uses is likely right, not certain. One note a name.
"""
EXAMPLE = """
cudaArrayGetInfo(&desc, &extent, &flags, array);
"""
INSTEAD = """
Nothing, where it builds. Where it does not, look the name up in your SDK's headers and tell us.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/utils/mapping/general.json (the published table)",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaMalloc(&p, 4);",
    "__syncthreads();",
)
INVALID = (Case("cudaArrayGetInfo(a);", findings=("cudaArrayGetInfo",), output="musaArrayGetInfo(a);"),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
