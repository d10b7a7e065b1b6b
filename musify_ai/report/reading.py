"""A finished run read back from its JSON, for making other reports of it."""

import json
import os
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from musify_ai.records import (
    Attempt,
    Buffer,
    Coverage,
    Decided,
    Edit,
    Evidence,
    Failure,
    FileResult,
    Finding,
    Mutants,
    Options,
    Program,
    Related,
    Rewrite,
    Run,
    Tool,
    Verdict,
)
from musify_ai.records.changes import SEVERITIES, DecidedState, Grade, Safety
from musify_ai.records.verdicts import HEADLINES
from musify_ai.report import Texts
from musify_ai.source import splice

Json = Mapping[str, Any]
_VERSION = 1
EFFORTS = ("minutes", "hours", "days")


class NoReport(Exception):
    """Text that is no JSON report of this version."""


def read_run(text: str) -> Run:
    """The run that a JSON report tells of. Raises `NoReport`.

    Options are those that the JSON holds (style, SDK, archs); of a report made by an earlier version, what that one
    did not write is left empty.
    """
    try:
        document: Any = json.loads(text)
    except ValueError as problem:
        raise NoReport(f"no JSON: {problem}") from None
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise NoReport(f"no report of version {_VERSION}; make one with --format json or --report DIR")
    try:
        return _run(document)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise NoReport(f"the report is not whole ({type(problem).__name__}: {problem})") from None


def _one_of(word: Any, known: Sequence[str]) -> Any:
    """A word that is one of those a run can hold. A report may be anybody's, and such words stand in pages and tables
    as they are. ValueError for another."""
    if word not in known:
        raise ValueError(f"{word!r} is none of {', '.join(known)}")
    return word


def texts_from(root: Path, run: Run) -> tuple[dict[str, tuple[bytes, bytes]], list[str]]:
    """The bytes of a run's files before and after, read from the folder that its paths are relative to; and the files
    that are not there, or not as they were when the run was made."""
    texts: dict[str, tuple[bytes, bytes]] = {}
    other = []
    for file in run.files:
        if not (file.edits or file.findings):
            continue
        try:
            before = (root / file.path).read_bytes()
        except (OSError, ValueError):
            other.append(file.path)
            continue
        if sha256(before).hexdigest() != file.sha256_before:
            other.append(file.path)
            continue
        texts[file.path] = before, splice(before, [edit for edit in file.edits if edit.applied])
    return texts, other


def without_texts(run: Run) -> Texts:
    """No texts: edits and findings then stand without the lines around them."""
    return {file.path: (b"", b"") for file in run.files}


def _run(document: Json) -> Run:
    edits, findings, left = (_by_path(document.get(each, ())) for each in ("edits", "findings", "residue"))
    options = document["options"]
    return Run(
        Tool(**document["tool"]),
        document["command"],
        Options(style=options["style"], sdk=options["sdk"], archs=tuple(options["archs"])),
        tuple(_file(each, edits, findings, left) for each in document["files"]),
        tuple(_verdict(each) for each in document["kernels"]),
        tuple(Failure(**{**each, "path": _path(each["path"])}) for each in document["failed"]),
        tuple(Program(_path(p["path"]), tuple(map(_evidence, p["evidence"]))) for p in document.get("programs", ())),
        tuple(_rewrite(each) for each in document.get("rewrites", ())),
    )


