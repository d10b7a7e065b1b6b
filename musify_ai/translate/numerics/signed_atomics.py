"""MUS603: atomics on signed 64-bit integers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.declared import pointee
from musify_ai.translate.mentions import calls
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS603"
TITLE = "Atomic on a signed 64-bit integer"
WHY = """
MUSA has no atomicAdd, atomicMin or atomicMax for `long long`: ports assert against it. For an addition the unsigned
one gives the same bits; a minimum or maximum it would get wrong for negative numbers.
"""
EXAMPLE = """
atomicAdd((long long*)p, v);
"""
INSTEAD = """
`atomicAdd((unsigned long long*)p, (unsigned long long)v)` for an addition; a loop of `atomicCAS` for the others.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/tilelang_musa: src/tl_templates/musa/atomic.h",)
TRIGGERS = triggers(CODE)
VALID = (
    "__global__ void k(int* x, int n) {\n  atomicAdd((unsigned long long*)x, 1ull);\n}\n",
    "__global__ void k(int* x, int n) {\n  atomicAdd(x, n);\n}\n",
    "__global__ void k(int* x, int n) {\n  atomicMin(reinterpret_cast<unsigned long long*>(x), 1ull);\n}\n",
    "// atomicAdd((long long*)p, v)\n",
    "__global__ void k(int* x, int n) {\n  atomicAdd(y, f((long long*)x));\n}\n",
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  atomicAdd((long long*)x, 1ll);\n}\n",
        findings=("atomicAdd((long long*)x, 1ll)",),
    ),
    Case(
        "__global__ void k(int* x, int n) {\n  atomicMax(reinterpret_cast<int64_t*>(x), v);\n}\n",
        findings=("atomicMax(reinterpret_cast<int64_t*>(x), v)",),
    ),
    Case("__device__ void f(long long int* p) {\n  atomicMin(p, 3);\n}\n", findings=("atomicMin(p, 3)",)),
)

_SIGNED = late_pattern(rb"long long(?: int)?|int64_t")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such call, where the first argument says its type or is declared with it."""
    if not unit.words & {b"long", b"int64_t"}:
        return
    for index, closed, first in atomic_calls(unit, TRIGGERS):
        if _SIGNED.fullmatch(pointee(unit, first, unit.tokens[index].start)) is None:
            continue
        name = unit.tokens[index].text
        yield Finding(
            CODE,
            "error",
            unit.tokens[index].start,
            unit.tokens[closed].end,
            "MUSA has no such atomic for signed 64-bit integers: "
            + (
                "cast both to unsigned long long, which adds the same bits."
                if name == b"atomicAdd"
                else "loop over atomicCAS."
            ),
            effort=EFFORT,
            settled=False,
            name=name.decode("ascii"),
        )


def atomic_calls(unit: Unit, names: Collection[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """Of each call of two arguments: the tokens of its name and its closing parenthesis, and its first argument."""
    toks = unit.tokens
    for index, closed, given in calls(unit, names):
        if len(given) == 2 and given[0][0] < given[0][1]:
            yield index, closed, unit.src[toks[given[0][0]].start : toks[given[0][1] - 1].end]
