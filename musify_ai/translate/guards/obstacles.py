"""What a branch must not hold for a guard to be switched: unsettled code, and names in the file that lead to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.guards.bodies import identifiers, named_bodies
from musify_ai.translate.unit import Unit

_NAME = late_pattern(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")


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
    chosen = _chosen_by_definitions(unit, start, end)
    if chosen is not None:
        return chosen
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


def _chosen_by_definitions(unit: Unit, start: int, end: int) -> tuple[int, str] | None:
    """A macro that a span defines, or sets otherwise, and that chooses further on among branches one of which holds
    something unsettled: ``#define HAS_ASYNC 1``, then ``#if HAS_ASYNC``."""
    around = unit.surroundings
    if not unit.unsettled and not around.chosen and not tainted_names(unit):
        return None
    defined = {name: at for at, name in reversed(_definitions(unit, start, end))}
    if not defined:
        return None
    for name, at in defined.items():
        if name in around.chosen:
            shown = f"{name.decode('utf-8', 'replace')}, which chooses something that is not settled"
            return at, f"a definition of {shown} in {around.chosen[name]}"
    asked = _asking(unit)
    pending, seen = [*defined], set(defined)
    origin = {name: name for name in defined}
    while pending:
        name = pending.pop()
        for block in asked.get(name, ()):
            low, high = block
            if start <= low < end:
                continue
            what = _unsettled_in(unit, low, high)
            uses = what is None and not tainted_names(unit).isdisjoint(_words_of(unit, low, high))
            if what is not None or uses:
                shown = origin[name].decode("utf-8", "replace")
                return defined[origin[name]], f"a definition of {shown}, which chooses something that is not settled"
            for _, further in _definitions(unit, low, high):
                if further not in seen:
                    seen.add(further)
                    origin[further] = origin[name]
                    pending.append(further)
    return None


def choosing_names(unit: Unit) -> frozenset[bytes]:
    """The names that conditional blocks ask for which hold something unsettled."""
    return frozenset(
        name
        for name, blocks in _asking(unit).items()
        if any(_unsettled_in(unit, low, high) is not None for low, high in blocks)
    )


def _definitions(unit: Unit, start: int, end: int) -> list[tuple[int, bytes]]:
    """The macros that a span defines or undefines, with where."""
    if "definitions" not in unit.memo:
        unit.memo["definitions"] = [
            (line.start, name[0])
            for line in unit.directives
            if line.keyword in (b"define", b"undef") and (name := _NAME.search(unit.src, line.argument_start, line.end))
        ]
    found: list[tuple[int, bytes]] = unit.memo["definitions"]
    return found[bisect_left(found, (start, b"")) : bisect_left(found, (end, b""))]


def _asking(unit: Unit) -> dict[bytes, list[tuple[int, int]]]:
    """The spans of the conditional blocks that ask for a name, by name."""
    if "asking" not in unit.memo:
        found: dict[bytes, list[tuple[int, int]]] = {}
        for block in unit.conditionals:
            first, last = block.branches[0], block.branches[-1]
            for branch in block.branches:
                line = branch.directive
                for name in set(_NAME.findall(unit.src, line.argument_start, line.end)):
                    found.setdefault(name, []).append((first.directive.start, last.body_end))
        unit.memo["asking"] = found
    asked: dict[bytes, list[tuple[int, int]]] = unit.memo["asking"]
    return asked


def _words_of(unit: Unit, start: int, end: int) -> set[bytes]:
    return set(_NAME.findall(unit.src, start, end))


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
