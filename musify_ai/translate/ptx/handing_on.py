"""The finding over a PTX statement that stays in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding
from musify_ai.translate.ptx.families import family, opcodes
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.lowering import judged_statements
from musify_ai.translate.unit import Unit

_SHOWN = 160
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)\Z")


def handed_on(unit: Unit, code: str, advice: str, effort: Literal["minutes", "hours", "days"]) -> Iterator[Finding]:
    """A finding for each statement that has no exact C++ and belongs to a code's family."""
    for judged in judged_statements(unit):
        if judged.lowered is not None or family(judged.instructions) != code:
            continue
        statement = judged.statement
        text = "; ".join(map(str, judged.instructions))
        shown = f" `{text if len(text) <= _SHOWN else text[:_SHOWN] + ' ...'}`" if text else ""
        operands = ", ".join(
            f"%{number} is `{operand.text}`" for number, operand in enumerate(statement.operands) if operand.text
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
            + _cost(judged.instructions)
            + f" {advice}",
            effort=effort,
            settled=False,
            name=opcodes(judged.instructions),
        )


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
