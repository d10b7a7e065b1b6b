"""Running a built driver: asking what it holds, running the cases of a plan, fetching buffers of one case."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.emulated import Built, Emulated
from musify_ai.backends.limits import scratch
from musify_ai.verify.described import Description, read_description
from musify_ai.verify.results import Buffered, Case, CaseRun, Noticed, SideRuns
from musify_ai.verify.shapes import Shape

SCHEDULES = ("forward", "reverse", "random:1")
POISONS = (0xFF, 0x00)
SECONDS = 5
_SECTION = re.compile(r'\{"shape": (\d+)')


class RunError(RuntimeError):
    """A driver did not do its work: it crashed before the first case, or what it wrote is no result."""


class Side(NamedTuple):
    """A built side, ready to run: the lanes it runs at."""

    backend: Emulated
    built: Built
    lanes: int


class Matrix(NamedTuple):
    """Which cases of a shape are run: seeds with their modes, schedules, poison bytes."""

    seeds: tuple[tuple[int, str], ...]
    schedules: tuple[str, ...] = SCHEDULES
    poisons: tuple[int, ...] = POISONS

    def cases(self, shape: int) -> list[Case]:
        """The cases in the order in which the driver runs them."""
        return [
            Case(shape, seed, schedule, poison)
            for seed, _ in self.seeds
            for schedule in self.schedules
            for poison in self.poisons
        ]


@lru_cache(maxsize=16)
def describe(backend: Emulated, built: Built) -> Description:
    """What a driver holds: asked once of each program. Raises `RunError` where it does not say."""
    with scratch() as work:
        done = backend.run(built, ["describe", "out"], cwd=work)
        try:
            text = (work / "out").read_text("utf-8")
        except OSError:
            text = ""
        if not done.ok or not text:
            raise RunError(f"the built program does not start: {done.describe()}")
        return read_description(text.splitlines())


class Section(NamedTuple):
    """A shape, the cases to run under it and the CPU seconds that a case may take."""

    shape: Shape
    matrix: Matrix
    seconds: int = SECONDS


def run_cases(
    side: Side, kernel: str, sections: Sequence[Section], *, stop: bool = False, brief: bool = False
) -> SideRuns:
    """Run the cases of sections, which are numbered in order; ``stop`` all at the first that does not end well, or be
    ``brief``: no more of a section once a case hits the time limit."""
    further = [*(["stop"] if stop else []), *(["brief"] if brief else [])]
    return read_runs(_lines(side, plan_of(side.lanes, kernel, sections, further)))


def run_apart(side: Side, kernel: str, sections: Sequence[Section]) -> list[SideRuns]:
    """Run the cases of sections that have nothing to do with one another; what came of each, its shape numbered 0. Of
    those after one that ends the program there is nothing."""
    found: list[list[str]] = [[] for _ in sections]
    for line in _lines(side, plan_of(side.lanes, kernel, sections)):
        number = _SECTION.match(line)
        if number is not None and int(number[1]) < len(found):
            found[int(number[1])].append(_SECTION.sub('{"shape": 0', line, count=1))
    return [read_runs(each) for each in found]


def _lines(side: Side, plan: Sequence[str]) -> list[str]:
    """What a driver reports of a plan. Raises `RunError` where it ended before its first case."""
    with scratch() as work:
        (work / "plan").write_text("\n".join(plan) + "\n", "utf-8")
        done = side.backend.run(side.built, ["run", "plan", "out"], cwd=work)
        try:
            lines = (work / "out").read_text("utf-8").splitlines()
        except OSError:
            lines = []
        if not lines and not done.ok:
            raise RunError(f"the built program ended before its first case: {done.describe()}")
    return lines


def fetch(side: Side, kernel: str, shape: Shape, case: Case, mode: str, places: int) -> list[bytes]:
    """The buffers of one case after it has run, in the order of its places; empty where the case ended badly."""
    plan = _plan(side.lanes, kernel, Section(shape, Matrix(((case.seed, mode),), (case.schedule,), (case.poison,))))
    with scratch() as work:
        (work / "plan").write_text("\n".join(plan) + "\n", "utf-8")
        side.backend.run(side.built, ["dump", "plan", "buffer"], cwd=work)
        return [_bytes(work / f"buffer.{index}") for index in range(places)]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def plan_of(lanes: int, kernel: str, sections: Sequence[Section], further: Sequence[str] = ()) -> list[str]:
    """The driver's lines for sections, each with ``further`` ones."""
    plan: list[str] = []
    for section in sections:
        plan += ["next"] if plan else []
        plan += [*_plan(lanes, kernel, section), *further]
    return plan


def _plan(lanes: int, kernel: str, section: Section) -> list[str]:
    shape, matrix, seconds = section
    return [
        f"kernel {kernel}",
        f"lanes {lanes}",
        f"cpu {seconds}",
        *shape.plan(),
        *(f"seed {seed} {mode}" for seed, mode in matrix.seeds),
        *(f"schedule {schedule}" for schedule in matrix.schedules),
        *(f"poison {poison}" for poison in matrix.poisons),
    ]


def read_runs(lines: Sequence[str]) -> SideRuns:
    """The driver's report of a run; lines that are cut off count as missing."""
    cases: dict[Case, CaseRun] = {}
    varies: tuple[bool, ...] = ()
    seen: dict[int, frozenset[int]] = {}
    for line in lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue  # cut off: the case counts as missing
        if "varies" in row:
            varies = varies or tuple(row["varies"])
            seen[row["shape"]] = frozenset(row["seen"])
            continue
        case = Case(row["shape"], row["seed"], row["schedule"], row["poison"])
        buffers = tuple(Buffered(*each) for each in row["buffers"])
        noticed = tuple(_noticed(each) for each in row["findings"])
        cases[case] = CaseRun(row["state"], row["message"], row["threads"], buffers, noticed, row["printed"])
    return SideRuns(cases, varies, seen)


def _noticed(row: Mapping[str, object]) -> Noticed:
    line = row.get("line")
    return Noticed(
        str(row.get("kind", "")), str(row.get("message", "")), str(row.get("assumption") or ""),
        str(row.get("file", "")), line if isinstance(line, int) else 0,
    )  # fmt: skip
