"""The 16-bit floats f16 and bf16: their values as f32, and f32 values rounded to them, by bits alone.

What is exact in f32 or double is computed there and rounded once, so no half type is needed, and the same comes out
on every arch. Where a file has the half types itself, `packed` and `conversions` use their intrinsics instead.
"""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.registers import TYPES, U32, UNSIGNED, as_bits
from musify_ai.translate.ptx.rounding import F32, F64, exact_sum, odd_bits

U16 = UNSIGNED[16]


class Half(NamedTuple):
    """A 16-bit float: the bits of its infinity, and the type that MUSA code holds one or two in."""

    infinity: int
    single: str
    pair: str


FORMATS = {
    "f16": Half(0x7C00, "__half", "__half2"),
    "bf16": Half(0x7F80, "__mt_bfloat16", "__mt_bfloat162"),
}


def knows(b: Builder, name: str) -> bool:
    """Whether the file has the type, so that its intrinsics are there."""
    return b.knows_half if name == "f16" else b.knows_bfloat


def widened(b: Builder, held: str, name: str) -> str:
    """The value of a half (a variable of 16 bits) as an f32 by name."""
    if name == "bf16":
        return b.let(f"__uint_as_float((unsigned int){held} << 16)", F32)
    if b.knows_half:
        return b.let(f"__half2float(*(const __half*)&{held})", F32)
    size = b.let(f"{held} & 0x7fffu", U32)
    subnormal = f"__float_as_uint((float){size} * 5.9604644775390625e-8f)"
    bits = (
        f"{size} > 0x7bffu ? {size} << 13 | 0x7f800000u : {size} > 0x3ffu ? ({size} << 13) + 0x38000000u : {subnormal}"
    )
    whole = b.let(bits, U32)
    return b.let(f"__uint_as_float({whole} | ({held} & 0x8000u) << 16)", F32)


def narrowed_half(
    b: Builder, bits: str, name: str, rounding: str = "rn", *, finite: bool = False, relu: bool = False
) -> str:
    """An f32 (its bits, by name) rounded to a half, as a variable of 16 bits. NaN becomes 0x7fff."""
    size = b.let(f"{bits} & 0x7fffffffu", U32)
    if name == "bf16":
        rounded = f"({size} + 0x7fffu + ({size} >> 16 & 1u)) >> 16" if rounding == "rn" else f"{size} >> 16"
    elif rounding == "rn":
        tiny = f"__float_as_uint(__uint_as_float({size}) + 0.5f) - 0x3f000000u"
        normal = f"({size} - 0x37fff001u + ({size} >> 13 & 1u)) >> 13"
        rounded = f"{size} > 0x477fefffu ? 0x7c00u : {size} < 0x38800000u ? {tiny} : {normal}"
    else:
        tiny = f"(unsigned int)(__uint_as_float({size}) * 16777216.0f)"
        normal = f"({size} - 0x38000000u) >> 13"
        large = f"({size} == 0x7f800000u ? 0x7c00u : 0x7bffu)"
        rounded = f"{size} > 0x477fffffu ? {large} : {size} < 0x38800000u ? {tiny} : {normal}"
    whole = b.let(rounded, U32)
    if finite:
        infinity = FORMATS[name].infinity
        whole = b.let(f"{whole} == {infinity:#x}u ? {infinity - 1:#x}u : {whole}", U32)
    signed = f"{whole} | ({bits} >> 16 & 0x8000u)"
    if relu:
        signed = f"{bits} >> 31 ? 0u : {whole}"
    return b.let(f"(unsigned short)({size} > 0x7f800000u ? 0x7fffu : {signed})", U16)


def narrowed_float(b: Builder, value: str, name: str, rounding: str = "rn") -> str:
    """An f32 by name, rounded to a half."""
    if name == "f16" and b.knows_half:
        held = b.let_auto(f"__float2half_{rounding}({value})")
        return b.let(f"*(const unsigned short*)&{held}", U16)
    return narrowed_half(b, b.let(as_bits(F32, U32, value), U32), name, rounding)


def fused_bits(b: Builder, x: str, y: str, z: str) -> str:
    """x * y + z of halves widened to f32, as the bits of an f32 that is odd where it is not exact."""
    product = b.let(f"(double){x} * (double){y}", F64)
    addend = b.let(f"(double){z}", F64)
    total, lack = exact_sum(b, product, addend)
    # With infinities and NaN the sum says all.
    sure = b.let(f"{total} - {total} == 0.0 ? {lack} : 0.0", TYPES["f64"])
    return odd_bits(b, total, sure)


def extremum_bits(
    b: Builder, x: str, y: str, infinity: int, bits: int, *, largest: bool, nan: bool, xorsign: bool
) -> str:
    """The smaller or larger of two floats by their bits, as an unsigned expression of 32 bits: -0 is below +0, a NaN
    gives way (or wins), and with ``xorsign`` the sizes are compared and the signs joined."""
    top = f"{1 << (bits - 1):#x}u"
    ones, canonical = f"{(1 << bits) - 1:#x}u", f"{(1 << (bits - 1)) - 1:#x}u"
    sizes = [b.let(f"{each} & {canonical}", U32) for each in (x, y)]
    if xorsign:
        keys = sizes
    else:
        keys = [b.let(f"{each} & {top} ? {each} ^ {ones} : {each} | {top}", U32) for each in (x, y)]
    first, second = (f"{size} > {infinity:#x}u" for size in sizes)
    left, right = sizes if xorsign else (x, y)
    sign = ">" if largest else "<"
    chosen = f"{first} ? {right} : {second} ? {left} : {keys[0]} {sign} {keys[1]} ? {left} : {right}"
    if xorsign:
        chosen = f"({chosen}) | (({x} ^ {y}) & {top})"
    both = "||" if nan else "&&"
    return f"{first} {both} {second} ? {canonical} : {chosen}"
