"""What differs between two runs over the same sources: what a new version of the rules would change.

Both are JSON reports. A file whose input differs is named and left out: its differences would not be the rules'.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.report.merging import counted

Json = Mapping[str, Any]
_VERSION = 1


class Change(NamedTuple):
    """One difference at a place: ``kind`` is ``edit`` or ``finding``, ``before`` and ``after`` what each run has there,
    empty for nothing."""

    path: str
    line: int
    kind: str
    before: str
    after: str


class Comparison(NamedTuple):
    """The rules of both runs, the changes in order of place, the files that only one has, those with other input."""

    rules: tuple[str, str]
    changes: tuple[Change, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    other_input: tuple[str, ...]


class NoReport(Exception):
    """A file that is no JSON report of this version."""


def read_report(path: Path) -> Json:
    """A report as ``--format json`` or ``--report`` writes it. Raises `NoReport`."""
    try:
        report: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise NoReport(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise NoReport(f"{path}: {problem}") from None
    keys = {"version", "tool", "files", "edits", "findings"}
    if not isinstance(report, dict) or not keys <= report.keys() or report["version"] != _VERSION:
        raise NoReport(f"{path}: no report of version {_VERSION}; make one with --format json")
    for group in ("files", "edits", "findings"):
        for item in report[group]:
            # A path that is no text is an object in the report.
            item["path"] = item["path"] if isinstance(item["path"], str) else json.dumps(item["path"])
    return report


def compare(before: Json, after: Json) -> Comparison:
    """What the second run does or says otherwise than the first."""
    inputs = [{file["path"]: file["sha256"]["before"] for file in report["files"]} for report in (before, after)]
    shared = inputs[0].keys() & inputs[1].keys()
    same = {path for path in shared if inputs[0][path] == inputs[1][path]}
    changes = [*_edits(before["edits"], after["edits"], same), *_findings(before["findings"], after["findings"], same)]
    return Comparison(
        (before["tool"]["rules"], after["tool"]["rules"]),
        tuple(sorted(changes)),
        tuple(sorted(inputs[0].keys() - shared)),
        tuple(sorted(inputs[1].keys() - shared)),
        tuple(sorted(shared - same)),
    )


def render(found: Comparison) -> str:
    """A line a change, then how many there are of each kind."""
    lines = [f"rules {found.rules[0]} -> {found.rules[1]}"]
    lines += [f"{path}: in the first run only" for path in found.only_before]
    lines += [f"{path}: in the second run only" for path in found.only_after]
    lines += [f"{path}: other input, not compared" for path in found.other_input]
    for change in found.changes:
        said = f"{change.before or 'nothing'} -> {change.after or 'nothing'}"
        lines.append(f"{change.path}:{change.line}: {change.kind}: {said}")
    counts = Counter(change.kind for change in found.changes)
    files = len({change.path for change in found.changes})
    edits, findings = counted(counts["edit"], "edit"), counted(counts["finding"], "finding")
    lines.append(f"{edits} and {findings} differ in {counted(files, 'file')}")
    return "\n".join(lines) + "\n"


def _edits(before: Iterable[Json], after: Iterable[Json], same: set[str]) -> Iterable[Change]:
    first, second = (_by_place(edits, same) for edits in (before, after))
    for place in sorted(first.keys() | second.keys()):
        old, new = first.get(place), second.get(place)
        was, becomes = _said(old), _said(new)
        if was != becomes:
            yield Change(place[0], (new or old or {"line": 0})["line"], "edit", was, becomes)


def _said(edit: Json | None) -> str:
    return f"{edit['old']} to {edit['new']} ({edit['evidence']}, {edit['safety']})" if edit else ""


def _by_place(edits: Iterable[Json], same: set[str]) -> dict[tuple[str, int, int], Json]:
    return {(e["path"], e["start"], e["end"]): e for e in edits if e["path"] in same}


def _findings(before: Iterable[Json], after: Iterable[Json], same: set[str]) -> Iterable[Change]:
    first, second = (_counted(findings, same) for findings in (before, after))
    for key, count in (first - second).items():
        yield from [Change(key[0], key[1], "finding", key[2], "")] * count
    for key, count in (second - first).items():
        yield from [Change(key[0], key[1], "finding", "", key[2])] * count


def _counted(findings: Iterable[Json], same: set[str]) -> Counter[tuple[str, int, str]]:
    return Counter(
        (f["path"], f["line"], f"{f['code']} {f['severity']}: {f['message']}") for f in findings if f["path"] in same
    )
