"""Other names that macros of a file give to a function of the warp: ``#define SHFL __shfl_sync``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from musify_ai.translate.mentions import arguments, is_member
from musify_ai.translate.unit import Unit


def macro_aliases(unit: Unit, names: Collection[bytes]) -> dict[bytes, bytes]:
    """Macros without parameters whose whole text is one of some names, with that name."""
    found = {}
    for line in unit.directives:
        if line.keyword == b"define":
            words = unit.src[line.argument_start : line.end].split()
            if len(words) == 2 and words[1] in names and words[0] != words[1]:
                found[words[0]] = words[1]
    return found


def alias_calls(unit: Unit, aliases: Mapping[bytes, bytes]) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """The calls by such names: the token indices of the name and the closing parenthesis, and the arguments."""
    toks = unit.tokens if aliases else []
    for each in unit.occurrences(frozenset(aliases)) if aliases else ():
        index = unit.token_index(each.start)
        if index < 0 or is_member(toks, index) or index + 1 >= len(toks) or toks[index + 1].text != b"(":
            continue
        closed = unit.partners.get(index + 1)
        if closed is not None:
            yield index, closed, arguments(unit, closed)
