"""MUS509: volatile accesses of vector types, which mcc rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS509"
TITLE = "Volatile vector access"
WHY = """
mcc rejects a copy of a volatile vector type (`volatile int4`): its members have no volatile copy. Taking the
`volatile` away compiles, and lets the compiler keep an old value while another thread waits for the new one; a vendor
port lost it that way.
"""
EXAMPLE = """
const int4 v = *(volatile int4*)p;
"""
INSTEAD = """
Field by field through a pointer to a volatile scalar, with a fence where all parts have to be of one moment: no
access of more than 8 bytes is known to be whole.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh",
    "MooreThreads/muAlg: cub/thread/thread_load.cuh (volatile lost for vectors)",
)
TRIGGERS = frozenset((b"volatile",))
VALID = (
    "// volatile int4\n",
    "__global__ void k(int* x, int n) {\n  volatile int* p = x; n = *p;\n}\n",
    "__global__ void k(int* x, int n) {\n  int4 v = *(int4*)x;\n}\n",
    "struct volatile_int4 { int x; };\n",
)
INVALID = (
    Case("__global__ void k(int* x, int n) {\n  int4 v = *(volatile int4*)x;\n}\n", findings=("volatile int4",)),
    Case(
        "__global__ void k(int* x, int n) {\n  volatile float4* p = (volatile float4*)x;\n}\n",
        findings=(
            "volatile float4",
            "volatile float4",
        ),
    ),
    Case("__global__ void k(int* x, int n) {\n  const uint2 volatile* p = 0;\n}\n", findings=("uint2 volatile",)),
)


_SCALARS = [
    "char",
    "short",
    "int",
    "long",
    "longlong",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "ulonglong",
    "float",
    "double",
]
_VECTORS = frozenset(f"{scalar}{count}".encode() for scalar in _SCALARS for count in (2, 3, 4)) | frozenset(
    (b"__half2", b"half2", b"__nv_bfloat162")
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each type that is both."""
    if unit.words.isdisjoint(_VECTORS):
        return
    toks = unit.tokens
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        if index < 0:
            continue
        for first, last in ((index, index + 1), (index - 1, index)):
            if first < 0 or last >= len(toks):
                continue
            other = toks[last] if first == index else toks[first]
            if other.text in _VECTORS:
                yield Finding(
                    CODE,
                    "warning",
                    toks[first].start,
                    toks[last].end,
                    f"mcc rejects volatile copies of {other.text.decode('ascii')}: read and write its fields one by "
                    "one through a volatile scalar pointer, with a fence where they belong together.",
                    effort=EFFORT,
                    settled=False,
                    name=other.text.decode("ascii"),
                )
                break
