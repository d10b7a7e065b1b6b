"""Settling overlaps between edits, writing them into bytes, and taking them back."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from musify_ai.records import Edit


def _is_name(edit: Edit) -> bool:
    return edit.rule.startswith(("names.", "headers."))


def resolve(edits: Iterable[Edit]) -> tuple[list[Edit], list[Edit]]:
    """Edits of which no two overlap, in order, and those refused for overlapping one that was kept.

    A construct rule's edit wins over a plain name's, then the longer one, then the earlier. Two edits that insert
    at the same empty place overlap. The same edit given twice is kept once and not refused.
    """
    given = set(edits)
    if not given:
        return [], []
    ranked = sorted(given, key=lambda e: (_is_name(e), e.start - e.end, e.start, e.rule, e.new))
    kept: list[Edit] = []
    refused: list[Edit] = []
    starts: list[int] = []
    for edit in ranked:
        index = bisect_right(starts, edit.start)
        before = kept[index - 1] if index else None
        after = kept[index] if index < len(kept) else None
        clash = (before is not None and (before.end > edit.start or before.start == edit.start)) or (
            after is not None and after.start < edit.end
        )
        if clash:
            refused.append(edit)
        else:
            kept.insert(index, edit)
            starts.insert(index, edit.start)
    refused.sort(key=lambda e: (e.start, e.end))
    return kept, refused


def splice(src: bytes, edits: Sequence[Edit]) -> bytes:
    """The file with the edits written in; every other byte as it was.

    Edits are in order and do not overlap (`resolve`). ``ValueError`` where one says that other bytes stand at its
    place than do: nothing is written on a guess.
    """
    if not edits:
        return src
    out: list[bytes] = []
    position = 0
    for edit in edits:
        if edit.start < position or src[edit.start : edit.end] != edit.old:
            raise ValueError(f"edit of {edit.rule} at byte {edit.start} does not fit the file")
        out += (src[position : edit.start], edit.new)
        position = edit.end
    out.append(src[position:])
    return b"".join(out)


def undo(dst: bytes, edits: Sequence[Edit]) -> bytes:
    """The input that `splice` was given, from its output and the same edits. ``ValueError`` where they do not fit."""
    if not edits:
        return dst
    out: list[bytes] = []
    position = shift = 0
    for edit in edits:
        start = edit.start + shift
        end = start + len(edit.new)
        if start < position or dst[start:end] != edit.new:
            raise ValueError(f"edit of {edit.rule} at byte {edit.start} does not fit the output")
        out += (dst[position:start], edit.old)
        position = end
        shift += len(edit.new) - len(edit.old)
    out.append(dst[position:])
    return b"".join(out)


class OffsetMap:
    """Where a byte of the input stands in the output of some edits, and the other way.

    An offset inside replaced bytes maps to the start of the replacement (or of what was replaced).
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._in_starts: list[int] = []
        self._out_starts: list[int] = []
        self._edits = tuple(edits)
        shift = 0
        self._shifts = [0]
        for edit in edits:
            self._in_starts.append(edit.start)
            self._out_starts.append(edit.start + shift)
            shift += len(edit.new) - len(edit.old)
            self._shifts.append(shift)

    def to_output(self, offset: int) -> int:
        """The output offset of an input offset."""
        index = bisect_right(self._in_starts, offset)
        if index:
            edit = self._edits[index - 1]
            if edit.start <= offset < edit.end:
                return self._out_starts[index - 1]
        return offset + self._shifts[index]

    def to_input(self, offset: int) -> int:
        """The input offset of an output offset."""
        index = bisect_right(self._out_starts, offset)
        if index:
            edit, start = self._edits[index - 1], self._out_starts[index - 1]
            if start <= offset < start + len(edit.new):
                return edit.start
        return offset - self._shifts[index]
