"""Choosing inputs by trying them on the original: the first shape under which it ends well and its output varies."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from musify_ai.verify.judging import poison_varies
from musify_ai.verify.results import OK, Case, CaseRun, Place, SideRuns
from musify_ai.verify.running import POISONS, Matrix, Section, Side, run_apart, run_cases
from musify_ai.verify.shapes import MOST_GROWN, Shape

_PAST = re.compile(r"memory place (\d+) element (\d+) of \d+")

ATTEMPTS = 24
TOGETHER = 4
"""Candidates that are run in one process, after the first."""
GROWTHS = 6
"""Times that buffers are made larger for one choice, since the kernel goes past their end."""
SLOW = 3
"""Attempts that hit the time limit before the search ends."""
PROBE_SECONDS = 2
MOST_BUFFERS = 6
"""Buffers of integers up to which each is tried by itself."""
MODES = ("small", "edge", "wide")


class Probed(NamedTuple):
    """The chosen shape with the mode of each seed; or none, and how the tries ended. ``number`` is the candidate's."""

    shape: Shape | None
    seeds: tuple[tuple[int, str], ...]
    states: tuple[CaseRun, ...] = ()
    number: int = -1


def seeds_of(count: int, draw: int = 0) -> tuple[tuple[int, str], ...]:
    """Seeds from 1 on, or from past a draw, with the modes of their inputs in turn."""
    return tuple((draw + number + 1, MODES[number % len(MODES)]) for number in range(max(count, 1)))


def probe(
    side: Side, kernel: str, candidates: Sequence[Shape], seeds: Sequence[tuple[int, str]],
    places: Callable[[Shape], Sequence[Place]],
) -> Probed:  # fmt: skip
    """Try shapes in order on the original and take the first good one, else the best of the rest."""
    best: tuple[int, Shape, tuple[tuple[int, str], ...], int] | None = None
    states: list[CaseRun] = []
    slow = 0
    matrix = Matrix(tuple(seeds), ("forward",), POISONS)
    tried = candidates[:ATTEMPTS]
    for number, (shape, runs) in enumerate(_tried(side, kernel, tried, matrix, seeds, places)):
        ended = _ended(runs, seeds)
        if len(ended) < len(seeds):
            continue
        bad = _bad(ended, seeds)
        if bad:
            states.append(bad[0])
            slow += bad[0].state == "time-limit"
            if slow >= SLOW:
                break
            continue
        score = 0 if poison_varies(matrix.cases(0), runs) else _score(ended, runs.varies, places(shape))
        if best is None or score > best[0]:
            best = (score, *_fitted(side, kernel, shape, tuple(seeds), ended), number)
        if score == 2:
            break
    if best is None:
        return Probed(None, tuple(seeds), tuple(states))
    return Probed(best[1], best[2], tuple(states), best[3])


def _tried(
    side: Side, kernel: str, candidates: Sequence[Shape], matrix: Matrix, seeds: Sequence[tuple[int, str]],
    places: Callable[[Shape], Sequence[Place]],
) -> Iterator[tuple[Shape, SideRuns]]:  # fmt: skip
    """Each candidate in order, its buffers grown as far as that helped, and what the original made of it. The first is
    run by itself, for it mostly is the one; the others a few in one process."""
    at = 0
    while at < len(candidates):
        found = [(shape, SideRuns({})) for shape in candidates[at : at + TOGETHER if at else 1]]
        open_ = list(range(len(found)))
        for _ in range(GROWTHS):
            sections = [Section(found[i][0], matrix, PROBE_SECONDS) for i in open_]
            ran = run_apart(side, kernel, sections) if sections else []
            larger = []
            for i, runs in zip(open_, ran, strict=True):
                shape = found[i][0]
                bad = _bad(_ended(runs, seeds), seeds)
                grown = _grown(shape, bad[0], places(shape)) if bad else shape
                found[i] = grown, runs
                larger += [i] if grown is not shape else []
            open_ = larger
        yield from found
        at += len(found)


def _bad(ended: Sequence[CaseRun], seeds: Sequence[tuple[int, str]]) -> list[CaseRun]:
    """The cases that tell against a shape: not those of integers over the whole range, where there are others."""
    firm = [run for run, (_, mode) in zip(ended, seeds, strict=False) if mode != "wide"] or list(ended)
    return [run for run in firm if run.state != OK]


def _ended(runs: SideRuns, seeds: Sequence[tuple[int, str]]) -> list[CaseRun]:
    """How the seeds' cases ended, up to the first that is missing."""
    ended: list[CaseRun] = []
    for seed, _ in seeds:
        run = runs.cases.get(Case(0, seed, "forward", POISONS[0]))
        if run is None:
            break
        ended.append(run)
    return ended


def _grown(shape: Shape, run: CaseRun, places: Sequence[Place]) -> Shape:
    """The shape with a larger buffer where the kernel went past the end of one, as far as buffers may grow."""
    found = _PAST.fullmatch(run.message) if run.state == "fault" else None
    if found is None:
        return shape
    place, element = int(found[1]), int(found[2])
    buffers = [slot for slot, count in enumerate(shape.elements) if count]
    if place >= len(buffers) or place >= len(places) or element < shape.elements[buffers[place]]:
        return shape
    most = MOST_GROWN // max(places[place].size, 1)
    return shape.grow(buffers[place], min(1 << element.bit_length(), most))


def _fitted(
    side: Side, kernel: str, shape: Shape, seeds: tuple[tuple[int, str], ...], ended: Sequence[CaseRun]
) -> tuple[Shape, tuple[tuple[int, str], ...]]:
    """The shape and the modes of the seeds, with small integers where those over the whole range do not end well.

    Such integers suit buffers that the kernel does not index with. Where all over the whole range fault: each buffer
    is tried by itself, and together those that are good by themselves.
    """
    bad = [run for run, (_, mode) in zip(ended, seeds, strict=True) if mode == "wide" and run.state != OK]
    if not bad:
        return shape, seeds
    integers = shape.integers
    small = shape.narrow(integers), tuple((seed, "small" if mode == "wide" else mode) for seed, mode in seeds)
    if any(run.state != "fault" for run in bad) or not 2 <= len(integers) <= MOST_BUFFERS:
        return small
    matrix = Matrix(tuple((seed, mode) for seed, mode in seeds if mode == "wide"), ("forward",), (0xFF,))

    def good(tried: Sequence[Shape]) -> list[bool]:
        runs = run_cases(side, kernel, [Section(each, matrix, 1) for each in tried], brief=True)
        return [
            all((run := runs.cases.get(case)) is not None and run.state == OK for case in matrix.cases(number))
            for number in range(len(tried))
        ]

    alone = good([shape.narrow([i for i in integers if i != one]) for one in integers])
    indices = [one for one, fine in zip(integers, alone, strict=True) if not fine]
    together = shape.narrow(indices)
    return (together, seeds) if len(indices) < len(integers) and good([together])[0] else small


def _score(runs: Sequence[CaseRun], varies: Sequence[bool], places: Sequence[Place]) -> int:
    """0: nothing written; 1: something written; 2: something written that depends on the inputs."""
    best = 0
    for index in range(len(places)):
        if any(index < len(run.buffers) and run.buffers[index].written for run in runs if run.state == OK):
            best = max(best, 2 if index < len(varies) and varies[index] else 1)
    return best
