"""``--format text`` and ``full``: what a person reads in a terminal. Plain characters, one place a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from musify_ai.records import SEVERITIES, Edit, Failure, FileResult, Finding, Run
from musify_ai.report import Texts
from musify_ai.report.build_files import build_files
from musify_ai.report.counts import Mutations, counts, decisions, nothing_found, open_findings, with_decision
from musify_ai.report.reasons import why
from musify_ai.report.rewritings import told

if TYPE_CHECKING:
    from musify_ai.records import Verdict


def render(run: Run, texts: Texts, *, full: bool = False, summary: bool = True, by_hand: int = 0) -> str:
    """The run as text. ``full`` shows the source line under each finding and each pending edit; without ``summary``
    only what needs a reader is there: findings, kernels and failures. ``by_hand`` findings are not in the run because
    a person has settled them in the new tree; the summary says so."""
    if not summary:
        parts = [_findings(run, texts, full), _kernels(run.verdicts, full), _programs(run), _failures(run)]
    elif run.command == "verify":
        parts = [_kernels(run.verdicts, full), _programs(run), _failures(run), _verify_summary(run)]
    elif run.command == "migrate":
        shown = _findings(run, texts, full) if full else _findings_by_code(run)
        parts = [shown, _kernels(run.verdicts, full), _failures(run), _migrate_summary(run, by_hand)]
    else:
        parts = [_findings(run, texts, full), _pending(run, texts, full), _failures(run), _check_summary(run)]
    return "\n".join(part for part in parts if part)


def _findings(run: Run, texts: Texts, full: bool) -> str:
    lines = []
    for file in run.files:
        before = texts.get(file.path, (b"", b""))[0]
        for finding in file.findings if full else open_findings(file):
            lines.append(f"{_place(file, finding)}: {finding.code} {finding.severity}: {with_decision(finding)}")
            if full:
                lines += _excerpt(before, finding.start, finding.end)
    return _joined(lines)


def _findings_by_code(run: Run) -> str:
    """A row a code: how often, the work it takes, and the first place, where reading can begin."""
    groups: dict[str, list[tuple[FileResult, Finding]]] = {}
    for file in run.files:
        for finding in open_findings(file):
            groups.setdefault(finding.code, []).append((file, finding))
    if not groups:
        return ""
    rows = []
    for code, found in sorted(groups.items()):
        efforts = {f.effort for _, f in found}
        file, first = found[0]
        effort = " or ".join(e for e in ("minutes", "hours", "days") if e in efforts)
        rows.append([code, str(len(found)), effort, _place(file, first), first.message])
    table = _table(["finding", "sites", "effort each", "first at", "says there"], rows, lines=2)
    return table + "`musify-ai explain CODE` tells more of a code; --format full shows every place.\n"


def _pending(run: Run, texts: Texts, full: bool) -> str:
    lines = []
    for file in run.files:
        edits = [e for e in file.edits if not e.applied and e.safety == "safe"]
        made = sum(e.applied for e in file.edits)
        if made:
            lines.append(f"{_readable(file.path)}: {_count(made, 'edit')} made")
        if full:
            before = texts.get(file.path, (b"", b""))[0]
            for edit in edits:
                lines.append(f"{_readable(file.path)}:{edit.line}:{edit.column}: pending {_change(edit)}")
                lines += _excerpt(before, edit.start, edit.end)
        elif edits and run.command == "check":
            lines.append(f"{_readable(file.path)}: {_count(len(edits), 'edit')} pending (`fix` makes them)")
    return _joined(lines)


def _kernels(verdicts: Sequence[Verdict], full: bool) -> str:
    if not verdicts or (not full and _all_unchecked(verdicts)):
        return ""
    archs = sorted({arch for v in verdicts for arch in v.by_arch})
    rows = []
    for verdict in verdicts:
        name = verdict.name + (f"<{verdict.instantiation}>" if verdict.instantiation else "")
        by_arch = [str(verdict.by_arch.get(arch, "")) for arch in archs]
        rows.append([name, f"{_readable(verdict.path)}:{verdict.line}", *by_arch, verdict.headline, why(verdict)])
    text = _table(["kernel", "at", *archs, "headline", "why"], rows)
    if full:
        text += _joined(_evidence(verdicts))
    return text


def _all_unchecked(verdicts: Sequence[Verdict]) -> str:
    """The one reason for which no kernel was checked, where there is such a one; the summary then says it once."""
    reasons = {(v.headline, v.reason) for v in verdicts}
    headline, reason = reasons.pop()
    return reason or "" if not reasons and headline == "unchecked" else ""


def _evidence(verdicts: Iterable[Verdict]) -> Iterable[str]:
    for verdict in verdicts:
        for row in verdict.evidence:
            buffers = ", ".join(
                f"{b.name} ({b.elements}{' varying' if b.varies else ''}, worst error {b.worst_error:g})"
                for b in row.buffers
            )
            yield (
                f"{verdict.name} on {row.arch} ({row.lanes} lanes): {row.outcome}; {row.method}; "
                f"{_count(len(row.seeds), 'seed')}, {_count(len(row.schedules), 'schedule')}; "
                f"compared: {buffers or 'nothing'}"
            )
            if row.detail:
                yield f"    {row.detail}"
            if row.mutants is not None:
                m = row.mutants
                rejected = m.killed + m.by_text
                yield (
                    f"    mutants: {m.made} made, {rejected} rejected, {m.equivalent} the same code, "
                    f"{len(m.excused)} excused, {len(m.survivors) + len(m.unreached)} left"
                )
                yield from (f"        not noticed: {each}" for each in m.survivors)
                yield from (f"        not reached: {each}" for each in m.unreached)
            if row.assumptions:
                yield f"    rests on: {', '.join(row.assumptions)}"
            if row.repeat:
                yield f"    again: {row.repeat}"


def _programs(run: Run) -> str:
    rows = [[_readable(p.path) or "-", row.arch, row.outcome, row.detail] for p in run.programs for row in p.evidence]
    return _table(["program", "arch", "outcome", "why"], rows) if rows else ""


def _failures(run: Run) -> str:
    return _joined(_failure(f) for f in run.failed)


def _failure(failure: Failure) -> str:
    place = _readable(failure.path) or "the whole run"
    hint = f" ({failure.hint})" if failure.hint else ""
    return f"{place}: failed to {_VERBS[failure.stage]}: {failure.error}{hint}"


_GENERATED = "generated; "  # what comes after says how the file is to be used

_VERBS = {"read": "read", "translate": "translate", "write": "write", "merge": "merge", "check": "be checked"}


def _migrate_summary(run: Run, by_hand: int = 0) -> str:
    found = counts(run)
    rows = [
        ["files", f"{found.files:,}: {_listed(found.statuses) or 'none'}"],
        ["edits", f"{found.made:,} made" + (f": {_listed(found.evidence)}" if found.made else "")],
    ]
    if text := nothing_found(run):
        rows.append(["note", f"{text}; is it the right folder?"])
    if found.meaning:
        rows.append(
            ["read first", f"{_count(found.meaning, 'edit')} of meaning in {_count(found.meaning_files, 'file')}"]
        )
    moved = sum(f.output not in (None, f.path) for f in run.files)
    if moved and run.options.style == "rebrand":
        rows.append(["style", f"rebrand: {_count(moved, 'file')} have another name or place"])
    rows += [
        ["style", f"{run.options.style}: {f.reason}"] for f in run.files if (f.reason or "").startswith(_GENERATED)
    ]
    if found.offered:
        rows.append(["not applied", f"{_count(found.offered, 'unsafe edit')} (--unsafe-fixes applies them)"])
    rows.append(
        ["findings", f"{found.findings.total():,}" + (f": {_by_severity(found.findings)}" if found.findings else "")]
    )
    if by_hand:
        # An edited line is all that is known: whether the edit was right is for the kernels' checks to say.
        rows.append(
            ["by hand", f"{_count(by_hand, 'finding')} more on lines edited there since (--format json lists all)"]
        )
    if text := decisions(found):
        rows.append(["decided", text])
    rows.append(["residue", f"{_count(found.residue, 'CUDA name')} left unexplained" + _residue_names(run)])
    if (state := build_files(run)) != "none":
        rows.append(["build files", state])
    if text := told(run):
        rows.append(["model", text])
    if run.verdicts:
        reason = _all_unchecked(run.verdicts)
        rows.append(["kernels", f"{len(run.verdicts)}: {_listed(found.kernels)}" + (f" ({reason})" if reason else "")])
    if found.mutants:
        rows.append(["mutants", _mutants(found.mutants)])
    rows += [["not run by", each] for each in _idle_backends(run)]
    if found.failed:
        rows.append(["failed", str(found.failed)])
    return _table(None, rows)


def _check_summary(run: Run) -> str:
    found = counts(run)
    parts = [
        f"{_count(found.files, 'file')} checked",
        _count(found.findings.total(), "finding") + (f" ({_by_severity(found.findings)})" if found.findings else ""),
        f"{_count(found.pending, 'edit')} pending",
    ]
    if run.command == "fix":
        parts[0] = f"{_count(found.statuses['changed'], 'file')} of {found.files} fixed"
    if text := decisions(found):
        parts.insert(2, text)
    if found.residue:
        parts.append(f"{_count(found.residue, 'CUDA name')} left unexplained")
    if found.residue_pattern:
        parts.append(_alike(run))
    if found.failed:
        parts.append(f"{found.failed} failed")
    if text := nothing_found(run):
        parts.append(text)
    return ", ".join(parts) + "\n"


def _verify_summary(run: Run) -> str:
    found = counts(run)
    kernels = found.kernels
    listed = f": {_listed(kernels)}" if kernels else "" if run.programs else ": the original has none to check"
    text = f"{_count(kernels.total(), 'kernel')}{listed}\n"
    text += f"wrong versions of them: {_mutants(found.mutants)}\n" if found.mutants else ""
    return text + "".join(f"not run by {each}\n" for each in _idle_backends(run))


def _idle_backends(run: Run) -> Iterable[str]:
    """The real backends that were asked for and ran nothing, with the reason: a table of emulated outcomes alone would
    read as if they had."""
    reasons: dict[str, list[str]] = {}
    for verdict in run.verdicts:
        for row in verdict.evidence:
            if row.method == "device" and row.outcome == "unchecked":
                reasons.setdefault(" against ".join(row.backend), []).append(row.detail)
    for pair, details in reasons.items():
        yield f"{pair}, {_count(len(details), 'time')}: {_readable(details[0])}"


def _mutants(found: Mutations) -> str:
    return (
        f"{found.made:,} made, {found.rejected:,} rejected, {found.same:,} the same code or excused, {found.left:,} "
        f"not noticed{' (--format full names them)' if found.left else ''}"
    )


def _residue_names(run: Run) -> str:
    known = _some((f.path, name) for f in run.files for _, _, name in f.residue)
    alike = _alike(run)
    return (f": {known}" if known else "") + (f"; {alike}" if alike else "")


def _alike(run: Run) -> str:
    """Names that only look like CUDA's, most often macros of the project's own, and in how many places: one macro that
    is called everywhere is one name. Empty where there is none."""
    found = [(f.path, name) for f in run.files for _, _, name in f.residue_pattern]
    if not found:
        return ""
    names = len({name for _, name in found})
    look = "looks" if names == 1 else "look"
    return f"{_count(names, 'name')} in {_count(len(found), 'place')} only {look} like CUDA's ({_some(found)})"


def _some(places: Iterable[tuple[str, str]], most: int = 4) -> str:
    """The first of the names, each with a file that has it."""
    first: dict[str, str] = {}
    for path, name in places:
        first.setdefault(name, path)
    told = [f"{name} ({_readable(path)})" for name, path in first.items()]
    return ", ".join(told[:most]) + (" ..." if len(told) > most else "")


def _place(file: FileResult, finding: Finding) -> str:
    return f"{_readable(file.path)}:{finding.line}:{finding.column}"


def _change(edit: Edit) -> str:
    return f"{edit.rule}: {_printable(edit.old)} -> {_printable(edit.new)}"


def _excerpt(src: bytes, start: int, end: int) -> list[str]:
    """The source line of a place with marks under it, cut to a bearable length; nothing where the text is not at
    hand."""
    if not src:
        return []
    first = src.rfind(b"\n", 0, start) + 1
    last = src.find(b"\n", start)
    last = len(src) if last < 0 else last
    line = _printable(src[first:last])
    before = len(_printable(src[first:start]))
    marks = max(1, len(_printable(src[start : min(end, last)])))
    if before + marks > 150:
        return []
    return [f"    {line[:160]}", "    " + " " * before + "^" * marks]


def _printable(data: bytes) -> str:
    text = data.decode("utf-8", "replace").rstrip("\r\n").replace("\t", "    ")
    return "".join(c if c.isprintable() else "�" for c in text.replace("\r\n", " ").replace("\n", " "))


def _readable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _wrapped(text: str, lines: int, width: int = 100) -> list[str]:
    """The text in lines of the width; what more than so many lines would hold is cut, and marked as cut."""
    from textwrap import wrap

    return wrap(text, width, max_lines=lines, placeholder=" …", break_on_hyphens=False) or [""]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _by_severity(counter: Mapping[str, int]) -> str:
    return ", ".join(_count(counter[severity], severity) for severity in SEVERITIES if counter.get(severity))


def _listed(counter: Mapping[Any, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in sorted(counter.items(), key=lambda i: (-i[1], i[0])))


def _table(header: Sequence[str] | None, rows: Sequence[Sequence[str]], lines: int = 8) -> str:
    """Columns as wide as their widest cell; the last one of a table with a header is wrapped, to so many lines."""
    everything = [header, *(part for row in rows for part in _parts(row, lines))] if header else list(rows)
    widths = [max(len(row[i]) for row in everything) for i in range(len(everything[0]))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(r, widths, strict=True)).rstrip() for r in everything]
    if header:
        text.insert(1, "  ".join("-" * width for width in widths))
    return _joined(text)


def _parts(row: Sequence[str], lines: int) -> list[Sequence[str]]:
    """A row as the lines it takes."""
    first, *others = _wrapped(row[-1], lines)
    return [[*row[:-1], first], *([*[""] * (len(row) - 1), other] for other in others)]


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)
