"""One ``asm`` statement to C++ with the same meaning, or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from musify_ai.translate.ptx import bitwork, scalars
from musify_ai.translate.ptx.building import Builder, NotLowered
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction, PtxText, parse_text
from musify_ai.translate.ptx.statements import AsmStatement, asm_statements
from musify_ai.translate.unit import Unit

# What only PTX has, in text that a macro takes part in.
_FRAGMENT = re.compile(
    r"\.(?:[usb](?:8|16|32|64)|f16x2|f(?:16|32|64)|pred|sync|aligned|global|shared|cta|gpu|sys|approx|r[nz]i?)\b"
)
_OPERAND = re.compile(r"%(?:\d|%|\[)|;\s*(?:\\n)?\"\Z")
_LOWERINGS = {**scalars.LOWERINGS, **bitwork.LOWERINGS}


class Judged(NamedTuple):
    """A PTX statement with its C++ (``None`` where it has no exact one here) and the reason."""

    statement: AsmStatement
    instructions: tuple[Instruction, ...]
    lowered: str | None
    reason: str


def judged_statements(unit: Unit) -> list[Judged]:
    """The PTX statements of a file, each lowered or with the reason why not. Host assembly and empty statements
    (compiler barriers) are not among them."""
    if "judged ptx" not in unit.memo:
        unit.memo["judged ptx"] = [
            judged for statement in asm_statements(unit) if (judged := judge(statement, unit)) is not None
        ]
    found: list[Judged] = unit.memo["judged ptx"]
    return found


def judge(statement: AsmStatement, unit: Unit) -> Judged | None:
    """What is to become of one statement; ``None`` where it is no PTX."""
    device = unit.in_device_code(statement.start)
    if statement.template is None:
        if device or _FRAGMENT.search(statement.fragments) or (not statement.fragments and _has_loose_ptx(unit)):
            return Judged(statement, (), None, statement.problem or "a macro takes part in its text")
        return None
    text = parse_text(statement.template, basic=statement.basic)
    if not text.instructions and not text.irregular and not text.registers:
        return None
    if not device and not any(_is_ptx(each) for each in text.instructions):
        return None
    try:
        lowered = lower(statement, text, unit.words)
    except NotLowered as error:
        return Judged(statement, text.instructions, None, str(error))
    return Judged(statement, text.instructions, lowered, "")


def _has_loose_ptx(unit: Unit) -> bool:
    """Whether a string outside of every ``asm`` statement that could be read looks like PTX with operands."""
    if "loose ptx" not in unit.memo:
        spans = [(each.start, each.end) for each in asm_statements(unit) if each.template is not None]
        texts = (
            (region.start, unit.src[region.start : region.end].decode("latin-1"))
            for region in unit.regions
            if region.kind == "string"
        )
        unit.memo["loose ptx"] = any(
            _FRAGMENT.search(text) and _OPERAND.search(text) and not any(low <= start < high for low, high in spans)
            for start, text in texts
        )
    found: bool = unit.memo["loose ptx"]
    return found


def _is_ptx(instruction: Instruction) -> bool:
    from musify_ai.translate.ptx.families import PTX_ROOTS

    if len(instruction.parts) == 1:
        return instruction.opcode in ("trap", "exit", "brkpt") and not instruction.operands
    return instruction.parts[0] in PTX_ROOTS


def lower(statement: AsmStatement, text: PtxText, taken: Collection[bytes]) -> str:
    """The C++ of a statement; raises `NotLowered`."""
    if statement.problem:
        raise NotLowered(statement.problem)
    if text.irregular:
        raise NotLowered("it holds labels or directives")
    roots = {instruction.parts[0] for instruction in text.instructions}
    unknown = [instruction.opcode for instruction in text.instructions if instruction.parts[0] not in _LOWERINGS]
    if unknown:
        raise NotLowered(f"{unknown[0]} has no plain C++")
    if any(instruction.predicate for instruction in text.instructions):
        raise NotLowered("an instruction runs under a predicate")
    if (
        "memory" in statement.clobbers
        and not roots <= bitwork.ORDERING
        and not (roots == {"ld"} and all("nc" in instruction.parts for instruction in text.instructions))
    ):
        raise NotLowered("its memory clobber orders other accesses around it")
    template = (statement.template or "").replace("%%", ESCAPED_PERCENT)
    builder = Builder(statement, text.registers, taken, template)
    builder.single = len(text.instructions) == 1
    builder.keep_order()
    for instruction in text.instructions:
        _LOWERINGS[instruction.parts[0]](builder, instruction)
    return builder.text()
