"""The meaning of ``mov`` in C++: a copy, or a register put together from its parts or taken apart."""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused, typed
from musify_ai.translate.ptx.registers import BITS, INTEGERS, TYPES, UNSIGNED, NotLowered, PtxType


def move(b: Builder, instruction: Instruction) -> None:
    """mov."""
    d, x = operands(instruction, 2)
    kind = typed(instruction, INTEGERS | BITS | {"f32", "f64", "pred"})
    result = kind if kind.floating or kind is TYPES["pred"] else UNSIGNED[kind.bits]
    pieces = x if x.startswith("{") else d
    if pieces.startswith("{") and pieces.count(",") == 3:
        _four(b, instruction, kind, d, x)
    elif x.startswith("{"):
        part, cast = _part(instruction, kind, x)
        low, high = (f"({cast}){b.read(each, part)}" for each in _pair(x))
        b.write(d, f"{low} | {high} << {part.bits}", result)
    elif d.startswith("{"):
        part, _ = _part(instruction, kind, d)
        low, high = _pair(d)
        b.single = False
        whole = b.let(b.read(x, result), result)
        if low != "_":
            b.write(low, f"({part.cpp}){whole}", part)
        if high != "_":
            b.write(high, f"({part.cpp})({whole} >> {part.bits})", part)
    else:
        b.write(d, b.read(x, result), result)


def _four(b: Builder, instruction: Instruction, kind: PtxType, d: str, x: str) -> None:
    """A register in four parts."""
    if kind.floating or kind.bits not in (32, 64):
        raise refused(instruction)
    whole_kind, part = UNSIGNED[kind.bits], UNSIGNED[kind.bits // 4]
    b.single = False
    names = [piece.strip() for piece in (x if x.startswith("{") else d).strip("{}").split(",")]
    if x.startswith("{"):
        shown = [f"({whole_kind.cpp}){b.read(each, part)} << {part.bits * i}" for i, each in enumerate(names)]
        b.write(d, " | ".join(shown), whole_kind)
        return
    whole = b.let(b.read(x, whole_kind), whole_kind)
    for i, name in enumerate(names):
        if name != "_":
            b.write(name, f"({part.cpp})({whole} >> {part.bits * i})", part)


def _part(instruction: Instruction, kind: PtxType, text: str) -> tuple[PtxType, str]:
    """The type of each half of a register that is split or joined, and the C++ type to join them in."""
    if kind.floating or kind.bits not in (16, 32, 64) or len(_pair(text)) != 2:
        raise refused(instruction)
    return UNSIGNED[kind.bits // 2], "unsigned long long" if kind.bits == 64 else "unsigned int"


def _pair(text: str) -> tuple[str, str]:
    pieces = [piece.strip() for piece in text.strip("{}").split(",")]
    if len(pieces) != 2:
        raise NotLowered(f"the vector {text} is not a pair")
    return pieces[0], pieces[1]
