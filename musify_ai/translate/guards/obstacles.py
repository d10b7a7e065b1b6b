"""What a branch must not hold for a guard to be switched: unsettled code, and names in the file that lead to it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from musify_ai.source.tokens import tokens
from musify_ai.translate.unit import Unit

_MACRO = re.compile(rb"[ \t]*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)")
_ROUNDS = 8


def obstacle(unit: Unit, start: int, end: int) -> tuple[int, str] | None:
    """The first thing in a span that stands in the way: where it is, and what, in a phrase."""
    spans = unit.unsettled
    first = next((span for span in spans if span[0] < end and start < span[1]), None)
    if first is not None:
        return first[0], "something that is not settled"
    tainted = _tainted(unit)
    if not tainted:
        return None
    toks = unit.tokens
    low = bisect_left(toks, start, key=lambda token: token.start)
    high = bisect_left(toks, end, key=lambda token: token.start)
    for token in toks[low:high]:
        if token.kind == "identifier" and token.text in tainted:
            return token.start, f"a use of {token.text.decode('utf-8', 'replace')}, which is not settled"
    return None


def _tainted(unit: Unit) -> frozenset[bytes]:
    """Macros and device functions of the file that hold something unsettled, or use one that does."""
    if "tainted" not in unit.memo:
        unit.memo["tainted"] = _find_tainted(unit) if unit.unsettled else frozenset()
    found: frozenset[bytes] = unit.memo["tainted"]
    return found


def _find_tainted(unit: Unit) -> frozenset[bytes]:
    bodies = _named_bodies(unit)
    starts = [body[1] for body in bodies]
    tainted: set[bytes] = set()
    for start, _ in unit.unsettled:
        index = bisect_right(starts, start) - 1
        if index >= 0 and start < bodies[index][2]:
            tainted.add(bodies[index][0])
    held = [
        (name, {token.text for token in tokens(unit.src, start, end) if token.kind == "identifier"})
        for name, start, end in bodies
    ]
    for _ in range(_ROUNDS):
        more = {name for name, used in held if name not in tainted and not used.isdisjoint(tainted)}
        if not more:
            break
        tainted |= more
    return frozenset(tainted)


def _named_bodies(unit: Unit) -> list[tuple[bytes, int, int]]:
    """Macros with their bodies and device functions with theirs, in order: name, start, end."""
    found: list[tuple[bytes, int, int]] = []
    for line in unit.directives:
        if line.keyword == b"define" and (name := _MACRO.match(unit.src, line.argument_start)) is not None:
            found.append((name[1], name.end(), line.end))
    toks = unit.tokens
    for start, end in unit.device_spans:
        index = unit.token_index(start) - 1
        # Back over what may stand between a parameter list and its body: const, noexcept, a trailing type.
        while index > 0 and toks[index].text not in (b")", b";", b"}", b"{"):
            index -= 1
        opener = unit.partners.get(index, -1) if index > 0 and toks[index].text == b")" else -1
        if opener > 0 and toks[opener - 1].kind == "identifier":
            found.append((toks[opener - 1].text, start, end))
    found.sort(key=lambda body: body[1])
    return found
