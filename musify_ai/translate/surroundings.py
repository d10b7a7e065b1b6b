"""What a file's project knows of names that it uses and other files define."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.records import Options
from musify_ai.source.patterns import late_pattern

if TYPE_CHECKING:
    from musify_ai.translate.guards.obstacles import Usage

_NOTHING: Mapping[bytes, str] = {}


class Surroundings(NamedTuple):
    """Names of the table that a file which this one includes defines itself, functions and macros there that lead to
    something unsettled, and the tokens of this file's includes that do. Each is given with the path of that file.

    ``members`` are names that are members of classes there, with the names of the classes. ``sets_arch`` is the path
    of an included file that defines or undefines ``__CUDA_ARCH__``, if one does. ``chosen`` are names by which a file
    that includes this one chooses something unsettled, with its path. ``called_with_cuda`` are the CMake functions of
    the project, in lower case, that some build file hands a CUDA source.
    ``headers`` are quoted includes of a CUDA header's name that a file of the project beside this one has, with its
    path.
    """

    own: Mapping[bytes, str] = _NOTHING
    members: Mapping[bytes, frozenset[bytes]] = {}
    tainted: Mapping[bytes, str] = _NOTHING
    includes: Mapping[bytes, str] = _NOTHING
    sets_arch: str = ""
    chosen: Mapping[bytes, str] = _NOTHING
    called_with_cuda: frozenset[str] = frozenset()
    headers: Mapping[bytes, str] = _NOTHING


class Defined(NamedTuple):
    """What a file defines of the table's names that others see: at file scope, and as members of classes."""

    own: frozenset[bytes]
    members: Mapping[bytes, frozenset[bytes]]


def defined_for_others(src: bytes, path: str, options: Options) -> Defined:
    """The names of the table that a file defines for those that include it."""
    from musify_ai.translate.names.tier import exported
    from musify_ai.translate.unit import Unit

    own, members = exported(Unit(path, src, options))
    return Defined(own, members)


def usage_in(src: bytes, path: str, unsettled: Iterable[tuple[int, int]]) -> Usage:
    """Which functions and macros of a file hold something unsettled, and which use which."""
    from musify_ai.translate.guards.obstacles import usage
    from musify_ai.translate.unit import Unit

    unit = Unit(path, src)
    unit.unsettled = tuple(sorted(unsettled))
    return usage(unit)


def choosing_in(src: bytes, path: str, unsettled: Iterable[tuple[int, int]]) -> frozenset[bytes]:
    """The names by which a file chooses whether something unsettled is built."""
    from musify_ai.translate.guards.obstacles import choosing_names
    from musify_ai.translate.unit import Unit

    unit = Unit(path, src)
    unit.unsettled = tuple(sorted(unsettled))
    return choosing_names(unit)


def included_tokens(src: bytes) -> list[bytes]:
    """What a file includes, as written, but for what it includes on another platform only."""
    lines = list(_INCLUDE.finditer(src))
    if not lines:
        return []
    from musify_ai.translate.names.platforms import OTHER_PLATFORMS, spans_elsewhere

    if not any(platform in src for platform in OTHER_PLATFORMS):
        return [line[1] for line in lines]
    from musify_ai.source.directives import directives

    spans = spans_elsewhere(src, directives(src))
    return [line[1] for line in lines if not any(start <= line.start() < end for start, end in spans)]


_INCLUDE = late_pattern(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
