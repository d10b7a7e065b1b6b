"""MUS602: 128-bit integers in device code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
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
TRIGGERS = triggers(CODE)
VALID = (
    "// __uint128_t\n",
    "unsigned __int128 f(unsigned __int128 a) { return a / 3; }\n",
    "using u128 = unsigned __int128;\n",
    "__device__ u64 f(u64 x, int n) {\n  unsigned __int128 a = x;\n  return (u64)(a * a >> 64) / n;\n}\n",
    "__device__ void f(int* p, int n) {\n  __uint128_t& v = *(__uint128_t*)p;\n  g(v, n / 32, n << n);\n}\n",
)
INVALID = (
    Case(
        "__device__ unsigned long long f(unsigned __int128 a, int n) {\n  __uint128_t b = a >> n;\n  return b;\n}\n",
        findings=("a >> n",),
    ),
    Case("__device__ int f(int x) {\n  return (int)((__int128_t)x / 3);\n}\n", findings=("x / 3",)),
    Case("using u128 = unsigned __int128;\n__device__ u64 f(u128 a) {\n  return a % 7;\n}\n", findings=("a % 7",)),
    Case(
        "__global__ void k(__uint128_t* x, int n) {\n  x[0] = x[1] / x[2];\n  *x >>= n;\n}\n",
        findings=("] / x", "x >>= n"),
    ),
    Case("__device__ u64 f(u64 x) {\n  return static_cast<__uint128_t>(x) / 3;\n}\n", findings=(") / 3",)),
)

_DIVISIONS = frozenset((b"/", b"%", b"/=", b"%="))
_SHIFTS = frozenset((b"<<", b">>", b"<<=", b">>="))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each division, and each shift by a variable, of such an integer in device code."""
    toks = unit.tokens
    wide = _wide_operands(unit)
    for index in wide:
        if index + 2 >= len(toks) or not unit.in_device_code(toks[index].start):
            continue
        sign, other = toks[index + 1].text, toks[index + 2]
        if sign in _DIVISIONS or (sign in _SHIFTS and other.kind != "number"):
            yield Finding(
                CODE,
                "warning",
                toks[index].start,
                other.end,
                "mcc crashes on 128-bit division and on 128-bit shifts by a variable (SDK 4.3.6, 5.2.0): use two "
                "64-bit limbs here.",
                effort=EFFORT,
                name=sign.decode("ascii"),
            )


def _wide_operands(unit: Unit) -> list[int]:
    """Token indices at which an operand of such a type ends: a name declared with it, or what a cast to it makes."""
    toks, partners = unit.tokens, unit.partners
    types = set(unit.words & TRIGGERS)
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        # `using u128 = unsigned __int128;`, and `typedef unsigned __int128 u128;`
        before = [token.text for token in toks[max(index - 4, 0) : index]]
        if index > 0 and b"using" in before and b"=" in before:
            types.add(before[before.index(b"using") + 1])
        elif b"typedef" in before and index + 1 < len(toks):
            types.add(toks[index + 1].text)
    names: set[bytes] = set()
    pointers: set[bytes] = set()
    ends: list[int] = []
    for each in unit.occurrences(types):
        index = unit.token_index(each.start)
        if index < 0 or index + 2 >= len(toks):
            continue
        after = toks[index + 1]
        if after.kind == "identifier":
            names.add(after.text)
        elif after.text in (b"&", b"*") and toks[index + 2].kind == "identifier":
            (names if after.text == b"&" else pointers).add(toks[index + 2].text)
        elif after.text == b")" or (after.text == b">" and toks[index + 2].text == b"("):
            ends.append(partners.get(index + 2, index + 2))
    for each in unit.occurrences(names | pointers):
        index = unit.token_index(each.start)
        if 0 <= index < len(toks) - 1 and toks[index + 1].text == b"[":
            ends.append(partners.get(index + 1, -1))
        elif each.name in names or (index > 0 and toks[index - 1].text == b"*"):
            ends.append(index)
    return sorted({end for end in ends if end >= 0})