def _by_path(rows: Iterable[Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for row in rows:
        found.setdefault(_path(row["path"]), []).append(row)
    return found


def _file(
    row: Json, edits: Mapping[str, list[Json]], findings: Mapping[str, list[Json]], left: Mapping[str, list[Json]]
) -> FileResult:
    path = _path(row["path"])
    spans = [(each["known"], (each["start"], each["end"], each["name"])) for each in left.get(path, ())]
    return FileResult(
        path,
        None if row["output"] is None else _path(row["output"]),
        row["status"],
        row["reason"],
        row["encoding"],
        row["sha256"]["before"],
        row["sha256"]["after"],
        tuple(_edit(each) for each in edits.get(path, ())),
        tuple(_finding(each, path) for each in findings.get(path, ())),
        tuple(span for known, span in spans if known),
        tuple(span for known, span in spans if not known),
    )


def _edit(row: Json) -> Edit:
    return Edit(
        row["start"],
        row["end"],
        _bytes(row["old"]),
        _bytes(row["new"]),
        row["rule"],
        _one_of(row["evidence"], get_args(Grade)),
        _one_of(row["safety"], get_args(Safety)),
        row.get("source", ""),
        row["applied"],
        row["line"],
        row["column"],
    )


def _finding(row: Json, path: str) -> Finding:
    return Finding(
        row["code"],
        _one_of(row["severity"], SEVERITIES),
        row["start"],
        row["end"],
        row["message"],
        _one_of(row["effort"], EFFORTS),
        None if row["edit"] is None else _edit(row["edit"]),
        tuple(_related(each, path) for each in row["related"]),
        row.get("settled", True),
        row.get("name", ""),
        row["line"],
        row["column"],
        row["end_line"],
        row["end_column"],
        row["fingerprint"],
        None if (decided := row.get("decided")) is None else _decided(decided),
    )


def _decided(row: Json) -> Decided:
    return Decided(_one_of(row["state"], get_args(DecidedState)), row["name"], row["on"], row["reason"], row["by"])


def _related(row: Json, path: str) -> Related:
    other = _path(row["path"])
    return Related(**{**row, "path": "" if other == path else other})


def _verdict(row: Json) -> Verdict:
    return Verdict(
        _path(row["path"]),
        row["name"],
        row["line"],
        row["instantiation"],
        _one_of(row["headline"], HEADLINES),
        row["reason"],
        tuple(row["notes"]),
        {str(arch): _one_of(each, HEADLINES) for arch, each in row["by_arch"].items()},
        tuple(map(_evidence, row["evidence"])),
    )


def _evidence(row: Json) -> Evidence:
    mutants, coverage = row.get("mutants"), row.get("coverage")
    return Evidence(
        row["method"],
        (row["backend"][0], row["backend"][1]),
        row["arch"],
        row["lanes"],
        tuple(row["seeds"]),
        tuple(row["schedules"]),
        tuple(row["poison"]),
        tuple(Buffer(b["name"], b["elements"], b["varies"], float(b["worst_error"])) for b in row["buffers"]),
        float(row["tolerance"]),
        tuple(row["assumptions"]),
        _one_of(row["outcome"], HEADLINES),
        row["detail"],
        row["repeat"],
        None if mutants is None else _mutants(mutants),
        None if coverage is None else _coverage(coverage),
    )


def _mutants(row: Json) -> Mutants:
    made, killed, by_text, equivalent = (row[each] for each in ("made", "killed", "by_text", "equivalent"))
    excused, unreached, survivors = (tuple(row[each]) for each in ("excused", "unreached", "survivors"))
    return Mutants(made, killed, by_text, equivalent, excused, unreached, survivors)


def _coverage(row: Json) -> Coverage:
    lines, lines_reached, branches, branches_reached = (
        int(row[each]) for each in ("lines", "lines_reached", "branches", "branches_reached")
    )
    return Coverage(lines, lines_reached, branches, branches_reached, tuple(row["unreached"]))


def _rewrite(row: Json) -> Rewrite:
    attempts = tuple(Attempt(**each) for each in row["attempts"])
    accepted = None if row["accepted"] is None else _edit(row["accepted"])
    return Rewrite(row["finding"], _path(row["path"]), row["model"], attempts, accepted)


def _bytes(value: str | Json) -> bytes:
    return value.encode() if isinstance(value, str) else b64decode(value["base64"])


def _path(value: str | Json) -> str:
    return os.fsdecode(_bytes(value))
