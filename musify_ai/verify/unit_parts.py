"""What a check of a unit begins with and ends in: a side's sources, what its host code defines, the outcomes."""

from typing import NamedTuple

from musify_ai.records import Arch, Failure
from musify_ai.verify.building import SideSource
from musify_ai.verify.closures import Closure, Sources
from musify_ai.verify.hostvalues import Definitions
from musify_ai.verify.judging import Judgement
from musify_ai.verify.kernelrun import Outcome
from musify_ai.verify.pairing import Pair, UnitPlan
from musify_ai.verify.patches import FileParts


class ArchOutcome(NamedTuple):
    """A kernel's outcome on one arch."""

    arch: Arch
    outcome: Outcome


class Checked(NamedTuple):
    """A unit's outcomes by pair, in order, and what else went wrong."""

    outcomes: tuple[tuple[Pair, tuple[ArchOutcome, ...]], ...]
    failures: tuple[Failure, ...]


def failed(judgement: Judgement) -> Outcome:
    """An outcome without any run."""
    return Outcome(judgement, (), (), ())


def source_of(sources: Sources, unit: str, closure: Closure) -> SideSource:
    """What one side of a unit is built from: its file and what its closure takes in."""
    files = {path: FileParts(path, sources.read(path) or b"") for path in closure.files}
    return SideSource(unit, files, closure.include_dirs, closure.defines)


def definitions_of(sources: Sources, plan: UnitPlan, side: int) -> dict[str, Definitions]:
    """For each file with launches: what it and the other files of the unit define, its own last."""
    out: dict[str, Definitions] = {}
    launches = plan.translated_launches if side else plan.launches
    for path in sorted({launch.path for launch in launches}):
        known = Definitions()
        for other in plan.closures[side].files:
            if other != path:
                known.read(sources.read(other) or b"", -(1 << 40))
        known.read(sources.read(path) or b"")
        out[path] = known
    return out
