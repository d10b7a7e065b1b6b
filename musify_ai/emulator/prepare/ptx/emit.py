"""An ``asm`` statement as a C++ statement expression that calls the device's PTX library.

Inputs are read once, into registers of their constraint's width; outputs are written when all is done. What the
library does not have traps when it is met, by its name, so that the kernel comes out as not checkable.
"""

from collections.abc import Callable

from musify_ai.emulator.prepare.ptx import floats, matrices, mbarrier, memory, threads
from musify_ai.emulator.prepare.ptx.arithmetic import ARITHMETIC
from musify_ai.emulator.prepare.ptx.context import BITS, LIBRARY, Context, identifier
from musify_ai.emulator.prepare.ptx.statements import Asm, AsmOperand, substitute
from musify_ai.emulator.prepare.ptx.text import Brace, Instruction, Label, Registers, Unsupported, parse
from musify_ai.emulator.prepare.ptx.video import VIDEO
from musify_ai.emulator.prepare.scan import Scan

_CONSTRAINTS = {"h": "uint16_t", "r": "uint32_t", "l": "uint64_t", "f": "uint32_t", "d": "uint64_t", "b": "bool"}
_WIDE = "uint64_t"  # "n", "i": an immediate
# Opcodes that stand without a type; one that is neither here nor known belongs to the host's processor.
_BARE_OPCODES = frozenset(("exit", "ret", "brkpt", "bra", "call"))

OPCODES: dict[str, Callable[[Context], str]] = {
    **ARITHMETIC,
    **VIDEO,
    "fma": floats.fused,
    "rcp": floats.rcp,
    "sqrt": floats.sqrt,
    "rsqrt": floats.rsqrt,
    "cvt": floats.cvt,
    **dict.fromkeys(("ex2", "lg2", "sin", "cos", "tanh"), floats.approximate),
    "copysign": floats.copysign,
    "testp": floats.testp,
    "setp": floats.setp,
    "set": floats.set_,
    "selp": floats.selp,
    "slct": floats.slct,
    "mov": memory.mov,
    "ld": memory.ld,
    "ldu": memory.ld,
    "st": memory.st,
    "atom": memory.atom,
    "red": memory.atom,
    "cvta": memory.cvta,
    "isspacep": memory.isspacep,
    "membar": memory.fence,
    "fence": memory.fence,
    "cp": memory.cp,
    **dict.fromkeys(("prefetch", "prefetchu", "discard", "applypriority", "pmevent"), memory.nothing),
    **dict.fromkeys(("griddepcontrol", "setmaxnreg"), memory.nothing),
    "createpolicy": memory.policy,
    "mma": matrices.mma,
    "ldmatrix": matrices.ldmatrix,
    "stmatrix": matrices.stmatrix,
    "movmatrix": matrices.movmatrix,
    "mbarrier": mbarrier.mbarrier,
    "shfl": threads.shfl,
    "vote": threads.vote,
    "match": threads.match,
    "redux": threads.redux,
    "activemask": threads.activemask,
    "elect": threads.elect,
    "bar": threads.bar,
    "barrier": threads.bar,
    "trap": threads.trap,
    "nanosleep": threads.nanosleep,
}


def of_the_host(statement: Asm) -> bool:
    """Whether a statement is assembly of the host's processor: its constraints or its first word are not PTX's."""
    operands = (*statement.outputs, *statement.inputs)
    if any(not _is_constraint(operand.constraint) for operand in operands):
        return True
    words = (statement.template or "").split()
    first = words[0].rstrip(";") if words else ""
    return first.isidentifier() and first not in OPCODES and first not in _BARE_OPCODES


def _is_constraint(text: str) -> bool:
    letters = text.strip("=+&%")
    return letters in _CONSTRAINTS or letters in ("n", "i", "C", "q")


def statement_text(scan: Scan, statement: Asm, unsupported: list[str]) -> bytes:
    """What stands in a statement's place; the names of what is not had are added to ``unsupported``."""
    if statement.template is None:
        return _refused("asm whose text only the preprocessor knows", unsupported).encode()
    try:
        items = parse(substitute(statement) or "")
        writer = _Writer(statement)
        body = writer.body(items, unsupported)
        declarations = [
            _declaration(number, operand, scan.flat(operand.start, operand.stop), number < len(statement.outputs))
            for number, operand in enumerate([*statement.outputs, *statement.inputs])
        ]
    except Unsupported as refusal:
        return _refused(str(refusal), unsupported).encode("utf-8", "surrogateescape")
    if not items:
        return b"((void)0)"
    parts = [*declarations, body.encode()]
    parts += [b"%bresult(emu_o%d, emu_%d);" % (LIBRARY.encode(), n, n) for n in range(len(statement.outputs))]
    labels = f"__label__ {', '.join(writer.labels)}; ".encode() if writer.labels else b""
    return b"({ " + labels + b" ".join(parts) + b" })"


