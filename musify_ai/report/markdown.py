"""``--format markdown``: a pull request's comment. What decides a merge comes first; it never exceeds the length that
GitHub and GitLab take."""

from collections import Counter
from collections.abc import Mapping

from musify_ai.records import SEVERITIES, Run, Verdict
from musify_ai.report import Texts
from musify_ai.report.headlines import GRAVEST_FIRST, mood
from musify_ai.report.meaning import is_plain_name
from musify_ai.report.merging import CAVEAT, answer
from musify_ai.report.placing import readable
from musify_ai.report.reasons import why

MOST = 60_000
"""Characters; GitHub takes 65,536 in a comment."""
_CELL = 300


def render(run: Run, texts: Texts, titles: Mapping[str, tuple[str, str]] | None = None) -> str:
    """The comment."""
    head = [*_answer(run), _summary(run), ""]
    room = MOST - sum(len(line) + 1 for line in head)
    parts: list[str] = []
    for section in (_failures(run), _kernels(run, titles or {}), _meaning(run), _findings(run, titles or {})):
        if not section:
            continue
        kept, left = [], 0
        for line in section:
            # Rows alone are many; what stands around them is short, and holds them together.
            if not line.startswith("| ") or len(line) + 1 <= room - 200:
                kept.append(line)
                room -= len(line) + 1
            else:
                left += 1
        parts += [*kept, *([f"\n{left} more rows: see `--format json`."] if left else []), ""]
    return "\n".join([*head, *parts]).rstrip("\n") + "\n"


def _answer(run: Run) -> list[str]:
    """Whether this can be merged, and what speaks against it."""
    found = answer(run)
    lines = ["## musify-ai", "", f"**{cell(found.sentence)}**", ""]
    lines += [f"- {_SIGNS[reason.level]} {cell(reason.text)}" for reason in found.reasons[:_REASONS]]
    if len(found.reasons) > _REASONS:
        lines.append(f"- and {len(found.reasons) - _REASONS} more")
    return [*lines, *([""] if found.reasons else []), CAVEAT, ""]


_SIGNS = {"no": "**against:**", "not-yet": "**open:**", "with-care": "mind:"}
_REASONS = 10


def _meaning(run: Run) -> list[str]:
    """Where the edits are that do more than rename."""
    counts = {
        file.path: number
        for file in run.files
        if (number := sum((e.applied or run.command == "check") and e.safety == "safe" and not is_plain_name(e)
                          for e in file.edits))
    }  # fmt: skip
    if not counts:
        return []
    most = sorted(counts, key=lambda path: (-counts[path], path))
    shown = ", ".join(f"{cell(readable(path))} ({counts[path]})" for path in most[:12])
    rest = f" and {len(most) - 12} more files" if len(most) > 12 else ""
    return ["### Read first", "", f"{_count(sum(counts.values()), 'edit')} of meaning, in {shown}{rest}."]


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


def _kernels(run: Run, titles: Mapping[str, tuple[str, str]]) -> list[str]:
    open_ = sorted(
        (v for v in run.verdicts if mood(v.headline) != "good"), key=lambda v: GRAVEST_FIRST.index(v.headline)
    )
    if not open_:
        return []
    rows = []
    for v in open_:
        name = v.name + (f"<{v.instantiation}>" if v.instantiation else "")
        rows.append(
            f"| {code(name)} | {cell(readable(v.path))}:{v.line} | **{v.headline}** | {cell(_why(v, titles))} |"
        )
    return [
        "### Kernels that are not plainly equal",
        "",
        "| kernel | at | verdict | why |",
        "| --- | --- | --- | --- |",
        *rows,
    ]


def _why(verdict: Verdict, titles: Mapping[str, tuple[str, str]]) -> str:
    """Why a verdict is what it is; a code with what it is about."""
    reason = verdict.reason or ""
    return f"{reason} {titles[reason][0]}" if reason in titles else why(verdict)


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
    rows: list[str] = []
    notes: list[str] = []
    for (severity, code), places in sorted(groups.items()):
        title = titles.get(code, (messages[code], ""))[0]
        shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
        row = f"| {code} | {SEVERITIES[severity]} | {cell(title)} | {len(places)} | {cell(shown)} |"
        (notes if SEVERITIES[severity] == "note" else rows).append(row)
    head = ["| code | severity | what | places | at |", "| --- | --- | --- | ---: | --- |"]
    lines = ["### Findings", "", *head, *rows] if rows else []
    if notes:
        lines += ["", f"<details><summary>{_count(len(notes), 'kind')} of note, to be read</summary>", ""]
        lines += [*head, *notes, "", "</details>"]
    return lines


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
