"""The page of ``--report``: one file that needs nothing else, for reading a migration through."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from musify_ai.records import Edit, FileResult, Finding, Run, Verdict
from musify_ai.records.verdicts import EQUAL
from musify_ai.report import Texts
from musify_ai.report.hunks import Hunk, Line, hunks
from musify_ai.report.identifiers import kernel_identifiers
from musify_ai.report.reasons import why

# A page has to open: beyond this many changed lines a file shows its first ones and says how many there are.
MAX_LINES = 3000

TEMPLATE = "report.html.j2"


def render(run: Run, texts: Texts, *, assumptions: Mapping[str, str] | None = None) -> str:
    """The run as one HTML page. ``assumptions`` gives the sentence for each id that verdicts rest on."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_templates()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template(TEMPLATE)
    return template.render(
        run=run,
        files=[_file(f, *texts.get(f.path, (b"", b""))) for f in run.files if _is_shown(f)],
        quiet=Counter(_why_quiet(f) for f in run.files if not _is_shown(f)),
        kernels=[_kernel(i, v) for i, v in zip(kernel_identifiers(run.verdicts), run.verdicts, strict=True)],
        archs=sorted({arch for v in run.verdicts for arch in v.by_arch}),
        headlines=Counter(v.headline for v in run.verdicts),
        grades=Counter(e.evidence for f in run.files for e in f.edits if e.applied),
        not_applied=sum(not e.applied for f in run.files for e in f.edits),
        codes=_codes(run),
        statuses=Counter(f.status for f in run.files),
        residue=[(f.path, name) for f in run.files for _, _, name in f.residue],
        residue_pattern=sum(len(f.residue_pattern) for f in run.files),
        assumptions=_used_assumptions(run, assumptions or {}),
    )


def _templates() -> Path:
    """Where the templates lie: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "templates" / "reports"
    return installed if installed.is_dir() else package.parent / "templates" / "reports"


def _is_shown(file: FileResult) -> bool:
    return bool(file.edits or file.findings or file.residue or file.status == "failed")


def _why_quiet(file: FileResult) -> str:
    return f"{file.status} ({file.reason})" if file.reason else file.status


def _file(file: FileResult, before: bytes, after: bytes) -> dict[str, Any]:
    applied = [e for e in file.edits if e.applied]
    shown: list[dict[str, Any]] = []
    count = 0
    whole = True
    if before != after and applied:
        for hunk in hunks(before, applied):
            left = MAX_LINES - count
            whole = len(hunk.lines) <= left
            shown.append(_hunk(hunk._replace(lines=hunk.lines[:left]), file.encoding))
            if not whole:
                break
            count += len(hunk.lines)
    return {
        "record": file,
        "path": _text(file.path.encode("utf-8", "surrogateescape"), "utf-8"),
        "hunks": shown,
        "whole": whole,
        "applied": len(applied),
        "open": [_edit(e, file.encoding) for e in file.edits if not e.applied],
        "findings": [_finding(f, before, file.encoding) for f in file.findings],
    }


def _hunk(hunk: Hunk, encoding: str) -> dict[str, Any]:
    return {
        "head": f"@@ -{hunk.before_start},{hunk.before_count} +{hunk.after_start},{hunk.after_count} @@",
        "lines": [_line(line, encoding, _rows(hunk.lines, number)) for number, line in enumerate(hunk.lines)],
    }


def _rows(lines: Sequence[Line], number: int) -> int:
    """The lines that the note beside a line spans, which is a whole change; 0 where an earlier line's note reaches."""
    if lines[number].kind == " ":
        return 1
    if number and lines[number - 1].kind != " " and not lines[number].edits:
        return 0
    end = number + 1
    while end < len(lines) and lines[end].kind != " " and not lines[end].edits:
        end += 1
    return end - number


def _line(line: Line, encoding: str, rows: int) -> dict[str, Any]:
    notes: Counter[tuple[str, str, str, str]] = Counter()
    for edit in line.edits:
        notes[(edit.rule, edit.evidence, edit.safety, edit.source)] += 1
    return {
        "rows": rows,
        "kind": {" ": "kept", "-": "old", "+": "new"}[line.kind],
        "sign": line.kind,
        "before": line.before or "",
        "after": line.after or "",
        "segments": [(_text(s.text, encoding), s.marked) for s in line.segments],
        "notes": [
            {"rule": rule, "evidence": evidence, "safety": safety, "source": source, "times": times}
            for (rule, evidence, safety, source), times in notes.items()
        ],
    }


def _edit(edit: Edit, encoding: str) -> dict[str, Any]:
    return {"record": edit, "old": _text(edit.old, encoding), "new": _text(edit.new, encoding)}


def _finding(finding: Finding, before: bytes, encoding: str) -> dict[str, Any]:
    first = before.rfind(b"\n", 0, finding.start) + 1
    last = before.find(b"\n", max(finding.start, finding.end - 1))
    last = len(before) if last < 0 else last
    end = min(finding.end, last)
    lines = before[first:last].count(b"\n") + 1
    excerpt = [(before[first : finding.start], False), (before[finding.start : end], True), (before[end:last], False)]
    if lines > 12:  # a whole block: its first lines say which
        cut = finding.start + len(b"\n".join(before[finding.start : end].split(b"\n")[:12]))
        excerpt = [(before[first : finding.start], False), (before[finding.start : cut] + b" ...", True)]
    return {
        "record": finding,
        "excerpt": [(_text(piece, encoding), marked) for piece, marked in excerpt if piece],
        "suggestion": [(_text(piece, encoding), marked) for piece, marked in _suggested(before, finding.edit) if piece],
    }


def _suggested(before: bytes, edit: Edit | None) -> list[tuple[bytes, bool]]:
    """The lines of an edit as they would be, what is new in them marked."""
    if edit is None:
        return []
    first = before.rfind(b"\n", 0, edit.start) + 1
    last = before.find(b"\n", edit.end)
    return [
        (before[first : edit.start], False),
        (edit.new, True),
        (before[edit.end : len(before) if last < 0 else last], False),
    ]


def _kernel(identifier: str, verdict: Verdict) -> dict[str, Any]:
    mood = "good" if verdict.headline in _GOOD else "bad" if verdict.headline in _BAD else "open"
    return {"id": identifier, "record": verdict, "mood": mood, "why": why(verdict)}


_GOOD = EQUAL - {"equal-weak"}
_BAD = frozenset({"differs", "build-failed"})


def _codes(run: Run) -> list[dict[str, Any]]:
    groups: dict[str, list[Finding]] = {}
    for file in run.files:
        for finding in file.findings:
            groups.setdefault(finding.code, []).append(finding)
    return [
        {"code": code, "count": len(found), "severities": _spread(found), "efforts": _efforts(found)}
        for code, found in sorted(groups.items())
    ]


def _efforts(found: Sequence[Finding]) -> list[str]:
    """What a place of a code may take, from the least."""
    return [each for each in ("minutes", "hours", "days") if any(f.effort == each for f in found)]


def _spread(found: Sequence[Finding]) -> Counter[str]:
    return Counter(f.severity for f in found)


def _used_assumptions(run: Run, sentences: Mapping[str, str]) -> list[tuple[str, str]]:
    used = sorted({a for v in run.verdicts for e in v.evidence for a in e.assumptions})
    return [(identifier, sentences.get(identifier, "")) for identifier in used]


def _text(data: bytes, encoding: str) -> str:
    """Bytes as a reader would see them, control characters as marks. For looking at only."""
    name = "gb18030" if encoding == "gb18030" else "utf-8"
    text = data.decode(name, "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)
