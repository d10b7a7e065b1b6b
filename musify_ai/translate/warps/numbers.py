"""Where a file's code holds the numbers that split threads into groups of 32, and what stands right before each."""

from __future__ import annotations

import re
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.first_looks import NUMBERS
from musify_ai.translate.unit import Unit

_REACH = 500

_THREADS = late_pattern(
    rb"\w*(?:threads?(?!_?(?:row|col))|block_?(?:size|dim)|blockdim\w?|cta_?(?:size|threads)|nthr|tpb|gid|_tid\b)\w*\Z",
    re.IGNORECASE,
)
_NO_THREADS = late_pattern(rb"per_?thread|thread_?(?:row|col|tile|group)|_per_|idx_?per|blocksize_?in", re.IGNORECASE)
_SPLICE = late_pattern(rb"\\\r?\n")


# How lowering spells %laneid and %warpid (`musify_ai.translate.ptx.registers`): groups of 32 on purpose, and said so.
LOWERED = late_pattern(
    rb"\(threadIdx\.x \+ blockDim\.x \* \(threadIdx\.y \+ blockDim\.y \* threadIdx\.z\)\) (?:& 31u|>> 5)"
)


class Number(NamedTuple):
    """A number in code. ``head`` is the code that leads to it on its side of the nearest comment or literal, without
    line splices and the blanks at its end; ``cut`` says that such a one stands so near that there is more to see."""

    start: int
    text: bytes
    head: bytes
    cut: bool


def numbers(unit: Unit) -> list[Number]:
    """The numbers in order. Rules ask this before any tokens are made, since nearly every kernel holds a 32."""
    found: list[Number] | None = unit.memo.get("numbers of lanes")
    if found is None:
        # What this tool wrote itself is no news in the file that it wrote.
        own = {match.end() for match in LOWERED.finditer(unit.src)} if unit.is_musa else ()
        found = [
            Number(start, text, _head(unit.src, max(floor, start - _REACH), start), start - floor < _REACH)
            for start, end, text, floor in unit.occurrences(NUMBERS)
            if unit.src[start - 1 : start] != b"." and end not in own
        ]
        unit.memo["numbers of lanes"] = found
    return found


def _head(src: bytes, begin: int, start: int) -> bytes:
    head = src[begin:start]
    return (_SPLICE.sub(b" ", head) if b"\\" in head else head).rstrip()


def named_for_threads(name: bytes) -> bool:
    """Whether a name says that it is a number of threads, or a thread's."""
    return bool(_THREADS.match(name)) and not _NO_THREADS.search(name)
