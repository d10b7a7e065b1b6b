"""MUS103: a rename that only the prefix rule gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS103"
TITLE = "Renamed by the prefix rule alone"
WHY = """
Nothing published names the MUSA side: it is the CUDA name with its prefix replaced. Many such names do not exist, and a
build that fails late is the better case; the edit is therefore made with `--unsafe-fixes` only.
"""
EXAMPLE = """
cudaLaunchKernelExC(&config, kernel, arguments);
"""
INSTEAD = """
Look the name up in your SDK's headers. Where it exists, run again with `--unsafe-fixes`, or edit by hand.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/utils/mapping/general.json (the published table)",
    "MooreThreads/torch_musa: torch_musa/utils/README.md",
)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaMalloc(&p, 4);",
    "musaLaunchKernelExC(c);",
)
INVALID = (Case("cudaLaunchKernelExC(c);", findings=("cudaLaunchKernelExC",), fixed="musaLaunchKernelExC(c);"),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
