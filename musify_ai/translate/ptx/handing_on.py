"""The finding over a PTX statement that stays in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding
from musify_ai.translate.ptx.families import family, opcodes
from musify_ai.translate.ptx.lowering import judged_statements
from musify_ai.translate.unit import Unit

_SHOWN = 160


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
            + f" {advice}",
            effort=effort,
            settled=False,
            name=opcodes(judged.instructions),
        )
