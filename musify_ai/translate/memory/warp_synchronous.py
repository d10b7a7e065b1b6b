"""MUS518: volatile shared arrays."""

from __future__ import annotations

import re
from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_match

CODE = "MUS518"
TITLE = "Volatile shared array"
WHY = """
A shared array that is volatile belongs to code which counts on the lanes of a warp running in step, without a barrier
between a write and the read by another lane. NVIDIA gave that up with sm_70; nothing public promises it for MUSA, and
with 128 lanes a warp the group that runs together, if any does, is another one.
"""
EXAMPLE = """
__shared__ volatile float s[64]; s[tid] += s[tid + 16];
"""
INSTEAD = """
`__syncwarp()` between the steps, or shuffles of width 32; `__syncthreads()` where more than 32 threads take part.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "ORNL HeCBench issue 167 (warps of another width)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __shared__ volatile float s[32];\n",
    "__global__ void k() {\n  __shared__ float s[32];\n  volatile float* p = s;\n}\n",
    "volatile int ready;\n__shared__ int x;\n",
)
INVALID = (
    Case("__global__ void k() {\n  __shared__ volatile float s[32];\n}\n", findings=("__shared__ volatile",)),
    Case("__global__ void k() {\n  volatile __shared__ float s[32];\n}\n", findings=("volatile __shared__",)),
    Case("__global__ void k() {\n  extern __shared__ volatile int s[];\n}\n", findings=("__shared__ volatile",)),
)

_PAIR = re.compile(rb"\b(?:__shared__\s+volatile|volatile\s+__shared__|__shared__\s+\w+\s+volatile)\b")

_MESSAGE = (
    "code over a volatile shared array counts on the lanes of a warp running in step, which nothing promises for MUSA: "
    "put __syncwarp() between its steps, or use shuffles of width 32."
)

find = each_match(Says(CODE, "note", EFFORT, _MESSAGE), _PAIR, "volatile")
