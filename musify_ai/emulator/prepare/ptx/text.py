"""PTX as it stands in the string of an ``asm`` statement: instructions, labels, blocks and registers.

Operands of the statement (``%0``) have been replaced by ``\\x01<number>\\x02`` before this reads the text.
"""

import re
from typing import NamedTuple


class Unsupported(Exception):
    """Something in inline PTX that the emulator does not have; the message is its name."""


class Operand(NamedTuple):
    """One operand. ``kind``: ``register`` and ``special`` (by name), ``argument`` (of the statement, by number; in
    ``name`` the part of it that a video instruction takes),
    ``integer`` (its value), ``float`` (bits as ``0f...``, ``0d...`` or a decimal, in ``name``), ``vector`` and ``pair``
    (``items``), ``address`` (``items``: base and perhaps an offset), ``not`` (``items``: one), ``sink``.
    """

    kind: str
    name: str = ""
    value: int = 0
    items: "tuple[Operand, ...]" = ()


class Instruction(NamedTuple):
    """An instruction: the opcode split at its dots, its operands, its guard and whether that is negated."""

    opcode: str
    parts: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Operand | None
    negated: bool


class Label(NamedTuple):
    """A label, unique within its statement."""

    name: str


class Registers(NamedTuple):
    """Declared registers: the type without its dot, and the names."""

    type: str
    names: tuple[str, ...]


class Brace(NamedTuple):
    """The beginning or the end of a block."""

    opens: bool


Item = Instruction | Label | Registers | Brace

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_LABEL = re.compile(r"([A-Za-z_$%][\w$]*)\s*:(?!:)")
_OPCODE = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*\w+(?:::\w+)*)*")
_GUARD = re.compile(r"@\s*(!?)\s*(\x01\d+\x02|[%\w$]+)\s*")
_REGISTERS = re.compile(r"\.reg\s*\.(\w+)\s+([^;]*);")
_RANGE = re.compile(r"([%\w$]+)<([0-9]{1,4})>\Z")
_TOKEN = re.compile(
    r"\s*(?:(?P<argument>\x01([0-9]+)\x02(?P<part>\.[bh][0-7]{1,4}\b)?)|(?P<float>0[fF][0-9A-Fa-f]{8}\b|0[dD][0-9A-Fa-f]{16}\b|[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?"
    r"|[0-9]+[eE][+-]?[0-9]+)|(?P<integer>0[xX][0-9A-Fa-f]+U?|0[bB][01]+U?|[0-9]+U?)|(?P<name>[%A-Za-z_$][\w$]*(?:\.[a-z]\w*)?)"
    r"|(?P<punct>[][{}|!,+\-()]))\s*"
)
# More in one statement is no inline assembly that anybody wrote.
_MOST_REGISTERS = 512
_LONGEST_NUMBER = 80
_DEEPEST = 16


def parse(text: str) -> list[Item]:
    """The items of a statement's text in order. Raises `Unsupported` on what it cannot read."""
    items: list[Item] = []
    position, depth = 0, 0
    while True:
        space = _SPACE.match(text, position)
        position = space.end() if space else position
        if position >= len(text):
            break
        letter = text[position]
        if letter in "{}":
            depth += 1 if letter == "{" else -1
            if depth < 0:
                raise Unsupported("a block that another asm statement opens")
            items.append(Brace(letter == "{"))
            position += 1
        elif letter == ";":
            position += 1
        elif label := _LABEL.match(text, position):
            items.append(Label(label[1]))
            position = label.end()
        elif letter == ".":
            declared = _REGISTERS.match(text, position)
            if declared is None:
                word = re.match(r"\.\w+", text[position:])
                raise Unsupported(f"the directive {word[0] if word else '.'}")
            items.append(Registers(declared[1], _names(declared[2])))
            position = declared.end()
        else:
            item, position = _instruction(text, position)
            items.append(item)
    if depth:
        raise Unsupported("a block that another asm statement closes")
    return items


