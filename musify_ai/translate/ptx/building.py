"""From typed operands to C++ text: what one lowered ``asm`` statement is put together with."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT
from musify_ai.translate.ptx.places import is_plain, pure_call, refuse_dependent
from musify_ai.translate.ptx.registers import (
    REGISTERS,
    TYPES,
    UNSIGNED,
    NotLowered,
    PtxType,
    as_bits,
    float_constant,
    integer_constant,
    is_float_constant,
    literal,
)
from musify_ai.translate.ptx.specials import special
from musify_ai.translate.ptx.statements import POINTER, AsmStatement, Operand

_CONSTRAINTS = {"h": TYPES["u16"], "r": TYPES["u32"], "l": TYPES["u64"], "f": TYPES["f32"], "d": TYPES["f64"]}
_CONSTRAINTS[POINTER] = TYPES["u64"]
_PLACEHOLDER = late_pattern(r"%(?:(\d+)|\[(\w+)\])\Z")


class Builder:
    """One statement being lowered: operands are read through it, registers and temporaries live in it.

    ``shared`` are the registers that other statements of the function use too, with the C++ variables that hold them;
    the carry flag is among them as ``CC``. ``guard`` is the condition of the instruction at hand, empty for none.
    """

    def __init__(
        self,
        statement: AsmStatement,
        registers: Mapping[str, str],
        taken: Collection[bytes],
        uses: str,
        shared: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.statement = statement
        self.operands = statement.operands
        self.types: dict[str, PtxType] = {}
        self.shared = dict(shared or {})
        for name, kind in (*registers.items(), *((name, kind) for name, (_, kind) in self.shared.items())):
            if kind not in REGISTERS:
                raise NotLowered(f"it declares registers of type .{kind}")
            kept = REGISTERS[kind]
            self.types[name] = kept if kept.floating or kind == "pred" else UNSIGNED[kept.bits]
        self.knows_half = self.knows_bfloat = False
        self.guard = ""
        self.wide_archs = ""
        self.in_kernel = False
        self.notes: list[str] = []
        self.flag, self.flag_of = (self.shared["CC"][0], "") if "CC" in self.shared else ("", "")
        self.lines: list[str] = []
        # Register or output placeholder -> the name of what holds it now.
        self.values: dict[str, str] = {name: held for name, (held, _) in self.shared.items()}
        self.outputs: dict[int, str] = {}
        self.single = True
        self.may_change: Callable[[str, str], bool] = lambda text, call: False
        self.is_pointer: Callable[[str], bool] = lambda text: False
        self.guard_changes = False
        self.loops: list[str] = []
        self._taken = taken
        self._captured: dict[int, str] = {}
        self._references: dict[int, str] = {}
        self._partial: dict[int, str] = {}
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
        return integer_constant(text)

    def constant(self, text: str) -> int | None:
        """The value of an integer constant, or of an input whose source is one; ``None`` for other text."""
        value = self.immediate(text)
        number = self.placeholder(text) if value is None else None
        if number is None or number < len(self.statement.outputs):
            return value
        return self.immediate(self.operands[number].text.rstrip("uUlL"))

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
        if wanted is TYPES["pred"] and text.startswith("!"):
            return f"!{self.read(text[1:].strip(), wanted)}"
        value = self.immediate(text)
        if wanted.floating and (value is not None or is_float_constant(text)):
            return float_constant(text, wanted)
        if value is not None:
            if wanted.signed:
                half = 1 << (wanted.bits - 1)
                value = (value + half) % (1 << wanted.bits) - half
                return f"({wanted.cpp})({literal(value, wanted.bits)})" if value < 0 else f"({wanted.cpp}){value}"
            return literal(value, wanted.bits)
        known = special(text, wanted, self.note)
        if known is not None:
            return known
        number = self.placeholder(text)
        if number is None:
            if text not in self.types:
                raise NotLowered(f"it uses {text.replace(ESCAPED_PERCENT, '%')}")
            # What a register holds that nothing was written to is open: nothing of it may reach a result.
            held = self.types[text]
            source = self.values.get(text, "false" if held is TYPES["pred"] else literal(0, held.bits))
        else:
            operand = self.operands[number]
            if number < len(self.statement.outputs):
                held, source = self._read_output(number, operand, text, twice=twice)
            else:
                kind = self._type_of(operand)
                held = wanted if kind is None else kind
                source = self._input(number, operand, held, twice=twice)
        if held.floating != wanted.floating and held.bits == wanted.bits:
            # A register is its bits: an instruction of another kind of the same width takes them as they are.
            return as_bits(held, wanted, f"({held.cpp})({source})")
        if held.floating != wanted.floating or held.bits < wanted.bits or (held.bits > wanted.bits and not wider):
            raise NotLowered(f"the register behind {text} does not have the type of the instruction")
        if source.isidentifier() and source in self._captured.values() and held.cpp == wanted.cpp:
            return source
        if number is None and held.cpp == wanted.cpp:
            return source
        return f"({wanted.cpp})({source})"

    def _read_output(self, number: int, operand: Operand, text: str, *, twice: bool = False) -> tuple[PtxType, str]:
        held = self._type_of(operand)
        if held is None:
            raise NotLowered("an output cannot be a constant")
        if text in self.values:
            return held, self.values[text]
        if not operand.constraint.startswith("+"):
            raise NotLowered(f"it reads {text} before it is written")
        if not operand.repeatable:
            # What is evaluated once is reached by way of a reference, and what is volatile is read once.
            reference = self._reference(number)
            if not twice and self._counts[number] < 3:
                return held, reference
            self.values[text] = self.let(f"({held.cpp})({reference})", held)
            return held, self.values[text]
        return held, operand.text

    def _input(self, number: int, operand: Operand, held: PtxType, *, twice: bool) -> str:
        if number in self._captured:
            return self._captured[number]
        if operand.repeatable or (not twice and self._counts[number] < 2 and self.single and not self.guard):
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
        unused = [each for number, each in enumerate(inputs, len(outputs)) if each.effect and not self._counts[number]]
        calls = [operand for operand in inputs if operand.effect == "call"]
        ordered = changing or len(calls) > 1
        for call in calls:
            others = (each for each in inputs if each is not call)
            ordered = ordered or any(not each.effect and self.may_change(each.text, call.text) for each in others)
        if not unused and (len(inputs) < 2 or not ordered):
            return
        for number, operand in enumerate(inputs, len(outputs)):
            held = self._type_of(operand)
            if operand in unused:
                # Nothing reads it, but what it does is done.
                self.single = False
                self.lines.append(f"(void)({operand.text});")
            elif held is not None and number not in self._captured and (ordered or operand.effect):
                self._captured[number] = self.let(f"({held.cpp})({operand.text})", held)

    def settle(self, is_exposed: Callable[[str], bool]) -> None:
        """Read what something else may change before the first instruction, as ``asm`` does: an operand that an
        earlier instruction of the statement, or another thread behind a barrier of it, may write to."""
        for number, operand in enumerate(self.operands):
            output = number < len(self.statement.outputs)
            held = self._type_of(operand)
            if held is None or not self._counts[number] or number in self._captured or not is_exposed(operand.text):
                continue
            if not output:
                self._captured[number] = self.let(f"({held.cpp})({operand.text})", held)
            elif operand.constraint.startswith("+"):
                self.single = False
                source = self._read_output(number, operand, f"%{number}")[1]
                name = self.let(f"({held.cpp})({source})", held)
                self.values.update({f"%{number}": name, f"%[{operand.name}]": name})

    def bind_outputs(self) -> None:
        """Settle the places of results first, as ``asm`` does, where finding one calls something."""
        for number, operand in enumerate(self.statement.outputs):
            if not operand.repeatable and not self.statement.in_macro and not pure_call(operand.text):
                self._reference(number)

    def _reference(self, number: int) -> str:
        if number not in self._references:
            self.single = False
            self._references[number] = self.fresh()
            self.lines.append(f"auto& {self._references[number]} = {self.operands[number].text};")
        return self._references[number]

    def use_shared_base(self, declaration: str) -> None:
        """Declare the block's dynamic shared memory in front of everything, once."""
        if declaration not in self.lines:
            name = declaration.split()[-1].split("[")[0]
            if name.encode("ascii") in self._taken:
                raise NotLowered(f"the file has a {name} of its own")
            self.single = False
            self.lines.insert(0, declaration)

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

    def let_auto(self, expression: str) -> str:
        """A temporary of whatever type an intrinsic gives, by name."""
        name = self.fresh()
        self.lines.append(f"const auto {name} = {expression};")
        return name

    def write(self, text: str, expression: str, kind: PtxType) -> None:
        """The result of an instruction into its destination register; ``_`` takes what nobody wants."""
        if text == "_":
            self.effect(f"(void)({expression});")
            return
        number = self.placeholder(text)
        if number is not None and number >= len(self.statement.outputs):
            raise NotLowered(f"it writes {text}, which is an input")
        held = self.register_type(text)
        if held.floating != kind.floating and held.bits == kind.bits:
            expression = as_bits(kind, held, f"({kind.cpp})({expression})")
        elif held.floating != kind.floating or held.bits != kind.bits:
            raise NotLowered(f"the register behind {text} does not have the type of the result")
        if self.guard:
            expression = f"{self.guard} ? {_parenthesised(expression)} : {self._before(number, text, held)}"
        elif number is not None:
            self._partial.pop(number, None)
        if text in self.shared:
            self.guard_changes = True
            self.lines.append(f"{self.shared[text][0]} = {expression};")
            return
        if number is not None and self.single:
            self.outputs[number] = expression
            return
        name = self.let(expression, held)
        self.values[text] = name
        if number is not None:
            self.outputs[number] = name

    def _before(self, number: int | None, text: str, held: PtxType) -> str:
        """What a register keeps where the instruction's guard is false; its value is open if nothing wrote it."""
        if number is None:
            return self.values.get(text, "false" if held is TYPES["pred"] else literal(0, held.bits))
        operand = self.operands[number]
        if text in self.values:
            opposite = self.guard[1:] if self.guard.startswith("!") else f"!{self.guard}"
            if self._partial.get(number) == opposite:
                del self._partial[number]
            elif self._partial.get(number, self.guard) != self.guard:
                self._partial[number] = ""
            return self.values[text]
        if operand.constraint.startswith("+"):
            return f"({held.cpp})({self._read_output(number, operand, text)[1]})"
        self._partial[number] = self.guard
        self.single = False
        return f"({held.cpp})0"

    def effect(self, call: str) -> None:
        """A statement without a result."""
        self.lines.append(f"if ({self.guard}) {{ {call} }}" if self.guard else call)

    def note(self, text: str) -> None:
        """A difference that whoever reads the translation has to know of."""
        if text not in self.notes:
            self.notes.append(text)

    # -- the carry flag

    def carry(self, kind: str) -> str:
        """The flag that an instruction before left, 0 or 1; ``kind`` is ``carry`` or ``borrow``."""
        if not self.flag:
            raise NotLowered("it reads a carry flag that another function leaves")
        if self.flag_of not in ("", kind):
            raise NotLowered(f"it reads as a {kind} what was left as a {self.flag_of}")
        return self.flag

    def set_carry(self, expression: str, kind: str) -> None:
        """The flag that an instruction leaves."""
        if self.guard:
            expression = f"{self.guard} ? (unsigned int)({expression}) : {self.flag or '0u'}"
        self.flag_of = kind
        if "CC" in self.shared:
            self.lines.append(f"{self.flag} = {expression};")
        else:
            self.flag = self.let(expression, TYPES["u32"])

    def text(self) -> str:
        """The lowered statement, with its semicolon where the original had one."""
        statement = self.statement
        unsettled = [number for number, guard in self._partial.items() if not guard.lstrip("!").startswith("ptx_")]
        if unsettled or (self._partial and self.guard_changes):
            raise NotLowered(f"it may leave %{min(self._partial)} unwritten")
        missing = [number for number in range(len(statement.outputs)) if number not in self.outputs]
        if missing:
            raise NotLowered(f"it never writes %{missing[0]}")
        if not self.statement.in_macro:
            refuse_dependent([statement.outputs[number].text for number in self.outputs])
        # What an instruction under a guard alone writes keeps what it held, which is what registers do.
        assignments = [
            (f"if ({self._partial[number]}) " if number in self._partial else "")
            + f"{self._target(number)} = {self._as_declared(number, expression)}"
            for number, expression in self.outputs.items()
        ]
        if len(assignments) + len(self.lines) == 1 and not any("{" in line for line in self.lines):
            only = assignments[0] if assignments else self.lines[0].removesuffix(";")
            return only + (";" if statement.terminated else "")
        lines = self.lines
        last = re.match(r"const [\w ]+ (ptx_\d+) = (.*);\Z", lines[-1]) if lines and len(assignments) == 1 else None
        if last and assignments[0].endswith(f" = {last[1]}"):
            # The last temporary is only there to be assigned.
            assignments = [assignments[0].removesuffix(last[1]) + last[2]]
            lines = lines[:-1]
        if not lines and len(assignments) == 1:
            return assignments[0] + (";" if statement.terminated else "")
        body = " ".join(lines + [f"{each};" for each in assignments])
        if not body:
            return ";" if statement.terminated else "(void)0"
        return f"{{ {body} }}" if statement.terminated else f"do {{ {body} }} while (0)"

    def _target(self, number: int) -> str:
        if number in self._references:
            return self._references[number]
        operand = self.statement.outputs[number]
        # A macro's argument may be any lvalue, `c ? x : y` among them.
        plain = is_plain(operand.text) and not self.statement.in_macro
        return operand.text if plain else f"({operand.text})"

    def _as_declared(self, number: int, expression: str) -> str:
        """A result of 64 bits that goes into a pointer, which ``asm`` takes as well."""
        text = self.statement.outputs[number].text
        return f"(decltype({text}))({expression})" if self.is_pointer(text) else expression


def _parenthesised(expression: str) -> str:
    return f"({expression})" if " ? " in expression else expression
