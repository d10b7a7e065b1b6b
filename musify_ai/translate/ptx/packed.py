"""The meaning of PTX's half and packed instructions in C++: f16 and f16x2 by intrinsics, f32x2 part by part."""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.floats import flushed
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, UNSIGNED, NotLowered

PACKED = frozenset(("f16", "f16x2", "f32x2"))
"""Types of the instructions that are lowered here."""
_HALF = {
    "add": "__hadd",
    "sub": "__hsub",
    "mul": "__hmul",
    "fma": "__hfma",
    "min": "__hmin",
    "max": "__hmax",
    "neg": "__hneg",
}
_COUNTS = {"add": 2, "sub": 2, "mul": 2, "fma": 3, "min": 2, "max": 2, "neg": 1}
_WORDS = {"add": "__fadd_rn({}, {})", "sub": "__fsub_rn({}, {})", "mul": "__fmul_rn({}, {})", "fma": "fmaf({}, {}, {})"}


def is_packed(instruction: Instruction) -> bool:
    """Whether an instruction computes on halves or on two floats at once."""
    return instruction.parts[-1] in PACKED and instruction.parts[0] in _COUNTS and len(instruction.parts) > 1


def packed(b: Builder, instruction: Instruction) -> None:
    """add, sub, mul, fma, min, max, neg of f16, f16x2 and f32x2."""
    name, kind = instruction.parts[0], instruction.parts[-1]
    d, *given = operands(instruction, 1 + _COUNTS[name])
    modifiers = instruction.parts[1:-1]
    b.single = False
    if kind == "f32x2":
        _words(b, instruction, d, given)
        return
    if modifiers != (("rn",) if name == "fma" else ()):
        raise refused(instruction)
    if not b.knows_half:
        raise NotLowered("it computes with halves in a file that has no half type")
    bits = UNSIGNED[16 if kind == "f16" else 32]
    held, suffix = ("__half", "") if kind == "f16" else ("__half2", "2")
    names = [b.let(b.read(each, bits), bits) for each in given]
    result = b.let_auto(f"{_HALF[name]}{suffix}({', '.join(f'*(const {held}*)&{each}' for each in names)})")
    b.write(d, f"*(const {bits.cpp}*)&{result}", bits)


def _words(b: Builder, instruction: Instruction, d: str, given: list[str]) -> None:
    """Two floats in a 64-bit register, the first in the low half."""
    modifiers = set(instruction.parts[1:-1])
    pattern = _WORDS.get(instruction.parts[0])
    if pattern is None or modifiers - {"rn", "ftz"} or (instruction.parts[0] == "fma" and "rn" not in modifiers):
        raise refused(instruction)
    u64 = TYPES["u64"]
    pairs = [b.let(b.read(each, u64), u64) for each in given]
    halves = []
    for shift in ("", " >> 32"):
        parts = [f"__uint_as_float((unsigned int)({pair}{shift}))" for pair in pairs]
        if "ftz" in modifiers:
            parts = [flushed(b, part) for part in parts]
        value = pattern.format(*parts)
        halves.append(flushed(b, value) if "ftz" in modifiers else b.let(value, TYPES["f32"]))
    low, high = halves
    b.write(d, f"(unsigned long long)__float_as_uint({low}) | (unsigned long long)__float_as_uint({high}) << 32", u64)
