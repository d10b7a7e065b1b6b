"""The meaning of PTX's half, mixed and packed instructions in C++.

f16, bf16 and their pairs by the intrinsics where the file has the type, else by bits (`halves`); f32x2 part by part;
pairs of 16-bit integers; sums and products of f32 with halves as operands.
"""

from __future__ import annotations

from collections.abc import Callable

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.floats import flushed
from musify_ai.translate.ptx.halves import (
    FORMATS,
    U16,
    extremum_bits,
    fused_bits,
    knows,
    narrowed_float,
    narrowed_half,
    widened,
)
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, U64
from musify_ai.translate.ptx.rounding import F32, in_direction

_HALVES = ("f16", "f16x2", "bf16", "bf16x2")
_INTEGER_PAIRS = ("u16x2", "s16x2")
PACKED = frozenset((*_HALVES, *_INTEGER_PAIRS, "f32x2"))
"""Types of the instructions that are lowered here."""
_INTRINSICS = {"add": "__hadd", "sub": "__hsub", "mul": "__hmul", "fma": "__hfma", "min": "__hmin", "max": "__hmax"}
_COUNTS = {"add": 2, "sub": 2, "mul": 2, "fma": 3, "min": 2, "max": 2, "neg": 1, "abs": 1, "ex2": 1, "tanh": 1}
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}
_WORDS = {"add": "__fadd_rn({}, {})", "sub": "__fsub_rn({}, {})", "mul": "__fmul_rn({}, {})", "fma": "fmaf({}, {}, {})"}


def is_packed(instruction: Instruction) -> bool:
    """Whether an instruction computes on halves, on pairs, or on f32 and halves together."""
    parts = instruction.parts
    return len(parts) > 1 and parts[0] in _COUNTS and _type(instruction) in PACKED


def _type(instruction: Instruction) -> str:
    """The type of an instruction; ``relu`` may stand behind it."""
    parts = instruction.parts
    return parts[-2] if parts[-1] == "relu" else parts[-1]


def packed(b: Builder, instruction: Instruction) -> None:
    """add, sub, mul, fma, min, max, neg, abs, ex2 and tanh of such types."""
    name, kind = instruction.parts[0], _type(instruction)
    d, *given = operands(instruction, 1 + _COUNTS[name])
    modifiers = set(instruction.parts[1:]) - {kind}
    b.single = False
    if kind == "f32x2":
        _words(b, instruction, d, given)
    elif kind in _INTEGER_PAIRS:
        _integers(b, instruction, d, given)
    elif "f32" in modifiers:
        _mixed(b, instruction, d, given, modifiers - {"f32"})
    else:
        _halves(b, instruction, d, given, modifiers)


def _halves(b: Builder, instruction: Instruction, d: str, given: list[str], modifiers: set[str]) -> None:
    name, kind = instruction.parts[0], _type(instruction)
    single = kind.removesuffix("x2")
    paired = kind != single
    word = U32 if paired else U16
    if name in ("neg", "abs") and not modifiers:
        tops = 0x80008000 if paired else 0x8000
        sign, bits = ("^", tops) if name == "neg" else ("&", tops ^ (0xFFFFFFFF if paired else 0xFFFF))
        b.write(d, f"({word.cpp})({b.read(given[0], word)} {sign} {bits:#x}u)", word)
        return
    plain = modifiers == ({"rn"} if name == "fma" else set()) or (name in _SIGNS and modifiers == {"rn"})
    if name in _INTRINSICS and plain and knows(b, single):
        held, suffix = (FORMATS[single].pair, "2") if paired else (FORMATS[single].single, "")
        names = [b.let(b.read(each, word), word) for each in given]
        shown = ", ".join(f"*(const {held}*)&{each}" for each in names)
        result = b.let_auto(f"{_INTRINSICS[name]}{suffix}({shown})")
        b.write(d, f"*(const {word.cpp}*)&{result}", word)
        return
    compute = _computation(instruction, single, modifiers, plain=plain)
    if name in (*_SIGNS, "fma"):
        in_double = " and in double" if name == "fma" else ""
        b.note(f"{instruction.opcode} is computed by bits{in_double}, slower than the intrinsics of a half type")
    if name in ("ex2", "tanh"):
        b.note(f"{instruction.opcode} became the exact function: slower, and the last bits may differ")
    names = [b.let(b.read(each, word), word) for each in given]
    if not paired:
        b.write(d, compute(b, names), word)
        return
    results = []
    for shift in ("", " >> 16"):
        results.append(compute(b, [b.let(f"(unsigned short)({each}{shift})", U16) for each in names]))
    b.write(d, f"(unsigned int){results[0]} | (unsigned int){results[1]} << 16", U32)


