"""Choosing inputs by trying them on the original: the first shape under which it ends well and its output varies."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from musify_ai.verify.judging import poison_varies
from musify_ai.verify.results import OK, Case, CaseRun, Place
from musify_ai.verify.running import POISONS, Matrix, Side, run_cases
from musify_ai.verify.shapes import Shape

ATTEMPTS = 24
SLOW = 3
"""Attempts that hit the time limit before the search ends."""
PROBE_SECONDS = 2
MODES = ("small", "edge", "wide")


class Probed(NamedTuple):
    """The chosen shape with the mode of each seed; or none, and how the tries ended."""

    shape: Shape | None
    seeds: tuple[tuple[int, str], ...]
    states: tuple[CaseRun, ...] = ()


def seeds_of(count: int) -> tuple[tuple[int, str], ...]:
    """Seeds from 1 with the modes of their inputs in turn."""
    return tuple((number + 1, MODES[number % len(MODES)]) for number in range(max(count, 1)))


def probe(
    side: Side, kernel: str, candidates: Sequence[Shape], seeds: Sequence[tuple[int, str]],
    places: Callable[[Shape], Sequence[Place]],
) -> Probed:  # fmt: skip
    """Try shapes in order on the original and take the first good one, else the best of the rest."""
    best: tuple[int, Shape, tuple[tuple[int, str], ...]] | None = None
    states: list[CaseRun] = []
    slow = 0
    for shape in candidates[:ATTEMPTS]:
        matrix = Matrix(tuple(seeds), ("forward",), POISONS)
        runs = run_cases(side, kernel, shape, matrix, seconds=PROBE_SECONDS)
        chosen: list[tuple[int, str]] = []
        ended: list[CaseRun] = []
        for seed, mode in seeds:
            run = runs.cases.get(Case(0, seed, "forward", POISONS[0]))
            if run is None:
                break
            ended.append(run)
            # Integers over the whole range suit kernels that do not index with them; where they fault, small ones do.
            chosen.append((seed, mode if run.state == OK else "small"))
        if len(ended) < len(seeds):
            continue
        firm = [run for run, (_, mode) in zip(ended, seeds, strict=True) if mode != "wide"] or ended
        bad = [run for run in firm if run.state != OK]
        if bad:
            states.append(bad[0])
            slow += bad[0].state == "time-limit"
            if slow >= SLOW:
                break
            continue
        score = 0 if poison_varies(matrix.cases(0), runs) else _score(ended, runs.varies, places(shape))
        if best is None or score > best[0]:
            best = (score, shape, tuple(chosen))
        if score == 2:
            break
    if best is None:
        return Probed(None, tuple(seeds), tuple(states))
    return Probed(best[1], best[2], tuple(states))


def _score(runs: Sequence[CaseRun], varies: Sequence[bool], places: Sequence[Place]) -> int:
    """0: nothing written; 1: something written; 2: something written that depends on the inputs."""
    best = 0
    for index in range(len(places)):
        if any(index < len(run.buffers) and run.buffers[index].written for run in runs if run.state == OK):
            best = max(best, 2 if index < len(varies) and varies[index] else 1)
    return best
