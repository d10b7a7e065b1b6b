"""The finding over a PTX statement that stays in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.ptx.families import family, opcodes
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.lowering import judged_statements
from musify_ai.translate.unit import Unit

_SHOWN = 160
_ELEMENT = late_pattern(r"(?:b?f|tf|[us]|b|u?e\d+m)\d+\Z")
_TILE = late_pattern(r"m\d+n\d+\Z")
_SHAPE = late_pattern(r"m(\d+)n(\d+)k(\d+)\Z")


def handed_on(unit: Unit, code: str, advice: str, effort: Literal["minutes", "hours", "days"]) -> Iterator[Finding]:
    """A finding for each statement that has no exact C++ and belongs to a code's family."""
    for judged in judged_statements(unit):
        if judged.lowered is not None or family(judged.instructions) != code:
            continue
        statement = judged.statement
        text = "; ".join(map(str, judged.instructions))
        shown = f" `{text if len(text) <= _SHOWN else text[:_SHOWN] + ' ...'}`" if text else ""
        operands = ", ".join(
            f'%{number} ("{operand.constraint}") is `{operand.text}`'
            for number, operand in enumerate(statement.operands)
            if operand.text
        )
        where = " in a macro, so every use of the macro is affected" if statement.in_macro else ""
        yield Finding(
            code,
            "error",
            statement.start,
            statement.end,
            f"inline PTX{shown}{where} was left in place: {judged.reason}. MUSA has no PTX, so this does not build."
            + (f" Operands: {operands}." if operands else "")
            + (f" Registers in use: {', '.join(judged.registers)}." if judged.registers else "")
            + "".join(_shape(each) for each in judged.instructions)
            + _cost(judged.instructions)
            + f" {advice}",
            effort=effort,
            settled=False,
            name=opcodes(judged.instructions),
        )


def _shape(instruction: Instruction) -> str:
    """What an instruction works on, in words, where its modifiers say it: matrices and their types, bytes, tiles."""
    parts = instruction.parts
    shape = next((match for part in parts if (match := _SHAPE.match(part))), None)
    if parts[0] in ("mma", "wmma", "wgmma") and shape is not None:
        m, n, k = shape.groups()
        types = [part for part in parts[parts.index(shape[0]) + 1 :] if _ELEMENT.match(part)]
        # The accumulator comes first; mma names the addend's type last, wgmma has none.
        if len(types) >= 3:
            sums = f", C {m}x{n} {types[3]}" if len(types) > 3 else ""
            layouts = " ".join(part for part in parts if part in ("row", "col"))
            held = f" ({layouts})" if layouts else ""
            return f" Matrices{held}: D {m}x{n} {types[0]} = A {m}x{k} {types[1]}, B {k}x{n} {types[2]}{sums}."
    if parts[0] in ("ldmatrix", "stmatrix"):
        count = next((part[1:] for part in parts if part in ("x1", "x2", "x4")), "1")
        turned = ", transposed" if "trans" in parts else ""
        size = next((part for part in parts if _TILE.match(part)), "m8n8")[1:].replace("n", "x")
        return f" It moves {count} matrices of {size} {parts[-1]}{turned}: 32 lanes, each with a row's address."
    if parts[:2] == ("cp", "async") and "bulk" not in parts and len(instruction.operands) > 2:
        return f" It copies {instruction.operands[2]} bytes a thread."
    tile = next((part for part in parts if part in ("1d", "2d", "3d", "4d", "5d")), "")
    return f" It copies a tile of {tile[0]} dimensions by a tensor map." if tile and "tensor" in parts else ""


def _cost(instructions: tuple[Instruction, ...]) -> str:
    """What the plain form of the products costs, where the shape says it: slower by design."""
    for each in instructions:
        shape = next((match for part in each.parts if (match := _SHAPE.match(part))), None)
        if shape is not None and each.parts[0] in ("mma", "wgmma", "wmma", "tcgen05"):
            m, n, k = (int(number) for number in shape.groups())
            lanes = 128 if each.parts[0] in ("wgmma", "tcgen05") else 32
            return (
                f" Its product of {m}x{n}x{k} is {m * n * k} multiply-adds, {m * n * k // lanes} for each of {lanes} "
                "threads without matrix units: slower by design."
            )
    return ""
