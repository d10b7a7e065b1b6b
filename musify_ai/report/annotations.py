"""``--format github``: workflow commands, which GitHub shows beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions: data have ``%``, CR and LF escaped,
properties ``:`` and ``,`` besides. GitHub shows ten errors, ten warnings and ten notices of a step, errors come first.
"""

from collections.abc import Mapping

from musify_ai.records import SEVERITIES, Run
from musify_ai.report import Texts
from musify_ai.report.counts import open_findings, with_decision
from musify_ai.report.placing import readable

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """A line a finding that nobody has closed, failed file, and kernel that differs or does not build; worst first."""
    rows: list[tuple[int, str]] = []
    for file in run.files:
        for finding in open_findings(file):
            title = (titles or {}).get(finding.code, (finding.code, ""))[0]
            where = {
                "file": readable(file.path), "line": finding.line, "endLine": finding.end_line or finding.line,
                "title": f"{finding.code}: {title}",
            }  # fmt: skip
            if finding.end_line == finding.line:
                where |= {"col": finding.column, "endColumn": finding.end_column}
            message = with_decision(finding)
            rows.append((SEVERITIES.index(finding.severity), _line(_COMMANDS[finding.severity], where, message)))
    for failure in run.failed:
        where = {"file": readable(failure.path), "title": f"{failure.stage} failed"}
        rows.append((0, _line("error", where, f"{failure.error} {failure.hint}".strip())))
    for verdict in run.verdicts:
        if verdict.headline in ("differs", "build-failed"):
            name = verdict.name + (f"<{verdict.instantiation}>" if verdict.instantiation else "")
            where = {"file": readable(verdict.path), "line": verdict.line, "title": f"{name}: {verdict.headline}"}
            rows.append((0, _line("error", where, verdict.reason or verdict.headline)))
    rows.sort(key=lambda row: row[0])
    return "".join(line for _, line in rows)


def _line(command: str, properties: Mapping[str, object], message: str) -> str:
    parts = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{command} {parts}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
