"""MUS518: volatile shared arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
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
    "__device__ void f(float* s, int i) {\n  s[i] += s[i + 16];\n}\n",
    "__device__ void f(volatile float* s, int i) {\n  s[i] += s[i + 16]; __syncwarp();\n  s[i] += s[i + 8];\n}\n",
    "void f(volatile float* s, int i) {\n  s[i] += s[i + 16];\n}\n",
)
INVALID = (
    Case(
        "__device__ void f(volatile float* s, int i) {\n  s[i] += s[i + 16];\n  s[i] += s[i + 8];\n}\n",
        findings=("s[i + 16]",),
    ),
    Case("__global__ void k() {\n  __shared__ volatile float s[32];\n}\n", findings=("__shared__ volatile",)),
    Case("__global__ void k() {\n  volatile __shared__ float s[32];\n}\n", findings=("volatile __shared__",)),
    Case("__global__ void k() {\n  extern __shared__ volatile int s[];\n}\n", findings=("__shared__ volatile",)),
)

_PAIR = late_pattern(rb"\b(?:__shared__\s+volatile|volatile\s+__shared__|__shared__\s+\w+\s+volatile)\b")

_MESSAGE = (
    "code over a volatile shared array counts on the lanes of a warp running in step, which nothing promises for MUSA: "
    "put __syncwarp() between its steps, or use shuffles of width 32."
)

_STEP_MESSAGE = (
    "these steps through a volatile pointer, with no barrier between them, count on the lanes of a warp running in "
    "step, which nothing promises for MUSA: put __syncwarp() between them, or use shuffles of width 32."
)
# `s[i] += s[i + 16]`: a step of a reduction, and what is declared as a volatile pointer.
_STEP = late_pattern(rb"\b(\w+)\s*\[[^\[\];]*\+\s*(?:16|8)\s*\]")
_POINTER = late_pattern(rb"\bvolatile\s+(?:\w+\s+)*\w+\s*\*\s*(?:const\s+|__restrict__\s+)*(\w+)\s*[,)=;]")
_ARRAYS = each_match(Says(CODE, "note", EFFORT, _MESSAGE), _PAIR, "volatile")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note over each such array, and over the first step of each function that reduces through a pointer."""
    yield from _ARRAYS(unit)
    pointers = set(_POINTER.findall(unit.src)) if b"volatile" in unit.words else set()
    steps: dict[tuple[int, int], list[re.Match[bytes]]] = {}
    for step in _STEP.finditer(unit.src) if pointers else ():
        body = unit.device_body(step.start())
        if body is not None and step[1] in pointers and unit.token_index(step.start()) >= 0:
            steps.setdefault(body, []).append(step)
    for first, *others in steps.values():
        # With a barrier between its steps a function does not count on that.
        last = others[-1].end() if others else first.end()
        if b"__sync" not in unit.src[first.start() : last]:
            yield Finding(CODE, "note", first.start(), first.end(), _STEP_MESSAGE, effort=EFFORT, name="volatile")
