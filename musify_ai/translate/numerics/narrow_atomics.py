"""MUS610: atomics on bfloat16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.declared import pointee
from musify_ai.translate.numerics.signed_atomics import atomic_calls
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS610"
TITLE = "Atomic on bfloat16"
WHY = """
`atomicAdd` for bfloat16 is there on newer targets and SDKs only; torch_musa keeps a loop over a 32-bit `atomicCAS`
for it, as it does for integers of 8 and 16 bits.
"""
EXAMPLE = """
atomicAdd(reinterpret_cast<__nv_bfloat162*>(p), v);
"""
INSTEAD = """
A loop over `atomicCAS` on the 32-bit word that holds the value (slower by design: a retry for each conflict), or a
sum in float.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MUSAAtomic.muh",)
TRIGGERS = triggers(CODE)
VALID = (
    "// atomicAdd((__nv_bfloat16*)p, v)\n",
    "__global__ void k(float* p, __nv_bfloat16* q) {\n  atomicAdd(p, 1.f);\n}\n",
)
INVALID = (
    Case(
        "__global__ void k(float* p, __nv_bfloat162 v) {\n  atomicAdd((__nv_bfloat162*)p, v);\n}\n",
        findings=("atomicAdd((__nv_bfloat162*)p, v)",),
    ),
    Case("__device__ void f(nv_bfloat16* p) {\n  atomicAdd(p + 1, *p);\n}\n", findings=("atomicAdd(p + 1, *p)",)),
)

_NARROW = late_pattern(rb"(?:__)?nv_bfloat162?")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such call, where the first argument says its type or is declared with it."""
    if b"bfloat16" not in unit.src:
        return
    for index, closed, first in atomic_calls(unit, TRIGGERS):
        if _NARROW.fullmatch(pointee(unit, first, unit.tokens[index].start)) is None:
            continue
        yield Finding(
            CODE,
            "warning",
            unit.tokens[index].start,
            unit.tokens[closed].end,
            "atomicAdd for bfloat16 is there on newer MUSA targets only: loop over atomicCAS on the 32-bit word, or "
            "sum in float.",
            effort=EFFORT,
            name="atomicAdd",
        )
