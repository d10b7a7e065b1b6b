"""Variables that newer forms of calls take, and what older forms take in their place: memory locations (a device's
number), parameters of a context (nothing)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from musify_ai.records import Edit
from musify_ai.source.tokens import split_arguments
from musify_ai.translate.unit import Unit

CODE = "MUS519"

# A location's type, by what is there instead of it and how the host is called.
_TYPES = {b"cudaMemLocation": (b"int", b"musaCpuDeviceId"), b"CUmemLocation": (b"MUdevice", b"MU_DEVICE_CPU")}
_DEVICE = frozenset((b"cudaMemLocationTypeDevice", b"CU_MEM_LOCATION_TYPE_DEVICE"))
_HOST = frozenset((b"cudaMemLocationTypeHost", b"CU_MEM_LOCATION_TYPE_HOST"))
_EMPTY = (b"= { } ;", b"{ } ;")
_BEFORE_STATEMENT = frozenset((b";", b"{", b"}"))


class Call(NamedTuple):
    """A call by the token indices of its name and closing parenthesis, and the ranges of its arguments."""

    name: int
    closed: int
    given: list[tuple[int, int]]

    def __hash__(self) -> int:
        return hash(self.name)


class Places(NamedTuple):
    """What is known of some calls' arguments. Of the calls in ``known`` the argument is of the newer type; of those in
    ``settled`` it is plain enough to be replaced, by ``edits`` and by those of each call."""

    known: frozenset[Call]
    settled: frozenset[Call]
    edits: tuple[Edit, ...]
    by_call: dict[int, Edit]

    def replaced(self, call: Call) -> Iterator[Edit]:
        """The edit of the argument itself, where there is one."""
        if call.name in self.by_call:
            yield self.by_call[call.name]


def locations(unit: Unit, located: Sequence[tuple[Call, int, bool]]) -> Places:
    """The locations of calls, each with the position of that argument, and whether the rest of the call is plain."""
    toks = unit.tokens
    known: set[Call] = set()
    settled: set[Call] = set()
    edits: list[Edit] = []
    by_call: dict[int, Edit] = {}
    by_variable: dict[tuple[int, ...], list[tuple[Call, int, bool]]] = {}
    types = [token.text for token in toks if token.text in _TYPES] if located else []
    for call, position, plain in located:
        start, end = call.given[position]
        driver = toks[call.name].text.startswith(b"cuMem")
        braced = _braced(unit, start, end)
        if braced is not None:
            known.add(call)
            value = _value(unit, braced, b"MU_DEVICE_CPU" if driver else b"musaCpuDeviceId")
            if plain and value is not None:
                settled.add(call)
                by_call[call.name] = _edit(unit, toks[start].start, toks[end - 1].end, value)
        elif end == start + 1 and toks[start].kind == "identifier" and types:
            declared = _declarations(unit, start)
            if declared:
                by_variable.setdefault(declared, []).append((call, start, plain))
            if declared or _of_the_type(unit, toks[start].text):
                known.add(call)
    for declared, held in by_variable.items():
        replaced = _variables(unit, declared, {start for _, start, _ in held})
        if replaced is not None and all(plain for _, _, plain in held):
            edits += replaced
            settled.update(call for call, _, _ in held)
    return Places(frozenset(known), frozenset(settled), tuple(edits), by_call)


def contexts(unit: Unit, held: Sequence[Call]) -> Places:
    """The parameters of contexts that are a local variable with nothing in it, which goes with its only use."""
    toks = unit.tokens
    settled: set[Call] = set()
    edits: list[Edit] = []
    for call in held:
        if len(call.given) != 4:
            continue
        start, end = call.given[1]
        if end != start + 2 or toks[start].text != b"&":
            continue
        name = toks[start + 1].text
        uses = [index for index, token in enumerate(toks) if token.text == name]
        if len(uses) != 2 or uses[1] != start + 1:
            continue
        before, after = uses[0] - 1, uses[0] + 1
        texts = [token.text for token in toks[after : after + 4]]
        if toks[before].text != b"CUctxCreateParams" or (
            texts[:4] != [b"=", b"{", b"}", b";"] and texts[:3] != [b"{", b"}", b";"]
        ):
            continue
        settled.add(call)
        edits.append(_statement(unit, before, after + texts.index(b";")))
    return Places(frozenset(settled), frozenset(settled), tuple(edits), {})


def _braced(unit: Unit, start: int, end: int) -> tuple[int, int] | None:
    """The token range within the braces of `{...}`, `cudaMemLocation{...}` or `(cudaMemLocation){...}`."""
    toks = unit.tokens
    opener = start
    if toks[start].text in _TYPES:
        opener = start + 1
    elif toks[start].text == b"(" and start + 2 < end and toks[start + 1].text in _TYPES:
        opener = start + 3
    if opener < end and toks[opener].text == b"{" and unit.partners.get(opener) == end - 1:
        return opener + 1, end - 1
    return None


def _value(unit: Unit, inside: tuple[int, int], host: bytes) -> bytes | None:
    """The number that stands for a location, from what is in its braces; None where that is not plain."""
    toks = unit.tokens
    parts = []
    for position, (start, end) in enumerate(split_arguments(toks, *inside)):
        member = (b"type", b"id")[position] if position < 2 else b""
        if end - start > 3 and toks[start].text == b"." and toks[start + 2].text == b"=":
            if toks[start + 1].text != member:
                return None
            start += 3
        elif end > start and toks[start].text == b".":
            return None
        parts.append((start, end))
    if not 1 <= len(parts) <= 2 or parts[0][1] != parts[0][0] + 1:
        return None
    kind = toks[parts[0][0]].text
    if kind in _DEVICE:
        return b"0" if len(parts) == 1 else _text(unit, *parts[1])
    if kind in _HOST and (len(parts) == 1 or parts[1][1] == parts[1][0] + 1):
        return host
    return None


def _declarations(unit: Unit, use: int) -> tuple[int, ...]:
    """The token indices of a local variable's name where it is declared as a location: the nearest one before a use, in
    a block around it, and those of the same block in other branches of an ``#if``; empty where there is none."""
    toks, openers = unit.tokens, unit.openers
    around = set()
    opener = use
    while (opener := openers[opener]) >= 0:
        around.add(opener)
    found: list[int] = []
    for index in range(use - 1, 0, -1):
        if (
            toks[index].text == toks[use].text
            and toks[index - 1].text in _TYPES
            and openers[index] in around
            and toks[openers[index]].text == b"{"
            and (not found or openers[index] == openers[found[0]])
        ):
            found.append(index)
    return tuple(reversed(found))


