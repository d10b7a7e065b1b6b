"""How many of everything a run has: the one place where it is counted, for every format to say the same."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, get_args

from musify_ai.records import Edit, FileResult, Finding, Run
from musify_ai.records.changes import DecidedState
from musify_ai.report.meaning import is_plain_name

STATES: tuple[DecidedState, ...] = get_args(DecidedState)


class Mutations(NamedTuple):
    """Wrong versions of kernels over a whole run: made, rejected by a run or by their text, the same code or excused,
    and those that nobody noticed or no run reached."""

    made: int
    rejected: int
    same: int
    left: int


class Counts(NamedTuple):
    """The figures of a run.

    ``edits`` are those made, or with ``check``, which makes none, those that ``fix`` would make; ``evidence`` and
    ``meaning`` (those that do more than rename, in ``meaning_files`` files) are of these. ``made`` and ``pending`` are
    the two apart, ``offered`` the unsafe ones that were not made, ``shown`` those that nobody is to make.

    ``findings`` counts by severity, ``codes`` by code and ``efforts`` by effort and severity what no person has closed;
    ``decided`` counts by state what was decided. Those accepted or waived are in it alone, the others in both.
    """

    files: int
    statuses: Counter[str]
    edits: int
    made: int
    pending: int
    offered: int
    shown: int
    evidence: Counter[str]
    meaning: int
    meaning_files: int
    findings: Counter[str]
    codes: Counter[str]
    efforts: Counter[tuple[str, str]]
    decided: Mapping[str, int]
    kernels: Counter[str]
    residue: int
    residue_pattern: int
    failed: int
    mutants: "Mutations | None"

    @property
    def closed(self) -> int:
        """Findings that a person has accepted or waived."""
        return self.decided["accepted"] + self.decided["waived"]


def counts(run: Run) -> Counts:
    """The figures of a run."""
    every = [edit for file in run.files for edit in file.edits]
    own = [edits_of(run, file) for file in run.files]
    meant = [sum(not is_plain_name(edit) for edit in edits) for edits in own]
    found = [finding for file in run.files for finding in file.findings]
    open_ = [finding for finding in found if not finding.closed]
    decided = Counter(finding.decided.state for finding in found if finding.decided is not None)
    return Counts(
        files=len(run.files),
        statuses=Counter(file.status for file in run.files),
        edits=sum(map(len, own)),
        made=sum(edit.applied for edit in every),
        pending=sum(edit.safety == "safe" and not edit.applied for edit in every),
        offered=sum(edit.safety == "unsafe" and not edit.applied for edit in every),
        shown=sum(edit.safety == "display" and not edit.applied for edit in every),
        evidence=Counter(edit.evidence for edits in own for edit in edits),
        meaning=sum(meant),
        meaning_files=sum(number > 0 for number in meant),
        findings=Counter(finding.severity for finding in open_),
        codes=Counter(finding.code for finding in open_),
        efforts=Counter((finding.effort, finding.severity) for finding in open_),
        decided={state: decided[state] for state in STATES},
        kernels=Counter(verdict.headline for verdict in run.verdicts),
        residue=sum(len(file.residue) for file in run.files),
        residue_pattern=sum(len(file.residue_pattern) for file in run.files),
        failed=len(run.failed),
        mutants=_mutations(run),
    )


def _mutations(run: Run) -> Mutations | None:
    rows = [row.mutants for verdict in run.verdicts for row in verdict.evidence if row.mutants is not None]
    if not rows:
        return None
    return Mutations(
        sum(row.made for row in rows),
        sum(row.killed + row.by_text for row in rows),
        sum(row.equivalent + len(row.excused) for row in rows),
        sum(len(row.survivors) + len(row.unreached) for row in rows),
    )


def nothing_found(run: Run) -> str:
    """A sentence for a run over files none of which asks for anything; empty for any other. Whoever gave the wrong
    folder is not to take it for success."""
    if run.command == "verify" or run.failed or run.verdicts:
        return ""
    if not run.files:
        return "there is no file here"
    if any(file.edits or file.findings or file.residue or file.residue_pattern for file in run.files):
        return ""
    return "nothing of CUDA was found here"


def edits_of(run: Run, file: FileResult) -> tuple[Edit, ...]:
    """A file's edits as a run speaks of them: those made, or with ``check`` those that ``fix`` would make."""
    if run.command == "check":
        return tuple(edit for edit in file.edits if edit.safety == "safe")
    return tuple(edit for edit in file.edits if edit.applied)


def open_findings(file: FileResult) -> tuple[Finding, ...]:
    """A file's findings without those that a person has closed."""
    return tuple(finding for finding in file.findings if not finding.closed)


def told(finding: Finding) -> str:
    """What was decided of a finding, in a phrase; empty where nothing was."""
    if finding.decided is None:
        return ""
    state, name, on, reason, by = finding.decided
    if state == "baseline":
        return "in the baseline"
    who = f" {'to' if state == 'assigned' else 'by'} {name}" if name else ""
    who += f" by {by}" if by else ""
    return f"{state}{who}{f', {on}' if on else ''}{f': {reason}' if reason else ''}"


def with_decision(finding: Finding) -> str:
    """A finding's message, and behind it what was decided."""
    return finding.message if finding.decided is None else f"{finding.message} [{told(finding)}]"


def decisions(found: Counts) -> str:
    """What persons have decided, counted by state: ``2 accepted, 1 assigned``; empty where nothing was."""
    return ", ".join(f"{number:,} {_SAID.get(state, state)}" for state, number in found.decided.items() if number)


_SAID = {"baseline": "in the baseline"}
