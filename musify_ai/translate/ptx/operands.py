"""What every lowering asks of an instruction first: so many operands, a known form."""

from __future__ import annotations

from collections.abc import Callable

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.registers import TYPES, NotLowered, PtxType

Lowering = Callable[[Builder, Instruction], None]


def refused(instruction: Instruction) -> NotLowered:
    """The answer to a form of an opcode that is not lowered."""
    return NotLowered(f"{instruction.opcode} is not among the forms that are lowered")


def operands(instruction: Instruction, count: int) -> tuple[str, ...]:
    """The operands of an instruction that takes so many."""
    if len(instruction.operands) != count:
        raise NotLowered(f"{instruction.opcode} with {len(instruction.operands)} operands is not known")
    return instruction.operands


def typed(instruction: Instruction, allowed: frozenset[str] | set[str], *modifiers: str) -> PtxType:
    """The type at the end of an opcode whose other modifiers are just these."""
    if instruction.parts[1:-1] != modifiers or instruction.parts[-1] not in allowed:
        raise refused(instruction)
    return TYPES[instruction.parts[-1]]


def narrowed(expression: str, kind: PtxType) -> str:
    """An unsigned result brought back to its width, where C++ has computed in ``int``."""
    return f"(unsigned short)({expression})" if kind.bits == 16 else expression
