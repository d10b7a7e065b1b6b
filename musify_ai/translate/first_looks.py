"""What is asked of a file before a rule is imported, where its trigger words stand in nearly every file with a kernel.

A look is cheap and never says no where the rule would say anything; a test holds each against its rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from musify_ai.source.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from musify_ai.translate.unit import Unit

NUMBERS = frozenset((b"32", b"0x20", b"32u", b"32U", b"31", b"31u", b"0x1f", b"0x1F", b"5", b"0x5"))
"""The numbers that split threads into groups of 32."""
HALF = b"16"
"""Where a loop that halves begins to reduce over 32 lanes."""
HOST = (".cpp", ".cc", ".cxx", ".c")
"""Suffixes of files that a host compiler is given, in lower case."""

_DEFINITION = rb"\n[ \t]*+(?:static |inline )*(?:void|int|float|double|bool)[ \t*&]++\w++\([^;{}()]*+\)\s*+\{"
DEFINITION = late_pattern(_DEFINITION)
"""The head of a function as most are written, from the line break before it."""
_MARKS = late_pattern(rb"\n\}|__global__|<<<|" + _DEFINITION)


def launches_from_kernel(unit: Unit) -> bool:
    """Whether a launch follows ``__global__`` with neither a brace at the start of a line nor another function's head
    between."""
    src = unit.src
    if b"<<<" not in src:
        return False
    kernel = -1
    for mark in _MARKS.finditer(src):
        if mark[0] == b"<<<":
            if kernel >= 0:
                return True
        elif mark[0] == b"__global__":
            kernel = mark.end()
        elif mark[0] == b"\n}" or src.find(b"{", kernel, mark.start()) >= 0:  # else it is the kernel's own head
            kernel = -1
    return False


def splits_at_32(unit: Unit) -> bool:
    """Whether the file holds a number that splits threads into groups of 32, and the run has an arch where that is no
    warp."""
    return bool(unit.wide_archs) and not unit.words.isdisjoint(NUMBERS)


def counts_lanes(unit: Unit) -> bool:
    """As `splits_at_32`, or the file halves from 16."""
    return bool(unit.wide_archs) and (HALF in unit.words or not unit.words.isdisjoint(NUMBERS))


def goes_to_host_compiler(unit: Unit) -> bool:
    """Whether the file is one that a host compiler is given."""
    return unit.path.lower().endswith(HOST)


LOOKS: dict[str, Callable[[Unit], bool]] = {
    "MUS304": splits_at_32,
    "MUS306": splits_at_32,
    "MUS307": counts_lanes,
    "MUS511": launches_from_kernel,
    "MUS624": goes_to_host_compiler,
    "MUS625": goes_to_host_compiler,
}
"""By code."""
