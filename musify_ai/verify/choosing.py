"""Everything a kernel is run with: the chosen shape in every case, further values, further shapes, as the original
takes them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from musify_ai.verify.judging import Judgement
from musify_ai.verify.probing import Probed, probe
from musify_ai.verify.results import OK, Case, CaseRun, Place, SideRuns
from musify_ai.verify.running import SCHEDULES, Matrix, Section, Side, run_cases
from musify_ai.verify.shapes import Shape, Shaping
from musify_ai.verify.variants import variants

VALUES = ((101, "ties"), (102, "negative"), (103, "large"), (104, "special"), (105, "constants"))
"""Seeds with values that hide one another, so that each kind has a run of its own; one case each."""
MODES = ("small", "ties", "edge")
MANY = 16
"""Blocks from which on a further shape is run with common values besides."""
SECONDS = 1
"""CPU seconds that the original may take for a case beside the chosen shape's."""


class Chosen(NamedTuple):
    """The sections that both sides are run with and what the original made of them.

    The first is the chosen shape's. Those from ``loose`` on are under launches that the program does not make.
    """

    probed: Probed
    sections: tuple[Section, ...]
    loose: int
    runs: SideRuns

    def cases(self, first: int = 0, last: int | None = None) -> list[Case]:
        """The cases of some sections."""
        chosen = range(first, len(self.sections) if last is None else last)
        return [case for number in chosen for case in self.sections[number].matrix.cases(number)]

    def mode(self, case: Case) -> str:
        """The kind of inputs of a case."""
        return dict(self.sections[case.shape].matrix.seeds)[case.seed]


def choose(
    side: Side, strict: Side | None, kernel: str, shaping: Shaping, seeds: Sequence[tuple[int, str]],
    places: Callable[[Shape], Sequence[Place]], schedules: tuple[str, ...] = SCHEDULES,
) -> Chosen | Probed | Judgement:  # fmt: skip
    """What to run a kernel with; the tries where none was good. ``strict`` is a build of the original that ends where
    inputs do not keep inside arrays of fixed size; the chosen shape is run in all the ``schedules``."""
    candidates: Sequence[Shape] = shaping.candidates()
    while candidates:
        probed = probe(strict or side, kernel, candidates, seeds, places)
        if probed.shape is None:
            return probed
        base = Section(probed.shape, Matrix(probed.seeds, schedules))
        runs = run_cases(side, kernel, [base])
        good = all(run.state == OK for run in runs.cases.values())
        # Good in one schedule and not in another: the next choice, if there is one.
        candidates = candidates[probed.number + 1 :]
        if good:
            return _further(side, strict, kernel, shaping, Chosen(probed, (base,), 1, runs))
        if not candidates:
            return Chosen(probed, (base,), 1, runs)
    return Judgement("not-checkable", "inputs: no choice of inputs was left to try")


def _further(side: Side, strict: Side | None, kernel: str, shaping: Shaping, chosen: Chosen) -> Chosen:
    base = chosen.sections[0].shape
    draw = chosen.probed.seeds[0][0] - 1
    groups: list[tuple[list[Section], bool]] = [([_values(base, (draw + seed, mode))], True) for seed, mode in VALUES]
    for number, variant in enumerate(variants(shaping, base)):
        seeds: tuple[tuple[int, str], ...] = ((draw + 11 + number, MODES[number % len(MODES)]),)
        if not variant.firm:
            # What stands past the end must not be by chance what a thread too many would store there.
            seeds = ((draw + 11 + number, "small"), (draw + 61 + number, "small"))
        elif max(shape.grid[0] for shape in variant.shapes) > MANY and seeds[0][1] != "small":
            # What goes wrong in a late block only may also need a certain value.
            seeds = (*seeds, (draw + 61 + number, "small"))
        matrix = Matrix(seeds, ("forward", "reverse"), (0xFF,))
        groups.append(([Section(_like(shape, base), matrix, SECONDS) for shape in variant.shapes], variant.firm))
    found: dict[int, tuple[Section, dict[Case, CaseRun], frozenset[int]]] = {}
    for turn in range(max(len(alternatives) for alternatives, _ in groups)):
        # Alternatives are run only where those before them were no good.
        open_ = [i for i, (each, _) in enumerate(groups) if i not in found and turn < len(each)]
        tried = [groups[i][0][turn] for i in open_]
        for number, (cases, reached) in _good(side, strict, kernel, tried).items():
            found[open_[number]] = tried[number], cases, reached
    sections, all_cases, seen = list(chosen.sections), dict(chosen.runs.cases), dict(chosen.runs.seen)
    for i in sorted(found):
        section, cases, reached = found[i]
        all_cases |= {case._replace(shape=len(sections)): run for case, run in cases.items()}
        seen[len(sections)] = reached
        sections.append(section._replace(seconds=chosen.sections[0].seconds))
    loose = sum(not groups[i][1] for i in found)
    return Chosen(chosen.probed, tuple(sections), len(sections) - loose, SideRuns(all_cases, chosen.runs.varies, seen))


def _good(
    side: Side, strict: Side | None, kernel: str, sections: Sequence[Section]
) -> dict[int, tuple[dict[Case, CaseRun], frozenset[int]]]:
    """The cases of those sections, by number, that the original takes (all of them end well), and what they reach."""
    good = set(range(len(sections))) if sections else set()
    runs = SideRuns({})
    for each in (strict, side):
        if each is not None and good:
            runs = run_cases(each, kernel, sections, brief=True)
            good = {number for number in good if _ended_well(sections[number].matrix.cases(number), runs)}
    return {
        number: ({c: runs.cases[c] for c in sections[number].matrix.cases(number)}, runs.seen.get(number, frozenset()))
        for number in sorted(good)
    }


def _values(base: Shape, seed: tuple[int, str]) -> Section:
    return Section(base, Matrix((seed,), ("forward",), (0xFF,)), SECONDS)


def _like(shape: Shape, base: Shape) -> Shape:
    """A shape whose buffers of integers are as small as those of the chosen one, and whose buffers are as large as the
    kernel needs."""
    for slot in base.grown:
        shape = shape.grow(slot, base.elements[slot])
    return shape.narrow([i for i in base.integers if base.slots[i].endswith(" narrow")])


def _ended_well(cases: Sequence[Case], runs: SideRuns) -> bool:
    ended: list[CaseRun | None] = [runs.cases.get(case) for case in cases]
    return all(run is not None and run.state == OK for run in ended)
