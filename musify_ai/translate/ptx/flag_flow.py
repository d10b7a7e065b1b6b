"""Where a carry flag that a function reads comes from, if not from itself: a function of the file that returns it.

``asm`` leaves the flag to whatever comes next, so some code ends a function with ``addc.cc`` and goes on in the caller,
or begins one with ``addc``. The first, where it returns nothing, can return the flag instead: who does not want it goes
on as before. The second takes it as its first parameter. This is done only where it is sure which flag is read: on
every way to the instruction there is one that was seen.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from musify_ai.translate.ptx.carries import flag_kinds, flag_use, writes_flag
from musify_ai.translate.ptx.functions import enclosing_function, function_name, opening, parameters
from musify_ai.translate.ptx.instructions import PtxText
from musify_ai.translate.ptx.statements import AsmStatement
from musify_ai.translate.unit import Unit

_LOOPS = frozenset((b"for", b"while"))
_CONTROL = frozenset((*_LOOPS, b"if", b"switch"))
Members = list[tuple[AsmStatement, PtxText]]


class Returned(NamedTuple):
    """A function that is to return its flag: where its ``void`` stands, and its closing brace."""

    void: tuple[int, int]
    close: int


class Flow(NamedTuple):
    """By function body: what is to return its flag, where calls of such functions begin; what is to take one (behind
    which bracket), where in its calls it is passed on; which bodies are tied to each other by that, and those whose
    flag comes from nowhere that is known. A place in a list of arguments says whether others follow."""

    returned: dict[int, Returned]
    calls: dict[int, set[int]]
    taken: dict[int, tuple[int, bool]]
    passed: dict[int, list[tuple[int, bool]]]
    ties: list[tuple[int, int]]
    starved: set[int]


class _Event(NamedTuple):
    """Something that sets the flag, by the token that it begins with; ``name`` is empty for ``asm``."""

    token: int
    name: bytes
    statement: bool = True


def flag_flow(unit: Unit, groups: dict[int, Members]) -> Flow:
    """How flags go between the functions of a file; ``groups`` are its statements by function body."""
    flow = Flow({}, {}, {}, {}, [], set())
    needy = {
        body for body, members in groups.items() if any(reads for reads, _ in (flag_use(text) for _, text in members))
    }
    if not needy:
        return flow
    leavers, writers = _writers(unit, groups)
    for body in needy:
        members = groups[body]
        begin = opening(unit, body)
        end = unit.partners[begin]
        if any(flag_use(text)[0] and _calls(unit, statement, writers) for statement, text in members):
            # An operand's call comes between the flag and who reads it.
            flow.starved.add(body)
            continue
        events = _events(unit, members, begin, end, writers)
        if not any(each.name for each in events):
            # Only its own: the first that reads has nothing to read if none before it leaves a flag.
            left = False
            for reads, leaves in (flag_use(text) for _, text in members):
                if reads and not left:
                    flow.starved.add(body)
                left = left or leaves
            continue
        for statement, text in members:
            reader = unit.token_index(statement.start)
            if flag_use(text)[0] and not _feed(unit, flow, leavers, events, body, reader, flag_kinds(text)[0], groups):
                flow.starved.add(body)
                break
    for body in sorted(flow.starved):
        _take(unit, flow, groups, leavers, writers, body)
    return flow


def _feed(
    unit: Unit,
    flow: Flow,
    leavers: dict[bytes, dict[int, Returned]],
    events: list[_Event],
    body: int,
    reader: int,
    kind: str,
    groups: dict[int, Members],
) -> bool:
    """Whether it is sure which flag is read at a token; the calls that give it are noted then."""
    sources = _sources(unit, events, reader, opening(unit, body))
    if sources is None or any(each.name and (each.name not in leavers or not each.statement) for each in sources):
        return False
    left = {_left_as(groups[other]) for each in sources if each.name for other in leavers[each.name]}
    if left - {kind}:
        return False
    for each in sources:
        if each.name:
            flow.calls.setdefault(body, set()).add(unit.tokens[each.token].start)
            flow.returned.update(leavers[each.name])
            flow.ties.extend((body, other) for other in leavers[each.name])
    return True


def _left_as(members: Members) -> str:
    """As what a function leaves its flag, which the last of its statements that use one does."""
    return [left_as for _, text in members if (left_as := flag_kinds(text)[1])][-1]


def _take(
    unit: Unit,
    flow: Flow,
    groups: dict[int, Members],
    leavers: dict[bytes, dict[int, Returned]],
    writers: set[bytes],
    body: int,
) -> None:
    """Have a function that reads its caller's flag take it as a parameter, if each of its callers has one to give."""
    toks, brace = unit.tokens, opening(unit, body)
    name, opener = function_name(unit, brace), parameters(unit, brace)
    if not name or not _is_only_called(unit, name, {brace}):
        return
    kind = next(read_as for _, text in groups[body] if (read_as := flag_kinds(text)[0]))
    passed: list[tuple[int, int]] = []
    for index, token in enumerate(toks):
        if token.text != name or token.kind != "identifier" or index == opener - 1:
            continue
        caller = enclosing_function(unit, token.start)
        if caller is None or caller.body == body:
            return
        begin = opening(unit, caller.body)
        events = _events(unit, groups.get(caller.body, []), begin, unit.partners[begin], writers)
        if not _feed(unit, flow, leavers, events, caller.body, index, kind, groups):
            return
        passed.append((caller.body, index + 1))
    if not passed:
        return
    flow.starved.discard(body)
    flow.taken[body] = _place(unit, opener)
    for other, at in passed:
        flow.passed.setdefault(other, []).append(_place(unit, at))
        flow.ties.append((body, other))


