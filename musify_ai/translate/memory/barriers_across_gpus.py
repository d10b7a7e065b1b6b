"""MUS516: block barriers where other GPUs look on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS516"
TITLE = "Block barrier before data for other GPUs"
WHY = """
On MUSA `__syncthreads()` is not known to order what other GPUs or the host see: Mooncake puts
`__threadfence_system()` around it, and torch_musa has a form (`__syncthreads_lm`) that orders shared memory alone. A
kernel that writes to a peer, waits at the barrier and then raises a flag there may show the flag first.
"""
EXAMPLE = """
__syncthreads(); if (threadIdx.x == 0) atomicAdd_system(flag, 1);
"""
INSTEAD = """
`__threadfence_system()` before the barrier, by every thread that wrote what others read.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MUSAMacros.muh (__syncthreads_lm)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "__global__ void k(int* p) {\n  __syncthreads();\n  atomicAdd(p, 1);\n}\n",
    "// __syncthreads(); atomicAdd_system(p, 1);\n",
    "__global__ void k(int* p) {\n  __threadfence_system();\n  __syncthreads();\n  atomicAdd_system(p, 1);\n}\n",
    "__global__ void k(int* p) {\n  __syncthreads();\n}\n__global__ void l(int* p) {\n  atomicAdd_system(p, 1);\n}\n",
)
INVALID = (
    Case(
        "__global__ void k(int* p) {\n  __syncthreads();\n  atomicAdd_system(p, 1);\n}\n", findings=("__syncthreads",)
    ),
    Case(
        '__global__ void k(int* p) {\n  __syncthreads();\n  asm("st.release.sys.global.u32 [%0], 1;" ::"l"(p));\n}\n',
        findings=("__syncthreads",),
    ),
)

_OTHERS_SEE = late_pattern(rb"\batomic\w+_system\b|\.sys\b")
_FENCES = late_pattern(rb"\b__threadfence_system\b|fence(?:\.\w+)*\.sys\b|membar\.sys\b")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note at the first barrier of each device function that writes for other GPUs and holds no fence for them."""
    if _OTHERS_SEE.search(unit.src) is None:
        return
    covered = 0
    for each in unit.occurrences(TRIGGERS):
        body = unit.device_body(each.start)
        if body is None or each.start < covered:
            continue
        covered = body[1]
        if _OTHERS_SEE.search(unit.src, *body) is None or _FENCES.search(unit.src, *body) is not None:
            continue
        yield Finding(
            CODE,
            "note",
            each.start,
            each.end,
            "this function writes what other GPUs read, and on MUSA a block barrier is not known to order that: put "
            "__threadfence_system() before it.",
            effort=EFFORT,
            name="__syncthreads",
        )
