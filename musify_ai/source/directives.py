"""Preprocessor lines and the tree of ``#if`` blocks, found without evaluating anything."""

from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.source.lexing import BOM, Region, iter_regions, region_at
from musify_ai.source.patterns import late_pattern

# Comments and spliced newlines may stand about the `#`, which is `%:` too. It begins with a literal, which the engine
# finds at once; whether only blanks stand before it in the line is looked at from there.
_GAP = rb"(?:[ \t\f\v]|\\\r?\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_HASH = late_pattern(rb"#" + _GAP + rb"([A-Za-z_]\w*+)")
_DIGRAPH = late_pattern(rb"%:" + _GAP + rb"([A-Za-z_]\w*+)")
_BLANKS = b" \t\f\v"
_OPENING = frozenset((b"if", b"ifdef", b"ifndef"))
_MIDDLE = frozenset((b"elif", b"elifdef", b"elifndef", b"else"))


class Directive(NamedTuple):
    """One preprocessor line with its continuations; ``end`` excludes the newline. ``start`` is at the ``#``."""

    keyword: bytes
    start: int
    end: int
    argument_start: int


class Branch(NamedTuple):
    """One branch of a conditional: its directive and the bytes it governs."""

    directive: Directive
    body_start: int
    body_end: int


class Conditional(NamedTuple):
    """An ``#if`` with all its branches. ``parent`` is the index of the enclosing one in the list, -1 at top level;
    ``endif`` is ``None`` where the file ends first."""

    branches: tuple[Branch, ...]
    endif: Directive | None
    parent: int


def _logical_end(src: bytes, start: int, comments: list[Region]) -> int:
    """Where the logical line that begins at ``start`` ends: past continuations and comments that span lines."""
    position = start
    while True:
        newline = src.find(b"\n", position)
        if newline < 0:
            return len(src)
        region = region_at(comments, newline)
        if region is not None and region.kind == "comment" and region.start >= start:
            position = region.end
            if src[region.start : region.start + 2] == b"//":
                # A line comment ends before the newline unless a backslash carries it on.
                return region.end
            continue
        before = newline - 1 if newline and src[newline - 1] == 0x0D else newline
        if before > start and src[before - 1] == 0x5C:
            position = newline + 1
            continue
        return before


def _first_in_line(src: bytes, start: int, comments: list[Region]) -> bool:
    """Whether only blanks and comments stand before an offset in its logical line."""
    position = start
    while position > 0:
        byte = src[position - 1]
        if byte in _BLANKS:
            position -= 1
        elif byte == 0x0A:
            before = position - 2 if src[position - 2 : position - 1] == b"\r" else position - 1
            if before < 1 or src[before - 1] != 0x5C:
                return True
            position = before - 1
        elif byte == 0x2F and src[position - 2 : position - 1] == b"*":
            region = region_at(comments, position - 1)
            if region is None or region.kind != "comment":
                return False
            position = region.start
        else:
            return position == 3 and src.startswith(BOM)
    return True


def directives(src: bytes, known_regions: Iterable[Region] | None = None) -> list[Directive]:
    """The preprocessor lines of a file in order; none inside a comment or a literal."""
    if b"#" not in src and b"%:" not in src:
        return []
    found_regions = list(iter_regions(src) if known_regions is None else known_regions)
    found: list[Directive] = []
    covered = 0
    matches = list(_HASH.finditer(src))
    if b"%:" in src:
        matches = sorted([*matches, *_DIGRAPH.finditer(src)], key=lambda match: match.start())
    for match in matches:
        start = match.start()
        if start < covered or not _first_in_line(src, start, found_regions):
            continue
        region = region_at(found_regions, start)
        if region is not None and region.start != start:
            continue
        end = _logical_end(src, start, found_regions)
        found.append(Directive(match[1], start, end, match.end()))
        covered = end
    return found


def conditionals(src: bytes, known_directives: Iterable[Directive] | None = None) -> list[Conditional]:
    """The ``#if`` blocks of a file, in the order they open; unbalanced ones end at the end of the file.

    A stray ``#else`` or ``#endif`` is passed over.
    """
    lines = list(directives(src) if known_directives is None else known_directives)
    opened: list[tuple[int, list[Directive]]] = []  # index in `found`, directives so far
    found: list[Conditional | None] = []

    def close(endif: Directive | None) -> None:
        index, parts = opened.pop()
        stop = len(src) if endif is None else endif.start
        bounds = [*(part.start for part in parts[1:]), stop]
        branches = tuple(Branch(part, part.end, bound) for part, bound in zip(parts, bounds, strict=True))
        parent = opened[-1][0] if opened else -1
        found[index] = Conditional(branches, endif, parent)

    for line in lines:
        if line.keyword in _OPENING:
            opened.append((len(found), [line]))
            found.append(None)
        elif line.keyword in _MIDDLE and opened:
            opened[-1][1].append(line)
        elif line.keyword == b"endif" and opened:
            close(line)
    while opened:
        close(None)
    return [conditional for conditional in found if conditional is not None]
