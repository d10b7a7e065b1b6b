"""How much work a migration leaves, run by run: places that nobody has worked on or decided about.

A finding is open as long as its line in the new tree is as it was written: where a person has edited the line, or has
accepted or waived the finding, it is not. A conflict is open until its marks are gone, a file that failed until it does
not. What is left is counted at the end of each run and kept in the tree's ledger.
"""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from musify_ai.project.destination import digest_at
from musify_ai.project.ledger import FOLDER, Ledger, Written, is_there
from musify_ai.project.marks import marks
from musify_ai.project.refusals import Refused
from musify_ai.records import FileResult, Finding, Run
from musify_ai.source import Lines, OffsetMap
from musify_ai.source.patterns import late_pattern

_CODE = late_pattern(r"\bMUS\d{3}\b")
_EFFORT, _KERNELS, _BLOCKED = "effort ", "kernels ", "blocked by "
_CONFLICTS, _FAILED = "conflicts", "failed"


class Day(NamedTuple):
    """What a run left: the day, open places by code and by effort, kernels by headline, and kernels that were not run
    by the code that stands in the way. ``conflicts`` are the places at which a merge with what was edited by hand waits
    for a person, and files whose edits could not be merged; ``failed`` are files that could not be read, translated or
    written, so that nobody knows what work is in them."""

    day: str
    codes: Mapping[str, int]
    efforts: Mapping[str, int]
    kernels: Mapping[str, int]
    blocked: Mapping[str, int]
    conflicts: int = 0
    failed: int = 0

    @property
    def open(self) -> int:
        """How many places are open: findings, conflicts that nobody has resolved, files that could not be treated."""
        return sum(self.codes.values()) + self.conflicts + self.failed


def tally_of(run: Run, source: Path, root: Path, ledger: Ledger) -> tuple[str, dict[str, int]]:
    """The day, and what a run leaves in the tree at ``root``, as the ledger keeps it."""
    from musify_ai.project.triage import decided, find_triage, read_triage

    file = find_triage(source)
    told = run if file is None else decided(run, read_triage(file, source))
    count: Counter[str] = Counter()
    outputs = ledger.outputs()
    for each in told.files:
        for finding in _open(each, root, ledger, outputs):
            count[finding.code] += 1
            count[_EFFORT + finding.effort] += 1
    count.update(_unsettled(run, root))
    for verdict in run.verdicts:
        count[_KERNELS + verdict.headline] += 1
        if verdict.headline in ("unchecked", "not-checkable", "build-failed"):
            count.update(_BLOCKED + code for code in set(_CODE.findall(verdict.reason or "")))
    return date.today().isoformat(), dict(count)


def settled_by_hand(run: Run, root: Path, ledger: Ledger) -> frozenset[tuple[str, str, int, int]]:
    """The findings that ask for work and whose lines a person has edited in the tree at ``root``, each as the
    original's path, the code, start and end."""
    outputs = ledger.outputs()
    return frozenset(
        (file.path, finding.code, finding.start, finding.end)
        for file in run.files
        for finding in {f for f in file.findings if f.weighs}.difference(_open(file, root, ledger, outputs))
    )


def _unsettled(run: Run, root: Path) -> dict[str, int]:
    """Conflicts by place and files that failed, where there are any. What could not be checked shows as a kernel."""
    conflicts = {failure.path for failure in run.failed if failure.stage == "merge"}
    failed = {failure.path for failure in run.failed if failure.stage in ("read", "translate", "write")} - conflicts
    places = sum(max(1, len(_marks_at(root / path))) for path in conflicts)
    return {name: number for name, number in ((_CONFLICTS, places), (_FAILED, len(failed))) if number}


def _marks_at(place: Path) -> Sequence[int]:
    try:
        return () if place.is_symlink() else marks(place.read_bytes())
    except OSError:
        return ()


def burned(out: Path) -> list[Day]:
    """What each run into a tree left, the first first; runs that left the same as the one before are not told.

    `Refused` where the tree has no ledger.
    """
    if not is_there(out / FOLDER):
        raise Refused(f"{out} has no ledger: migrate into it first")
    with Ledger(out.resolve() / FOLDER) as ledger:
        return [_day(day, tally) for day, tally in ledger.tallies()]


def _day(day: str, tally: Mapping[str, int]) -> Day:
    def part(begin: str) -> dict[str, int]:
        return {name[len(begin) :]: count for name, count in tally.items() if name.startswith(begin)}

    codes = {name: count for name, count in tally.items() if _CODE.fullmatch(name)}
    told = (part(_EFFORT), part(_KERNELS), part(_BLOCKED))
    return Day(day, codes, *told, tally.get(_CONFLICTS, 0), tally.get(_FAILED, 0))


def _open(file: FileResult, root: Path, ledger: Ledger, outputs: Mapping[str, Written]) -> Iterator[Finding]:
    """The findings of a file that ask for work and whose lines nobody has edited in the new tree."""
    asking = [finding for finding in file.findings if finding.weighs]
    if not asking or file.output is None:
        yield from asking
        return
    written = outputs.get(file.output)
    if written is None or digest_at(f"{root}/{file.output}") == written.digest:
        yield from asking
        return
    base = ledger.body(written.digest)
    if base is None:
        yield from asking
        return
    try:
        edited = (root / file.output).read_bytes()
    except OSError:  # deleted by hand
        return
    touched = _touched(base, edited)
    offsets, lines = OffsetMap([edit for edit in file.edits if edit.applied]), Lines(base)
    for finding in asking:
        first = lines.at(min(offsets.to_output(finding.start), len(base)))[0]
        last = lines.at(min(offsets.to_output(finding.end), len(base)))[0]
        if touched.isdisjoint(range(first, max(first, last) + 1)):
            yield finding


def _touched(base: bytes, edited: bytes) -> set[int]:
    """The lines (from 1) of what was written that a person has changed or taken away."""
    before: Sequence[bytes] = base.splitlines()
    matcher = difflib.SequenceMatcher(None, before, edited.splitlines())
    found: set[int] = set()
    for tag, first, end, _, _ in matcher.get_opcodes():
        if tag != "equal":
            found.update(range(first + 1, end + 1))
    return found