def _declaration(number: int, operand: AsmOperand, expression: bytes, is_output: bool) -> bytes:
    letters = operand.constraint.strip("=+&%")
    if letters not in _CONSTRAINTS and letters not in ("n", "i"):
        raise Unsupported(f"the constraint {operand.constraint!r}")
    kind = _CONSTRAINTS.get(letters, _WIDE)
    reading = f"operand_f{32 if letters == 'f' else 64}" if letters in ("f", "d") else f"operand<{kind}>"
    if letters in ("n", "i"):
        return b"constexpr %b emu_%d = static_cast<%b>%b;" % (kind.encode(), number, kind.encode(), expression)
    if not is_output:
        return f"{kind} emu_{number} = {LIBRARY}{reading}(".encode() + expression + b");"
    first = f"{LIBRARY}{reading}(emu_o{number})" if "+" in operand.constraint else f"{LIBRARY}undefined<{kind}>()"
    return b"auto&& emu_o%d = %b; " % (number, expression) + f"{kind} emu_{number} = {first};".encode()


def _refused(name: str, unsupported: list[str]) -> str:
    unsupported.append(name)
    escaped = "".join(character if " " <= character <= "~" and character not in '\\"' else "?" for character in name)
    return f'::emu::unsupported_asm("{escaped}")'


class _Writer:
    """The body of one statement: registers declared first, then an instruction after another."""

    def __init__(self, statement: Asm) -> None:
        self.operands = [*statement.outputs, *statement.inputs]
        self.scopes: list[dict[str, str]] = [{}]
        self.labels: list[str] = []
        self.count = 0

    def body(self, items: list[Instruction | Label | Registers | Brace], unsupported: list[str]) -> str:
        declarations: list[str] = []
        lines: list[str] = []
        self.labels = [f"emu_l_{identifier(item.name)}" for item in items if isinstance(item, Label)]
        if len(set(self.labels)) != len(self.labels):
            raise Unsupported("a label that stands twice in one asm statement")
        seen: set[str] = set()
        for item in items:
            if isinstance(item, Brace):
                if item.opens:
                    self.scopes.append({})
                else:
                    self.scopes.pop()
            elif isinstance(item, Registers):
                declarations += self._declare(item)
            elif isinstance(item, Label):
                seen.add(f"emu_l_{identifier(item.name)}")
                lines.append(f"emu_l_{identifier(item.name)}: ;")
            else:
                try:
                    lines.append(self._instruction(item, seen))
                except Unsupported as refusal:
                    lines.append(self._guarded(item, _refused(str(refusal), unsupported) + ";"))
        return " ".join([*declarations, *lines])

    def _declare(self, item: Registers) -> list[str]:
        kind = BITS.get(item.type)
        if kind is None:
            raise Unsupported(f"registers of type .{item.type}")
        declared = []
        for name in item.names:
            self.count += 1
            self.scopes[-1][name] = f"emu_r{self.count}_{identifier(name)}"
            declared.append(f"{kind} {self.scopes[-1][name]} = {LIBRARY}undefined<{kind}>();")
        return declared

    def _name(self, register: str) -> str | None:
        return next((scope[register] for scope in reversed(self.scopes) if register in scope), None)

    def _argument(self, number: int) -> str:
        return f"emu_{number}"

    def _context(self, item: Instruction) -> Context:
        return Context(item, self._name, self._argument)

    def _instruction(self, item: Instruction, seen: set[str]) -> str:
        name = item.parts[0]
        if name == "bra":
            return self._guarded(item, self._branch(item, seen))
        handler = OPCODES.get(name)
        if handler is None:
            raise Unsupported(item.opcode)
        return self._guarded(item, handler(self._context(item)))

    def _branch(self, item: Instruction, seen: set[str]) -> str:
        if len(item.operands) != 1 or item.operands[0].kind != "register":
            raise Unsupported(item.opcode)
        label = f"emu_l_{identifier(item.operands[0].name)}"
        if label not in self.labels:
            raise Unsupported(f"{item.opcode} to a label outside of its asm statement")
        # A loop may wait for another thread.
        return f"{{ {'::emu::spin(); ' if label in seen else ''}goto {label}; }}"

    def _guarded(self, item: Instruction, text: str) -> str:
        if item.guard is None:
            return text
        condition = self._context(item).value(item.guard, "pred")
        return f"if ({'!' if item.negated else ''}({condition})) {{ {text} }}"