def _variables(unit: Unit, declared: tuple[int, ...], arguments: set[int]) -> list[Edit] | None:
    """The edits over all declarations of a name; None where one has none, they disagree, or they do not stand in
    branches of one ``#if``."""
    if len(declared) == 1:
        return _variable(unit, declared[0], arguments, [])
    branches = [_branches(unit, index) for index in declared]
    bodies = [own[1] for own in branches if own is not None]
    if len({own[0] for own in branches if own is not None}) != 1 or len(set(bodies)) != len(declared):
        return None
    found: set[Edit] = set()
    for index, own in zip(declared, bodies, strict=True):
        edits = _variable(unit, index, arguments, [body for body in bodies if body != own])
        if edits is None:
            return None
        found.update(edits)
    ordered = sorted(found)
    if any(one.end > two.start or one.start == two.start for one, two in pairwise(ordered)):
        return None  # a device in one branch and the host in another
    return ordered


def _branches(unit: Unit, index: int) -> tuple[int, tuple[int, int]] | None:
    """The outermost conditional of several branches around a token: its place, and the body that holds the token."""
    at = unit.tokens[index].start
    for conditional in sorted(unit.conditionals, key=lambda each: each.branches[0].directive.start):
        for branch in conditional.branches:
            if len(conditional.branches) > 1 and branch.body_start <= at < branch.body_end:
                return conditional.branches[0].directive.start, (branch.body_start, branch.body_end)
    return None


def _of_the_type(unit: Unit, name: bytes) -> bool:
    """Whether some variable of that name is a location: a parameter, a reference."""
    toks = unit.tokens
    for index in range(1, len(toks)):
        if toks[index].text == name:
            before = index - 1
            while before > 0 and toks[before].text in (b"&", b"*", b"const"):
                before -= 1
            if toks[before].text in _TYPES:
                return True
    return False


