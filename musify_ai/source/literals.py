"""What a string literal says, and which byte of the file each byte of it comes from.

Literals that stand beside one another are one text, as they are for a compiler. A piece of the text is *plain* where
the file holds it byte for byte; what an escape sequence makes is a piece of its own, so that nothing is ever written
into the middle of one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from musify_ai.source.lexing import Region
from musify_ai.source.patterns import late_pattern


class Piece(NamedTuple):
    """Bytes of a text from offset ``at`` on, which come from the file's ``[start, end)``."""

    at: int
    start: int
    end: int
    plain: bool


class Text(NamedTuple):
    """The text of adjacent literals. ``quoted`` turns new text into what may stand for it in the literal that holds
    an offset; ``None`` from it says that this literal cannot hold the text. ``start`` and ``end`` span the literals in
    the file."""

    data: bytes
    pieces: tuple[Piece, ...]
    start: int
    end: int
    quoted: Callable[[bytes, int], bytes | None]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the file that some bytes of the text come from, all that stands between them included."""
        first = self._piece(start)
        last = self._piece(max(end - 1, start))
        begin = first.start + (start - first.at if first.plain else 0)
        stop = last.start + (max(end, start) - last.at) if last.plain else last.end
        return begin, max(begin, stop)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether the file holds these bytes of the text as they are, in one piece."""
        piece = self._piece(start)
        return piece.plain and end - piece.at <= piece.end - piece.start

    def _piece(self, offset: int) -> Piece:
        return self.pieces[max(bisect_right(self.pieces, offset, key=lambda piece: piece.at) - 1, 0)]


_C_PART = late_pattern(
    rb'[^\\"\n]++|\\\r?\n|\\(?:[0-7]{1,3}|x[0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])', re.DOTALL
)
_PY_PART = late_pattern(rb"[^\\]++|\\\r?\n|\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])")
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}
_BETWEEN = late_pattern(rb"(?:\s|\\\r?\n|/\*[\s\S]*?\*/|//[^\n]*|(?:u8|[uUL])(?=R?\"))*+")
_PY_BETWEEN = late_pattern(rb"(?:\s|\\\r?\n|#[^\n]*)*+")
# A keyword may stand right before a literal: in `return"..."` none of its letters is a prefix.
_PY_TOKEN = late_pattern(rb"#[^\n]*|(?:(?<!\w)([rRbBuUfFtT]{1,2}))?(\"\"\"|'''|\"|')")
_PIECED = frozenset(b"ft")
# What follows an opening mark: the text and the closing one. A literal of one line holds no newline of its own.
_PY_REST = {
    b'"': late_pattern(rb'(?:[^\\"\n]|\\[\s\S])*+"'),
    b"'": late_pattern(rb"(?:[^\\'\n]|\\[\s\S])*+'"),
    b'"""': late_pattern(rb'(?:[^\\"]|\\[\s\S]|"(?!""))*+"""'),
    b"'" * 3: late_pattern(rb"(?:[^\\']|\\[\s\S]|'(?!''))*+'''"),
}
_MOST = 200_000  # bytes of a text: what is longer is data, not source


class _Literal(NamedTuple):
    start: int
    end: int
    inner: tuple[int, int]
    raw: bool
    closing: bytes
    formatted: bool = False


def texts(src: bytes, known: Iterable[Region]) -> Iterator[Text]:
    """The texts of the string literals of a C++ file, whose regions are known."""
    literals = []
    for region in known:
        if region.kind == "string" and region.end - region.start > 1 and src[region.end - 1] == 0x22:
            inner = region.start + 1, region.end - 1
            literals.append(_Literal(region.start, region.end, inner, False, b'"'))
        elif region.kind == "raw-string":
            opener = src.find(b"(", region.start, region.end)
            closing = b")" + src[region.start + 2 : opener] + b'"'
            if opener > 0 and src[region.start : region.end].endswith(closing):
                inner = opener + 1, region.end - len(closing)
                literals.append(_Literal(region.start, region.end, inner, True, closing))
    yield from _grouped(src, literals, _BETWEEN, _C_PART)


