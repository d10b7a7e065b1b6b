"""``--format rdjsonl``: Reviewdog Diagnostic Format, a JSON object a line, with suggestions.

https://github.com/reviewdog/reviewdog/tree/master/proto/rdf: columns count UTF-8 bytes from 1, and a suggestion is a
range and its new text. An edit that ``fix`` would make safely is an INFO with a suggestion.
"""

import json
from collections.abc import Mapping
from typing import Any

from musify_ai.records import Edit, Finding, Run
from musify_ai.report import Texts
from musify_ai.report.counts import open_findings, with_decision
from musify_ai.report.placing import byte_column, readable

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """A line a finding that nobody has closed and a pending edit, by path and place."""
    rows: list[tuple[str, int, dict[str, Any]]] = []
    for file in run.files:
        for finding in open_findings(file):
            rows.append((file.path, finding.start, _finding(file.path, finding, texts)))
        for edit in file.edits:
            if not edit.applied and edit.safety == "safe" and run.command == "check":
                rows.append((file.path, edit.start, _pending(file.path, edit, texts)))
    rows.sort(key=lambda row: row[:2])
    return "".join(json.dumps(row) + "\n" for _, _, row in rows)


def _finding(path: str, finding: Finding, texts: Texts) -> dict[str, Any]:
    row = _row(path, with_decision(finding), finding.code, _SEVERITIES[finding.severity])
    row["location"]["range"] = {
        "start": {"line": finding.line, "column": byte_column(texts, path, finding.start, finding.column)},
        "end": {"line": finding.end_line, "column": byte_column(texts, path, finding.end, finding.end_column)},
    }
    if finding.edit is not None:
        row["suggestions"] = [_suggestion(path, finding.edit, texts)]
    return row


def _pending(path: str, edit: Edit, texts: Texts) -> dict[str, Any]:
    new = edit.new.decode("utf-8", "replace")
    row = _row(path, f"{edit.old.decode('utf-8', 'replace')} becomes {new} ({edit.evidence})", edit.rule, "INFO")
    suggestion = _suggestion(path, edit, texts)
    row["location"]["range"] = suggestion["range"]
    row["suggestions"] = [suggestion]
    return row


def _row(path: str, message: str, code: str, severity: str) -> dict[str, Any]:
    return {
        "message": message,
        "location": {"path": readable(path)},
        "severity": severity,
        "source": {"name": "musify-ai"},
        "code": {"value": code},
    }


def _suggestion(path: str, edit: Edit, texts: Texts) -> dict[str, Any]:
    src = texts.get(path, (b"", b""))[0]
    last = edit.line + src.count(b"\n", edit.start, edit.end)
    end = byte_column(texts, path, edit.end, edit.column + len(edit.old))
    start = {"line": edit.line, "column": byte_column(texts, path, edit.start, edit.column)}
    return {
        "range": {"start": start, "end": {"line": last, "column": end}},
        "text": edit.new.decode("utf-8", "replace"),
    }
