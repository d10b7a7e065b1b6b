"""MUS602: 128-bit integers in device code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS602"
TITLE = "128-bit integer in device code"
WHY = """
mcc crashes on a division of `__uint128_t` and cannot select a variable shift of one (SDK 4.3.6 and 5.2.0). Addition
and multiplication are not known to fail.
"""
EXAMPLE = """
__device__ u64 f(unsigned __int128 a, u64 b) { return a / b; }
"""
INSTEAD = """
Two 64-bit limbs: `__umul64hi` for the upper half of a product, shifts limb by limb, a division by a constant as a
multiplication.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/torch_musa issue 153",)
TRIGGERS = frozenset((b"__int128", b"__int128_t", b"__uint128_t", b"uint128_t"))
VALID = (
    "// __uint128_t\n",
    "unsigned __int128 f(unsigned __int128 a) { return a / 3; }\n",
    "using u128 = unsigned __int128;\n",
)
INVALID = (
    Case(
        "__device__ unsigned long long f(unsigned __int128 a, int n) {\n  __uint128_t b = a >> n;\n  return b;\n}\n",
        findings=("__uint128_t",),
    ),
    Case("__device__ int f(int x) {\n  return (int)((__int128_t)x / 3);\n}\n", findings=("__int128_t",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use in device code."""
    for each in unit.occurrences(TRIGGERS):
        if not unit.in_device_code(each.start):
            continue
        yield Finding(
            CODE,
            "warning",
            each.start,
            each.end,
            "mcc crashes on 128-bit division and on 128-bit shifts by a variable (SDK 4.3.6, 5.2.0): use two 64-bit "
            "limbs for those.",
            effort=EFFORT,
            name=each.name.decode("ascii"),
        )
