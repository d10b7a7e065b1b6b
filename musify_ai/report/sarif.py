"""``--format sarif``: SARIF 2.1.0, for code scanning and editors.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html; within the limits of GitHub's code scanning
(25,000 results a run, 1,000 related locations a result; docs.github.com, SARIF support for code scanning): where there
are more results, those of least severity are left out and a notification says how many.
"""

import json
from collections.abc import Mapping
from typing import Any

from musify_ai.records import SEVERITIES, FileResult, Finding, Run
from musify_ai.report import Texts
from musify_ai.report.counts import counts, open_findings, with_decision
from musify_ai.report.placing import readable, uri

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS = 25_000
MOST_RELATED = 100

_LEVELS = {"error": "error", "warning": "warning", "note": "note"}

Titles = Mapping[str, tuple[str, str]]


def render(run: Run, texts: Texts, titles: Titles | None = None) -> str:
    """The run's findings as one SARIF log. ``titles`` gives each code's title and why it matters."""
    found = [(file, finding) for file in run.files for finding in open_findings(file)]
    kept = sorted(found, key=lambda each: SEVERITIES.index(each[1].severity))[:MOST_RESULTS]
    kept.sort(key=lambda each: (each[0].path, each[1].start, each[1].code))
    codes = sorted({finding.code for _, finding in kept})
    notifications = [
        {"level": "error", "message": {"text": f"{each.stage}: {each.error}{'. ' if each.hint else ''}{each.hint}"},
         "locations": [{"physicalLocation": {"artifactLocation": _artifact(each.path)}}] if each.path else []}
        for each in run.failed
    ]  # fmt: skip
    if len(found) > len(kept):
        text = f"{len(found) - len(kept)} of {len(found)} findings, of least severity, are left out of this log"
        notifications.append({"level": "warning", "message": {"text": text}, "locations": []})
    # SARIF has a word for it, suppressions, but code scanning shows what carries it as an open alert
    # (github.com/github/codeql-action/issues/1230), and an alert that is no longer there as fixed.
    if closed := counts(run).closed:
        text = f"{closed} findings were accepted or waived and are left out of this log"
        notifications.append({"level": "note", "message": {"text": text}, "locations": []})
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": run.tool.name,
                        "semanticVersion": run.tool.version,
                        "properties": {"rulesVersion": run.tool.rules},
                        "rules": [_rule(code, titles or {}) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": not run.failed, "toolExecutionNotifications": notifications}],
                "results": [_result(file, finding, codes.index(finding.code)) for file, finding in kept],
            }
        ],
    }
    # Without blanks: related places make up most of a large log, and uploads are limited in bytes.
    return json.dumps(log, separators=(",", ":")) + "\n"


def _rule(code: str, titles: Titles) -> dict[str, Any]:
    title, why = titles.get(code, (code, ""))
    row: dict[str, Any] = {"id": code, "shortDescription": {"text": title}}
    if why:
        row["fullDescription"] = {"text": why}
        row["help"] = {"text": f"{why}\n\nmusify-ai explain {code} tells more."}
    return row


def _result(file: FileResult, finding: Finding, index: int) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": with_decision(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(file.path), "region": _region(finding)}}],
        "partialFingerprints": {"musifyFinding/v1": readable(finding.fingerprint or f"{file.path}:{finding.start}")},
        "properties": {"effort": finding.effort},
    }
    if finding.related:
        row["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": each.message},
                "physicalLocation": {
                    "artifactLocation": _artifact(each.path or file.path),
                    "region": {"startLine": max(each.line, 1), "startColumn": max(each.column, 1)},
                },
            }
            for number, each in enumerate(finding.related[:MOST_RELATED])
        ]
    if finding.edit is not None and finding.edit.line:
        inserted = finding.edit.new.decode("utf-8", "replace")
        row["fixes"] = [
            {
                "description": {"text": f"write {inserted}"[:200]},
                "artifactChanges": [
                    {
                        "artifactLocation": _artifact(file.path),
                        "replacements": [
                            {
                                "deletedRegion": {
                                    "byteOffset": finding.edit.start,
                                    "byteLength": finding.edit.end - finding.edit.start,
                                },
                                "insertedContent": {"text": inserted},
                            }
                        ],
                    }
                ],
            }
        ]
    return row


def _artifact(path: str) -> dict[str, str]:
    return {"uri": uri(path)} if path.startswith("/") else {"uri": uri(path), "uriBaseId": "%SRCROOT%"}


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": max(finding.line, 1), "startColumn": max(finding.column, 1)}
    if (finding.end_line, finding.end_column) > (finding.line, finding.column):
        region |= {"endLine": finding.end_line, "endColumn": max(finding.end_column, 1)}
    return region
