"""The declarative form of a rule whose finding is the use of a name: which names, and what is said of them.

A rule's module ends in ``find = each_use(Says(...), TRIGGERS)``; the loop from the trigger to the finding is here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from musify_ai.records import ARCHS, Edit, Finding, Related, Severity
from musify_ai.translate.mentions import call_end, mentions, own_functions, type_mentions
from musify_ai.translate.unit import Unit

Find = Callable[[Unit], Iterator[Edit | Finding]]
Where = Callable[[Unit, int], bool]


class Says(NamedTuple):
    """What a rule says of a use. ``message`` may hold ``{name}`` and, with ``below``, ``{archs}``: those targets whose
    macro is below that number, without which there is no finding. ``types`` says that the names are types, macros or
    enumerators, before which a word may stand that declares nothing (``const``)."""

    code: str
    severity: Severity
    effort: Literal["minutes", "hours", "days"]
    message: str
    settled: bool = True
    below: int = 0
    types: bool = False


def each_use(says: Says, names: Collection[bytes], *, where: Where | None = None, call: bool = False) -> Find:
    """A finding for each use; with ``call`` over the call that the name is an argument of, or that it names."""

    def find(unit: Unit) -> Iterator[Edit | Finding]:
        archs = _lacking(unit, says)
        if archs is None:
            return
        for index in _found(unit, says, names, where):
            yield _finding(unit, says, index, archs, _call_around(unit, index) if call else (index, index))

    return find


def first_use(
    says: Says, names: Collection[bytes], *, of: Literal["file", "body"] = "file", where: Where | None = None
) -> Find:
    """A finding at the first use in a file, or in each body of device code, with the lines of the others as related
    places. Uses outside device code are found one by one where ``of`` is ``body``."""

    def find(unit: Unit) -> Iterator[Edit | Finding]:
        archs = _lacking(unit, says)
        if archs is None:
            return
        groups: list[tuple[tuple[int, int] | None, list[int]]] = []
        for index in _found(unit, says, names, where):
            body = unit.device_body(unit.tokens[index].start) if of == "body" else None
            if groups and groups[-1][0] == body and (of == "file" or body is not None):
                groups[-1][1].append(index)
            else:
                groups.append((body, [index]))
        for _, indices in groups:
            first = indices[0]
            found = _finding(unit, says, first, archs, (first, first))
            yield found._replace(
                related=further_lines(unit, [(unit.tokens[i].start, unit.tokens[i].end) for i in indices])
            )

    return find


def each_match(says: Says, pattern: re.Pattern[bytes], name: str, *, where: Where | None = None) -> Find:
    """A finding over each match of a pattern in code, for what is no single name; ``name`` is what it is called."""

    def find(unit: Unit) -> Iterator[Edit | Finding]:
        for each in pattern.finditer(unit.src):
            index = unit.token_index(each.start())
            if index >= 0 and (where is None or where(unit, index)):
                end = each.start() + len(each[0].rstrip())
                yield _said(says, each.start(), end, name, says.message)

    return find


def once(unit: Unit, says: Says, spans: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    """One finding at the first span, if there is one, with the lines of the others as related places. ``{count}`` in
    the message is how many there are."""
    if spans:
        start, end = spans[0]
        name = unit.src[start:end].decode("ascii")
        found = _said(says, start, end, name, says.message.format(count=len(spans), name=name))
        yield found._replace(related=further_lines(unit, spans))


def further_lines(unit: Unit, spans: Sequence[tuple[int, int]]) -> tuple[Related, ...]:
    """For each line after the first span's on which a span of the list begins, the first one there."""
    lines = unit.lines
    seen = {lines.line_of(spans[0][0])}
    found = []
    for start, end in spans[1:]:
        line = lines.line_of(start)
        if line not in seen:
            seen.add(line)
            found.append(Related("", start, end, "here too"))
    return tuple(found)


def _lacking(unit: Unit, says: Says) -> str | None:
    """The targets that a rule speaks of, in a phrase; ``None`` where it speaks of none of those asked for."""
    if not says.below:
        return ""
    archs = [name for name in unit.options.archs if name in ARCHS and ARCHS[name].macro < says.below]
    return ", ".join(archs) if archs else None


def _found(unit: Unit, says: Says, names: Collection[bytes], where: Where | None) -> Iterator[int]:
    found = type_mentions(unit, names) if says.types else mentions(unit, set(names) - own_functions(unit, names))
    for index in found:
        if where is None or where(unit, index):
            yield index


def _finding(unit: Unit, says: Says, index: int, archs: str, span: tuple[int, int]) -> Finding:
    name = unit.tokens[index].text.decode("ascii")
    start, end = unit.tokens[span[0]].start, unit.tokens[span[1]].end
    return _said(says, start, end, name, says.message.format(name=name, archs=archs))


def _said(says: Says, start: int, end: int, name: str, message: str) -> Finding:
    return Finding(says.code, says.severity, start, end, message, effort=says.effort, settled=says.settled, name=name)


def _call_around(unit: Unit, index: int) -> tuple[int, int]:
    """First and last token of the call that a name is an argument of, or that it names; the name's alone if none."""
    closed = call_end(unit, index)
    if closed >= 0:
        return index, closed
    opener = unit.openers[index]
    if opener < 1 or unit.tokens[opener].text != b"(" or unit.tokens[opener - 1].kind != "identifier":
        return index, index
    return opener - 1, unit.partners[opener]
