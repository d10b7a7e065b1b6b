"""``--format markdown``: a pull request's comment. What decides a merge comes first; it never exceeds the length that
GitHub and GitLab take."""

from collections.abc import Iterable, Mapping

from musify_ai.records import SEVERITIES, FileResult, Run, Verdict
from musify_ai.report import Texts
from musify_ai.report.counts import counts, decisions, edits_of, open_findings, told
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
    own = {
        file.path: number
        for file in run.files
        if (number := sum(not is_plain_name(edit) for edit in edits_of(run, file)))
    }
    if not own:
        return []
    most = sorted(own, key=lambda path: (-own[path], path))
    shown = ", ".join(f"{cell(readable(path))} ({own[path]})" for path in most[:12])
    rest = f" and {len(most) - 12} more files" if len(most) > 12 else ""
    return ["### Read first", "", f"{_count(counts(run).meaning, 'edit')} of meaning, in {shown}{rest}."]


def _summary(run: Run) -> str:
    found = counts(run)
    parts = []
    if run.files:
        state = "pending" if run.command == "check" else "made"
        offered = f", {_count(found.offered, 'unsafe edit')} offered" if found.offered else ""
        parts.append(f"{_count(found.files, 'file')}, {_count(found.edits, 'edit')} {state}{offered}")
        shown = ", ".join(_count(found.findings[each], each) for each in SEVERITIES if found.findings[each])
        parts.append(shown or "no findings")
    if text := decisions(found):
        parts.append(text)
    if found.kernels:
        parts.append(
            "kernels: " + ", ".join(f"{number} {headline}" for headline, number in sorted(found.kernels.items()))
        )
    if run.failed:
        parts.append(f"**{found.failed} failed**")
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
        for finding in open_findings(file):
            key = (SEVERITIES.index(finding.severity), finding.code)
            groups.setdefault(key, []).append(f"{readable(file.path)}:{finding.line}")
            messages.setdefault(finding.code, finding.message)
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
    if decided := [row for file in run.files for row in _decided(file)]:
        lines += [
            "",
            f"<details><summary>{_count(len(decided), 'finding')} about which something was decided</summary>",
            "",
        ]
        lines += ["| code | at | decided |", "| --- | --- | --- |", *decided, "", "</details>"]
    return lines


def _decided(file: FileResult) -> Iterable[str]:
    for finding in file.findings:
        if finding.decided is not None:
            yield f"| {finding.code} | {cell(readable(file.path))}:{finding.line} | {cell(told(finding))} |"


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
