"""What ``asm`` statements of one function share: the carry flag, and registers of a scope that several of them span.

``asm("add.cc.u32 ...")`` leaves its flag to a later ``asm("addc.u32 ...")``, around loops too, and
``asm("{ .reg .pred p; ...")`` declares what others use until ``asm("}")``. Each such thing becomes a variable of the
function, so its statements are lowered together or not at all.
"""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.translate.ptx.carries import reads_flag, writes_flag
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, PtxText, parse_text
from musify_ai.translate.ptx.statements import AsmStatement
from musify_ai.translate.unit import Unit

_CPP = {"pred": "bool", "f32": "float", "f64": "double"}
# What may stand between a function's parameters and its body.
_QUALIFIERS = frozenset((b"const", b"noexcept", b"override", b"final", b"mutable", b"volatile", b"&", b"&&"))
_NO_FUNCTION = frozenset((b"if", b"else", b"for", b"while", b"switch", b"catch", b"namespace", b"extern"))


class Function(NamedTuple):
    """A function body, and whether it is a kernel's own."""

    body: int
    is_kernel: bool


class Shared(NamedTuple):
    """What a statement shares: registers (``CC`` for the flag) with the variable and the PTX type of each, the
    function's body, and why none of its statements can be lowered, empty where they can."""

    registers: dict[str, tuple[str, str]]
    body: int
    problem: str = ""


class Declaration(NamedTuple):
    """A variable that a function needs at its beginning."""

    body: int
    text: str


def enclosing_function(unit: Unit, offset: int) -> Function | None:
    """The outermost function body around an offset, by what stands before its brace."""
    toks, openers = unit.tokens, unit.openers
    index = unit.token_index(offset)
    found: Function | None = None
    while index >= 0 and (index := openers[index]) >= 0:
        if toks[index].text != b"{":
            continue
        begin = index
        while begin > 0 and toks[begin - 1].text not in (b";", b"{", b"}", b":"):
            begin -= 1
            if toks[begin].text == b")" and begin in unit.partners:
                begin = unit.partners[begin]
        head = [token.text for token in toks[begin:index]]
        if _heads_function(head):
            # A lambda in a kernel is a function of its own, from which `return` leads back to the kernel.
            found = Function(toks[index].end, b"__global__" in head and found is None)
    return found


def _heads_function(head: list[bytes]) -> bool:
    """Whether what stands before a brace ends as the head of a function does: a class ends with its name."""
    last = len(head) - 1
    while last >= 0 and head[last] in _QUALIFIERS:
        last -= 1
    if last < 0 or head[0] in _NO_FUNCTION:
        return False
    return head[last] == b")" or b"->" in head


