"""Can this be merged? One answer for the page and the comment, with the reasons it rests on, the gravest first."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from musify_ai.records import Finding, Run, Verdict
from musify_ai.report.build_files import build_files
from musify_ai.report.counts import counts, nothing_found

Level = Literal["no", "not-yet", "with-care", "yes"]

_ORDER: tuple[Level, ...] = ("no", "not-yet", "with-care", "yes")

CAVEAT = "No Moore Threads GPU has run any of this: equal means equal on the CPU emulator."


class Reason(NamedTuple):
    """One thing that speaks against merging (or for care): how grave it is, what, and the part of the page that tells
    more."""

    level: Level
    text: str
    part: str


class Answer(NamedTuple):
    """What to do, in a sentence, and why."""

    level: Level
    sentence: str
    reasons: tuple[Reason, ...]


def answer(run: Run) -> Answer:
    """The answer for a run: the worst of its reasons, and *yes* only where there is none."""
    reasons = sorted(
        [*_kernels(run), *_programs(run), *_findings(run), *_failed(run), *_edits(run)],
        key=lambda reason: _ORDER.index(reason.level),
    )
    level = reasons[0].level if reasons else "yes"
    told = [reason.text for reason in reasons if reason.level == level]
    sentence = _LEADS[level] + (f": {_listed(told[:3], len(told))}." if told else ".")
    if not reasons and not run.verdicts:
        found = nothing_found(run)
        sentence = "Nothing speaks against it, and nothing was run either"
        sentence += f": {found}." if found else "."
    return Answer(level, sentence, tuple(reasons))


_LEADS: dict[Level, str] = {
    "no": "No",
    "not-yet": "Not yet",
    "with-care": "Yes, with care",
    "yes": "Yes: every kernel is equal on the emulator, and nothing is left open",
}


def slower(run: Run) -> tuple[list[tuple[str, Finding]], list[tuple[str, Finding]]]:
    """Findings that speak of slower code, with their paths: where an edit made it so, and where the plain form that
    would settle a place is."""
    made: list[tuple[str, Finding]] = []
    open_: list[tuple[str, Finding]] = []
    for file in run.files:
        for finding in file.findings:
            if "slower" not in finding.message:
                continue
            if finding.severity == "note":
                made.append((file.path, finding))
            elif not finding.closed:
                open_.append((file.path, finding))
    return made, open_


def counted(number: int, what: str) -> str:
    """A number and its noun: ``1 kernel``, ``1,200 kernels``."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _failed(run: Run) -> Iterable[Reason]:
    unchecked = sum(failure.stage == "check" for failure in run.failed)
    conflicts = sum(failure.stage == "merge" for failure in run.failed)
    if conflicts:
        yield Reason("no", f"{counted(conflicts, 'file')} in conflict with what was edited by hand", "failed")
    if untreated := len(run.failed) - unchecked - conflicts:
        yield Reason("no", f"{counted(untreated, 'file')} could not be read, translated or written", "failed")
    if unchecked:
        yield Reason("not-yet", f"{counted(unchecked, 'file')} could not be built for checking", "failed")
    if residue := counts(run).residue:
        yield Reason(
            "no",
            f"{counted(residue, 'CUDA name')} {'stands' if residue == 1 else 'stand'} unexplained in the output",
            "residue",
        )


# What a headline means for a merge, and how its kernels are spoken of: one, several.
_HEADLINES: dict[str, tuple[Level, str, str]] = {
    "differs": ("no", "gives different results", "give different results"),
    "build-failed": ("no", "does not build", "do not build"),
    "not-checkable": ("not-yet", "could not be checked", "could not be checked"),
    "unchecked": ("not-yet", "was not run", "were not run"),
    "original-schedule-dependent": (
        "not-yet",
        "has an original without a fixed result",
        "have originals without a fixed result",
    ),
    "equal-weak": ("with-care", "is equal on weak evidence", "are equal on weak evidence"),
    "equal-assumed": ("with-care", "is equal under an assumption", "are equal under assumptions"),
}


