"""The byte lexer: which bytes are code, and where a set of identifiers stands in it.

Nothing is decoded: identifier bytes are word characters, ``$`` and every byte from 0x80, so text in UTF-8, GBK or
Latin-1 is never split inside a character's word. One pass, linear in the size of the file for any input.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from musify_ai.source.patterns import late_pattern

RegionKind = Literal["comment", "string", "raw-string", "char", "include", "message"]


class Region(NamedTuple):
    """Bytes ``[start, end)`` that are not code."""

    kind: RegionKind
    start: int
    end: int


class Occurrence(NamedTuple):
    """A whole identifier standing in code. ``floor`` is the end of the nearest region before it: a guard that looks
    back past it would read a comment's full stop as a member access."""

    start: int
    end: int
    name: bytes
    floor: int


WORD_BYTES = frozenset(
    i for i in range(256) if 48 <= i < 58 or 65 <= i < 91 or 97 <= i < 123 or i in (ord("_"), ord("$")) or i >= 128
)
BOM = b"\xef\xbb\xbf"
_IS_WORD = bytes(i in WORD_BYTES for i in range(256))
_TO_SPACE = bytes(i if i in WORD_BYTES else 32 for i in range(256))
_IDENTIFIER = late_pattern(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")

# Above this many distinct names in a file one pass over all identifiers beats a search per name, which is
# O(names x bytes): 0.4 MB/s on a 1.8 MB file that lists 8,000 names.
_SEARCH_LIMIT = 48

_SPLICE = rb"\\(?:\r\n|[\s\S])"

# Each alternative begins with a literal byte and stands in no group, so that the regex engine skips ahead on a
# first-byte bitmap (named groups cost six times as much). Possessive repeats and optional closing quotes keep
# malformed input linear. A region's kind is read off its first bytes instead of a group.
REGION = late_pattern(
    rb"//(?:[^\\\n]|" + _SPLICE + rb")*+"
    rb"|/\*(?:[\s\S]*?\*/|[\s\S]*)"
    rb'|R"(?P<delimiter>[^()\\\s"]{0,16})\((?:[\s\S]*?\)(?P=delimiter)"|[\s\S]*)'
    rb'|"(?:[^"\\\n]|' + _SPLICE + rb')*+"?'
    # After a hexadecimal digit a quote separates digits (1'000, 0xF'F); u8'a' does not begin with one's own digit.
    rb"|'(?<![0-9A-Fa-f]')(?:[^'\\\n]|" + _SPLICE + rb")*+'?"
    rb"|#[ \t]*(?:include(?:_next)?|import)[ \t]*[<\"][^>\"\n]{0,1000}+[>\"]"
    rb"|#[ \t]*(?:error|warning)\b(?:[^\\\n]|" + _SPLICE + rb")*+"
)


def _kind(src: bytes, start: int) -> RegionKind:
    """The kind of a region by its first bytes."""
    kind = _BY_FIRST.get(src[start])
    if kind is not None:
        return kind
    word = src[start + 1 : start + 16].lstrip()
    return "message" if word.startswith((b"error", b"warning")) else "include"


_BY_FIRST: dict[int, RegionKind] = {0x2F: "comment", 0x22: "string", 0x52: "raw-string", 0x27: "char"}


def iter_regions(src: bytes) -> Iterator[Region]:
    """The regions of a file in order, none overlapping."""
    make, by_first = tuple.__new__, _BY_FIRST  # a NamedTuple's own constructor takes three times as long
    for match in REGION.finditer(src):
        start, end = match.span()
        first = src[start]
        if first == 0x52 and start and _IS_WORD[src[start - 1]]:
            # `R"` ends a longer word. With an encoding prefix (u8R, uR, UR, LR) it is a raw string all the same;
            # else the R belongs to the word and a plain string begins at the quote.
            begin = start
            while begin and _IS_WORD[src[begin - 1]]:
                begin -= 1
            if src[begin:start] not in (b"u8", b"u", b"U", b"L"):
                yield from _reread(src, start + 1, end)
                continue
        yield make(Region, (by_first.get(first) or _kind(src, start), start, end))


def _reread(src: bytes, start: int, end: int) -> Iterator[Region]:
    """Regions between two offsets, for the rare word that ends in ``R`` before a quote."""
    position = start
    while position < end:
        match = REGION.search(src, position, end)
        if match is None:
            return
        yield Region(_kind(src, match.start()), *match.span())
        position = max(match.end(), position + 1)


def regions(src: bytes) -> list[Region]:
    """The regions of a file: comments, literals, include tokens, the text of ``#error`` and ``#warning``.

    >>> [r.kind for r in regions(b'f("x"); // y')]
    ['string', 'comment']
    """
    if b'R"' in src:
        return list(iter_regions(src))
    make, by_first, kind_of = tuple.__new__, _BY_FIRST, _kind
    return [
        make(Region, (by_first.get(src[match.start()]) or kind_of(src, match.start()), *match.span()))
        for match in REGION.finditer(src)
    ]


def words(src: bytes) -> set[bytes]:
    """Every word anywhere in a file, comments and literals included: a prefilter at C speed."""
    found = set(src.translate(_TO_SPACE).split())
    if src.startswith(BOM):
        # The mark's bytes are word bytes, as in any other UTF-8 letter; at the start of a file it is no letter.
        found |= set(src[len(BOM) : len(BOM) + 256].translate(_TO_SPACE).split()[:1])
    return found


def _candidates(src: bytes, names: Collection[bytes]) -> list[tuple[int, int, bytes]]:
    """Whole-word places of some names, comments and literals included, in order."""
    begin = len(BOM) if src.startswith(BOM) else 0
    if len(names) > _SEARCH_LIMIT:
        wanted = names if isinstance(names, set | frozenset | dict) else set(names)
        return [(*match.span(), match[0]) for match in _IDENTIFIER.finditer(src, begin) if match[0] in wanted]
    found = []
    size = len(src)
    for name in names:
        if not name:
            continue
        start = src.find(name)
        while start >= 0:
            end = start + len(name)
            if not (start > begin and _IS_WORD[src[start - 1]]) and not (end < size and _IS_WORD[src[end]]):
                found.append((start, end, name))
            start = src.find(name, end)
    found.sort()
    return found


def occurrences(
    src: bytes, names: Collection[bytes], *, known_regions: Iterable[Region] | None = None
) -> list[Occurrence]:
    """Where some identifiers stand in code: whole words, none in a comment, literal or include token.

    ``names`` should already be narrowed to those the file holds (`words`). ``known_regions`` saves a second scan.
    """
    candidates = _candidates(src, names)
    if not candidates:
        return []
    found: list[Occurrence] = []
    position, floor, count = 0, 0, len(candidates)
    for _, start, end in iter_regions(src) if known_regions is None else known_regions:
        while position < count and candidates[position][0] < start:
            found.append(Occurrence(*candidates[position], floor))
            position += 1
        while position < count and candidates[position][0] < end:
            position += 1
        floor = end
        if position == count:
            return found
    found += [Occurrence(*candidate, floor) for candidate in candidates[position:]]
    return found


def region_before(found: Sequence[Region], end: int) -> int:
    """The index of the region of a list that ends at an offset; -1 where none does."""
    index = bisect_right(found, end, key=lambda region: region.end) - 1
    return index if index >= 0 and found[index].end == end else -1


def region_at(found: list[Region], offset: int) -> Region | None:
    """The region of a list (as `regions` gives it) that holds an offset, or ``None`` where code stands."""
    index = bisect_right(found, offset, key=lambda region: region.start) - 1
    return found[index] if index >= 0 and offset < found[index].end else None


def blank(src: bytes, found: Iterable[Region] | None = None) -> bytes:
    """The file with every region blanked to spaces of the same length, newlines kept: only code is left to match."""
    out = bytearray(src)
    for _, start, end in iter_regions(src) if found is None else found:
        piece = src[start:end]
        out[start:end] = (
            b"\n".join(b" " * len(line) for line in piece.split(b"\n")) if b"\n" in piece else b" " * (end - start)
        )
    return bytes(out)