def shared_state(
    unit: Unit, texts: list[tuple[AsmStatement, PtxText]]
) -> tuple[dict[int, Shared], dict[int, list[Declaration]]]:
    """For each statement that shares something, by its start, what that is; and the variables by function body."""
    groups: dict[int, list[tuple[AsmStatement, PtxText]]] = {}
    shared: dict[int, Shared] = {}
    declarations: dict[int, list[Declaration]] = {}
    for statement, text in texts:
        uses_flag = any(reads_flag(each) or writes_flag(each) for each in text.instructions)
        declares = bool(text.registers) and not text.instructions
        if not (text.depth or uses_flag or declares or _foreign(text)):
            continue
        function = None if statement.in_macro else enclosing_function(unit, statement.start)
        if function is not None:
            groups.setdefault(function.body, []).append((statement, text))
        elif any(_flag_use(text)) or text.depth:
            # Nothing says where the other statements are.
            shared[statement.start] = Shared({}, -1, "it shares its carry flag or its scope with other statements")
    unfed = False
    plans: list[tuple[int, list[tuple[AsmStatement, PtxText]], bool, bool]] = []
    for body, members in groups.items():
        flags = [_flag_use(text) for _, text in members]
        using = [(reads, leaves) for reads, leaves in flags if reads or leaves]
        needs = any(reads for reads, _ in using)
        # The first that reads has nothing to read if none before it leaves a flag.
        starved = False
        fed = False
        for reads, leaves in using:
            starved = starved or (reads and not fed)
            fed = fed or leaves
        escapes = bool(using) and using[-1][1]
        unfed = unfed or starved
        plans.append((body, members, needs or escapes, starved or escapes))
    for body, members, has_flag, crosses in plans:
        problem = ""
        flag_problem = "its carry flag goes from one function to another" if crosses and unfed else ""
        names: dict[tuple[str, str], str] = {}
        open_registers: list[dict[str, tuple[str, str]]] = []
        used: dict[str, str] = {}
        for statement, text in members:
            registers: dict[str, tuple[str, str]] = {}
            for scope in open_registers:
                registers.update(scope)
            if text.depth >= 0 and (text.depth or (open_registers and not text.instructions)):
                opened = {
                    name: (_variable(unit, name, kind, names, used), kind) for name, kind in text.registers.items()
                }
                open_registers += [{} for _ in range(text.depth)]
                open_registers[-1].update(opened)
                registers.update(opened)
            reads, leaves = _flag_use(text)
            own_problem = flag_problem if reads or leaves else ""
            if has_flag and (reads or leaves) and not flag_problem:
                registers["CC"] = (_variable(unit, "carry", "u32", names, used), "u32")
            for _ in range(-text.depth):
                if open_registers:
                    open_registers.pop()
                else:
                    problem = problem or "it closes a scope that nothing opened"
            if registers or text.depth or problem or own_problem:
                # A statement that is left for its flag alone leaves the registers of the others alone.
                alone = own_problem and not registers and not text.depth
                shared[statement.start] = Shared(registers, -1 if alone else body, problem or own_problem)
        if open_registers and not problem:
            for statement, _ in members:
                if statement.start in shared:
                    shared[statement.start] = shared[statement.start]._replace(
                        problem="it opens a scope that nothing closes"
                    )
        if used and not problem:
            declarations[body] = [Declaration(body, declared) for declared in used.values()]
    return shared, declarations


def _flag_use(text: PtxText) -> tuple[bool, bool]:
    """Whether a statement reads a flag that it has not written itself, and whether it leaves one at its end."""
    using = [each for each in text.instructions if reads_flag(each) or writes_flag(each)]
    if not using:
        return False, False
    return reads_flag(using[0]), writes_flag(using[-1])


def _foreign(text: PtxText) -> bool:
    """Whether a statement uses a named register that it does not declare (special ones have names of their own)."""
    for each in text.instructions:
        for operand in (each.predicate.lstrip("@!").strip(), *each.operands):
            for piece in operand.strip("{}[]!").replace("|", ",").split(","):
                name = piece.strip()
                named = name[:1] in (ESCAPED_PERCENT, "_") or name[:1].isalpha()
                if named and name not in text.registers and name != "_":
                    return True
    return False


def _variable(unit: Unit, register: str, kind: str, names: dict[tuple[str, str], str], used: dict[str, str]) -> str:
    key = (register, kind)
    if key not in names:
        base = "ptx_" + "".join(c if c.isalnum() else "_" for c in register.strip(ESCAPED_PERCENT + "%"))
        name, number = base, 1
        while name.encode("latin-1") in unit.words or name in used:
            number += 1
            name = f"{base}_{number}"
        names[key] = name
        bits = {"16": "unsigned short", "32": "unsigned int", "64": "unsigned long long"}
        cpp = _CPP.get(kind) or bits.get(kind[-2:], "unsigned int")
        used[name] = f"{cpp} {name} = {'false' if cpp == 'bool' else '0'};"
    return names[key]


def parsed(statements: list[AsmStatement]) -> list[tuple[AsmStatement, PtxText]]:
    """The statements whose text is known, with their instructions."""
    return [
        (statement, parse_text(statement.template, basic=statement.basic))
        for statement in statements
        if statement.template is not None and not statement.problem
    ]
