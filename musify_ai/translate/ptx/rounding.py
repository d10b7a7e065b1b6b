"""Rounding in a direction, for which no MUSA intrinsic is known: a wider result and what it lacks, then one step.

The product of two f32 is exact in a double; a sum in double and its error are exact together (Knuth). The result is
rounded to nearest, compared with the exact value, and moved by one unit in the last place where it lies on the wrong
side.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.registers import TYPES, U32, U64, PtxType

F32, F64 = TYPES["f32"], TYPES["f64"]
NOTE = "{} is computed in double and moved to its rounding: slower, and wrong under -ffast-math"


def exact_sum(b: Builder, left: str, right: str) -> tuple[str, str]:
    """The sum of two doubles and what it lacks, both by name."""
    total = b.let(f"{left} + {right}", F64)
    back = b.let(f"{total} - {left}", F64)
    return total, b.let(f"({left} - ({total} - {back})) + ({right} - {back})", F64)


def directed(b: Builder, total: str, lack: str, rounding: str, kind: PtxType) -> str:
    """``total + lack`` (doubles by name, ``lack`` empty for nothing) rounded to a type by ``rz``, ``rm`` or ``rp``."""
    if kind.bits == 32:
        nearest = b.let(f"(float){total}", F32)
        bits = b.let(f"__float_as_uint({nearest})", U32)
        back, one = "__uint_as_float({})", "1u"
    else:
        nearest = total
        bits = b.let(f"(unsigned long long)__double_as_longlong({total})", U64)
        back, one = "__longlong_as_double((long long)({}))", "1ull"
    equal = f" || ({nearest} == {total} && {lack} {{}} 0.0)" if lack else ""
    above = f"{nearest} > {total}{equal.format('<')}"
    below = f"{nearest} < {total}{equal.format('>')}"
    down, up = (
        f"({total} > 0.0 ? {bits} - {one} : {bits} + {one})",
        f"({total} > 0.0 ? {bits} + {one} : {bits} - {one})",
    )
    if rounding == "rm":
        chosen = f"{above} ? {down} : {bits}"
    elif rounding == "rp":
        chosen = f"{below} ? {up} : {bits}"
    else:
        chosen = f"({total} > 0.0 ? {above} : {below}) ? {bits} - {one} : {bits}"
    return b.let(back.format(chosen), kind)


def zero_of(b: Builder, result: str, total: str, left: str, right: str) -> str:
    """The result of a sum rounded down: a sum of zero is negative unless both of its parts are +0."""
    signs = f"(__double_as_longlong({left}) | __double_as_longlong({right})) < 0"
    return b.let(f"{total} == 0.0 && {signs} ? -0.0f : {result}", F32)


def odd_bits(b: Builder, total: str, lack: str = "") -> str:
    """The bits of a double (and what it lacks) as an f32 whose last bit is set where something was cut off: one more
    rounding, to a type that is at least two bits shorter, is then right."""
    nearest = b.let(f"(float){total}", F32)
    bits = b.let(f"__float_as_uint({nearest})", U32)
    inexact = f"({nearest} != {total}{f' || {lack} != 0.0' if lack else ''})"
    larger = f"fabs((double){nearest}) > fabs({total})"
    if lack:
        larger = f"({larger} || ({nearest} == {total} && ({lack} < 0.0) == ({total} > 0.0)))"
    return b.let(
        f"{total} - {total} == 0.0 && {inexact} && !({bits} & 1u) ? ({larger} ? {bits} - 1u : {bits} + 1u) : {bits}",
        U32,
    )


def in_direction(b: Builder, opcode: str, name: str, rounding: str, values: list[str]) -> str:
    """add, sub, mul or fma of f32 (by name) rounded to zero, down or up."""
    b.single = False
    b.note(NOTE.format(opcode))
    x, y, *rest = values
    if name == "mul":
        return directed(b, b.let(f"(double){x} * (double){y}", F64), "", rounding, F32)
    left = b.let(f"(double){x} * (double){y}" if name == "fma" else f"(double){x}", F64)
    right = b.let(f"(double){rest[0]}" if name == "fma" else f"{'-' if name == 'sub' else ''}(double){y}", F64)
    total, lack = exact_sum(b, left, right)
    result = directed(b, total, lack, rounding, F32)
    return zero_of(b, result, total, left, right) if rounding == "rm" else result
