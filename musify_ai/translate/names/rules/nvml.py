"""MUS705: NVML, of which MTML is no clone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS705"
TITLE = "NVML call or type"
WHY = """
MTML works on library, system and device handles; a function of the same-looking name takes other arguments.
"""
EXAMPLE = """
nvmlDeviceGetHandleByIndex(0, &device);
"""
INSTEAD = """
Rewrite the calls against `mtml.h` (`mtmlLibraryInit`, `mtmlLibraryInitDeviceByIndex`, ...).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("kvcache-ai/Mooncake and torchada: their use of MTML",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaGetDeviceCount(&n);",
    "// nvmlInit\n",
)
INVALID = (Case("nvmlInit();", findings=("nvmlInit",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
