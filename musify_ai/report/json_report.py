"""``--format json``: one object, the same shape for every command (README, "The JSON object")."""

import json
import math
import os
from base64 import b64encode
from collections import Counter
from typing import Any, get_args

from musify_ai.records import (
    SEVERITIES,
    Edit,
    Evidence,
    FileResult,
    Finding,
    Grade,
    Headline,
    Program,
    Rewrite,
    Run,
    Verdict,
    headline_of,
)
from musify_ai.records.verdicts import HEADLINES
from musify_ai.report import Texts
from musify_ai.report.build_files import build_files
from musify_ai.report.counts import counts
from musify_ai.report.identifiers import identifiers, kernel_identifiers

Json = dict[str, Any]


def render(run: Run, texts: Texts | None = None) -> str:
    """The run as JSON text with a line end. Texts are not needed: edits and findings hold what they speak of."""
    return json.dumps(document(run), indent=1, allow_nan=False) + "\n"


def document(run: Run) -> Json:
    """The run as plain dicts and lists. Lists are in order of path, start and code."""
    files = sorted(run.files, key=lambda f: f.path)
    edits = [(f.path, e) for f in files for e in sorted(f.edits, key=lambda e: (e.start, e.rule))]
    findings = [(f.path, x) for f in files for x in sorted(f.findings, key=lambda x: (x.start, x.code))]
    edit_ids = identifiers((path, edit.start, edit.rule) for path, edit in edits)
    finding_ids = identifiers((path, finding.start, finding.code) for path, finding in findings)
    return {
        "version": 1,
        "tool": run.tool._asdict(),
        "command": run.command,
        "options": {"style": run.options.style, "sdk": run.options.sdk, "archs": list(run.options.archs)},
        "summary": _summary(run),
        "files": [_file(f) for f in files],
        "edits": [{"id": i, "path": path_text(p), **_edit(e)} for i, (p, e) in zip(edit_ids, edits, strict=True)],
        "findings": [_finding(i, p, x) for i, (p, x) in zip(finding_ids, findings, strict=True)],
        "kernels": [_kernel(i, v) for i, v in zip(kernel_identifiers(run.verdicts), run.verdicts, strict=True)],
        **({"programs": [_program(p) for p in run.programs]} if run.programs else {}),
        **({"rewrites": [_rewrite(r) for r in run.rewrites]} if run.rewrites else {}),
        "residue": [_left(f.path, known, span) for f in files for known, span in _spans(f)],
        "failed": [{**f._asdict(), "path": path_text(f.path)} for f in sorted(run.failed)],
    }


def _summary(run: Run) -> Json:
    found = counts(run)
    edits = [e for f in run.files for e in f.edits]
    grades = Counter(e.evidence for e in edits)
    return {
        "files": found.files,
        "changed": found.statuses["changed"],
        "failed": found.failed,
        "pending": found.pending,
        "residue": found.residue,
        "residue_pattern": found.residue_pattern,
        "build_files": build_files(run),
        "edits": {
            "made": found.made,
            "pending": found.pending,
            "offered": found.offered,
            "shown": found.shown,
            "meaning": found.meaning,
            "by_evidence": {grade: grades[grade] for grade in get_args(Grade)},
            "by_rule": _sorted(Counter(e.rule for e in edits)),
        },
        "findings": _sorted(found.codes),
        "severities": {severity: found.findings[severity] for severity in SEVERITIES},
        "decided": dict(found.decided),
        "kernels": _sorted(found.kernels),
    }


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items()))


def _file(file: FileResult) -> Json:
    return {
        "path": path_text(file.path),
        "output": None if file.output is None else path_text(file.output),
        "status": file.status,
        "reason": file.reason,
        "encoding": file.encoding,
        "sha256": {"before": file.sha256_before, "after": file.sha256_after},
    }


def _edit(edit: Edit) -> Json:
    return {
        "start": edit.start,
        "end": edit.end,
        "line": edit.line,
        "column": edit.column,
        "old": text(edit.old),
        "new": text(edit.new),
        "rule": edit.rule,
        "evidence": edit.evidence,
        "safety": edit.safety,
        "source": edit.source,
        "applied": edit.applied,
    }


