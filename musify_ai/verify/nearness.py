"""What real devices may part in, taken out of two sides' runs: buffers within a tolerance count as the same.

The judgement itself stays one of equal or not (`musify_ai.verify.judging`): here a buffer of the translation that is
near enough to the original's gets the original's hash, and what was let pass is counted.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from musify_ai.verify.comparing import compare
from musify_ai.verify.results import Case, Place, SideRuns
from musify_ai.verify.tolerances import EXACT, Tolerance, Tolerated

Contents = Callable[[Case, int], bytes | None]
"""The bytes of a place after a case, None where they are not known."""


class Settled(NamedTuple):
    """The translation's runs with near buffers made the original's; the worst absolute error let pass, by place, and
    the largest tolerance that was needed (relative), with its reasons."""

    runs: SideRuns
    worst: Mapping[int, float]
    relative: float = 0.0
    why: tuple[str, ...] = ()


def settle(
    cases: Sequence[Case], places: Sequence[Sequence[Place]], original: SideRuns, translated: SideRuns,
    contents: tuple[Contents, Contents], tolerated: Tolerated,
) -> Settled:  # fmt: skip
    """Compare the buffers whose hashes differ, element by element, within what two right devices may part in.
    ``places`` are those of each shape."""
    settled = dict(translated.cases)
    worst: dict[int, float] = {}
    used: dict[Tolerance, None] = {}
    for case in cases:
        mine, theirs = original.cases.get(case), translated.cases.get(case)
        if mine is None or theirs is None:
            continue
        buffers = list(theirs.buffers)
        for index, place in enumerate(places[case.shape][: min(len(mine.buffers), len(buffers))]):
            tolerances = _of(place, tolerated)
            if mine.buffers[index].hash == buffers[index].hash or not tolerances:
                continue
            left, right = contents[0](case, index), contents[1](case, index)
            if left is None or right is None or compare(left, right, place, tolerated=tolerated) is not None:
                continue
            exact = compare(left, right, place)
            worst[index] = max(worst.get(index, 0.0), exact.worst_error if exact is not None else 0.0)
            used |= dict.fromkeys(tolerances)
            buffers[index] = mine.buffers[index]
        settled[case] = theirs._replace(buffers=tuple(buffers))
    relative = max((each.relative for each in used), default=0.0)
    why = tuple(dict.fromkeys(reason for each in used for reason in each.why))
    return Settled(SideRuns(settled, translated.varies), worst, relative, why)


def _of(place: Place, tolerated: Tolerated) -> list[Tolerance]:
    """The tolerances of a place's scalars, without those that are exact."""
    return [each for _, size, kind in place.leaves if (each := tolerated.of(kind, size)) != EXACT]
