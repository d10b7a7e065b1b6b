"""Building a unit with its mutants, having the driver run them, and telling the equivalent ones by their code."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.emulated import BuildFailure, BuildStoppedError, Built, Emulated, Unit
from musify_ai.backends.limits import Limits, scratch
from musify_ai.verify.mutation.writing import Numbered, write
from musify_ai.verify.results import Case, CaseRun

ROUNDS = 8
SITES = 1 << 16
"""Numbers from here on are mutants of the launch (`templates/harness/mutants.cpp`)."""

_LIMITS = Limits(cpu=600, wall=1200, memory=16384, output=2_000_000)
_SLOTS = 256


class Tried(NamedTuple):
    """What became of a mutant: whether some case showed it and how, and whether any reached its place."""

    number: int
    killed: bool
    reached: bool
    by: str


class MutatedUnit:
    """A unit with its mutants, built for the MUSA side; ``failure`` says why there is none."""

    def __init__(self, backend: Emulated, unit: Unit, macro: int, numbered: Sequence[Numbered]) -> None:
        self.backend, self.unit, self.macro = backend, unit, macro
        self.numbered = {each.number: each for each in numbered}
        self.failure = ""
        self.built: Built | None = self._build()
        self._plain: bytes | None = None

    def _build(self) -> Built | None:
        """Build, leaving out the sites of lines that do not build so: a macro that pastes, a bit-field."""
        for _ in range(ROUNDS):
            try:
                result = self.backend.build_strict(write(self.unit, self.numbered.values()), "musa", self.macro)
            except BuildStoppedError as error:
                self.failure = str(error)
                return None
            if isinstance(result, Built):
                return result
            if not self._leave_out(result):
                break
        self.failure = "the mutants do not build"
        return None

    def _leave_out(self, failure: BuildFailure) -> bool:
        bad = set()
        for diagnostic in failure.diagnostics:
            bad |= {(diagnostic.file, diagnostic.line), *diagnostic.needed_by}
        kept = {n: each for n, each in self.numbered.items() if (each.path, each.site.line) not in bad}
        if len(kept) == len(self.numbered):
            # The line that an error names may be a later one of the same statement.
            near = {(path, line - back) for path, line in bad for back in range(1, 9)}
            kept = {n: each for n, each in self.numbered.items() if (each.path, each.site.line) not in near}
        changed = len(kept) < len(self.numbered)
        self.numbered = kept
        return changed

    def run(self, plan: Sequence[str]) -> tuple[list[str], list[Tried]]:
        """The driver's report of the cases as they are, line by line, and what became of each mutant."""
        assert self.built is not None
        with scratch() as work:
            (work / "plan").write_text("\n".join(plan) + "\n", "utf-8")
            done = self.backend.run(self.built, ["mutants", "plan", "out"], cwd=work, limits=_LIMITS)
            try:
                lines = (work / "out").read_text("utf-8").splitlines()
            except OSError:
                lines = []
        tried = [json.loads(line) for line in lines if line.startswith('{"mutant"')] if done.ok else []
        return (
            [line for line in lines if not line.startswith('{"mutant"')],
            [Tried(row["mutant"], row["killed"], row["reached"], row["by"]) for row in tried],
        )

    def equivalent(self, numbers: Sequence[int]) -> frozenset[int]:
        """Those mutants whose code, built without any switch, is that of no mutant at all."""
        if not numbers:
            return frozenset()
        with ThreadPoolExecutor(2) as pool:
            plain, *others = pool.map(self._code, [0, *numbers])
        return frozenset(number for number, code in zip(numbers, others, strict=True) if code and code == plain)

    def _code(self, number: int) -> bytes:
        """The object file of one mutant by itself; empty where there is none."""
        unit = write(self.unit, self.numbered.values())
        fixed = unit._replace(defines=(*unit.defines, f"-DMUSIFY_MUTANT_FIXED={number}"))
        try:
            found = self.backend.compile(fixed, "musa", self.macro)
        except BuildStoppedError:
            return b""
        return found.read_bytes() if isinstance(found, Path) else b""


def of_launch(number: int, names: Sequence[str]) -> str:
    """A mutant of the launch in words; ``names`` are those of the kernel's slots."""
    if number == SITES + 1:
        return "launch: a block fewer"
    if number == SITES + 2:
        return "launch: half the threads of a block"
    first, second = divmod(number - SITES - 16, _SLOTS)
    return f"launch: {names[first]} and {names[second]} swapped"


def same_as(mine: Mapping[Case, CaseRun], theirs: Mapping[Case, CaseRun]) -> bool:
    """Whether with no mutant chosen each case came out as without mutants in the text."""
    return (
        all(
            run.state == other.state and [b.hash for b in run.buffers] == [b.hash for b in other.buffers]
            for case, run in mine.items()
            if (other := theirs.get(case)) is not None
        )
        and mine.keys() >= theirs.keys()
    )
