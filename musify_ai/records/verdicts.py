"""What checking says of a kernel: its evidence rows, and the one headline that follows from them."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

Headline = Literal[
    "differs",
    "build-failed",
    "not-checkable",
    "unchecked",
    "original-schedule-dependent",
    "arch-dependent",
    "equal-weak",
    "equal-assumed",
    "equal-emulated",
    "equal-on-nvidia",
    "equal-on-hardware",
]

HEADLINES: tuple[Headline, ...] = get_args(Headline)
"""From worst to best."""

_RANK = {headline: rank for rank, headline in enumerate(HEADLINES)}

EQUAL: frozenset[str] = frozenset(h for h in HEADLINES if h.startswith("equal-"))


class Buffer(NamedTuple):
    """One compared buffer: elements compared, whether its contents vary with the input seed and are written by the
    kernel at all, and the worst absolute error found (0 where every bit is equal)."""

    name: str
    elements: int
    varies: bool
    worst_error: float


class Mutants(NamedTuple):
    """What became of a kernel's mutants: made at all; ``killed`` by a run; ``by_text``: refused for what the text
    lacks, which no run can show (a barrier, an atomic); ``equivalent``, for the compiler makes the same of them.

    ``excused`` are those for which somebody recorded a reason. ``unreached`` and ``survivors`` are the others, in
    words: no run came there, or none came out different.
    """

    made: int
    killed: int
    by_text: int
    equivalent: int
    excused: tuple[str, ...]
    unreached: tuple[str, ...]
    survivors: tuple[str, ...]


class Coverage(NamedTuple):
    """How much of a kernel's device code (in the translation; with what it calls) the runs reached.

    ``lines`` are those of the functions that were entered, without what the compiler left out; ``branches`` the ways
    out of each condition that was evaluated, and the cases of each switch. ``unreached`` names the ways that none took.
    """

    lines: int
    lines_reached: int
    branches: int
    branches_reached: int
    unreached: tuple[str, ...]


class Evidence(NamedTuple):
    """One check of one kernel on one target arch.

    ``backend`` names both sides (original, translation). ``outcome`` is a headline; ``detail`` says why in a
    sentence (where the first difference is, what failed to build). ``repeat`` is a command that does it again.
    ``mutants`` is there where they were asked for and could be made, ``coverage`` where it could be measured.
    """

    method: str
    backend: tuple[str, str]
    arch: str
    lanes: int
    seeds: tuple[int, ...]
    schedules: tuple[str, ...]
    poison: tuple[int, ...]
    buffers: tuple[Buffer, ...]
    tolerance: float
    assumptions: tuple[str, ...]
    outcome: Headline
    detail: str = ""
    repeat: str = ""
    mutants: Mutants | None = None
    coverage: Coverage | None = None


class Verdict(NamedTuple):
    """A kernel (or one instantiation of it), its evidence, and the headline over them."""

    path: str
    name: str
    line: int
    instantiation: str | None
    headline: Headline
    reason: str | None
    notes: tuple[str, ...]
    by_arch: Mapping[str, Headline]
    evidence: tuple[Evidence, ...]


def headline_of(by_arch: Mapping[str, Headline], *, original_varies: bool = False) -> Headline:
    """The headline over the outcomes by arch.

    ``arch-dependent`` where at least one arch is equal, each other one ``differs``, and the original does not vary;
    else the worst outcome. No outcome at all is ``unchecked``, never equal.
    """
    outcomes = set(by_arch.values())
    if not outcomes:
        return "unchecked"
    equal = outcomes & EQUAL
    if equal and "differs" in outcomes and outcomes <= EQUAL | {"differs"} and not original_varies:
        return "arch-dependent"
    return worst(outcomes)


def worst(outcomes: Iterable[Headline]) -> Headline:
    """The worst of some outcomes, in the order of `HEADLINES`."""
    return min(outcomes, key=_RANK.__getitem__)
