"""What ``asm`` statements of one function share: the carry flag, and registers of a scope that several of them span.

``asm("add.cc.u32 ...")`` leaves its flag to a later ``asm("addc.u32 ...")``, around loops too, and
``asm("{ .reg .pred p; ...")`` declares what others use until ``asm("}")``. Each such thing becomes a variable of the
function, so its statements are lowered together or not at all.
"""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.translate.ptx.carries import flag_kinds, flag_use, reads_flag, writes_flag
from musify_ai.translate.ptx.flag_flow import Flow, flag_flow
from musify_ai.translate.ptx.functions import enclosing_function
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, PtxText, parse_text
from musify_ai.translate.ptx.statements import AsmStatement
from musify_ai.translate.unit import Unit

_CPP = {"pred": "bool", "f32": "float", "f64": "double"}


class Shared(NamedTuple):
    """What a statement shares: registers (``CC`` for the flag) with the variable and the PTX type of each, the
    function's body, and why none of its statements can be lowered, empty where they can."""

    registers: dict[str, tuple[str, str]]
    body: int
    problem: str = ""


class Insertion(NamedTuple):
    """What a function needs beside its statements: a variable at its beginning, ``return`` of its flag, a call's flag
    kept. ``body`` is the function's."""

    body: int
    start: int
    end: int
    text: str


class Sharing(NamedTuple):
    """What statements share, by their starts; what functions need besides, by body; bodies that go together."""

    shared: dict[int, Shared]
    insertions: dict[int, list[Insertion]]
    ties: list[tuple[int, int]]


def shared_state(unit: Unit, texts: list[tuple[AsmStatement, PtxText]]) -> Sharing:
    """What the statements of a file share, and what its functions need for that."""
    groups: dict[int, list[tuple[AsmStatement, PtxText]]] = {}
    shared: dict[int, Shared] = {}
    insertions: dict[int, list[Insertion]] = {}
    for statement, text in texts:
        uses_flag = any(reads_flag(each) or writes_flag(each) for each in text.instructions)
        declares = bool(text.registers) and not text.instructions
        if not (text.depth or uses_flag or declares or _foreign(text)):
            continue
        function = None if statement.in_macro else enclosing_function(unit, statement.start)
        if function is not None:
            groups.setdefault(function.body, []).append((statement, text))
        elif any(flag_use(text)) or text.depth:
            # Nothing says where the other statements are.
            shared[statement.start] = Shared({}, -1, "it shares its carry flag or its scope with other statements")
    flow = flag_flow(unit, groups)
    unfed = bool(flow.starved)
    plans: list[tuple[int, list[tuple[AsmStatement, PtxText]], bool, bool]] = []
    for body in flow.passed:
        # A function that only hands the flag from one to another has no statement of its own.
        groups.setdefault(body, [])
    for body, members in groups.items():
        using = [use for use in (flag_use(text) for _, text in members) if any(use)]
        needs = any(reads for reads, _ in using)
        escapes = bool(using) and using[-1][1]
        has_flag = needs or escapes or body in flow.passed
        plans.append((body, members, has_flag, body in flow.starved or escapes))
    for body, members, has_flag, crosses in plans:
        problem = ""
        flag_problem = "its carry flag goes from one function to another" if crosses and unfed else ""
        names: dict[tuple[str, str], str] = {}
        open_registers: list[dict[str, tuple[str, str]]] = []
        used: dict[str, str] = {}
        kind = ""
        if body in flow.passed and not flag_problem:
            _variable(unit, "carry", "u32", names, used)
        for statement, text in members:
            registers: dict[str, tuple[str, str]] = {}
            for scope in open_registers:
                registers.update(scope)
            hidden = registers.keys() & text.registers.keys()
            if hidden and text.depth:
                problem = problem or f"it declares {min(hidden)} again, which a scope around it has"
            for name in hidden if text.instructions else ():
                # Its own register, in a scope that begins and ends in it.
                del registers[name]
            if text.depth >= 0 and (text.depth or (open_registers and not text.instructions)):
                opened = {
                    name: (_variable(unit, name, kind, names, used), kind) for name, kind in text.registers.items()
                }
                open_registers += [{} for _ in range(text.depth)]
                open_registers[-1].update(opened)
                registers.update(opened)
            reads, leaves = flag_use(text)
            own_problem = flag_problem if reads or leaves else ""
            read_as, left_as = flag_kinds(text)
            if read_as and kind and read_as != kind:
                problem = problem or f"it reads as a {read_as} what was left as a {kind}"
            kind = left_as or kind
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
            flag = names.get(("carry", "u32"), "")
            own = [text for name, text in used.items() if name != flag or body not in flow.taken]
            insertions[body] = [Insertion(body, body, body, " " + " ".join(own))] if own else []
            insertions[body] += _crossings(body, flow, flag)
    return Sharing(shared, insertions, flow.ties)


def _crossings(body: int, flow: Flow, flag: str) -> list[Insertion]:
    """What a function needs to return its flag, and to take it from those that it calls."""
    found = [Insertion(body, at, at, f"{flag} = ") for at in sorted(flow.calls.get(body, ()))]
    found += [Insertion(body, at, at, flag + (", " if more else "")) for at, more in flow.passed.get(body, [])]
    if body in flow.taken:
        at, more = flow.taken[body]
        found.append(Insertion(body, at, at, f"unsigned int {flag}" + (", " if more else "")))
    if body in flow.returned:
        (low, high), close = flow.returned[body]
        found += [
            Insertion(body, low, high, "unsigned int"),
            Insertion(body, close, close, f"return {flag}; "),
        ]
    return found


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
