"""``--format gitlab``: a Code Quality report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format):
one JSON array, each finding with a fingerprint of its own."""

import json
from collections import Counter
from collections.abc import Mapping

from musify_ai.records import Run
from musify_ai.report import Texts
from musify_ai.report.counts import open_findings, with_decision
from musify_ai.report.placing import readable

_SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """The findings that nobody has closed, by path and place."""
    seen: Counter[str] = Counter()
    rows = []
    for file in run.files:
        for finding in open_findings(file):
            mark = finding.fingerprint or f"{readable(file.path)}:{finding.start}:{finding.code}"
            seen[mark] += 1
            rows.append(
                {
                    "description": f"{finding.code}: {with_decision(finding)}",
                    "check_name": finding.code,
                    "fingerprint": mark if seen[mark] == 1 else f"{mark}-{seen[mark]}",
                    "severity": _SEVERITIES[finding.severity],
                    "location": {"path": readable(file.path), "lines": {"begin": max(finding.line, 1)}},
                }
            )
    return json.dumps(rows, indent=1) + "\n"