def _kernels(run: Run) -> Iterable[Reason]:
    groups = counts(run).kernels
    for headline, (level, one, many) in _HEADLINES.items():
        if number := groups[headline]:
            yield Reason(level, f"{counted(number, 'kernel')} {one if number == 1 else many}", "kernels")
    split = [verdict for verdict in run.verdicts if verdict.headline == "arch-dependent"]
    if split:
        where = ", ".join(sorted({arch for v in split for arch, outcome in v.by_arch.items() if outcome == "differs"}))
        verb = "gives" if len(split) == 1 else "give"
        yield Reason("no", f"{counted(len(split), 'kernel')} {verb} different results on {where}", "kernels")
    if run.command == "migrate" and not run.verdicts and _changed(run):
        yield Reason("not-yet", "no kernel was run", "kernels")
    unproven = sum("name-unproven" in verdict.notes for verdict in run.verdicts if _is_equal(verdict))
    if unproven:
        verb = "uses" if unproven == 1 else "use"
        yield Reason(
            "with-care",
            f"{counted(unproven, 'equal kernel')} {verb} a MUSA name that no public MUSA source shows",
            "kernels",
        )


def _is_equal(verdict: Verdict) -> bool:
    return verdict.headline.startswith("equal-")


def _changed(run: Run) -> bool:
    return any(file.edits for file in run.files)


def _programs(run: Run) -> Iterable[Reason]:
    outcomes = Counter(row.outcome for program in run.programs for row in program.evidence)
    bad = outcomes["differs"] + outcomes["build-failed"]
    if bad:
        yield Reason("no", f"{counted(bad, 'run')} of whole programs differ or do not build", "programs")
    rest = sum(number for outcome, number in outcomes.items() if not outcome.startswith("equal-")) - bad
    if rest:
        yield Reason("not-yet", f"{counted(rest, 'run')} of whole programs told nothing", "programs")


def _findings(run: Run) -> Iterable[Reason]:
    found = counts(run)
    errors, warnings = found.findings["error"], found.findings["warning"]
    if errors:
        verb = "does not build or run" if errors == 1 else "do not build or run"
        yield Reason("no", f"{counted(errors, 'place')} {verb} on MUSA as written", "findings")
    if warnings:
        verb = "needs" if warnings == 1 else "need"
        yield Reason(
            "not-yet", f"{counted(warnings, 'more place' if errors else 'place')} {verb} a decision", "findings"
        )
    if found.closed:
        verb = "was" if found.closed == 1 else "were"
        yield Reason("with-care", f"{counted(found.closed, 'finding')} {verb} accepted or waived", "findings")


def _edits(run: Run) -> Iterable[Reason]:
    made = [edit for file in run.files for edit in file.edits if edit.applied]
    unsafe = sum(edit.safety == "unsafe" for edit in made)
    if unsafe:
        verb = "was" if unsafe == 1 else "were"
        yield Reason("with-care", f"{counted(unsafe, 'unsafe edit')} {verb} made", "meaning")
    model = sum(edit.evidence == "llm" for edit in made)
    if model:
        verb = "comes" if model == 1 else "come"
        yield Reason("with-care", f"{counted(model, 'edit')} {verb} from a model", "rewrites")
    table = len({edit.old for edit in made if edit.evidence == "table"})
    if table:
        verb = "is" if table == 1 else "are"
        yield Reason("with-care", f"{counted(table, 'new name')} {verb} known from a published table only", "renames")
    state = build_files(run)
    if state == "not migrated":
        yield Reason("not-yet", "build files are left as they were", "findings")
    elif state == "partly migrated":
        yield Reason("not-yet", "some places of the build files are left", "findings")


def _listed(parts: list[str], number: int) -> str:
    """Parts in a row; how many more there are."""
    if number > len(parts):
        return f"{', '.join(parts)} and {number - len(parts)} more"
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