def _names(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in text.split(","):
        name = word.strip()
        ranged = _RANGE.match(name)
        if ranged and int(ranged[2]) <= _MOST_REGISTERS:
            found += [f"{ranged[1]}{number}" for number in range(int(ranged[2]))]
        elif re.fullmatch(r"[%\w$]+", name):
            found.append(name)
        else:
            raise Unsupported("a register declaration of this form")
    return tuple(found)


def _instruction(text: str, position: int) -> tuple[Instruction, int]:
    guard, negated = None, False
    if matched := _GUARD.match(text, position):
        negated = matched[1] == "!"
        guard, _ = _operand(_tokens(matched[2]), 0)
        position = matched.end()
    opcode = _OPCODE.match(text, position)
    if opcode is None:
        raise Unsupported(f"the text {text[position : position + 20]!r}")
    end = text.find(";", opcode.end())
    end = len(text) if end < 0 else end
    body = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text[opcode.end() : end], flags=re.S)
    name = "".join(opcode[0].split())
    parts = tuple(name.split("."))
    if body.startswith("\x01") or (body[:1] == "." and len(body) > 1):
        raise Unsupported(f"{name} completed by an operand")
    tokens = _tokens(body, name)
    operands: list[Operand] = []
    index = 0
    while index < len(tokens):
        operand, index = _operand(tokens, index, name)
        operands.append(operand)
        if index < len(tokens):
            if tokens[index] != ("punct", ","):
                raise Unsupported(name)
            index += 1
    return Instruction(name, parts, tuple(operands), guard, negated), min(end + 1, len(text))


def _tokens(text: str, opcode: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        if text[position:].isspace():
            break
        matched = _TOKEN.match(text, position)
        if matched is None or matched.end() == position:
            raise Unsupported(f"{opcode} with the operand {text[position : position + 20].strip()!r}")
        kind = next(name for name in ("argument", "float", "integer", "name", "punct") if matched[name] is not None)
        found.append((kind, matched[2] + (matched["part"] or "") if kind == "argument" else matched[kind]))
        position = matched.end()
    return found


def _operand(tokens: list[tuple[str, str]], index: int, opcode: str = "") -> tuple[Operand, int]:
    """One operand from ``index`` on, a ``d|p`` pair included, and the index behind it."""
    first, index = _simple(tokens, index, opcode)
    if index < len(tokens) and tokens[index] == ("punct", "|"):
        second, index = _simple(tokens, index + 1, opcode)
        return Operand("pair", items=(first, second)), index
    return first, index


def _simple(tokens: list[tuple[str, str]], index: int, opcode: str, depth: int = 0) -> tuple[Operand, int]:
    if index >= len(tokens) or depth > _DEEPEST:
        raise Unsupported(opcode)
    kind, text = tokens[index]
    if kind == "argument":
        number, _, part = text.partition(".")
        return Operand("argument", part, int(number)), index + 1
    if kind == "integer":
        return Operand("integer", value=_integer(text)), index + 1
    if kind == "float":
        return Operand("float", text), index + 1
    if kind == "name":
        if text == "_":
            return Operand("sink"), index + 1
        return Operand("register", text), index + 1
    if text in "+-":
        operand, index = _simple(tokens, index + 1, opcode, depth + 1)
        if text == "+":
            return operand, index
        if operand.kind == "integer":
            return Operand("integer", value=-operand.value), index
        if operand.kind == "float" and operand.name[:2].lower() not in ("0f", "0d"):
            return Operand("float", "-" + operand.name), index
        raise Unsupported(opcode)
    if text == "!":
        operand, index = _simple(tokens, index + 1, opcode, depth + 1)
        return Operand("not", items=(operand,)), index
    if text in "{[(":
        closer = {"{": "}", "[": "]", "(": ")"}[text]
        items: list[Operand] = []
        index += 1
        while index < len(tokens) and tokens[index] != ("punct", closer):
            if tokens[index] in (("punct", ","), ("punct", "+")) and items:
                # An address is a base plus an offset; "+-4" occurs too.
                index += 1
                continue
            operand, index = _simple(tokens, index, opcode, depth + 1)
            items.append(operand)
        if index >= len(tokens) or not items:
            raise Unsupported(opcode)
        if text == "(":
            if len(items) != 1:
                raise Unsupported(opcode)
            return items[0], index + 1
        return Operand("vector" if text == "{" else "address", items=tuple(items)), index + 1
    raise Unsupported(opcode)


def _integer(text: str) -> int:
    digits = text.rstrip("U")
    if len(digits) > _LONGEST_NUMBER:
        raise Unsupported("a number of so many digits")
    if digits[:2].lower() in ("0x", "0b"):
        return int(digits, 0)
    if len(digits) > 1 and digits.startswith("0") and all(digit in "01234567" for digit in digits):
        return int(digits, 8)
    return int(digits)
