"""The text of an ``asm`` statement as PTX instructions."""

from __future__ import annotations

import re
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern

ESCAPED_PERCENT = "\x01"
_COMMENT = late_pattern(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_BARE_REGISTER = late_pattern(r"%(?=[A-Za-z_])")
_LABEL = late_pattern(r"[A-Za-z_$][\w$]*\s*:(?!:)")
_PREDICATE = late_pattern(r"@!?\s*[\w$%\x01.]+\s+")
_OPCODE = late_pattern(r"[^\s{\[]+")
_REGISTERS = late_pattern(r"\.reg\s*\.(\w+)\s+(.*)", re.DOTALL)
_NUMBERED = late_pattern(r"(.*)<\s*(\d{1,3})\s*>\Z")


class Instruction(NamedTuple):
    """One instruction: its opcode in parts (``("mad", "lo", "u32")``), its operands as written, what guards it."""

    parts: tuple[str, ...]
    operands: tuple[str, ...]
    predicate: str = ""

    @property
    def opcode(self) -> str:
        """The opcode as it is written in PTX."""
        return ".".join(self.parts)

    def __str__(self) -> str:
        text = " ".join(filter(None, (self.predicate, self.opcode, ", ".join(self.operands))))
        return text.replace(ESCAPED_PERCENT, "%")


class PtxText(NamedTuple):
    """Registers declared (name to type), instructions in order, and whether there is a label or another directive.

    ``depth`` is the number of scopes that the text leaves open, negative where it closes those of an earlier one.
    """

    registers: dict[str, str]
    instructions: tuple[Instruction, ...]
    irregular: bool
    depth: int = 0


def parse_text(template: str, *, basic: bool = False) -> PtxText:
    """The instructions of a template. ``%%`` becomes `ESCAPED_PERCENT`, so that ``%0`` and ``%%tid`` stay apart; in
    a basic ``asm``, which has no operands, every percent sign stands for itself."""
    text = template.replace("%" if basic else "%%", ESCAPED_PERCENT)
    # nvcc takes a register with one percent sign as well.
    text = _BARE_REGISTER.sub(ESCAPED_PERCENT, text)
    text = _COMMENT.sub(" ", text)
    registers: dict[str, str] = {}
    found: list[Instruction] = []
    pieces, depth, irregular = _pieces(text)
    for piece in pieces:
        piece = piece.strip()
        while label := _LABEL.match(piece):
            irregular = True
            piece = piece[label.end() :].lstrip()
        if not piece:
            continue
        if piece.startswith("."):
            declared = _REGISTERS.match(piece)
            if declared is None:
                irregular = True
                continue
            for name in _declared(declared[2]):
                # A name that an inner scope declares again hides the outer register: two things under one name.
                irregular = irregular or name in registers
                registers[name] = declared[1]
            continue
        predicate = ""
        if guard := _PREDICATE.match(piece):
            predicate = guard[0].strip()
            piece = piece[guard.end() :]
        # A vector or an address may follow without a blank.
        named = _OPCODE.match(piece)
        opcode = named[0] if named else piece
        rest = piece[len(opcode) :]
        found.append(Instruction(tuple(opcode.split(".")), _operands(rest), predicate))
    return PtxText(registers, tuple(found), irregular, depth)


def _declared(text: str) -> list[str]:
    """The registers of a declaration: ``a, b``, or ``r<3>`` for ``r0, r1, r2``."""
    names = []
    for name in text.split(","):
        numbered = _NUMBERED.match(name.strip())
        names += [f"{numbered[1]}{i}" for i in range(int(numbered[2]))] if numbered else [name.strip()]
    return names


def _pieces(text: str) -> tuple[list[str], int, bool]:
    """Statements between semicolons, the scopes left open, and whether one ends and another begins; the braces of a
    scope are dropped, those of a vector operand stay."""
    found = []
    depth = lowest = 0
    for statement in text.split(";"):
        body = statement.strip()
        while body.startswith(("{", "}")):
            depth += 1 if body[0] == "{" else -1
            lowest = min(lowest, depth)
            body = body[1:].lstrip()
        if body.count("}") > body.count("{"):
            body = body.rstrip().removesuffix("}")
            depth -= 1
            lowest = min(lowest, depth)
        found.append(body)
    return found, depth, lowest < min(depth, 0)


def _operands(text: str) -> tuple[str, ...]:
    found, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        if character in "[{(":
            depth += 1
        elif character in "]})":
            depth -= 1
        elif character == "," and depth == 0:
            found.append(text[begin:position])
            begin = position + 1
    found.append(text[begin:])
    operands = tuple(" ".join(piece.split()) for piece in found)
    return () if operands == ("",) else operands
