"""MUS501: `atomic*_system`, which mcc cannot compile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset(
    (
        b"atomicAdd_system",
        b"atomicSub_system",
        b"atomicExch_system",
        b"atomicMin_system",
        b"atomicMax_system",
        b"atomicInc_system",
        b"atomicDec_system",
        b"atomicCAS_system",
        b"atomicAnd_system",
        b"atomicOr_system",
        b"atomicXor_system",
    )
)
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


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    toks = unit.tokens
    for index in mentions(unit, TRIGGERS):
        name = toks[index].text.decode("ascii")
        yield Finding(
            CODE,
            "error",
            toks[index].start,
            toks[index].end,
            f"{name}: system-scope atomics do not compile with mcc (SDK 4.3.3 loops forever). A device-scope "
            "atomic is weaker for the host and for other GPUs; add __threadfence_system() around it, and say "
            "that the weaker scope is enough.",
            effort=EFFORT,
            settled=False,
            name=name,
        )
