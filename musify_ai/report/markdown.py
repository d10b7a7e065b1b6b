"""``--format markdown``: a pull request's comment. What decides a merge comes first; it never exceeds the length that
GitHub and GitLab take."""

from collections import Counter
from collections.abc import Mapping

from musify_ai.records import SEVERITIES, Run
from musify_ai.report import Texts
from musify_ai.report.placing import readable
from musify_ai.report.reasons import why

MOST = 60_000
"""Characters; GitHub takes 65,536 in a comment."""
_CELL = 300


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """The comment."""
    head = ["## musify-ai", "", _summary(run), ""]
    room = MOST - sum(len(line) + 1 for line in head)
    parts: list[str] = []
    for section in (_failures(run), _kernels(run), _findings(run, titles or {})):
        if not section:
            continue
        kept, left = [], 0
        for line in section:
            if len(line) + 1 <= room - 200:
                kept.append(line)
                room -= len(line) + 1
            else:
                left += line.startswith("| ")
        parts += [*kept, *([f"\n{left} more rows: see `--format json`."] if left else []), ""]
    return "\n".join([*head, *parts]).rstrip("\n") + "\n"


def _summary(run: Run) -> str:
    findings = Counter(finding.severity for file in run.files for finding in file.findings)
    headlines = Counter(verdict.headline for verdict in run.verdicts)
    edits = sum(len(file.edits) for file in run.files)
    parts = []
    if run.files:
        parts.append(f"{_count(len(run.files), 'file')}, {_count(edits, 'edit')}")
    if run.files:
        shown = ", ".join(_count(findings[each], each) for each in SEVERITIES if findings[each])
        parts.append(shown or "no findings")
    if headlines:
        parts.append("kernels: " + ", ".join(f"{count} {headline}" for headline, count in sorted(headlines.items())))
    if run.failed:
        parts.append(f"**{len(run.failed)} failed**")
    return "; ".join(parts) + "."


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _failures(run: Run) -> list[str]:
    if not run.failed:
        return []
    rows = [f"| {cell(readable(f.path))} | {f.stage} | {cell(f.error)} | {cell(f.hint)} |" for f in run.failed]
    return ["### Failed", "", "| file | stage | error | what to do |", "| --- | --- | --- | --- |", *rows]


def _kernels(run: Run) -> list[str]:
    open_ = [v for v in run.verdicts if not v.headline.startswith("equal") or v.headline == "equal-weak"]
    if not open_:
        return []
    rows = []
    for v in open_:
        name = v.name + (f"<{v.instantiation}>" if v.instantiation else "")
        rows.append(f"| {code(name)} | {cell(readable(v.path))}:{v.line} | **{v.headline}** | {cell(why(v))} |")
    return [
        "### Kernels that are not plainly equal",
        "",
        "| kernel | at | verdict | why |",
        "| --- | --- | --- | --- |",
        *rows,
    ]


def _findings(run: Run, titles: Mapping[str, tuple[str, str]]) -> list[str]:
    groups: dict[tuple[int, str], list[str]] = {}
    messages: dict[str, str] = {}
    for file in run.files:
        for finding in file.findings:
            key = (SEVERITIES.index(finding.severity), finding.code)
            groups.setdefault(key, []).append(f"{readable(file.path)}:{finding.line}")
            messages.setdefault(finding.code, finding.message)
    if not groups:
        return []
    rows = []
    for (severity, code), places in sorted(groups.items()):
        title = titles.get(code, (messages[code], ""))[0]
        shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
        rows.append(f"| {code} | {SEVERITIES[severity]} | {cell(title)} | {len(places)} | {cell(shown)} |")
    return ["### Findings", "", "| code | severity | what | places | at |", "| --- | --- | --- | --- | --- |", *rows]


def code(text: str) -> str:
    """A name as code; there backslashes mean themselves, but for a table's bar."""
    return "`" + " ".join(text.split())[:_CELL].replace("`", "'").replace("|", "\\|") + "`"


def cell(text: str) -> str:
    """Text that stays within its cell and is nobody's markup or mention."""
    plain = " ".join(text.split())
    plain = plain if len(plain) <= _CELL else plain[: _CELL - 3] + "..."
    for mark in "\\|`*_<>[]":
        plain = plain.replace(mark, "\\" + mark)
    return plain.replace("@", "@\u200b").replace("#", "#\u200b")
