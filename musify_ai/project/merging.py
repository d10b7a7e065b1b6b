"""Three-way merging of one file: what we wrote last, what a person made of it, and what we would write now.

Lines are merged as ``diff3`` does: a stretch that only one side changed is taken from that side, one that both changed
alike is taken once, and one that both changed otherwise is kept twice, between the markers that editors and git know.
So a line that a person wrote is in the result, or in a conflict in it, always.
"""

import difflib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

OURS, THEIRS = b"edited by hand", b"migrated anew"
_OPEN, _BETWEEN, _CLOSE = b"<<<<<<< ", b"=======", b">>>>>>> "

Lines = Sequence[bytes]


class Merged(NamedTuple):
    """The merged bytes, and the lines (from 1) of the result at which conflicts begin."""

    text: bytes
    conflicts: tuple[int, ...]


def merge(base: bytes, edited: bytes, anew: bytes) -> Merged:
    """Merge what a person ``edited`` with what would be written ``anew``, both made from ``base``."""
    if edited in (base, anew):
        return Merged(anew, ())
    if anew == base:
        return Merged(edited, ())
    first, mine, theirs = base.splitlines(True), edited.splitlines(True), anew.splitlines(True)
    newline = b"\r\n" if b"\r\n" in edited[:10_000] else b"\n"
    out: list[bytes] = []
    conflicts = []
    for old, ours, new in _stretches(first, mine, theirs):
        if ours == old:
            _put(out, new, newline)
        elif new in (old, ours):
            _put(out, ours, newline)
        else:
            before, after = _common(ours, new)
            _put(out, ours[:before], newline)
            _end_line(out, newline)
            conflicts.append(len(out) + 1)
            out.append(_OPEN + OURS + newline)
            _put(out, ours[before : len(ours) - after], newline)
            _end_line(out, newline)
            out.append(_BETWEEN + newline)
            _put(out, new[before : len(new) - after], newline)
            _end_line(out, newline)
            out.append(_CLOSE + THEIRS + newline)
            _put(out, ours[len(ours) - after :], newline)
    return Merged(b"".join(out), tuple(conflicts))


def _put(out: list[bytes], lines: Lines, newline: bytes) -> None:
    """Append lines; one that had no end because a file ended there gets one where more follows."""
    if lines:
        _end_line(out, newline)
        out.extend(lines)


def _end_line(out: list[bytes], newline: bytes) -> None:
    if out and not out[-1].endswith((b"\n", b"\r")):
        out[-1] += newline


def _common(ours: Lines, new: Lines) -> tuple[int, int]:
    """How many lines two sides of a conflict begin and end with alike."""
    most = min(len(ours), len(new))
    before = next((i for i in range(most) if ours[i] != new[i]), most)
    after = next((i for i in range(most - before) if ours[-1 - i] != new[-1 - i]), most - before)
    return before, after


def _stretches(base: Lines, mine: Lines, theirs: Lines) -> Iterator[tuple[Lines, Lines, Lines]]:
    """The three texts cut into stretches: those that all have alike, and what lies between them."""
    to_mine, to_theirs = _matched(base, mine), _matched(base, theirs)
    at, in_mine, in_theirs = 0, 0, 0
    for line in range(len(base)):
        here, there = to_mine[line], to_theirs[line]
        if here is None or there is None:
            continue
        if line > at or here > in_mine or there > in_theirs:
            yield base[at:line], mine[in_mine:here], theirs[in_theirs:there]
        yield base[line : line + 1], mine[here : here + 1], theirs[there : there + 1]
        at, in_mine, in_theirs = line + 1, here + 1, there + 1
    if at < len(base) or in_mine < len(mine) or in_theirs < len(theirs):
        yield base[at:], mine[in_mine:], theirs[in_theirs:]


def _matched(base: Lines, other: Lines) -> list[int | None]:
    """For each line of the base the line of the other text that it is, in order; None where it has none."""
    found: list[int | None] = [None] * len(base)
    most = min(len(base), len(other))
    head = next((i for i in range(most) if base[i] != other[i]), most)
    tail = next((i for i in range(most - head) if base[-1 - i] != other[-1 - i]), most - head)
    found[:head] = range(head)
    found[len(base) - tail :] = range(len(other) - tail, len(other))
    here, there = head, head
    for line, its in [*_anchors(base, other, head, tail), (len(base) - tail, len(other) - tail)]:
        # Between two anchors; `difflib` is quadratic in lines that recur, so it gets short stretches.
        matcher = difflib.SequenceMatcher(None, base[here:line], other[there:its])
        for a, b, size in matcher.get_matching_blocks():
            found[here + a : here + a + size] = range(there + b, there + b + size)
        if line < len(base) - tail:
            found[line] = its
        here, there = line + 1, its + 1
    return found


def _anchors(base: Lines, other: Lines, head: int, tail: int) -> list[tuple[int, int]]:
    """Lines that begin a stretch of four which is in each text once, in an order that both have."""
    once, its = (_once(lines, head, len(lines) - tail) for lines in (base, other))
    pairs = sorted((line, its[text]) for text, line in once.items() if text in its)
    # The longest run of pairs that rises in both: the smallest end of a run of each length, and what came before.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    run = []
    number = last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]


def _once(lines: Lines, begin: int, end: int) -> dict[tuple[bytes, ...], int]:
    seen: dict[tuple[bytes, ...], int] = {}
    twice = set()
    for line in range(begin, end - 3):
        text = tuple(lines[line : line + 4])
        if text in seen:
            twice.add(text)
        seen[text] = line
    return {text: line for text, line in seen.items() if text not in twice}
