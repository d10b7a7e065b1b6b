"""What a branch must not hold for a guard to be switched: unsettled code, and names in the file that lead to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

from musify_ai.translate.guards.bodies import identifiers, named_bodies
from musify_ai.translate.unit import Unit


def obstacle(unit: Unit, start: int, end: int) -> tuple[int, str] | None:
    """The first thing in a span that stands in the way: where it is, and what, in a phrase."""
    first = _unsettled_in(unit, start, end)
    if first is not None:
        return first, "something that is not settled"
    around = unit.surroundings
    for region in unit.regions if around.includes else ():
        if region.kind == "include" and start <= region.start < end:
            header = unit.src[region.start : region.end - 1].split(b"<")[-1].split(b'"')[-1]
            if header in around.includes:
                return region.start, f"an include of {around.includes[header]}, which leads to something unsettled"
    tainted = tainted_names(unit)
    if not tainted:
        return None
    toks = unit.tokens
    low = bisect_left(toks, start, key=lambda token: token.start)
    high = bisect_left(toks, end, key=lambda token: token.start)
    for token in toks[low:high]:
        if token.kind == "identifier" and token.text in tainted:
            return token.start, f"a use of {token.text.decode('utf-8', 'replace')}, which is not settled"
    return None


def tainted_names(unit: Unit) -> frozenset[bytes]:
    """Macros and functions of the file that hold something unsettled, or use one that does, however far away."""
    if "tainted" not in unit.memo:
        any_at_all = unit.unsettled or not unit.words.isdisjoint(unit.surroundings.tainted)
        unit.memo["tainted"] = usage(unit).tainted(unit.surroundings.tainted) if any_at_all else frozenset()
    found: frozenset[bytes] = unit.memo["tainted"]
    return found


def _unsettled_in(unit: Unit, start: int, end: int) -> int | None:
    """Where the first unsettled span begins that overlaps a span."""
    spans = unit.unsettled
    if "furthest ends" not in unit.memo:
        unit.memo["furthest ends"] = list(accumulate((span[1] for span in spans), max))
    furthest: list[int] = unit.memo["furthest ends"]
    low = bisect_left(spans, start, key=lambda span: span[0])
    if low and furthest[low - 1] > start:
        return next(span[0] for span in spans if span[1] > start)
    return spans[low][0] if low < len(spans) and spans[low][0] < end else None


class Usage(NamedTuple):
    """Who uses whom among the macros and functions of a file, so that taint can be followed more than once.

    ``holding`` are the names of bodies that hold something unsettled themselves, ``users`` has for a name those whose
    bodies use it.
    """

    words: Collection[bytes]
    holding: tuple[bytes, ...]
    users: Mapping[bytes, Iterable[bytes]]

    def tainted(self, elsewhere: Iterable[bytes]) -> frozenset[bytes]:
        """The names of the file that lead to something unsettled, given those that do elsewhere."""
        pending = [*self.holding, *(name for name in elsewhere if name in self.words)]
        found: set[bytes] = set()
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += self.users.get(name, ())
        return frozenset(found)


def usage(unit: Unit) -> Usage:
    """The bodies of a file as taint needs them; this takes tokens, following it afterwards does not."""
    users: dict[bytes, set[bytes]] = {}
    holding: list[bytes] = []
    for body in named_bodies(unit):
        if _unsettled_in(unit, body.start, body.end) is not None:
            holding += body.names
        for word in identifiers(unit, body):
            users.setdefault(word, set()).update(body.names)
    return Usage(unit.words, tuple(holding), users)