def _variable(
    unit: Unit, declared: int, arguments: set[int], elsewhere: Sequence[tuple[int, int]]
) -> list[Edit] | None:
    """The edits that make a local location a number; None where something is done with it that has no number for it.

    It must get its type once, in the block of its declaration and before the first call; its number may change.
    ``elsewhere`` are other branches, which declare the name for themselves."""
    toks, openers = unit.tokens, unit.openers
    new, host = _TYPES[toks[declared - 1].text]
    name, block = toks[declared].text, openers[declared]
    end = unit.partners.get(block, -1)
    word = declared - 2 if toks[declared - 2].text == b"struct" else declared - 1
    edits = [_edit(unit, toks[word].start, toks[declared - 1].end, new)]
    kind, position = b"", declared + 1
    opener = position + 1 if toks[position].text == b"=" else position
    if toks[opener].text in _TYPES:
        opener += 1
    if toks[opener].text == b"{":
        closed = unit.partners.get(opener, -1)
        if closed < 0 or toks[closed + 1].text != b";":
            return None
        if closed > opener + 1:
            value = _value(unit, (opener + 1, closed), host)
            if value is None:
                return None
            kind = b"host" if value == host else b"device"
            edits.append(_edit(unit, toks[declared].end, toks[closed].end, b" = " + value))
        position = closed + 1
    if toks[position].text != b";":
        return None
    for index in range(position, end):
        if toks[index].text != name or toks[index - 1].text in (b".", b"->"):
            continue
        if any(begin <= toks[index].start < stop for begin, stop in elsewhere):
            continue
        if index in arguments:
            if not kind:
                return None
            continue
        made = _assigned(unit, index, kind, host, openers[index] == block)
        if made is None:
            return None
        kind, edit = made
        if edit is not None:
            edits.append(edit)
    return edits


def _assigned(unit: Unit, index: int, kind: bytes, host: bytes, same_block: bool) -> tuple[bytes, Edit | None] | None:
    """What a statement `name.type = ...;` or `name.id = ...;` becomes, with the kind of location known after it."""
    toks = unit.tokens
    if not _begins(unit, index) or [t.text for t in toks[index + 1 : index + 4 : 2]] != [
        b".",
        b"=",
    ]:
        return None
    stop = index + 4
    while stop < len(toks) and toks[stop].text != b";":
        stop = unit.partners.get(stop, stop) + 1 if toks[stop].text in (b"(", b"[", b"{") else stop + 1
    if stop >= len(toks) or any(t.text in (b"=", toks[index].text) for t in toks[index + 4 : stop]):
        return None
    member, one = toks[index + 2].text, stop == index + 5
    if member == b"type" and one and not kind and same_block:
        given = toks[index + 4].text
        if given in _DEVICE:
            return b"device", _statement(unit, index, stop)
        if given in _HOST:
            return b"host", _edit(unit, toks[index].start, toks[stop].end, toks[index].text + b" = " + host + b";")
    elif member == b"id" and kind == b"host" and one:
        return kind, _statement(unit, index, stop)
    elif member == b"id" and kind == b"device":
        return kind, _edit(unit, toks[index].end, toks[index + 2].end, b"")
    return None


def _begins(unit: Unit, index: int) -> bool:
    """Whether a statement begins at a token: behind another one, or behind a directive's line."""
    before = unit.tokens[index - 1]
    if before.text in _BEFORE_STATEMENT:
        return True
    line = unit.src.rfind(b"\n", 0, before.start) + 1
    return (
        unit.src[line : before.start].lstrip().startswith(b"#")
        and b"\n" in unit.src[before.end : unit.tokens[index].start]
    )


def _text(unit: Unit, start: int, end: int) -> bytes:
    return unit.src[unit.tokens[start].start : unit.tokens[end - 1].end]


def _edit(unit: Unit, start: int, end: int, new: bytes) -> Edit:
    return Edit(start, end, unit.src[start:end], new, CODE, "rule")


def _statement(unit: Unit, first: int, last: int) -> Edit:
    """The edit that takes a statement out: with its line where it has one to itself, else with the blanks after it."""
    start, end = unit.tokens[first].start, unit.tokens[last].end
    line = unit.src.rfind(b"\n", 0, start) + 1
    stop = unit.src.find(b"\n", end) + 1 or len(unit.src)
    if not unit.src[line:start].strip() and not unit.src[end:stop].strip():
        return _edit(unit, line, stop, b"")
    while unit.src[end : end + 1] == b" ":
        end += 1
    return _edit(unit, start, end, b"")
