"""MUS622: explicit instantiations of kernels that are declared elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS622"
TITLE = "extern template of a kernel"
WHY = """
ggml leaves its `extern template` declarations of kernels and their helpers out of the MUSA build: with them it did
not link.
"""
EXAMPLE = """
extern template __global__ void k<float>(float*);
"""
INSTEAD = """
Leave the declaration out under `#ifndef __MUSACC__`: the file then makes its own instantiation.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("ggml-org/ggml: src/ggml-cuda/mmf.cuh",)
TRIGGERS = triggers(CODE)
VALID = (
    "// extern template __global__ void k<int>();\n",
    "extern template class vector<int>;\n__global__ void k();\n",
    "template __global__ void k<int>();\n",
)
INVALID = (
    Case("extern template __global__ void k<float>(float*);\n", findings=("extern template __global__ void k",)),
)

_DECLARED = re.compile(rb"\bextern\s+template\s+[^;{}()]*?\b__(?:global|device)__\b[^;{}()<]*")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note over each such declaration, up to its arguments."""
    for each in _DECLARED.finditer(unit.src) if b"template" in unit.words else ():
        if unit.token_index(each.start()) < 0:
            continue
        yield Finding(
            CODE,
            "note",
            each.start(),
            each.start() + len(each[0].rstrip()),
            "a port leaves such declarations out for MUSA, where they did not link: put this under #ifndef __MUSACC__.",
            effort=EFFORT,
            name="extern template",
        )
