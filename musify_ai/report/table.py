"""``--format csv`` and ``jsonl``: a row a finding, or a kernel where kernels are what was asked about."""

import csv
import io
import json
from collections.abc import Mapping

from musify_ai.records import Run
from musify_ai.report import Texts
from musify_ai.report.json_report import document
from musify_ai.report.placing import readable

FINDINGS = (
    "path",
    "line",
    "column",
    "code",
    "severity",
    "effort",
    "message",
    "fingerprint",
    "decided",
    "person",
    "why",
)
KERNELS = ("path", "line", "kernel", "instantiation", "headline", "reason", "notes")
# A spreadsheet takes such a cell for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Comma-separated values (RFC 4180) with a head."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if run.command == "verify":
        writer.writerow(KERNELS)
        for v in run.verdicts:
            row = (
                readable(v.path),
                v.line,
                v.name,
                v.instantiation or "",
                v.headline,
                v.reason or "",
                "; ".join(v.notes),
            )
            writer.writerow([_cell(each) for each in row])
        return out.getvalue()
    writer.writerow(FINDINGS)
    for file in run.files:
        for f in file.findings:
            state, name, _, reason, _ = f.decided or ("", "", "", "", "")
            cells = (
                readable(file.path), f.line, f.column, f.code, f.severity, f.effort, f.message, f.fingerprint,
                state, name, reason,
            )  # fmt: skip
            writer.writerow([_cell(each) for each in cells])
    return out.getvalue()


def render_lines(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """A JSON object a line: the findings, then the kernels, each as ``--format json`` has it, with its ``type``."""
    whole = document(run)
    rows = [{"type": "finding", **row} for row in whole["findings"]]
    rows += [{"type": "kernel", **row} for row in whole["kernels"]]
    return "".join(json.dumps(row) + "\n" for row in rows)


def _cell(value: str | int) -> str | int:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