def _computation(
    instruction: Instruction, single: str, modifiers: set[str], *, plain: bool
) -> Callable[[Builder, list[str]], str]:
    """What an instruction does to one half: from variables of 16 bits to one."""
    name = instruction.parts[0]
    if name in _SIGNS and plain:
        # A sum or product in f32 (24 bits) rounded to 11 or 8 bits is rounded right: 24 is at least twice as many
        # and two more.
        def arithmetic(b: Builder, x: list[str]) -> str:
            left, right = (widened(b, each, single) for each in x)
            return narrowed_float(b, b.let(_WORDS[name].format(left, right), F32), single)

        return arithmetic
    if name == "fma" and modifiers in ({"rn"}, {"rn", "relu"}):

        def fused(b: Builder, x: list[str]) -> str:
            first, second, third = (widened(b, each, single) for each in x)
            bits = fused_bits(b, first, second, third)
            return narrowed_half(b, bits, single, relu="relu" in modifiers)

        return fused
    if name in ("min", "max") and not modifiers - {"NaN", "xorsign", "abs"}:
        xorsign = "xorsign" in modifiers
        if xorsign == ("abs" in modifiers):

            def extremum(b: Builder, x: list[str]) -> str:
                largest, nan = name == "max", "NaN" in modifiers
                infinity = FORMATS[single].infinity
                chosen = extremum_bits(b, x[0], x[1], infinity, 16, largest=largest, nan=nan, xorsign=xorsign)
                return b.let(f"(unsigned short)({chosen})", U16)

            return extremum
    if name in ("ex2", "tanh") and modifiers in ({"approx"}, {"approx", "ftz"} if single == "bf16" else {"approx"}):

        def function(b: Builder, x: list[str]) -> str:
            value = b.let(f"{'exp2f' if name == 'ex2' else 'tanhf'}({widened(b, x[0], single)})", F32)
            return narrowed_float(b, value, single)

        return function
    raise refused(instruction)


def _mixed(b: Builder, instruction: Instruction, d: str, given: list[str], modifiers: set[str]) -> None:
    """add, sub and fma of f32 whose first operands are halves."""
    name, single = instruction.parts[0], instruction.parts[-1]
    if name not in ("add", "sub", "fma") or single not in FORMATS or modifiers != {"rn"}:
        raise refused(instruction)
    *small, last = given
    names = [widened(b, b.let(b.read(each, U16), U16), single) for each in small]
    b.write(d, _WORDS[name].format(*names, b.read(last, F32)), F32)


def _integers(b: Builder, instruction: Instruction, d: str, given: list[str]) -> None:
    """min, max and add of two 16-bit integers in a word."""
    name, kind = instruction.parts[0], instruction.parts[-1]
    if name not in ("min", "max", "add") or len(instruction.parts) != 2:
        raise refused(instruction)
    words = [b.let(b.read(each, U32), U32) for each in given]
    part = TYPES["s16" if kind == "s16x2" else "u16"]
    results = []
    for shift in ("", " >> 16"):
        x, y = (b.let(f"({part.cpp})({word}{shift})", part) for word in words)
        chosen = f"{x} + {y}" if name == "add" else f"{x} {'<' if name == 'min' else '>'} {y} ? {x} : {y}"
        results.append(b.let(f"(unsigned short)({chosen})", U16))
    b.write(d, f"(unsigned int){results[0]} | (unsigned int){results[1]} << 16", U32)


def _words(b: Builder, instruction: Instruction, d: str, given: list[str]) -> None:
    """Two floats in a 64-bit register, the first in the low half."""
    modifiers = set(instruction.parts[1:-1])
    name = instruction.parts[0]
    pattern = _WORDS.get(name)
    mode = next(iter(modifiers - {"ftz"}), "")
    if pattern is None or mode not in ("", "rn", "rz", "rm", "rp") or len(modifiers - {"ftz"}) > 1:
        raise refused(instruction)
    if name == "fma" and not mode:
        raise refused(instruction)
    pairs = [b.let(b.read(each, U64), U64) for each in given]
    halves = []
    for shift in ("", " >> 32"):
        parts = [b.let(f"__uint_as_float((unsigned int)({pair}{shift}))", F32) for pair in pairs]
        if "ftz" in modifiers:
            parts = [flushed(b, part) for part in parts]
        if mode in ("", "rn"):
            value = pattern.format(*parts)
        else:
            value = in_direction(b, instruction.opcode, name, mode, parts)
        halves.append(flushed(b, value) if "ftz" in modifiers else b.let(value, F32))
    low, high = halves
    b.write(d, f"(unsigned long long)__float_as_uint({low}) | (unsigned long long)__float_as_uint({high}) << 32", U64)