def _place(unit: Unit, opener: int) -> tuple[int, bool]:
    """Where the first of some arguments goes, and whether others follow."""
    return unit.tokens[opener].end, unit.partners[opener] > opener + 1


def _writers(unit: Unit, groups: dict[int, Members]) -> tuple[dict[bytes, dict[int, Returned]], set[bytes]]:
    """The functions that can return their flag, by name and body, and the names of all that may change it."""
    toks, partners = unit.tokens, unit.partners
    bodies: dict[bytes, list[tuple[int, int]]] = {}
    for index, token in enumerate(toks):
        if token.text == b"{" and index in partners and (name := function_name(unit, index)):
            bodies.setdefault(name, []).append((index, partners[index]))
    writing = {
        toks[opening(unit, body)].start
        for body, members in groups.items()
        if any(writes_flag(each) for _, text in members for each in text.instructions)
    }
    writers = {name for name, spans in bodies.items() if any(toks[span[0]].start in writing for span in spans)}
    grown = True
    while grown:
        grown = False
        for name, spans in bodies.items():
            if name not in writers and any(
                toks[i].text in writers and toks[i + 1].text == b"(" for low, high in spans for i in range(low, high)
            ):
                writers.add(name)
                grown = True
    leavers: dict[bytes, dict[int, Returned]] = {}
    for name in writers:
        found: dict[int, Returned] = {}
        for low, high in bodies[name]:
            body = toks[low].end
            uses = [flag_use(text) for _, text in groups.get(body, [])]
            uses = [use for use in uses if any(use)]
            returned = _returned(unit, low, high) if uses and uses[-1][1] else None
            # Where nothing is sure to set the flag, that of the caller goes through.
            sure = any(
                flag_use(text)[1] and _is_passed(unit, unit.token_index(statement.start), high, [low], low)
                for statement, text in groups.get(body, [])
            )
            returned = returned if sure else None
            if returned is None:
                break
            found[body] = returned
        else:
            if found and _is_only_called(unit, name, {low for low, _ in bodies[name]}):
                leavers[name] = found
    return leavers, writers


def _returned(unit: Unit, low: int, high: int) -> Returned | None:
    """How a function can return its flag; ``None`` where it returns something, or anywhere but at its end."""
    toks = unit.tokens
    at = parameters(unit, low) - 2
    if at < 0 or toks[at].text != b"void" or any(token.text == b"return" for token in toks[low:high]):
        return None
    return Returned((toks[at].start, toks[at].end), toks[high].start)


def _is_only_called(unit: Unit, name: bytes, defined: set[int]) -> bool:
    """Whether a name stands for the functions defined here, in calls only: nothing declares it apart or takes its
    address."""
    toks, partners = unit.tokens, unit.partners
    heads = {parameters(unit, low) - 1 for low in defined}
    for index, token in enumerate(toks):
        if token.text != name or token.kind != "identifier" or index in heads:
            continue
        closed = partners.get(index + 1) if toks[index + 1].text == b"(" else None
        if closed is None or toks[index - 1].text == b"void":
            return False
    return True


