"""MUS110: a device name that nobody has shown on MUSA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS110"
TITLE = "Device name left as it is, unproven on MUSA"
WHY = """
Most device intrinsics, vector types and their headers keep their names on MUSA. This one is used in no public MUSA
source, so it may be missing from the SDK, or from older ones. One note a name.
"""
EXAMPLE = """
int old = atomicExch(lock, 1);
"""
INSTEAD = """
Nothing, where it builds; else write it with what is there.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("ggml-org/llama.cpp@0cbec770: vendors/musa.h (hexp, hlog and their kin were missing in older SDKs)",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "atomicAdd(p, 1);",
    "__syncthreads();",
)
INVALID = (Case("x = atomicExch(p, 1);", findings=("atomicExch",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
