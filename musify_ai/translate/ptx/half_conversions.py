"""The meaning of ``cvt`` in C++ where a half (f16, bf16) or tf32 is on either side."""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import FORMATS, U16, knows, narrowed_float, narrowed_half, widened
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, PtxType, as_bits
from musify_ai.translate.ptx.rounding import F32, F64, odd_bits

_WHOLE = {"rni": "rintf", "rzi": "truncf", "rmi": "floorf", "rpi": "ceilf"}
_PAIRS = {"f16": "__floats2half2_rn", "bf16": "__floats2bfloat162_rn"}
_SINGLES = {("f16", "rn"): "__float2half_rn", ("f16", "rz"): "__float2half_rz", ("bf16", "rn"): "__float2bfloat16_rn"}


def convert(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    """cvt from or to a half, to a pair of halves from two f32, and to tf32."""
    b.single = False
    if target == "tf32":
        _to_tf32(b, instruction, modifiers, source)
    elif target.endswith("x2"):
        _to_pair(b, instruction, modifiers, target.removesuffix("x2"), source)
    elif target in FORMATS:
        _to_half(b, instruction, modifiers, target, source)
    else:
        _from_half(b, instruction, modifiers, target, source)


def _rounding(instruction: Instruction, modifiers: set[str], allowed: set[str]) -> str:
    """The rounding among the modifiers, which must be rn or rz, beside others that are allowed."""
    mode = modifiers & {"rn", "rz"}
    if len(mode) != 1 or modifiers - mode - allowed:
        raise refused(instruction)
    return next(iter(mode))


def _to_pair(b: Builder, instruction: Instruction, modifiers: set[str], single: str, source: str) -> None:
    # The first source goes to the upper half.
    if source != "f32":
        raise refused(instruction)
    mode = _rounding(instruction, modifiers, {"relu", "satfinite"})
    d, high, low = operands(instruction, 3)
    if modifiers == {"rn"} and knows(b, single):
        held = b.let_auto(f"{_PAIRS[single]}({b.read(low, F32)}, {b.read(high, F32)})")
        b.write(d, f"*(const unsigned int*)&{held}", U32)
        return
    parts = [
        narrowed_half(
            b, _bits(b, b.read(each, F32)), single, mode, finite="satfinite" in modifiers, relu="relu" in modifiers
        )
        for each in (low, high)
    ]
    b.write(d, f"(unsigned int){parts[0]} | (unsigned int){parts[1]} << 16", U32)


def _bits(b: Builder, value: str) -> str:
    return b.let(as_bits(F32, U32, value), U32)


def _to_half(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    if source in FORMATS:
        value = widened(b, b.let(b.read(x, U16), U16), source)
        if source == target:
            whole = [name for each, name in _WHOLE.items() if each in modifiers]
            if len(whole) != 1 or len(modifiers) != 1:
                raise refused(instruction)
            value, mode = b.let(f"{whole[0]}({value})", F32), "rn"
        else:
            mode = _rounding(instruction, modifiers, set())
        b.write(d, narrowed_float(b, value, target, mode), U16)
        return
    mode = _rounding(instruction, modifiers, {"relu", "satfinite"} if source == "f32" else set())
    kind = TYPES.get(source)
    if kind is None or kind.bits == 1:
        raise refused(instruction)
    if source == "f32":
        call = _SINGLES.get((target, mode))
        if call and len(modifiers) == 1 and knows(b, target):
            held = b.let_auto(f"{call}({b.read(x, F32)})")
            b.write(d, f"*(const unsigned short*)&{held}", U16)
            return
        bits = _bits(b, b.read(x, F32))
        finite, relu = "satfinite" in modifiers, "relu" in modifiers
        b.write(d, narrowed_half(b, bits, target, mode, finite=finite, relu=relu), U16)
        return
    if kind.bits == 64 and not kind.floating:
        raise refused(instruction)
    b.write(d, narrowed_half(b, _odd(b, b.read(x, kind, wider=not kind.floating)), target, mode), U16)


def _odd(b: Builder, value: str) -> str:
    """A double, or an integer of at most 32 bits, as the bits of an f32 that may be rounded once more."""
    return odd_bits(b, b.let(f"(double){value}", F64))


def _from_half(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    from musify_ai.translate.ptx.conversions import to_integer

    d, x = operands(instruction, 2)
    kind: PtxType | None = TYPES.get(target)
    if kind is None or kind.bits == 1:
        raise refused(instruction)
    value = widened(b, b.let(b.read(x, U16), U16), source)
    if not kind.floating:
        to_integer(b, instruction, modifiers, target, value, F32, d)
    elif modifiers:
        raise refused(instruction)
    else:
        b.write(d, value if kind is F32 else f"(double){value}", kind)


def _to_tf32(b: Builder, instruction: Instruction, modifiers: set[str], source: str) -> None:
    """An f32 with ten bits behind the point; rna rounds a half away from zero."""
    added = {"rn": "0xfffu + ({x} >> 13 & 1u)", "rna": "0x1000u", "rz": "0u"}
    mode = next(iter(modifiers), "")
    if source != "f32" or len(modifiers) != 1 or mode not in added:
        raise refused(instruction)
    d, x = operands(instruction, 2)
    bits = _bits(b, b.read(x, F32))
    nan = f"({bits} & 0x7fffffffu) > 0x7f800000u"
    b.write(d, f"{nan} ? 0x7fffe000u : ({bits} + {added[mode].format(x=bits)}) & 0xffffe000u", U32)
