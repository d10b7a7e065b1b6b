"""From byte offsets to the lines and columns that people read."""

from bisect import bisect_right
from itertools import accumulate


class Lines:
    """Line starts of one file, found once. Lines end at ``\\n`` only, so CRLF counts once."""

    def __init__(self, src: bytes) -> None:
        self._src = src
        lengths = [len(line) + 1 for line in src.split(b"\n")]
        lengths.pop()
        self._starts = list(accumulate(lengths, initial=0))
        self._known = (0, 0, 0)  # start of a line, an offset in it where a character begins, the characters before

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; the column in code points of UTF-8.

        Bytes that are no UTF-8 count one each. A byte order mark is part of line 1 and counts as nothing.
        """
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        if start == 0 and self._src.startswith(b"\xef\xbb\xbf"):
            start = min(3, offset)
        # From the place asked for last, where that was in the same line: lines may be as long as the file.
        known_start, position, count = self._known
        if known_start != start or position > offset:
            position, count = start, 0
        count += len(self._src[position:offset].decode("utf-8", "surrogateescape"))
        if self._src[offset : offset + 1] < b"\x80":
            self._known = (start, offset, count)
        return line, count + 1

    def line_of(self, offset: int) -> int:
        """Line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def span(self, line: int) -> tuple[int, int]:
        """Bytes of a line, its line ending excluded. ``IndexError`` for a line the file does not have."""
        if line < 1:
            raise IndexError(line)
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self._src)
        if end > start and self._src[end - 1] == 0x0D and line < len(self._starts):
            end -= 1
        return start, end

    def __len__(self) -> int:
        return len(self._starts)
