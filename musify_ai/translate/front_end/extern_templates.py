"""MUS622: explicit instantiations of kernels that are declared elsewhere."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_match

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

_DECLARED = late_pattern(rb"\bextern\s+template\s+[^;{}()]*?\b__(?:global|device)__\b[^;{}()<]*")

_MESSAGE = "a port leaves such declarations out for MUSA, where they did not link: put this under #ifndef __MUSACC__."

find = each_match(Says(CODE, "note", EFFORT, _MESSAGE), _DECLARED, "extern template")
