"""From the runs of both sides to one outcome. Pure: no file, no process, no clock.

The order of the questions matters. What did not run, or could not have come out different, is never equal; a case or
a buffer that is missing is a failure with its name; and only what the original does by itself excuses a difference.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from musify_ai.emulator.assumptions import OF_THE_ORIGINAL
from musify_ai.records import Headline
from musify_ai.verify.results import OK, Buffered, Case, CaseRun, Place, SideRuns

ORDER_DEPENDENT = "order-dependent"
ONLY_TRANSLATION = "only the translation: "
"""How a note begins on what the device found fault with in the translation and not in the original."""

# How the device names the end of a launch, in words for people.
_STATES = {
    "trap": "a trap",
    "assert": "a failed assert",
    "fault": "a memory or arithmetic fault",
    "deadlock": "a deadlock",
    "config": "a refused launch configuration",
    "shared-limit": "more shared memory than there is",
    "time-limit": "a timeout",
    "died": "the end of the process",
}


class Judgement(NamedTuple):
    """An outcome on one arch. ``detail`` says why, in a phrase; ``where`` is the first case and place that differ."""

    outcome: Headline
    detail: str = ""
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    original_varies: bool = False
    where: tuple[Case, int] | None = None
    written: tuple[bool, ...] = ()
    varies: tuple[bool, ...] = ()


def judge(planned: Sequence[Case], places: Sequence[Place], original: SideRuns, translated: SideRuns) -> Judgement:
    """The outcome of comparing every planned case of both sides."""
    if not planned:
        return Judgement("not-checkable", "inputs: no case was planned")
    if not places:
        return Judgement("not-checkable", "inputs: the kernel has no buffer that could be compared")
    bad = _original_ended_badly(planned, places, original)
    if bad is not None:
        return bad
    varies = schedule_varies(planned, original)
    bad = _translation_ended_badly(planned, places, translated)
    if bad is not None:
        return bad._replace(original_varies=varies)
    notes = [*one_sided(planned, original, translated)]
    where = _first_difference(planned, places, original, translated)
    if where is not None:
        # A difference that the original's own variation cannot explain comes before one that it may.
        firm = _first_difference(planned, places, original, translated, excused=_excuse(planned, places, original))
        return _differs(firm or where, places, original, translated, firm is None, varies, tuple(notes))
    return _equal(planned, places, original, translated, varies, notes)


def weakened(judgement: Judgement, reasons: Sequence[str]) -> Judgement:
    """An equal outcome that says less, for reasons that no run could judge."""
    if not reasons or not judgement.outcome.startswith("equal"):
        return judgement
    detail = "; ".join([*reasons, *([judgement.detail] if judgement.detail else [])])
    return judgement._replace(outcome="equal-weak", detail=detail)


def schedule_varies(planned: Sequence[Case], runs: SideRuns) -> bool:
    """Whether some buffer comes out different under another schedule, all else the same."""
    return _varies_over(planned, runs, _but_schedule, _hashes)


def poison_varies(planned: Sequence[Case], runs: SideRuns) -> bool:
    """Whether some buffer depends on what fresh memory was filled with."""
    return _varies_over(planned, runs, lambda case: (case.shape, case.seed, case.schedule), _hashes)


def _but_schedule(case: Case) -> tuple[int, int, int]:
    return case.shape, case.seed, case.poison


def _hash_at(index: int, buffers: Sequence[Buffered]) -> str:
    return buffers[index].hash


def _bag_at(index: int, buffers: Sequence[Buffered]) -> str:
    return buffers[index].bag


def _hashes(buffers: Sequence[Buffered]) -> tuple[str, ...]:
    return tuple(buffer.hash for buffer in buffers)


def _varies_over(
    planned: Sequence[Case], runs: SideRuns, key: Callable[[Case], object],
    value: Callable[[Sequence[Buffered]], object],
) -> bool:  # fmt: skip
    """Whether cases with the same key came out with different values."""
    seen: dict[object, object] = {}
    for case in planned:
        run = runs.cases.get(case)
        if run is None or run.state != OK:
            continue
        got = value(run.buffers)
        if seen.setdefault(key(case), got) != got:
            return True
    return False


def _original_ended_badly(planned: Sequence[Case], places: Sequence[Place], original: SideRuns) -> Judgement | None:
    for case in planned:
        run = original.cases.get(case)
        if run is None:
            return Judgement("not-checkable", f"missing result: the original reported nothing for {case.describe()}")
        if run.state == "unsupported":
            return Judgement("not-checkable", f"{run.message or 'an instruction'}: not emulated")
        if run.state == "stub":
            return Judgement("not-checkable", f"original does not build here: {run.message}")
        if run.state == "time-limit":
            return Judgement("not-checkable", f"timeout: the original did not end in time ({case.describe()})")
        if run.state != OK:
            return Judgement("not-checkable", f"inputs: the original ends with {_ended(run)} ({case.describe()})")
        missing = _missing_buffers(run, places)
        if missing:
            return Judgement("not-checkable", f"missing buffer: the original did not report {missing}")
    return None


def _translation_ended_badly(planned: Sequence[Case], places: Sequence[Place], runs: SideRuns) -> Judgement | None:
    # A stub or a trap is looked for in every case first: a run that stopped early leaves later cases without result.
    for case in planned:
        run = runs.cases.get(case)
        if run is None or run.state == OK:
            continue
        if run.state == "stub":
            return Judgement("unchecked", run.message)
        if run.state == "unsupported":
            return Judgement("build-failed", f"translation: {run.message or 'asm'} left in, which MUSA does not take")
        what = "timeout: the translation did not end in time" if run.state == "time-limit" else ""
        return Judgement(
            "differs",
            f"{what or f'the translation ends with {_ended(run)}'}; the original ends well ({case.describe()})",
            where=(case, -1),
        )
    for case in planned:
        run = runs.cases.get(case)
        if run is None:
            return Judgement("differs", f"missing result: the translation reported nothing for {case.describe()}")
        missing = _missing_buffers(run, places)
        if missing:
            return Judgement("differs", f"missing buffer: the translation did not report {missing}")
    return None


def _missing_buffers(run: CaseRun, places: Sequence[Place]) -> str:
    return ", ".join(place.name for place in places[len(run.buffers) :])


def _ended(run: CaseRun) -> str:
    text = _STATES.get(run.state, run.state)
    return f"{text} ({run.message})" if run.message else text


def _first_difference(
    planned: Sequence[Case], places: Sequence[Place], original: SideRuns, translated: SideRuns,
    excused: Callable[[Buffered, Buffered, int], bool] = lambda left, right, index: False,
) -> tuple[Case, int] | None:  # fmt: skip
    for case in planned:
        left, right = original.cases[case], translated.cases[case]
        for index in range(len(places)):
            mine, other = left.buffers[index], right.buffers[index]
            if mine.hash != other.hash and not excused(mine, other, index):
                return case, index
    return None


def _excuse(
    planned: Sequence[Case], places: Sequence[Place], original: SideRuns
) -> Callable[[Buffered, Buffered, int], bool]:
    """Whether a difference in a place may come of the original's dependence on the schedule: the place must vary in
    the original; and where there only the order of the elements varies, the translation must have the same elements."""
    moving, reordered = set(), set()
    for index in range(len(places)):
        if _varies_over(planned, original, _but_schedule, partial(_hash_at, index)):
            moving.add(index)
            if not _varies_over(planned, original, _but_schedule, partial(_bag_at, index)):
                reordered.add(index)

    def excused(mine: Buffered, other: Buffered, index: int) -> bool:
        return index in moving and (index not in reordered or mine.bag == other.bag)

    return excused


def _differs(
    where: tuple[Case, int], places: Sequence[Place], original: SideRuns, translated: SideRuns, excused: bool,
    varies: bool, notes: tuple[str, ...],
) -> Judgement:  # fmt: skip
    case, index = where
    place = places[index]
    left, right = original.cases[case].buffers[index], translated.cases[case].buffers[index]
    if excused:
        return Judgement(
            "original-schedule-dependent",
            f"the sides differ in {place.name}, and the original itself depends on the schedule ({case.describe()})",
            notes, original_varies=True, where=where,
        )  # fmt: skip
    if place.const and right.written and not left.written:
        detail = f"const input modified: {place.name} ({case.describe()})"
    elif right.nan > left.nan:
        detail = f"NaN in {place.name} where the original has none ({case.describe()})"
    else:
        detail = f"{place.name} differs ({case.describe()})"
    return Judgement("differs", detail, notes, original_varies=varies, where=where)


def _equal(
    planned: Sequence[Case], places: Sequence[Place], original: SideRuns, translated: SideRuns, varies: bool,
    notes: list[str],
) -> Judgement:  # fmt: skip
    runs = [*(original.cases[case] for case in planned), *(translated.cases[case] for case in planned)]
    if any(run.threads <= 0 for run in runs):
        return Judgement("not-checkable", "inputs: no thread ran")
    written = tuple(any(original.cases[case].buffers[i].written for case in planned) for i in range(len(places)))
    depends = tuple(i < len(original.varies) and original.varies[i] for i in range(len(places)))
    counted = tuple(a and b for a, b in zip(written, depends, strict=True))
    if not any(written):
        return Judgement("not-checkable", "inputs: the kernel wrote nothing with these inputs", written=written)
    if len(original.varies) < len(places):
        return Judgement("not-checkable", "missing result: the original did not say what depends on its inputs")
    if poison_varies(planned, original):
        return Judgement("not-checkable", "inputs: poison in an output (it depends on memory that nothing wrote)")
    if varies:
        notes.append(ORDER_DEPENDENT)
    mine, theirs = (
        {n.assumption for case in planned for n in runs.cases[case].noticed if n.assumption}
        for runs in (original, translated)
    )
    ids = sorted(theirs | (mine & OF_THE_ORIGINAL))
    outcome: Headline = "equal-assumed" if ids else "equal-emulated"
    detail = f"rests on {', '.join(ids)}" if ids else ""
    equal = Judgement(outcome, detail, tuple(notes), tuple(ids), varies, None, written, counted)
    weak = [note for note in notes if note.startswith(ONLY_TRANSLATION)]
    if not any(counted):
        weak.append("nothing that the kernel writes depends on the contents of its inputs")
    for case in planned:
        if original.cases[case].printed != translated.cases[case].printed:
            weak.append(f"prints-differ: what the kernel prints ({case.describe()})")
            break
    return weakened(equal, weak)


def one_sided(planned: Iterable[Case], original: SideRuns, translated: SideRuns) -> Iterable[str]:
    """Notes on kinds of things noticed that only one side has (assumptions apart: they have a row of their own)."""
    cases = list(planned)

    def kinds(runs: SideRuns) -> dict[str, str]:
        found: dict[str, str] = {}
        for case in cases:
            run = runs.cases.get(case)
            for noticed in run.noticed if run else ():
                if not noticed.assumption:
                    found.setdefault(noticed.kind, noticed.message)
        return found

    left, right = kinds(original), kinds(translated)
    for kind in sorted(right.keys() - left.keys()):
        yield f"{ONLY_TRANSLATION}{kind}: {right[kind]}"
    for kind in sorted(left.keys() - right.keys()):
        yield f"only the original: {kind}: {left[kind]}"
