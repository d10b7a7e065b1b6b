"""What an opcode's handler works with: the modifiers still to be read, and operands as C++ expressions."""

import re
import struct
from collections.abc import Callable

from musify_ai.emulator.prepare.ptx.registers import SPECIAL, WIDE_SPECIAL
from musify_ai.emulator.prepare.ptx.text import Instruction, Operand, Unsupported

LIBRARY = "::emu::ptx::"
# C++ types of registers, by what a declaration or a constraint calls them.
BITS = {
    "pred": "bool",
    **{f"{letter}{width}": f"uint{width}_t" for letter in "bus" for width in (8, 16, 32, 64)},
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "f16x2": "uint32_t",
    "bf16x2": "uint32_t",
    "f32": "uint32_t",
    "f64": "uint64_t",
}
ROUNDING = ("rn", "rz", "rm", "rp")


class Context:
    """One instruction under translation. ``names`` finds a declared register's C++ name; ``argument`` an operand's."""

    def __init__(self, item: Instruction, names: Callable[[str], str | None], argument: Callable[[int], str]) -> None:
        self.item = item
        self.opcode = item.opcode
        self.mods = list(item.parts[1:])
        self.operands = item.operands
        self._names, self._argument = names, argument

    def unsupported(self) -> Unsupported:
        """The refusal of this instruction, by its full name."""
        return Unsupported(self.opcode)

    # ---- modifiers, in any order: the assembler has its own, and none is ambiguous
    def flag(self, name: str) -> bool:
        """Whether a modifier is there; it is then read."""
        if name in self.mods:
            self.mods.remove(name)
            return True
        return False

    def choice(self, names: tuple[str, ...], default: str | None = None) -> str:
        """The first of some modifiers that is there; without one, the default or a refusal."""
        for mod in self.mods:
            if mod in names:
                self.mods.remove(mod)
                return mod
        if default is None:
            raise self.unsupported()
        return default

    def drop(self, *names: str) -> None:
        """Pass over modifiers that change nothing here."""
        self.mods = [mod for mod in self.mods if mod not in names]

    def type(self, *allowed: str) -> str:
        """The last modifier, which is the type; a refusal where it is none of those allowed."""
        if not self.mods or self.mods[-1] not in allowed:
            raise self.unsupported()
        return self.mods.pop()

    def done(self, count: int | tuple[int, ...]) -> None:
        """Refuse what is left over, and a wrong number of operands."""
        counts = (count,) if isinstance(count, int) else count
        if self.mods or len(self.operands) not in counts:
            raise self.unsupported()

    # ---- operands
    def value(self, operand: Operand, kind: str) -> str:
        """An operand as an expression; ``kind`` is the PTX type that an immediate takes."""
        if operand.kind == "argument" and not operand.name:
            return self._argument(operand.value)
        if operand.kind == "integer":
            if kind in ("f32", "f64", "f16", "bf16"):
                return _float_bits(str(operand.value), kind)
            return f"{operand.value & 0xFFFFFFFFFFFFFFFF:#x}ull"
        if operand.kind == "float":
            return _float_bits(operand.name, kind if kind in ("f32", "f64") else "f32" if kind == "b32" else "f64")
        if operand.kind == "not":
            return f"!({self.value(operand.items[0], kind)})"
        if operand.kind == "register":
            declared = self._names(operand.name)
            if declared is not None:
                return declared
            special = SPECIAL.get(operand.name) or WIDE_SPECIAL.get(operand.name)
            if special is not None:
                return special
            if operand.name.startswith("%"):
                raise Unsupported(f"{self.opcode} of the special register {operand.name}")
            raise Unsupported(f"{self.opcode} of {operand.name}, which this asm statement does not declare")
        raise self.unsupported()

    def destination(self, operand: Operand) -> str:
        """A register to write to, as an lvalue; ``_`` swallows what is written."""
        if operand.kind == "sink":
            return f"{LIBRARY}Sink()"
        if operand.kind == "argument" and not operand.name:
            return self._argument(operand.value)
        if operand.kind == "register":
            declared = self._names(operand.name)
            if declared is not None:
                return declared
        raise self.unsupported()

    def values(self, kind: str, first: int = 1) -> str:
        """The operands from ``first`` on, as arguments of a call."""
        return ", ".join(self.value(operand, kind) for operand in self.operands[first:])

    def call(self, function: str, *templates: str | bool, kind: str, first: int = 1) -> str:
        """``destination = function<templates>(operands)``; the templates that are PTX types are the library's."""
        return f"{self.destination(self.operands[0])} = {invoke(function, *templates)}({self.values(kind, first)});"

    def assign(self, expression: str) -> str:
        """``destination = expression``."""
        return f"{self.destination(self.operands[0])} = {expression};"

    def pair(self) -> tuple[str, str]:
        """The destinations of ``d|p``; where there is no ``p``, what is written to it is swallowed."""
        first = self.operands[0]
        if first.kind == "pair":
            return self.destination(first.items[0]), self.destination(first.items[1])
        return self.destination(first), f"{LIBRARY}Sink()"

    def address(self, operand: Operand) -> str:
        """An address operand, ``[base]`` or ``[base+offset]``, as a 64-bit expression."""
        if operand.kind != "address" or not 1 <= len(operand.items) <= 2:
            raise self.unsupported()
        parts = [f"uint64_t({self.value(item, 'b64')})" for item in operand.items]
        return " + ".join(parts)


def invoke(function: str, *templates: str | bool) -> str:
    """A function of the library with its template arguments; PTX types among them are qualified."""
    if not templates:
        return LIBRARY + function
    words = [str(word).lower() if isinstance(word, bool) else LIBRARY + word for word in templates]
    return f"{LIBRARY}{function}<{', '.join(words)}>"


def _float_bits(text: str, kind: str) -> str:
    """The bits of a floating-point constant in a type; a constant of the other width is converted first."""
    prefix = text[:2].lower()
    if prefix == "0f":
        value = struct.unpack(">f", bytes.fromhex(text[2:]))[0]
        if kind != "f64":
            return f"0x{text[2:]}u"
    elif prefix == "0d":
        value = struct.unpack(">d", bytes.fromhex(text[2:]))[0]
        if kind == "f64":
            return f"0x{text[2:]}ull"
    else:
        value = float(text)
    try:
        if kind == "f64":
            return f"0x{struct.pack('>d', value).hex()}ull"
        if kind == "f16":
            return f"0x{struct.pack('>e', value).hex()}u"
        return f"0x{struct.pack('>f', value).hex()}u"
    except (OverflowError, struct.error):
        raise Unsupported(f"the constant {text}") from None


def identifier(name: str) -> str:
    """A register's or label's name as part of a C++ identifier."""
    return re.sub(r"\W", lambda match: f"_{ord(match[0]):x}", name)
