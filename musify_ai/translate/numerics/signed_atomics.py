"""MUS603: atomics on signed 64-bit integers."""

from __future__ import annotations

import re
from bisect import bisect_right
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
_DECLARATION = re.compile(
    rb"\b((?:unsigned\s++)?long\s++long(?:\s++int)?|int64_t|[A-Za-z_]\w*+)\s*+(?:\*|(?<=\s))\s*+"
    rb"(?:const\s++|__restrict__\s++)*+([A-Za-z_]\w*+)(?=\s*+[,)\[=;])"
)
_SIGNED = re.compile(rb"long\s+long(?:\s+int)?|int64_t")
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
    if "signed 64-bit" not in unit.memo:
        found: dict[bytes, list[tuple[int, bool]]] = {}
        for each in _DECLARATION.finditer(unit.src):
            found.setdefault(each[2], []).append((each.start(), _SIGNED.fullmatch(each[1]) is not None))
        unit.memo["signed 64-bit"] = found
    declarations: list[tuple[int, bool]] = unit.memo["signed 64-bit"].get(match[1], [])
    index = bisect_right(declarations, before, key=lambda each: each[0]) - 1
    return index >= 0 and declarations[index][1]
