"""Lines outside of functions that are there for a construct alone: they go once it is rewritten.

The include of a header that MUSA lacks and ``using namespace nvcuda;`` are findings of no function. Where everything
else that is not settled in their file belongs to one unit, an accepted rewrite of it leaves nothing that needs them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from musify_ai.records import Finding
from musify_ai.rewrite.units import Drop, WorkUnit
from musify_ai.source import OffsetMap

if TYPE_CHECKING:
    from musify_ai.rewrite.surveying import FileView

_LINE = re.compile(rb"[ \t]*(?:#[ \t]*include[ \t]*[<\"][^\n]*|using[ \t]+[\w:= \t]+;[ \t]*)\r?\n")


def drops_of(view: "FileView", findings: Iterable[Finding]) -> Iterator[Drop]:
    """The lines of a file that findings are about, where they are includes or using declarations."""
    offsets = OffsetMap(view.edits)
    for finding in findings:
        first = view.original.rfind(b"\n", 0, finding.start) + 1
        line = _LINE.match(view.original, first)
        at = offsets.to_output(first)
        here = _LINE.match(view.translated, at)
        if line is not None and here is not None and finding.end <= line.end() and line[0] == here[0]:
            yield Drop(view.place, at, here.end(), first, line.end(), finding)


def with_drops(units: Sequence[WorkUnit], view: "FileView", drops: Sequence[Drop]) -> tuple[WorkUnit, ...] | None:
    """The units with a file's lines to be dropped; None where something else in it may still need them."""
    own = [unit for unit in units if any(piece.place == view.place for piece in unit.pieces)]
    if len(own) != 1:
        return None
    covered = {*own[0].everything, *(drop.finding for drop in drops)}
    if any(not each.settled and each not in covered for each in view.findings):
        return None
    return tuple(unit._replace(drops=(*unit.drops, *drops)) if unit is own[0] else unit for unit in units)