def _events(unit: Unit, members: Members, begin: int, end: int, writers: set[bytes]) -> list[_Event]:
    """What sets the flag in a function, in the order of the text."""
    toks = unit.tokens
    found = [
        _Event(unit.token_index(statement.start), b"")
        for statement, text in members
        if any(writes_flag(each) for each in text.instructions)
    ]
    for index in range(begin + 1, end):
        if toks[index].text in writers and toks[index].kind == "identifier" and toks[index + 1].text == b"(":
            first = _first_of_name(unit, index)
            closed = unit.partners.get(index + 1, index)
            whole = toks[closed + 1].text == b";" and _begins_statement(unit, first)
            found.append(_Event(first, toks[index].text, whole))
    return sorted(found)


def _calls(unit: Unit, statement: AsmStatement, names: set[bytes]) -> bool:
    """Whether an operand of a statement calls one of some functions."""
    low, high = unit.token_index(statement.start), unit.token_index(statement.end - 1)
    return any(token.text in names for token in unit.tokens[low:high])


def _first_of_name(unit: Unit, index: int) -> int:
    """The first token of a name with its qualifiers: ``big<4>::add``."""
    toks = unit.tokens
    while toks[index - 1].text == b"::":
        before, depth = index - 2, 0
        while before > 0:
            depth += (toks[before].text == b">") - (toks[before].text == b"<")
            if depth <= 0:
                break
            before -= 1
        before -= toks[before].text == b"<"
        if toks[before].kind != "identifier":
            break
        index = before
    return index


def _begins_statement(unit: Unit, index: int) -> bool:
    before = unit.tokens[index - 1].text
    return before in (b";", b"{", b"}", b"else", b"do") or _controller(unit, index) in _CONTROL


def _controller(unit: Unit, index: int) -> bytes:
    """The keyword whose statement begins at a token without braces: ``for``, ``if``, ``else`` ...; empty for none."""
    toks = unit.tokens
    before = toks[index - 1].text
    if before in (b"else", b"do"):
        return before
    opener = unit.partners.get(index - 1, 0) if before == b")" else 0
    keyword = toks[opener - 1].text if opener > 0 else b""
    return keyword if keyword in _CONTROL else b""


def _chain(unit: Unit, index: int, begin: int) -> list[int]:
    """The braces around a token, the innermost first, up to the function's own."""
    found = []
    while index >= 0 and index != begin:
        index = unit.openers[index]
        if index >= 0 and unit.tokens[index].text == b"{":
            found.append(index)
    return found


def _sources(unit: Unit, events: list[_Event], reader: int, begin: int) -> list[_Event] | None:
    """The events whose flag may reach an instruction, ``None`` where something outside of the function's may."""
    around = _chain(unit, reader, begin)
    found: list[_Event] = []
    stop = -1
    for position in range(bisect_left(events, reader, key=lambda each: each.token) - 1, -1, -1):
        event = events[position]
        found.append(event)
        if _is_passed(unit, event.token, reader, around, begin):
            stop = event.token
            break
    if stop < 0:
        return None
    for block in around[:-1]:
        # Round a loop that does not hold the one that is always passed, the last of its body comes before the first.
        keyword = _controller(unit, block)
        if (keyword in _LOOPS or keyword == b"do") and block > stop:
            found += [each for each in events if block < each.token < unit.partners[block]]
    return found


def _is_passed(unit: Unit, event: int, reader: int, around: list[int], begin: int) -> bool:
    """Whether every way to the reader passes an event before it."""
    if _controller(unit, event) or unit.tokens[event - 1].text in (b"?", b":", b"&&", b"||"):
        return False
    inner = _chain(unit, event, begin)
    if not inner or inner[0] not in around:
        return False
    # An event inside of an `#if` that ends, or turns to another branch, before the reader is not always there.
    low, high, depth = unit.tokens[event].start, unit.tokens[reader].start, 0
    for directive in unit.directives:
        if low < directive.start < high:
            if directive.keyword in (b"if", b"ifdef", b"ifndef"):
                depth += 1
            elif directive.keyword == b"endif":
                depth -= 1
            if depth < 0 or (depth == 0 and directive.keyword in (b"else", b"elif")):
                return False
    return True
