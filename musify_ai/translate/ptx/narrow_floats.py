"""The meaning of ``cvt`` in C++ between floats of 8, 6 and 4 bits and wider ones, by bits alone.

e4m3 has no infinity and one NaN, e5m2 is the upper byte of an f16, the 6- and 4-bit ones have neither. Rounding to
them is to nearest and clamped to the largest number (``.satfinite``, which PTX asks for).
"""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import FORMATS, U16, narrowed_half, widened
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, UNSIGNED, as_bits
from musify_ai.translate.ptx.rounding import F32

U8 = UNSIGNED[8]


class Narrow(NamedTuple):
    """A format: its bits in all and of the mantissa, the exponent's bias, the code of its largest number, what a NaN
    becomes; ``apart`` is the first code that is no number, 0 where all are."""

    bits: int
    mantissa: int
    bias: int
    largest: int
    nan: int
    apart: int = 0


NARROW = {
    "e4m3x2": Narrow(8, 3, 7, 0x7E, 0x7F, 0x7F),
    "e5m2x2": Narrow(8, 2, 15, 0x7B, 0x7F, 0x7C),
    "e2m3x2": Narrow(6, 3, 1, 0x1F, 0x1F),
    "e3m2x2": Narrow(6, 2, 3, 0x1F, 0x1F),
    "e2m1x2": Narrow(4, 1, 1, 0x7, 0x7),
}
"""The formats that come in pairs; ue8m0, a power of two, is read only."""


def is_narrow(instruction: Instruction) -> bool:
    """Whether a conversion has such a type."""
    return any(part in NARROW or part == "ue8m0x2" for part in instruction.parts)


def convert(b: Builder, instruction: Instruction) -> None:
    """cvt from and to pairs of narrow floats."""
    b.single = False
    modifiers = {"rn", "satfinite", "relu"} & set(instruction.parts)
    types = [part for part in instruction.parts[1:] if part not in modifiers]
    if len(types) != 2 or len(instruction.parts) != 3 + len(modifiers) or "rn" not in modifiers:
        raise refused(instruction)
    target, source = types
    b.note(f"{instruction.opcode} is computed by bits, slower than an instruction of its own")
    if target in NARROW and "satfinite" in modifiers:
        _narrow(b, instruction, target, source, relu="relu" in modifiers)
    elif target in ("f16x2", "bf16x2") and (source in NARROW or source == "ue8m0x2") and modifiers == {"rn"}:
        _widen(b, instruction, target.removesuffix("x2"), source)
    else:
        raise refused(instruction)


def _narrow(b: Builder, instruction: Instruction, target: str, source: str, *, relu: bool) -> None:
    if source == "f32":
        # The first source goes to the upper part.
        d, high, low = operands(instruction, 3)
        values = [b.let(as_bits(F32, U32, b.read(each, F32)), U32) for each in (low, high)]
    elif source.removesuffix("x2") in FORMATS and source.endswith("x2"):
        d, x = operands(instruction, 2)
        word = b.let(b.read(x, U32), U32)
        values = []
        for shift in ("", " >> 16"):
            half = b.let(f"(unsigned short)({word}{shift})", U16)
            values.append(b.let(f"__float_as_uint({widened(b, half, source.removesuffix('x2'))})", U32))
    else:
        raise refused(instruction)
    form = NARROW[target]
    low_code, high_code = (_code(b, bits, form, relu=relu) for bits in values)
    width = 4 if form.bits == 4 else 8
    whole = f"{low_code} | {high_code} << {width}"
    kind = U8 if width == 4 else U16
    b.write(d, f"({kind.cpp})({whole})", kind)


def _code(b: Builder, bits: str, form: Narrow, *, relu: bool) -> str:
    """An f32 by its bits, rounded to a narrow float."""
    size = b.let(f"{bits} & 0x7fffffffu", U32)
    drop = 23 - form.mantissa
    least = 127 + 1 - form.bias
    normal = f"(({size} + {(1 << (drop - 1)) - 1:#x}u + ({size} >> {drop} & 1u)) >> {drop}) - "
    normal += f"{(127 - form.bias) << form.mantissa}u"
    # Adding a number whose last bit is the format's smallest step rounds to it.
    step = (1 - form.bias - form.mantissa + 23 + 127) << 23
    tiny = f"__float_as_uint(__uint_as_float({size}) + __uint_as_float({step:#x}u)) - {step:#x}u"
    code = b.let(f"{size} < {least << 23:#x}u ? {tiny} : {normal}", U32)
    clamped = b.let(f"{code} > {form.largest:#x}u ? {form.largest:#x}u : {code}", U32)
    sign = f"{bits} >> 31 << {form.bits - 1}"
    signed = f"({bits} >> 31 ? 0u : {clamped})" if relu else f"({clamped} | {sign})"
    return b.let(f"{size} > 0x7f800000u ? {form.nan:#x}u : {signed}", U32)


def _widen(b: Builder, instruction: Instruction, single: str, source: str) -> None:
    d, x = operands(instruction, 2)
    width = 4 if source == "e2m1x2" else 8
    kind = U8 if width == 4 else U16
    word = b.let(b.read(x, kind, wider=True), kind)
    parts = []
    for shift in (0, width):
        code = b.let(f"(unsigned int){word} >> {shift} & {(1 << width) - 1:#x}u", U32)
        if source == "ue8m0x2":
            if single != "bf16":
                raise refused(instruction)
            bits = b.let(f"{code} == 255u ? 0x7fff0000u : {code} == 0u ? 0x00400000u : {code} << 23", U32)
        else:
            bits = _float_bits(b, code, NARROW[source])
        # Exact in either format.
        parts.append(narrowed_half(b, bits, single))
    b.write(d, f"(unsigned int){parts[0]} | (unsigned int){parts[1]} << 16", U32)


def _float_bits(b: Builder, code: str, form: Narrow) -> str:
    """A narrow float as the bits of an f32."""
    top = 1 << (form.bits - 1)
    size = b.let(f"{code} & {top - 1:#x}u", U32)
    scale = TYPES["f32"]
    step = b.let(f"__uint_as_float({(1 - form.bias - form.mantissa + 127) << 23:#x}u)", scale)
    shift = 23 - form.mantissa
    normal = f"({size} << {shift}) + {(127 - form.bias) << 23:#x}u"
    whole = f"{size} < {1 << form.mantissa}u ? __float_as_uint((float){size} * {step}) : {normal}"
    if form.apart:
        infinity = f"{size} == {form.apart:#x}u ? 0x7f800000u : " if form.apart != form.nan else ""
        whole = f"{infinity}{size} >= {form.apart:#x}u ? 0x7fffffffu : {whole}"
    magnitude = b.let(whole, U32)
    return b.let(f"{magnitude} | ({code} & {top:#x}u) << {32 - form.bits}", U32)