def _finding(identifier: str, path: str, finding: Finding) -> Json:
    return {
        "id": identifier,
        "fingerprint": finding.fingerprint,
        "code": finding.code,
        "severity": finding.severity,
        "path": path_text(path),
        "start": finding.start,
        "end": finding.end,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "name": finding.name,
        "message": finding.message,
        "effort": finding.effort,
        "settled": finding.settled,
        "decided": None if finding.decided is None else finding.decided._asdict(),
        "edit": None if finding.edit is None else _edit(finding.edit),
        "related": [{**r._asdict(), "path": path_text(r.path or path)} for r in finding.related],
    }


def _kernel(identifier: str, verdict: Verdict) -> Json:
    return {
        "id": identifier,
        "path": path_text(verdict.path),
        "name": verdict.name,
        "line": verdict.line,
        "instantiation": verdict.instantiation,
        "headline": verdict.headline,
        "reason": verdict.reason,
        "notes": list(verdict.notes),
        "by_arch": dict(sorted(verdict.by_arch.items())),
        "evidence": [_evidence(e) for e in verdict.evidence],
    }


def _program(program: Program) -> Json:
    """A whole program as a kernel is shown; the object has the key only where one was asked for."""
    by_arch: dict[str, Headline] = {row.arch: row.outcome for row in program.evidence}
    last = min(program.evidence, key=lambda row: HEADLINES.index(row.outcome), default=None)
    return {
        "path": path_text(program.path),
        "headline": headline_of(by_arch),
        "reason": (last.detail if last else "") or None,
        "by_arch": dict(sorted(by_arch.items())),
        "evidence": [_evidence(e) for e in program.evidence],
    }


def _rewrite(rewrite: Rewrite) -> Json:
    """A model's answer, by the id of its finding; the object has the key only where a model was asked."""
    return {
        "finding": rewrite.finding,
        "path": path_text(rewrite.path),
        "model": rewrite.model,
        "attempts": [attempt._asdict() for attempt in rewrite.attempts],
        "accepted": None if rewrite.accepted is None else _edit(rewrite.accepted),
    }


def _spans(file: FileResult) -> list[tuple[bool, tuple[int, int, str]]]:
    return sorted([*((True, span) for span in file.residue), *((False, span) for span in file.residue_pattern)],
                  key=lambda each: each[1])  # fmt: skip


def _left(path: str, known: bool, span: tuple[int, int, str]) -> Json:
    """A CUDA name that the output still holds: a known one, or one that only looks like it."""
    return {"path": path_text(path), "start": span[0], "end": span[1], "name": span[2], "known": known}


def _evidence(evidence: Evidence) -> Json:
    row: Json = {
        "method": evidence.method,
        "backend": list(evidence.backend),
        "arch": evidence.arch,
        "lanes": evidence.lanes,
        "seeds": list(evidence.seeds),
        "schedules": list(evidence.schedules),
        "poison": list(evidence.poison),
        "buffers": [
            {"name": b.name, "elements": b.elements, "varies": b.varies, "worst_error": number(b.worst_error)}
            for b in evidence.buffers
        ],
        "tolerance": number(evidence.tolerance),
        "assumptions": list(evidence.assumptions),
        "outcome": evidence.outcome,
        "detail": evidence.detail,
        "repeat": evidence.repeat,
    }
    for name, found in (("mutants", evidence.mutants), ("coverage", evidence.coverage)):
        if found is not None:
            row[name] = {
                key: list(value) if isinstance(value, tuple) else value for key, value in found._asdict().items()
            }
    return row


def number(value: float) -> float | str:
    """A number as JSON has it; what JSON has no number for is named (``"nan"``, ``"inf"``, ``"-inf"``)."""
    if math.isfinite(value):
        return int(value) if value == int(value) and abs(value) < 2**53 else value
    return str(float(value))


def text(data: bytes) -> str | dict[str, str]:
    """Bytes as JSON text, or where they are no UTF-8 as ``{"base64": ...}``: nothing is lost either way."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode("ascii")}


def path_text(path: str) -> str | dict[str, str]:
    """A path, which on Linux is bytes too."""
    return text(os.fsencode(path))
