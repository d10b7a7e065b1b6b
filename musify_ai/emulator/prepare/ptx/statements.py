"""``asm`` statements in C++: where they stand, their string, their operands."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.emulator.prepare.scan import Scan

_WORDS = frozenset((b"asm", b"__asm__", b"__asm"))
_QUALIFIERS = frozenset((b"volatile", b"__volatile__", b"inline", b"goto"))
# What may stand before a statement. A `)` ends the head of an if or a loop.
_BEFORE = frozenset((b";", b"{", b"}", b")", b":", b"else", b"do"))
_ESCAPES = {b"n": "\n", b"t": "\t", b"r": "\r", b"v": "\v", b"f": "\f", b"a": "\a", b"b": "\b"}
_ESCAPE = re.compile(rb"\\(x[0-9A-Fa-f]+|[0-7]{1,3}|\r\n|[\s\S])")
_REFERENCE = re.compile(r"%(%|=|\[\w+\]|[a-zA-Z]?\d+|\{|\|)?")


class AsmOperand(NamedTuple):
    """An operand: its constraint, its symbolic name (or empty), its expression's token indices ``[start, stop)``."""

    constraint: str
    name: str
    start: int
    stop: int


class Asm(NamedTuple):
    """An ``asm`` statement: token indices of its word and of its ``)``, its string (``None`` where only the
    preprocessor knows it), whether it has operand lists at all, its operands: outputs, then inputs."""

    start: int
    stop: int
    template: str | None
    extended: bool
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]


def find_asm(scan: Scan, strings: dict[bytes, str]) -> Iterator[Asm]:
    """The ``asm`` statements of a file. ``strings``: macros known to stand for string literals."""
    done = 0
    for index, token in enumerate(scan.toks):
        if index < done or token.text not in _WORDS or token.kind != "identifier":
            continue
        macro = scan.macro[index]
        if scan.directive[index] and macro is None:
            continue
        begins = macro is not None and index == macro.start
        before = scan.text(index - 1)
        if not begins and before not in _BEFORE and not (macro and scan.kind(index - 1) == "identifier"):
            continue
        opening = index + 1
        while scan.text(opening) in _QUALIFIERS:
            opening += 1
        closing = scan.partner[opening] if scan.text(opening) == b"(" else -1
        if closing < 0 or scan.scope[index] != "block":
            continue
        statement = _read(scan, index, opening, closing, strings)
        if statement is not None:
            done = closing
            yield statement


def string_macros(scan: Scan) -> dict[bytes, str]:
    """Object-like macros of the file that stand for string literals, by name."""
    found: dict[bytes, str] = {}
    index, count = 0, len(scan.toks)
    while index < count:
        macro = scan.macro[index]
        if macro is None or index != macro.start:
            index += 1
            continue
        if not macro.parameters and scan.text(index - 2) == b"define":
            text = _template(scan, macro.start, macro.stop, found)
            if text is not None:
                found[scan.text(index - 1)] = text
        index = macro.stop
    return found


def _read(scan: Scan, index: int, opening: int, closing: int, strings: dict[bytes, str]) -> Asm | None:
    sections = _sections(scan, opening + 1, closing)
    template = _template(scan, *sections[0], strings)
    outputs = _operands(scan, *sections[1], strings) if len(sections) > 1 else ()
    inputs = _operands(scan, *sections[2], strings) if len(sections) > 2 else ()
    if outputs is None or inputs is None:
        return Asm(index, closing, None, True, (), ())
    return Asm(index, closing, template, len(sections) > 1, outputs, inputs)


def _sections(scan: Scan, start: int, stop: int) -> list[tuple[int, int]]:
    """Token ranges between the colons of a statement; ``::`` is two of them."""
    found, begin, index = [], start, start
    while index < stop:
        text = scan.text(index)
        if text in (b":", b"::"):
            found.append((begin, index))
            if text == b"::":
                found.append((index + 1, index + 1))
            begin = index + 1
        partner = scan.partner[index]
        index = partner + 1 if index < partner < stop else index + 1
    found.append((begin, stop))
    return found


def _template(scan: Scan, start: int, stop: int, strings: dict[bytes, str]) -> str | None:
    parts: list[str] = []
    for index in range(start, stop):
        token = scan.toks[index]
        if token.kind == "string":
            parts.append(decode(token.text))
        elif token.text in strings:
            parts.append(strings[token.text])
        else:
            return None
    return "".join(parts) if parts else None


def decode(literal: bytes) -> str:
    """The value of a string literal as text; bytes beyond ASCII stay as they are."""
    quote = literal.find(b'"')
    if quote > 0 and literal[quote - 1 : quote] == b"R":
        body = literal[literal.find(b"(", quote) + 1 : literal.rfind(b")")]
        return body.decode("utf-8", "surrogateescape")
    body = literal[quote + 1 : -1] if literal.endswith(b'"') and len(literal) > quote + 1 else literal[quote + 1 :]

    def escape(match: re.Match[bytes]) -> bytes:
        code = match[1]
        if code[:1] == b"x" and len(code) > 1:
            return bytes([int(code[1:], 16) & 0xFF])
        if code[:1].isdigit() and code[0] < 0x38:
            return bytes([int(code, 8) & 0xFF])
        if code in (b"\n", b"\r\n"):
            return b""
        return _ESCAPES[code].encode() if code in _ESCAPES else code

    return _ESCAPE.sub(escape, body).decode("utf-8", "surrogateescape")


def _operands(scan: Scan, start: int, stop: int, strings: dict[bytes, str]) -> tuple[AsmOperand, ...] | None:
    found: list[AsmOperand] = []
    index = start
    while index < stop:
        name = ""
        if scan.text(index) == b"[" and scan.text(index + 2) == b"]":
            name = scan.text(index + 1).decode("ascii", "replace")
            index += 3
        constraint = ""
        while index < stop and scan.text(index) != b"(":
            if scan.kind(index) == "string":
                constraint += decode(scan.text(index))
            elif scan.text(index) in strings:
                constraint += strings[scan.text(index)]
            else:
                return None
            index += 1
        closing = scan.partner[index] if index < stop else -1
        if closing <= index or closing >= stop:
            return None
        found.append(AsmOperand(constraint, name, index, closing + 1))
        index = closing + 1
        if index < stop and scan.text(index) != b",":
            return None
        index += 1
    return tuple(found)


def substitute(statement: Asm) -> str | None:
    """The statement's text with its operands as ``\\x01<number>\\x02``; ``None`` where it names one it has not."""
    operands = [*statement.outputs, *statement.inputs]
    names = {operand.name: number for number, operand in enumerate(operands) if operand.name}
    wrong = False

    def reference(match: re.Match[str]) -> str:
        nonlocal wrong
        what = match[1]
        if what is None:
            return "%"
        if what == "%":
            return "%"
        if not statement.extended:
            return match[0]
        if what == "=":
            return "0"
        if what in ("{", "|"):
            return what
        number = names.get(what[1:-1], -1) if what[0] == "[" else int(what) if what.isdigit() and len(what) < 4 else -1
        if number < 0 and what[0] != "[":
            return match[0]  # a register such as %r1, with one percent sign
        if not 0 <= number < len(operands):
            wrong = True
        return f"\x01{number}\x02"

    text = _REFERENCE.sub(reference, statement.template or "")
    return None if wrong else text