class PythonTexts(NamedTuple):
    """The string literals of a Python file: their texts, each with whether a part of it is an f-string; and the
    comments."""

    texts: tuple[tuple[Text, bool], ...]
    comments: tuple[Region, ...]


def python_texts(src: bytes) -> PythonTexts:
    """The texts of the string literals of a Python file, and its comments."""
    literals = []
    comments = []
    position = 0
    # Up to where a kind of quotation mark is known to have no partner: looked for once, not from each such mark.
    hopeless: dict[bytes, int] = {}
    while (found := _PY_TOKEN.search(src, position)) is not None:
        position = found.end()
        quote = found[2]
        if quote is None:
            comments.append(Region("comment", found.start(), position))
            continue
        if position <= hopeless.get(quote, -1):
            continue
        prefix = (found[1] or b"").lower()
        end = _PY_REST[quote].match(src, position)
        if end is None:
            line = src.find(b"\n", position) if len(quote) == 1 else -1
            hopeless[quote] = len(src) if line < 0 else line
            continue
        inner = position, end.end() - len(quote)
        made = not _PIECED.isdisjoint(prefix)
        literals.append(_Literal(found.start(), end.end(), inner, b"r" in prefix, quote, made))
        position = end.end()
    formatted = [each.start for each in literals if each.formatted]
    found_texts = tuple(
        (text, bisect_left(formatted, text.start) < bisect_left(formatted, text.end))
        for text in _grouped(src, literals, _PY_BETWEEN, _PY_PART)
    )
    return PythonTexts(found_texts, tuple(comments))


def _grouped(
    src: bytes, literals: list[_Literal], between: re.Pattern[bytes], part: re.Pattern[bytes]
) -> Iterator[Text]:
    group: list[_Literal] = []
    for literal in literals:
        gap = between.match(src, group[-1].end) if group else None
        if gap is None or gap.end() != literal.start:
            if group:
                yield _text(src, group, part)
            group = []
        group.append(literal)
    if group:
        yield _text(src, group, part)


def _text(src: bytes, group: list[_Literal], part: re.Pattern[bytes]) -> Text:
    data = bytearray()
    pieces: list[Piece] = []
    begun: list[tuple[int, _Literal]] = []
    for literal in group:
        start, end = literal.inner
        if end - start > _MOST:
            continue
        begun.append((len(data), literal))
        if literal.raw:
            pieces.append(Piece(len(data), start, end, True))
            data += src[start:end]
            continue
        for match in part.finditer(src, start, end):
            piece = match[0]
            if piece[:1] != b"\\":
                pieces.append(Piece(len(data), *match.span(), True))
                data += piece
            elif piece[1:2] not in (b"\n", b"\r"):
                pieces.append(Piece(len(data), *match.span(), False))
                data += _meaning(piece)

    def quoted(new: bytes, at: int) -> bytes | None:
        literal = begun[max(bisect_right(begun, at, key=lambda each: each[0]) - 1, 0)][1]
        closing, one_line = literal.closing, len(literal.closing) == 1
        if literal.raw:
            # What stands before the closing mark must not become a part of it either.
            return None if closing in new + closing[:-1] or (one_line and b"\n" in new) else new
        new = new.replace(b"\\", b"\\\\").replace(closing[:1], b"\\" + closing[:1])
        return new.replace(b"\n", b"\\n") if one_line else new

    return Text(
        bytes(data),
        tuple(pieces) or (Piece(0, group[0].inner[0], group[0].inner[0], True),),
        group[0].start,
        group[-1].end,
        quoted,
    )


def _meaning(escape: bytes) -> bytes:
    """The one character that an escape sequence makes; one that cannot stand in source comes out as a question
    mark."""
    rest = escape[1:]
    if rest in _SIMPLE:
        return _SIMPLE[rest]
    if rest[:1].isdigit() or rest[:1] in (b"x", b"u", b"U"):
        code = int(rest, 8) if rest[:1].isdigit() and rest.strip(b"01234567") == b"" else -1
        if rest[:1] in (b"x", b"u", b"U") and len(rest) > 1:
            code = int(rest[1:], 16)
        return bytes([code]) if 0 <= code < 128 else b"?"
    return rest
