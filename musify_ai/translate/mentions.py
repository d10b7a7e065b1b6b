"""Where code uses a name, as opposed to declaring it, defining it, or having a member of that name."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from musify_ai.source.tokens import Token, split_arguments
from musify_ai.translate.unit import Unit

# A word of these before a name does not declare it: `return warpSize;`.
_NO_TYPES = frozenset(
    (
        b"return",
        b"else",
        b"case",
        b"throw",
        b"new",
        b"delete",
        b"sizeof",
        b"goto",
        b"do",
        b"and",
        b"or",
        b"not",
        b"co_return",
        b"co_yield",
        b"co_await",
        b"typename",
        b"using",
        b"namespace",
        b"define",
        b"if",
        b"elif",
        b"defined",
    )
)


def mentions(unit: Unit, names: Collection[bytes]) -> Iterator[int]:
    """Token indices of the uses of some names in code. Members (``x.name``) and declarators (``int name``) are
    passed over, and so is everything the file defines as a macro; words like ``__decorator__`` declare nothing."""
    for index in _used(unit, names):
        text = unit.tokens[index].text
        decorator = text.startswith(b"__") and text.endswith(b"__")
        if decorator or not declares(unit, index):
            yield index


def type_mentions(unit: Unit, names: Collection[bytes]) -> Iterator[int]:
    """Token indices of the uses of some types, macros or enumerators in code: any word may stand before one
    (``const``, ``inline``, ``struct``). Members are passed over, and what the file defines as a macro or a type."""
    toks = unit.tokens
    found = list(_used(unit, names))
    own = {toks[index].text for index in found if _names_type(toks, index)}
    yield from (index for index in found if toks[index].text not in own)


def own_functions(unit: Unit, names: Collection[bytes]) -> frozenset[bytes]:
    """Those of some names that the file defines or declares as functions itself: ``int name(``."""
    toks = unit.tokens if not unit.words.isdisjoint(names) else []
    found = set()
    for each in unit.occurrences(names) if toks else ():
        index = unit.token_index(each.start)
        if index > 0 and toks[index + 1 : index + 2] and toks[index + 1].text == b"(" and declares(unit, index):
            found.add(each.name)
    return frozenset(found)


def _used(unit: Unit, names: Collection[bytes]) -> Iterator[int]:
    """Token indices of some names in code, but for members and for what the file defines as a macro."""
    held = unit.words.intersection(names) - unit.macros
    toks = unit.tokens if held else []
    for found in unit.occurrences(held):
        index = unit.token_index(found.start)
        if index >= 0 and not is_member(toks, index) and not _is_own_member(toks, index):
            yield index


def _is_own_member(toks: list[Token], index: int) -> bool:
    """Whether a name with CUDA's prefix is a class's: ``Driver::cuLaunchKernel``. CUDA has no such."""
    if index < 2 or toks[index - 1].text != b"::" or not toks[index].text.startswith((b"cu", b"CU")):
        return False
    return toks[index - 2].kind == "identifier" and toks[index - 2].text not in _NO_TYPES


def _names_type(toks: list[Token], index: int) -> bool:
    """Whether this is where the file defines a type of that name: ``typedef ... name;``, ``struct name {``."""
    after = toks[index + 1].text if index + 1 < len(toks) else b""
    before = toks[index - 1] if index else None
    if before is None:
        return False
    if after == b";":
        return before.text in (b"}", b"*") or (before.kind == "identifier" and before.text not in _NO_TYPES)
    return before.text in (b"struct", b"class", b"union", b"enum") and after in (b"{", b":")


def is_member(toks: list[Token], index: int) -> bool:
    """Whether a name is reached through an object: ``x.name``, ``p->name``."""
    return index > 0 and toks[index - 1].text in (b".", b"->")


def declares(unit: Unit, index: int) -> bool:
    """Whether a type stands right before a name, which therefore declares it."""
    if index == 0:
        return False
    before = unit.tokens[index - 1]
    if before.kind != "identifier" or before.text in _NO_TYPES:
        return False
    # Where a preprocessor line ends between the two, the word before says nothing of the name.
    line = unit.directive_at(before.start)
    return line is None or unit.tokens[index].start < line.end


def call_end(unit: Unit, index: int) -> int:
    """The token index of the closing parenthesis of the call whose name stands at an index; -1 where it is none.
    Template arguments in angle brackets may stand between."""
    toks = unit.tokens
    position = index + 1
    if position < len(toks) and toks[position].text == b"<":
        depth = 0
        while position < len(toks) and position - index < 60:
            text = toks[position].text
            depth += (text == b"<") - (text == b">") - 2 * (text == b">>")
            if text in (b";", b"{"):
                return -1
            position += 1
            if depth <= 0:
                break
    if position < len(toks) and toks[position].text == b"(":
        return unit.partners.get(position, -1)
    return -1


def calls(unit: Unit, names: Collection[bytes]) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Of each call of some names: the token indices of the name and the closing parenthesis, and the arguments."""
    for index in mentions(unit, names):
        closed = call_end(unit, index)
        if closed >= 0:
            yield index, closed, arguments(unit, closed)


def arguments(unit: Unit, closed: int) -> list[tuple[int, int]]:
    """Token ranges of a call's arguments, given its closing parenthesis. Commas between template angle brackets do
    not count: ``f<a, b>(x)`` is one argument."""
    toks = unit.tokens
    pieces = split_arguments(toks, unit.partners[closed] + 1, closed)
    merged: list[tuple[int, int]] = []
    open_angles = 0
    for start, end in pieces:
        if open_angles > 0 and merged:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
        open_angles = _open_angles(toks, *merged[-1])
    return merged


def _open_angles(toks: list[Token], start: int, end: int) -> int:
    """Angle brackets left open in a token range, if they look like a template's: a name before, no blank between."""
    depth = 0
    for position in range(start, end):
        text = toks[position].text
        if text == b"<" and position > start and toks[position - 1].kind == "identifier":
            depth += toks[position - 1].end == toks[position].start
        elif depth and text == b">":
            depth -= 1
        elif depth and text == b">>":
            depth -= 2
    return max(depth, 0)
