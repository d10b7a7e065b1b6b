"""Reads beside a buffer, seen by what they change: a program is run again with other bytes around its buffers.

Nothing that stays within its buffers can tell the two runs apart. The first launch after which some buffer holds
something else is the one that looked; where it is none of a kernel's, the output says it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

GUARDS = (0xFB, 0x4B)
"""The bytes around buffers in the two runs: the device's own, and one that shares few bits with it."""

KIND = "stray-read"


class Told(NamedTuple):
    """What a run leaves to compare: the rows of its launch log, its output, its exit status."""

    launches: Sequence[Mapping[str, Any]]
    output: bytes
    status: int


def stray_reads(first: Told, other: Told, again: Told) -> Mapping[str, Any] | None:
    """The finding, if two runs with other bytes around buffers differ. ``again`` is the first run repeated: where that
    differs from the first, the program does not repeat itself and nothing can be said of it."""
    place = _parting(first, other)
    if place is None:
        return None
    if _parting(first, again) is not None:
        return {
            "kind": "not-repeatable",
            "message": "two equal runs of this program differ, so reads beside buffers cannot be told this way",
            "line": 0,
        }
    if place >= len(first.launches) or place >= len(other.launches):
        text = (
            "what the program prints, launches or ends with depends on bytes beside its buffers: the host's code reads"
        )
        return {"kind": KIND, "message": f"{text} past the end of one, or before it", "line": 0}
    row, changed = first.launches[place], other.launches[place]
    which = [
        str(number)
        for number, (one, two) in enumerate(
            zip(row.get("arguments", ()), changed.get("arguments", ()), strict=False), 1
        )
        if one != two
    ]
    what = f"what it leaves in argument {', '.join(which)}" if which else "how it ends"
    return {
        "kind": KIND,
        "kernel": row.get("kernel", ""),
        "message": f"{what} depends on bytes beside a buffer: it reads past the end of one, or before it",
        "file": row.get("file", ""),
        "line": row.get("line", 0),
    }


def _parting(one: Told, two: Told) -> int | None:
    """The first launch that differs; how many there are where only what follows does; None where nothing does."""
    for place, (row, other) in enumerate(zip(one.launches, two.launches, strict=False)):
        if row != other:
            return place
    if len(one.launches) != len(two.launches) or one.output != two.output or one.status != two.status:
        return max(len(one.launches), len(two.launches))
    return None
