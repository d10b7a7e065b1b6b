"""Lambdas that use shared variables.

A shared variable has static storage on the GPU, so a lambda uses it without capturing it. Prepared, it is a reference
or a pointer in the block: ``[=]`` would copy the whole array into the lambda, and ``[]`` would not compile. Such a
lambda captures it by reference.
"""

from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.emulator.prepare.scan import Replacement, Scan

# Lambdas within lambdas deeper than this are let be: nobody writes them, and each costs a look at all inside it.
_DEEPEST = 12
# How far behind its introducer a lambda's body may begin.
_SIGNATURE = 64


class SharedName(NamedTuple):
    """A shared variable of a block: its name, and the token indices ``[start, stop)`` where it is known."""

    name: bytes
    start: int
    stop: int


def captures(scan: Scan, names: list[SharedName]) -> Iterator[Replacement]:
    """What to add to the capture lists of the lambdas that use ``names``."""
    if not names:
        return
    known: dict[bytes, list[SharedName]] = {}
    for name in names:
        known.setdefault(name.name, []).append(name)
    ends: list[int] = []
    for opening, token in enumerate(scan.toks):
        if token.text != b"[" or scan.directive[opening]:
            continue
        while ends and ends[-1] <= opening:
            ends.pop()
        body = _body(scan, opening)
        if body < 0:
            continue
        stop = scan.partner[body]
        if len(ends) < _DEEPEST:
            yield from _added(scan, opening, _used(scan, body, stop, known))
        ends.append(stop)


def _body(scan: Scan, opening: int) -> int:
    """The index of the ``{`` of the lambda that ``[`` at ``opening`` introduces; -1 where it introduces none."""
    closing = scan.partner[opening]
    before = scan.text(opening - 1)
    subscript = scan.kind(opening - 1) in ("identifier", "number", "string") and before != b"return"
    if closing < 0 or subscript or before in (b")", b"]", b"[") or scan.text(opening + 1) == b"[":
        return -1
    index, steps = closing + 1, 0
    while index < len(scan.toks) and steps < _SIGNATURE:
        text = scan.text(index)
        if text == b"{":
            return index if scan.partner[index] > index else -1
        if text in (b";", b"}", b")", b"]", b",", b"="):
            return -1
        partner = scan.partner[index]
        index, steps = (partner + 1 if partner > index else index + 1), steps + 1
    return -1


def _used(scan: Scan, body: int, stop: int, known: dict[bytes, list[SharedName]]) -> list[bytes]:
    found: list[bytes] = []
    for index in range(body + 1, stop):
        text = scan.toks[index].text
        if text not in known or text in found or scan.text(index - 1) in (b".", b"->", b"::"):
            continue
        # Known where the lambda stands, and not declared in its own body.
        if any(name.start <= body < name.stop for name in known[text]):
            found.append(text)
    return found


def _added(scan: Scan, opening: int, used: list[bytes]) -> Iterator[Replacement]:
    closing = scan.partner[opening]
    if scan.text(opening + 1) == b"&" and scan.text(opening + 2) in (b",", b"]"):
        return
    given = {scan.text(index) for index in range(opening + 1, closing)}
    added = [b"&" + name for name in used if name not in given]
    if added:
        comma = b", " if closing > opening + 1 else b""
        at = scan.toks[closing].start
        yield Replacement(at, at, comma + b", ".join(added))
