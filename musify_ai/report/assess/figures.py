"""The figures of an assessment: what maps and how surely, what work is open, which files are hard, in which order."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from musify_ai.records import Edit, FileResult, Finding, Run
from musify_ai.report.assess.hours import Hours, hours_of
from musify_ai.report.assess.ordering import levels, waiting
from musify_ai.report.counts import Counts, counts, open_findings

EFFORTS = ("minutes", "hours", "days")
UNREAD = -1
"""The step of the order of work for files of which nobody knows what is in them."""


class Library(NamedTuple):
    """The names of one library in use: how many, how often, and the uses by how sure a MUSA name is. ``seen``,
    ``table`` and ``derived`` are uses that get a MUSA name by that evidence; ``unproven`` stay as they are and may be
    missing; ``none`` have no counterpart or need another call."""

    name: str
    names: int
    uses: int
    seen: int
    table: int
    derived: int
    unproven: int
    none: int


class Construct(NamedTuple):
    """The places of one code: ``open`` ones that need a person, ``notes`` to be read, ``closed`` ones that persons have
    accepted or waived, edits made by the rule, edits that it offers unsafely; files, effort a place, hours."""

    code: str
    title: str
    open: int
    errors: int
    notes: int
    closed: int
    made: int
    offered: int
    files: int
    effort: str
    hours: Hours


class Work(NamedTuple):
    """A file with open places: hours, places by code, how many files include it, and the step of the order of work
    (0 for what no include leads to, as build files, and `UNREAD`)."""

    path: str
    hours: Hours
    errors: int
    warnings: int
    codes: tuple[tuple[str, int], ...]
    waiting: int
    step: int


class Assessment(NamedTuple):
    """Everything an assessment says. ``counts`` are the figures of the run, a `check`; ``touched`` is the number of
    files with an edit or a finding."""

    run: Run
    counts: Counts
    touched: int
    libraries: tuple[Library, ...]
    constructs: tuple[Construct, ...]
    work: tuple[Work, ...]
    hours: Hours
    efforts: tuple[tuple[str, int, Hours], ...]

    @property
    def uses(self) -> int:
        """How often names of CUDA and its libraries are used."""
        return sum(library.uses for library in self.libraries)

    @property
    def steps(self) -> tuple[tuple[int, tuple[Work, ...]], ...]:
        """The order of work: each step with its files, what most wait for first; what no include leads to is last. A
        file that could not be read or translated comes before all (step -1): nobody knows yet what is in it."""
        failed = {failure.path for failure in self.run.failed} - {each.path for each in self.work}
        found: dict[int, list[Work]] = {}
        if failed:
            found[UNREAD] = [Work(path, Hours(), 0, 0, (), 0, UNREAD) for path in failed]
        for each in self.work:
            found.setdefault(each.step, []).append(each)
        numbers = sorted(found, key=lambda step: (step == 0, step))
        return tuple(
            (number, tuple(sorted(found[number], key=lambda w: (-w.waiting, -w.hours.high, w.path))))
            for number in numbers
        )


def assessed(
    run: Run, *, includes: Mapping[str, Collection[str]], libraries: Mapping[str, str], titles: Mapping[str, str]
) -> Assessment:
    """The figures of a run of `check`. ``includes`` gives the files that each source file includes, ``libraries`` the
    library of each name that findings speak of, ``titles`` what codes are about."""
    known: set[tuple[str, str]] = set()
    waits = waiting(includes)
    open_files = [file for file in run.files if any(f.weighs for f in file.findings)]
    step = levels({file.path for file in open_files if file.path in includes}, includes)
    work = [_work(file, known, waits.get(file.path, 0), step.get(file.path, 0)) for file in open_files]
    found = counts(run)
    return Assessment(
        run,
        found,
        sum(bool(file.edits or file.findings) for file in run.files),
        tuple(_libraries(run.files, libraries)),
        tuple(_constructs(run.files, titles)),
        tuple(sorted(work, key=lambda each: (-each.hours.high, -each.waiting, each.path))),
        _sum(each.hours for each in work),
        tuple(_efforts(run.files)),
    )


def _sum(all_hours: Iterable[Hours]) -> Hours:
    total = Hours()
    for each in all_hours:
        total = total.plus(each)
    return total


def _work(file: FileResult, known: set[tuple[str, str]], waits: int, step: int) -> Work:
    codes = Counter(finding.code for finding in file.findings if finding.weighs)
    severities = Counter(finding.severity for finding in open_findings(file))
    return Work(
        file.path,
        hours_of(file.findings, known),
        severities["error"],
        severities["warning"],
        tuple(codes.most_common()),
        waits,
        step,
    )


def _efforts(files: Iterable[FileResult]) -> Iterable[tuple[str, int, Hours]]:
    for effort in EFFORTS:
        known: set[tuple[str, str]] = set()
        own = [[f for f in file.findings if f.weighs and f.effort == effort] for file in files]
        yield effort, sum(map(len, own)), _sum(hours_of(each, known) for each in own)


def _libraries(files: Iterable[FileResult], libraries: Mapping[str, str]) -> Iterable[Library]:
    uses: dict[str, Counter[str]] = {}
    names: dict[str, set[str]] = {}
    for file in files:
        renamed = [edit for edit in file.edits if edit.rule.startswith(("names.", "headers."))]
        for edit in renamed:
            library = edit.rule.partition(".")[2]
            uses.setdefault(library, Counter())[_column(edit)] += 1
            names.setdefault(library, set()).add(edit.old.decode("utf-8", "replace"))
        at = {edit.start for edit in renamed}
        for finding in file.findings:
            kind = _unmapped(finding)
            if kind and finding.start not in at and (own := libraries.get(finding.name)):
                uses.setdefault(own, Counter())[kind] += 1
                names.setdefault(own, set()).add(finding.name)
    for library, own_uses in sorted(uses.items(), key=lambda item: (-item[1].total(), item[0])):
        columns = (own_uses[each] for each in ("seen", "table", "derived", "unproven", "none"))
        yield Library(library, len(names[library]), own_uses.total(), *columns)


def _column(edit: Edit) -> str:
    return "derived" if edit.evidence == "prefix" or edit.safety != "safe" else edit.evidence


# Names that are left because no public MUSA source shows them.
_LEFT_UNPROVEN = "MUS110"


def _unmapped(finding: Finding) -> str:
    """How a finding counts among a library's uses: a name that MUSA lacks, one that may be missing, or not at all (a
    guard is no use of a library)."""
    if finding.code == _LEFT_UNPROVEN:
        return "unproven"
    return "none" if not finding.settled and finding.name and not finding.code.startswith("MUS2") else ""


def _constructs(files: Iterable[FileResult], titles: Mapping[str, str]) -> Iterable[Construct]:
    findings: dict[str, list[Finding]] = {}
    hours: dict[str, Hours] = {}
    known: set[tuple[str, str]] = set()
    places: dict[str, set[str]] = {}
    made: Counter[str] = Counter()
    offered: Counter[str] = Counter()
    for file in files:
        for finding in file.findings:
            findings.setdefault(finding.code, []).append(finding)
            places.setdefault(finding.code, set()).add(file.path)
        for code in {finding.code for finding in file.findings}:
            here = hours_of([finding for finding in file.findings if finding.code == code], known)
            hours[code] = hours.get(code, Hours()).plus(here)
        for edit in file.edits:
            if edit.rule.startswith("MUS"):
                (made if edit.safety == "safe" else offered)[edit.rule] += 1
                places.setdefault(edit.rule, set()).add(file.path)
    rows = []
    for code, paths in places.items():
        own = findings.get(code, [])
        efforts = {finding.effort for finding in own if finding.weighs}
        rows.append(
            Construct(
                code,
                titles.get(code, ""),
                sum(finding.weighs for finding in own),
                sum(finding.severity == "error" and not finding.closed for finding in own),
                sum(finding.severity == "note" and not finding.closed for finding in own),
                sum(finding.closed for finding in own),
                made[code],
                offered[code],
                len(paths),
                " or ".join(each for each in EFFORTS if each in efforts),
                hours.get(code, Hours()),
            )
        )
    return sorted(rows, key=lambda row: (-row.hours.high, -row.open, row.code))
