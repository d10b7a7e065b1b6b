"""MUS501: `atomic*_system`, which mcc cannot compile."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS501"
TITLE = "System-scope atomic"
WHY = """
With SDK 4.3.3 mcc does not come back from compiling `atomicAdd_system` and `atomicCAS_system`. A device-scope atomic
in their place is not seen by the host or by other GPUs in the same way: ports that swapped one for the other weakened
the ordering without saying so.
"""
EXAMPLE = """
atomicAdd_system(counter, 1);
"""
INSTEAD = """
A device-scope atomic with `__threadfence_system()` before and after, where the other side tolerates it; or
restructure so that each GPU or the host owns its own counter.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh",
    "MooreThreads/MT-DeepEP: csrc/kernels (atomicSub_system replaced)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// atomicAdd_system\n",
    "__global__ void k(int* x, int n) {\n  atomicAdd(x, n);\n}\n",
    "__global__ void k(int* x, int n) {\n  atomicAdd_block(x, n);\n}\n",
    "__device__ int atomicAdd_system(int* p, int v);\n",
)
INVALID = (
    Case("__global__ void k(int* x, int n) {\n  atomicAdd_system(x, n);\n}\n", findings=("atomicAdd_system",)),
    Case("__global__ void k(int* x, int n) {\n  n = atomicCAS_system(x, 0, 1);\n}\n", findings=("atomicCAS_system",)),
)

find = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: system-scope atomics do not compile with mcc (SDK 4.3.3 loops forever). A device-scope atomic is "
        "weaker for the host and for other GPUs; add __threadfence_system() around it, and say that the weaker scope "
        "is enough.",
        settled=False,
    ),
    TRIGGERS,
)
