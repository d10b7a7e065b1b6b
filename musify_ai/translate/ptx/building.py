"""From typed operands to C++ text: what one lowered ``asm`` statement is put together with."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT
from musify_ai.translate.ptx.statements import AsmStatement, Operand


class NotLowered(Exception):
    """The statement has no exact C++ here; the message says why, as the end of a sentence."""


class PtxType(NamedTuple):
    """A PTX type: its width, its C++ type, whether it is signed or floating."""

    bits: int
    cpp: str
    signed: bool = False
    floating: bool = False


TYPES = {
    "u8": PtxType(8, "unsigned char"),
    "s8": PtxType(8, "signed char", signed=True),
    "b8": PtxType(8, "unsigned char"),
    "u16": PtxType(16, "unsigned short"),
    "s16": PtxType(16, "short", signed=True),
    "b16": PtxType(16, "unsigned short"),
    "u32": PtxType(32, "unsigned int"),
    "s32": PtxType(32, "int", signed=True),
    "b32": PtxType(32, "unsigned int"),
    "u64": PtxType(64, "unsigned long long"),
    "s64": PtxType(64, "long long", signed=True),
    "b64": PtxType(64, "unsigned long long"),
    "f32": PtxType(32, "float", floating=True),
    "f64": PtxType(64, "double", floating=True),
    "pred": PtxType(1, "bool"),
}
UNSIGNED = {8: TYPES["u8"], 16: TYPES["u16"], 32: TYPES["u32"], 64: TYPES["u64"]}
_CONSTRAINTS = {"h": TYPES["u16"], "r": TYPES["u32"], "l": TYPES["u64"], "f": TYPES["f32"], "d": TYPES["f64"]}
_PLACEHOLDER = re.compile(r"%(?:(\d+)|\[(\w+)\])\Z")
_INTEGER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?\Z")
_LVALUE = re.compile(r"\**\s*[A-Za-z_$][\w$]*(?:\s*(?:\.|->)\s*[A-Za-z_$][\w$]*|\s*\[[^\[\]]*\])*\Z")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_SUBSCRIPT = re.compile(r"(?<=\[).*(?=\])")
_POSITION = {
    f"{ESCAPED_PERCENT}{ptx}.{axis}": f"{cpp}.{axis}"
    for ptx, cpp in (("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"))
    for axis in "xyz"
}


def literal(value: int, bits: int) -> str:
    """An unsigned literal of a width, taken modulo two to that width."""
    return f"{value % (1 << bits)}{'ull' if bits == 64 else 'u'}"


def mask(value: int, bits: int = 32) -> str:
    """An unsigned bit mask in hexadecimal."""
    return f"{value % (1 << bits):#x}{'ull' if bits == 64 else 'u'}"


class Builder:
    """One statement being lowered: operands are read through it, registers and temporaries live in it."""

    def __init__(self, statement: AsmStatement, registers: dict[str, str], taken: Collection[bytes], uses: str) -> None:
        self.statement = statement
        self.operands = statement.operands
        self.types: dict[str, PtxType] = {}
        for name, kind in registers.items():
            if kind not in TYPES or kind.endswith("8"):
                raise NotLowered(f"it declares registers of type .{kind}")
            kept = TYPES[kind]
            self.types[name] = kept if kept.floating or kind == "pred" else UNSIGNED[kept.bits]
        self.lines: list[str] = []
        self.values: dict[str, str] = {}  # register or output placeholder -> the name of what holds it now
        self.outputs: dict[int, str] = {}
        self.single = True
        self._taken = taken
        self._captured: dict[int, str] = {}
        self._counts = [
            len(re.findall(rf"%{number}(?!\d)|%\[{re.escape(operand.name) or '-'}\]", uses))
            for number, operand in enumerate(self.operands)
        ]

    # -- operands

    def placeholder(self, text: str) -> int | None:
        """The number of the operand that a placeholder names, ``None`` for other text."""
        match = _PLACEHOLDER.match(text)
        if match is None:
            return None
        if match[1]:
            number = int(match[1])
        else:
            number = next((i for i, operand in enumerate(self.operands) if operand.name == match[2]), -1)
        if not 0 <= number < len(self.operands):
            raise NotLowered(f"{text} names no operand")
        return number

    def immediate(self, text: str) -> int | None:
        """The value of an integer constant, ``None`` for other text."""
        if not _INTEGER.match(text):
            return None
        digits = text.rstrip("U").lower()
        sign, digits = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
        octal = len(digits) > 1 and digits.isdigit() and digits.startswith("0")
        return sign * int(digits, 8 if octal else 0)

    def _type_of(self, operand: Operand) -> PtxType | None:
        """The register type of a constraint; ``None`` for an immediate."""
        letter = operand.constraint.lstrip("=+&")
        if letter == "n":
            return None
        if letter not in _CONSTRAINTS:
            raise NotLowered(f'the constraint "{operand.constraint}" is not known')
        return _CONSTRAINTS[letter]

    def read(self, text: str, wanted: PtxType, *, wider: bool = False, twice: bool = False) -> str:
        """An operand as a C++ expression of a type, fit to stand beside any operator.

        ``wider`` allows a register wider than the type, of which the low bits count. ``twice``: the text will stand
        in more than one place, or in one that may not be evaluated.
        """
        value = self.immediate(text)
        if value is not None:
            if wanted.floating:
                raise NotLowered("it has an integer where a float belongs")
            if wanted.signed:
                half = 1 << (wanted.bits - 1)
                value = (value + half) % (1 << wanted.bits) - half
                return f"({wanted.cpp})({literal(value, wanted.bits)})" if value < 0 else f"({wanted.cpp}){value}"
            return literal(value, wanted.bits)
        if text in _POSITION:
            if wanted.bits != 32 or wanted.floating:
                raise NotLowered(f"{text} is read as .{wanted.cpp}")
            return f"({wanted.cpp}){_POSITION[text]}" if wanted.signed else _POSITION[text]
        number = self.placeholder(text)
        if number is None:
            if text not in self.types:
                raise NotLowered(f"it uses {text.replace(ESCAPED_PERCENT, '%')}")
            if text not in self.values:
                raise NotLowered(f"it reads {text} before it is written")
            held, source = self.types[text], self.values[text]
        else:
            operand = self.operands[number]
            if number < len(self.statement.outputs):
                held, source = self._read_output(number, operand, text)
            else:
                kind = self._type_of(operand)
                held = wanted if kind is None else kind
                source = self._input(number, operand, held, twice=twice)
        if held.floating != wanted.floating or held.bits < wanted.bits or (held.bits > wanted.bits and not wider):
            raise NotLowered(f"the register behind {text} does not have the type of the instruction")
        if source.isidentifier() and source in self._captured.values() and held.cpp == wanted.cpp:
            return source
        if number is None and held.cpp == wanted.cpp:
            return source
        return f"({wanted.cpp})({source})"

    def _read_output(self, number: int, operand: Operand, text: str) -> tuple[PtxType, str]:
        held = self._type_of(operand)
        if held is None:
            raise NotLowered("an output cannot be a constant")
        if text in self.values:
            return held, self.values[text]
        if not operand.constraint.startswith("+"):
            raise NotLowered(f"it reads {text} before it is written")
        if not operand.repeatable:
            raise NotLowered("an operand that is read and written has side effects")
        return held, operand.text

    def _input(self, number: int, operand: Operand, held: PtxType, *, twice: bool) -> str:
        if number in self._captured:
            return self._captured[number]
        if operand.repeatable or (not twice and self._counts[number] < 2 and self.single):
            return operand.text
        self._captured[number] = self.let(f"({held.cpp})({operand.text})", held)
        return self._captured[number]

    def keep_order(self) -> None:
        """Evaluate the inputs into temporaries, one after the other as ``asm`` does, where C++ leaves the order inside
        one expression open and it matters: two calls, or an operand that changes a variable beside another operand."""
        outputs = self.statement.outputs
        inputs = self.statement.inputs
        changing = any(operand.effect == "change" for operand in self.operands)
        if changing and not all(
            operand.constraint.startswith("=") and operand.text.isidentifier() for operand in outputs
        ):
            raise NotLowered("an operand changes a variable, perhaps the place where the result goes")
        if len(inputs) < 2 or not (changing or sum(operand.effect == "call" for operand in inputs) > 1):
            return
        for number, operand in enumerate(inputs, len(outputs)):
            held = self._type_of(operand)
            if held is not None and number not in self._captured:
                self._captured[number] = self.let(f"({held.cpp})({operand.text})", held)

    def address(self, number: int) -> str:
        """An input that is a pointer, as written, or the temporary that holds its value."""
        return self._input(number, self.operands[number], TYPES["u64"], twice=False)

    def unread(self, text: str) -> None:
        """An operand whose value does not matter; refused where leaving it out would lose a side effect."""
        number = self.placeholder(text)
        if number is not None and not self.operands[number].repeatable:
            raise NotLowered("an operand with side effects is not needed by the result")

    def register_type(self, text: str) -> PtxType:
        """The type of a destination register."""
        number = self.placeholder(text)
        held = self.types.get(text) if number is None else self._type_of(self.operands[number])
        if held is None:
            raise NotLowered(f"it writes {text.replace(ESCAPED_PERCENT, '%')}")
        return held

    # -- results

    def fresh(self) -> str:
        """A name that the file does not use."""
        number = len(self.lines) + 1
        while f"ptx_{number}".encode("ascii") in self._taken:
            number += 1000
        return f"ptx_{number}"

    def let(self, expression: str, kind: PtxType) -> str:
        """A temporary that holds an expression, by name."""
        name = self.fresh()
        self.lines.append(f"const {kind.cpp} {name} = {expression};")
        return name

    def write(self, text: str, expression: str, kind: PtxType) -> None:
        """The result of an instruction into its destination register."""
        number = self.placeholder(text)
        if number is not None and number >= len(self.statement.outputs):
            raise NotLowered(f"it writes {text}, which is an input")
        held = self.register_type(text)
        if held.floating != kind.floating or held.bits != kind.bits:
            raise NotLowered(f"the register behind {text} does not have the type of the result")
        if number is not None and self.single:
            self.outputs[number] = expression
            return
        name = self.let(expression, held)
        self.values[text] = name
        if number is not None:
            self.outputs[number] = name

    def effect(self, call: str) -> None:
        """A statement without a result."""
        self.lines.append(call)

    def text(self) -> str:
        """The lowered statement, with its semicolon where the original had one."""
        statement = self.statement
        missing = [number for number in range(len(statement.outputs)) if number not in self.outputs]
        if missing:
            raise NotLowered(f"it never writes %{missing[0]}")
        if not self.statement.in_macro:
            _refuse_dependent([statement.outputs[number].text for number in self.outputs])
        assignments = [
            f"{self._target(statement.outputs[number])} = {expression}" for number, expression in self.outputs.items()
        ]
        if len(assignments) + len(self.lines) == 1:
            only = assignments[0] if assignments else self.lines[0].removesuffix(";")
            return only + (";" if statement.terminated else "")
        if not statement.terminated:
            raise NotLowered("it stands in a macro without its semicolon and needs more than one statement")
        return "{ " + " ".join(self.lines + [f"{each};" for each in assignments]) + " }"

    def _target(self, operand: Operand) -> str:
        if not operand.repeatable and not self.statement.in_macro and not _pure_call(operand.text):
            raise NotLowered("an output has side effects")
        # A macro's argument may be any lvalue, `c ? x : y` among them.
        plain = _LVALUE.match(operand.text) and not self.statement.in_macro
        return operand.text if plain else f"({operand.text})"


def _refuse_dependent(targets: list[str]) -> None:
    """`NotLowered` where one result is assigned to something that says where a later one goes: ``i``, then ``a[i]``.
    An ``asm`` statement settles all places first."""
    earlier: set[str] = set()
    for position, target in enumerate(targets):
        words = set(_WORD.findall(target))
        subscripts = " ".join(_SUBSCRIPT.findall(target))
        if position and (
            words & {each for each in targets[:position] if each.isidentifier()}
            or earlier & set(_WORD.findall(subscripts))
            or re.search(r"->|[*\[(]", subscripts)
        ):
            raise NotLowered("where one result goes depends on another result")
        earlier |= words


def _pure_call(text: str) -> bool:
    """Whether the parentheses of an lvalue are casts and address arithmetic only: ``*(unsigned int*)&x``."""
    return not re.search(r"\+\+|--|[^=!<>]=[^=]|[\w\])]\s*\(", text)
