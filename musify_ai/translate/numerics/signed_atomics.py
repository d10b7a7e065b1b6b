"""MUS603: atomics on signed 64-bit integers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import arguments, call_end, mentions
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
TRIGGERS = frozenset((b"atomicAdd", b"atomicMin", b"atomicMax"))
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


_CAST = re.compile(rb"\(?(?:reinterpret_cast<|\()\s*(?:std\s*::\s*)?(?:long long(?: int)?|int64_t)\s*\*")
_TYPE = rb"\b((?:unsigned\s+)?long\s+long(?:\s+int)?|int64_t|\w+)\s*(?:\*|\s)\s*(?:const\s+|__restrict__\s+)*"
_NAME = re.compile(rb"&?\s*([A-Za-z_]\w*)(?:\s*[\[+].*)?\Z", re.DOTALL)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such call, where the first argument says its type or is declared with it."""
    if not unit.words & {b"long", b"int64_t"}:
        return
    toks = unit.tokens
    for index in mentions(unit, TRIGGERS):
        closed = call_end(unit, index)
        given = arguments(unit, closed) if closed >= 0 else []
        if len(given) != 2 or given[0][0] >= given[0][1]:
            continue
        first = unit.src[toks[given[0][0]].start : toks[given[0][1] - 1].end]
        if not _CAST.match(first) and not _declared(unit, first, toks[index].start):
            continue
        adds = toks[index].text == b"atomicAdd"
        yield Finding(
            CODE,
            "error",
            toks[index].start,
            toks[closed].end,
            "MUSA has no such atomic for signed 64-bit integers: "
            + ("cast both to unsigned long long, which adds the same bits." if adds else "loop over atomicCAS."),
            effort=EFFORT,
            settled=False,
            name=toks[index].text.decode("ascii"),
        )


def _declared(unit: Unit, argument: bytes, before: int) -> bool:
    """Whether the last declaration of the argument's name before the call is of a pointer to, or an array of, them."""
    match = _NAME.match(argument)
    if match is None:
        return False
    name = re.escape(match[1])
    declared = None
    body = unit.device_body(before)
    # Far enough for the parameters of any function of a usual length, and no farther for each call.
    begin = max(0, (body[0] if body else before) - 600, before - 20_000)
    for found in re.finditer(_TYPE + name + rb"\s*[,)\[=;]", unit.src[begin:before]):
        declared = found[1]
    return declared is not None and bool(re.fullmatch(rb"long\s+long(?:\s+int)?|int64_t", declared))
