"""An assessment as JSON: every figure of the other formats, nothing cut."""

import json
from typing import Any

from musify_ai.records import SEVERITIES
from musify_ai.report.assess.figures import Assessment
from musify_ai.report.assess.hours import HOW, Hours
from musify_ai.report.assess.telling import sentences
from musify_ai.report.json_report import path_text


def render(found: Assessment) -> str:
    """The document as JSON text with a line end."""
    return json.dumps(document(found), indent=1, allow_nan=False) + "\n"


def document(found: Assessment) -> dict[str, Any]:
    """The figures as plain dicts and lists. Hours are pairs: at least, at most."""
    return {
        "version": 1,
        "tool": found.run.tool._asdict(),
        "command": "assess",
        "options": {
            "style": found.run.options.style,
            "sdk": found.run.options.sdk,
            "archs": list(found.run.options.archs),
        },
        "summary": {
            "files": found.counts.files,
            "touched": found.touched,
            "failed": found.counts.failed,
            "pending": found.counts.pending,
            "findings": {each: found.counts.findings[each] for each in SEVERITIES},
            "decided": dict(found.counts.decided),
            "uses": found.uses,
            "hours": _hours(found.hours),
            "hours_are": HOW,
            "sentences": sentences(found),
        },
        "efforts": [
            {"effort": effort, "places": places, "hours": _hours(hours)} for effort, places, hours in found.efforts
        ],
        "libraries": [library._asdict() for library in found.libraries],
        "constructs": [{**row._asdict(), "hours": _hours(row.hours)} for row in found.constructs],
        "files": [
            {**w._asdict(), "path": path_text(w.path), "hours": _hours(w.hours), "codes": dict(w.codes)}
            for w in found.work
        ],
        "order": [{"step": number, "files": [path_text(w.path) for w in work]} for number, work in found.steps],
    }


def _hours(hours: Hours) -> list[float]:
    return [round(hours.low, 1), round(hours.high, 1)]
