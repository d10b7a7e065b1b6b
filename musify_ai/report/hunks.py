"""The changed parts of a file with a few lines around them, made from the edits: no comparing, so linear time."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from musify_ai.records import Edit


class Segment(NamedTuple):
    """A piece of a line; ``marked`` where an edit took it away or put it in."""

    text: bytes
    marked: bool


class Line(NamedTuple):
    """One line of a hunk: kept, taken away or put in. ``edits`` are those that begin on a taken-away line."""

    kind: Literal[" ", "-", "+"]
    segments: tuple[Segment, ...]
    before: int = 0
    after: int = 0
    edits: tuple[Edit, ...] = ()

    @property
    def text(self) -> bytes:
        """The line's bytes with its line end, if it has one."""
        return b"".join(segment.text for segment in self.segments)


class Hunk(NamedTuple):
    """Lines in order, and where they stand before and after: first line and number of lines."""

    before_start: int
    before_count: int
    after_start: int
    after_count: int
    lines: tuple[Line, ...]


class _Block(NamedTuple):
    """Whole lines ``[first, last)`` of the input, and both versions of them."""

    first: int
    last: int
    removed: list[list[Segment]]
    added: list[list[Segment]]
    edits: tuple[Edit, ...]


def hunks(before: bytes, edits: Sequence[Edit], context: int = 3) -> list[Hunk]:
    """The hunks of a file whose ``edits`` are applied, in order, none overlapping. Lines end at ``\\n`` only."""
    lines = before.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    blocks = list(_blocks(before, lines, edits))
    out: list[Hunk] = []
    shift = 0
    index = 0
    while index < len(blocks):
        group = [blocks[index]]
        while index + 1 < len(blocks) and blocks[index + 1].first - group[-1].last <= 2 * context:
            index += 1
            group.append(blocks[index])
        index += 1
        hunk = _hunk(lines, group, shift, context)
        shift += hunk.after_count - hunk.before_count
        out.append(hunk)
    return out


def _blocks(before: bytes, lines: Sequence[bytes], edits: Sequence[Edit]) -> Iterator[_Block]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    position = 0
    while position < len(edits):
        group = [edits[position]]
        first = last = _line_at(starts, group[0].start)
        last = max(last, _line_at(starts, group[0].end))
        position += 1
        while position < len(edits) and _line_at(starts, edits[position].start) <= last:
            group.append(edits[position])
            last = max(last, _line_at(starts, edits[position].end))
            position += 1
        yield _block(before, starts, first, last + 1, tuple(group))


def _line_at(starts: Sequence[int], offset: int) -> int:
    return max(0, min(bisect_right(starts, offset) - 1, len(starts) - 2))


def _block(before: bytes, starts: Sequence[int], first: int, last: int, edits: tuple[Edit, ...]) -> _Block:
    """Both versions of some lines, less what is equal at either end of them."""
    last = min(last, len(starts) - 1)
    removed, added = [], []
    position = starts[first]
    for edit in edits:
        kept = Segment(before[position : edit.start], False)
        removed += [kept, Segment(edit.old, True)]
        added += [kept, Segment(edit.new, True)]
        position = edit.end
    tail = Segment(before[position : starts[last]], False)
    old, new = _by_line([*removed, tail]), _by_line([*added, tail])
    while old and new and old[-1] == new[-1] and not any(s.marked for s in old[-1]):
        old.pop()
        new.pop()
        last -= 1
    while old and new and old[0] == new[0] and not any(s.marked for s in old[0]):
        del old[0], new[0]
        first += 1
    return _Block(first, last, old, new, edits)


def _by_line(segments: Sequence[Segment]) -> list[list[Segment]]:
    lines: list[list[Segment]] = [[]]
    for segment in segments:
        pieces = segment.text.split(b"\n")
        for number, piece in enumerate(pieces):
            ended = number < len(pieces) - 1
            text = piece + b"\n" if ended else piece
            if text:
                lines[-1].append(Segment(text, segment.marked))
            if ended:
                lines.append([])
    if not lines[-1]:
        lines.pop()
    return lines


def _hunk(lines: Sequence[bytes], blocks: Sequence[_Block], shift: int, context: int) -> Hunk:
    start = max(0, blocks[0].first - context)
    out: list[Line] = []
    before, after = start, start + shift

    def keep(until: int) -> None:
        nonlocal before, after
        while before < until:
            out.append(Line(" ", (Segment(lines[before], False),), before + 1, after + 1))
            before, after = before + 1, after + 1

    for block in blocks:
        keep(block.first)
        for number, removed in enumerate(block.removed):
            before += 1
            out.append(Line("-", tuple(removed), before, 0, block.edits if number == 0 else ()))
        for number, added in enumerate(block.added):
            after += 1
            edits = block.edits if number == 0 and not block.removed else ()
            out.append(Line("+", tuple(added), 0, after, edits))
    keep(min(len(lines), blocks[-1].last + context))
    counts = before - start, after - start - shift
    # An empty side is said to begin at the line before it.
    return Hunk(
        start + (1 if counts[0] else 0), counts[0], start + shift + (1 if counts[1] else 0), counts[1], tuple(out)
    )
