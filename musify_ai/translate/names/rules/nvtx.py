"""MUS703: NVTX, which MUSA lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS703"
TITLE = "NVTX annotation"
WHY = """
No public MUSA header has NVTX's functions; ports define them away. They only mark ranges for a profiler, so nothing
that a program computes changes.
"""
EXAMPLE = """
nvtxRangePushA("step");
"""
INSTEAD = """
Put include and calls behind a macro of the project's, or take them out.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/elpa-musa and torchada stub NVTX out",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    'puts("nvtxRangePop");',
    "cudaProfilerStart();",
)
INVALID = (Case("nvtxRangePop();", findings=("nvtxRangePop",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
