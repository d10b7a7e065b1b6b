"""The named bodies of a file: macros and functions, by tokens alone, whoever decorates them."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.unit import Unit

_MACRO = late_pattern(rb"[ \t]*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)")
_start = attrgetter("start")
_ENDS = frozenset((b";", b"{", b"}"))
_RECORDS = frozenset((b"struct", b"class", b"union"))
# What a bracket after it does not make a function of; words of two underscores are decorators.
_NO_NAMES = frozenset((b"noexcept", b"decltype", b"alignas", b"requires", b"throw", b"if", b"for", b"while", b"switch"))


class Body(NamedTuple):
    """Where a macro's or a function's text stands, and the names under which it is used. An operator is known by the
    class that has it."""

    names: frozenset[bytes]
    start: int
    end: int


def named_bodies(unit: Unit) -> list[Body]:
    """The macros and the outermost function bodies of a file."""
    if "named bodies" not in unit.memo:
        unit.memo["named bodies"] = [*_macros(unit), *_functions(unit)]
    found: list[Body] = unit.memo["named bodies"]
    return found


def identifiers(unit: Unit, body: Body) -> set[bytes]:
    """The words that a body uses."""
    toks = unit.tokens
    low = bisect_left(toks, body.start, key=_start)
    high = bisect_left(toks, body.end, low, key=_start)
    return {token.text for token in toks[low:high] if token.kind == "identifier"}


def _macros(unit: Unit) -> list[Body]:
    found = []
    for line in unit.directives:
        if line.keyword == b"define" and (name := _MACRO.match(unit.src, line.argument_start)) is not None:
            found.append(Body(frozenset((name[1],)), name.end(), line.end))
    return found


def _functions(unit: Unit) -> list[Body]:
    toks, partners = unit.tokens, unit.partners
    found: list[Body] = []
    records: list[tuple[int, bytes]] = []  # classes that are open: the token that closes them, and their names
    position, head = 0, 0
    while position < len(toks):
        token = toks[position]
        if token.kind == "directive-start":
            line = unit.directive_at(token.start)
            while line is not None and position + 1 < len(toks) and toks[position + 1].start < line.end:
                position += 1
            head = position + 1
        elif token.text in _ENDS:
            if token.text == b"{" and (closed := partners.get(position)) is not None:
                names = _names(toks, partners, head, position)
                record = _record(toks, head, position)
                if names:
                    if names == {b"operator"}:
                        names = {name for end, name in records if position < end}
                    found.append(Body(frozenset(names), token.start, toks[closed].end))
                    position = closed
                elif record:
                    records.append((closed, record))
            head = position + 1
        position += 1
    return found


def _names(toks: list[Token], partners: dict[int, int], head: int, opener: int) -> set[bytes]:
    """Names right before a parameter list between the end of the last statement and a body."""
    found = set()
    position = head
    while position < opener:
        if toks[position].text in (b"(", b"["):
            before = toks[position - 1] if position > head else None
            if toks[position].text == b"(" and before is not None:
                if any(toks[i].text == b"operator" for i in range(max(head, position - 4), position)):
                    found.add(b"operator")
                elif before.kind == "identifier" and before.text not in _NO_NAMES and not before.text.startswith(b"__"):
                    found.add(before.text)
            position = partners.get(position, position)
        elif toks[position].text == b"=" and not found:
            # An initialiser's braces, or those of a lambda that has a name.
            is_lambda = position > head and position + 1 < opener and toks[position + 1].text == b"["
            return {toks[position - 1].text} if is_lambda else set()
        position += 1
    return found


def _record(toks: list[Token], head: int, opener: int) -> bytes:
    for position in range(head, opener):
        if toks[position].text in _RECORDS:
            named = [token for token in toks[position + 1 : opener] if token.kind == "identifier"]
            return next((token.text for token in named if not token.text.startswith(b"__")), b"")
    return b""
