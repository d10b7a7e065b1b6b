"""What persons have decided of findings: kept in a file of the project, by fingerprint, and found again in each run.

A decision is bound to a finding's code and the text of its line, as a baseline is, and says who made it and why. What
is accepted (it is right as it stands) or waived (it will not be done) no longer counts; what is assigned still does.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from musify_ai.project.refusals import Refused
from musify_ai.records import Decided, Finding, Run

FILE = "musify-triage.toml"
State = Literal["accepted", "waived", "assigned"]
STATES: tuple[State, ...] = get_args(State)
_HEAD = (
    "# What was decided of findings, one block each, bound to the text of its line. Written by `musify-ai triage`.\n"
)


class Decision(NamedTuple):
    """What was decided of one finding. ``path`` is relative to the file's folder, with ``/``; ``line`` is where the
    finding stood then, for readers; ``name`` is who decided, or who is to do what was assigned, and ``by`` is
    then who assigned it; ``on`` is the day, as ``2026-11-30``."""

    state: State
    code: str
    path: str
    line: int
    fingerprint: str
    name: str
    on: str
    reason: str
    by: str = ""


Key = tuple[str, str, str]
"""Path, code and fingerprint."""


class Triage(NamedTuple):
    """The decisions of a project, and the folder that their paths are relative to. ``base`` is what a run's paths are
    relative to, where that is not the folder we stand in."""

    folder: Path
    decisions: Mapping[Key, Decision]
    base: Path = Path()

    def of(self, path: str, finding: Finding) -> Decision | None:
        """What was decided of a finding in a file, whose path is as the run gives it."""
        return self.decisions.get((self.inside(path), finding.code, finding.fingerprint))

    def inside(self, path: str) -> str:
        """A run's path, relative to the folder of the decisions."""
        place = Path(os.path.normpath((self.base / path).absolute()))
        try:
            return place.relative_to(self.folder.absolute()).as_posix()
        except ValueError:
            return place.as_posix()


def find_triage(place: Path) -> Path | None:
    """The file of decisions that holds for a place: the nearest above it, up to the root of a git repository."""
    folder = place.absolute()
    for parent in (folder, *folder.parents):
        if (parent / FILE).is_file():
            return parent / FILE
        if (parent / ".git").exists():
            break
    return None


def read_triage(file: Path, base: Path | None = None) -> Triage:
    """The decisions in a file. `Refused` for one that is none, with the place in it."""
    import tomllib

    try:
        table: Any = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise Refused(f"cannot read {file}: {problem.strerror}") from None
    except ValueError as problem:
        raise Refused(f"{file}: not valid TOML: {problem}") from None
    rows = table.get("decision", [])
    if not isinstance(rows, list) or set(table) - {"decision"}:
        raise Refused(f"{file}: it holds [[decision]] blocks and nothing else")
    decisions: dict[Key, Decision] = {}
    for number, row in enumerate(rows, 1):
        decision = _decision(row, f"{file}: decision {number}")
        decisions[decision.path, decision.code, decision.fingerprint] = decision
    return Triage(file.parent, decisions, base or Path())


def _decision(row: Any, where: str) -> Decision:
    if not isinstance(row, dict) or not set(_WANTED) <= set(row) <= set(Decision._fields):
        raise Refused(f"{where} wants {', '.join(_WANTED)}, and by where something is assigned; no more")
    values = [row.get(name, "") for name in Decision._fields]
    for name, value in zip(Decision._fields, values, strict=True):
        wanted = int if name == "line" else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise Refused(f"{where}: {name} must be {'a whole number' if wanted is int else 'a string'}")
    if row["state"] not in STATES:
        raise Refused(f"{where}: state is one of {', '.join(STATES)}")
    if not row["reason"].strip():
        raise Refused(f"{where}: a decision wants a reason")
    return Decision(*values)


_WANTED = tuple(name for name in Decision._fields if name not in Decision._field_defaults)


def written(decisions: Iterable[Decision]) -> str:
    """The file's text: sorted by path and line, so that two persons' decisions merge."""
    parts = [_HEAD]
    for each in sorted(decisions, key=lambda d: (d.path, d.line, d.code, d.fingerprint)):
        lines = (f"{name} = {_toml(value)}\n" for name, value in each._asdict().items() if name in _WANTED or value)
        parts.append("\n[[decision]]\n" + "".join(lines))
    return "".join(parts)


def _toml(value: str | int) -> str:
    import json

    # A basic string of TOML escapes as JSON does, but for the delete character.
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def gone(run: Run, triage: Triage) -> tuple[Decision, ...]:
    """Decisions about files of a run in which no such finding is any more."""
    seen = {
        (triage.inside(file.path), finding.code, finding.fingerprint) for file in run.files for finding in file.findings
    }
    looked_at = {triage.inside(file.path) for file in run.files}
    return tuple(each for key, each in triage.decisions.items() if key not in seen and each.path in looked_at)


def decided(run: Run, triage: Triage) -> Run:
    """The run with what was decided of each finding, and nothing of what an earlier reading of the file said."""

    def told(path: str, finding: Finding) -> Finding:
        found = triage.of(path, finding)
        own = None if found is None else Decided(found.state, found.name, found.on, found.reason, found.by)
        return finding if own == finding.decided else finding._replace(decided=own)

    files = (file._replace(findings=tuple(told(file.path, finding) for finding in file.findings)) for file in run.files)
    return run._replace(files=tuple(files))


def split_place(place: str) -> tuple[str, str]:
    """The path and the line of a place as findings are printed: ``path``, ``path:line`` or ``path:line:column``."""
    found = re.fullmatch(r"(.+?)(?::(\d+))?(?::\d+)?", place)
    if found is None or os.path.lexists(place):
        return place, ""
    return found[1], found[2] or ""


def _none_at(run: Run, place: str, name: str, codes: Sequence[str]) -> str:
    """What to say of a place without a finding to decide about: where the file has some, or how to list them."""
    lines = sorted(
        {(finding.line, finding.code) for file in run.files if file.path == name for finding in file.findings}
    )
    said = f"{place}: there is no finding{' of ' + ', '.join(codes) if codes else ''} to decide about"
    if not lines:
        return f"{said}; `musify-ai check {name}` lists what there is"
    told = ", ".join(f"{line} ({code})" for line, code in lines[:8])
    return f"{said}; {name} has some in line {told}{' and others' if len(lines) > 8 else ''}"


def chosen(run: Run, places: Sequence[str], codes: Sequence[str]) -> tuple[tuple[str, Finding], ...]:
    """The findings of a run at some places (``path`` or ``path:line``) and of some codes or families (``MUS3``); all
    codes where none is given. `Refused` for a place at which there is none: a decision about nothing is a mistake."""
    found: dict[tuple[str, int, str], tuple[str, Finding]] = {}
    for place in places:
        path, line = split_place(place)
        name = Path(path).as_posix()
        here = [
            (file.path, finding)
            for file in run.files
            for finding in file.findings
            if (file.path == name or file.path.startswith(f"{name.rstrip('/')}/") or name == ".")
            and (not line or finding.line == int(line))
            and (not codes or finding.code.startswith(tuple(codes)))
        ]
        if not here:
            raise Refused(_none_at(run, place, name, codes))
        found.update({(path_, finding.start, finding.code): (path_, finding) for path_, finding in here})
    return tuple(found.values())
