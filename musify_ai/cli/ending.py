"""Exit statuses: what a finished run says to the shell."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from musify_ai.records import FileResult, Run

if TYPE_CHECKING:
    from musify_ai.records import Headline

DONE = 0
FOUND = 1
FAILED = 2
INTERRUPTED = 130

FAIL_ON = ("findings", "new", "pending", "unsafe", "unchecked", "differs")
"""What ``--fail-on`` takes."""


def status_of(run: Run, fail_on: Collection[str], new: Run | None = None) -> int:
    """The exit status of a finished run. A failed file is 1 in every command. ``new`` is the run without the findings
    of its baseline, which is what ``check`` is about where there is one."""
    if run.failed:
        return FOUND
    new = run if new is None else new
    if run.command == "check" and has_findings(new):
        return FOUND
    if run.command == "fix" and any(f.status == "changed" for f in run.files):
        return FOUND
    if run.command == "verify" and (_differs(run) or not any(map(_ran, _headlines(run)))):
        return FOUND
    if run.programs and not any(_ran(row.outcome) for program in run.programs for row in program.evidence):
        return FOUND
    return FOUND if any(_TESTS[name](new if name == "new" else run) for name in fail_on) else DONE


def has_findings(run: Run) -> bool:
    """Whether a finding of severity error or warning remains that nobody has closed; a note never counts."""
    return any(finding.weighs for file in run.files for finding in file.findings)


def _pending(run: Run) -> bool:
    return any(e.safety == "safe" and not e.applied for f in run.files for e in f.edits)


def _unsafe(run: Run) -> bool:
    """An unsafe edit, made or not."""

    def proposed(file: FileResult) -> bool:
        return any(e.safety == "unsafe" for e in file.edits) or any(
            f.edit is not None and f.edit.safety == "unsafe" and not f.closed for f in file.findings
        )

    return any(proposed(file) for file in run.files)


def _unchecked(run: Run) -> bool:
    return not all(map(_tells, _headlines(run)))


def _differs(run: Run) -> bool:
    """A kernel or program that does something else, or whose translation does not build."""
    return any(headline in ("differs", "build-failed") for headline in _headlines(run))


def _headlines(run: Run) -> list[Headline]:
    """What came of each kernel, and of each whole program on each arch."""
    return [v.headline for v in run.verdicts] + [row.outcome for p in run.programs for row in p.evidence]


def _tells(headline: str) -> bool:
    return headline not in ("unchecked", "not-checkable")


def _ran(headline: str) -> bool:
    return _tells(headline) and headline != "build-failed"


_TESTS: dict[str, Callable[[Run], bool]] = {
    "findings": has_findings,
    "new": has_findings,
    "pending": _pending,
    "unsafe": _unsafe,
    "unchecked": _unchecked,
    "differs": _differs,
}
