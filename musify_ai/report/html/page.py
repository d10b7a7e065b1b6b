"""The page put together: what is shown, in which order, and how much of it where a run is very large."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from markupsafe import Markup

from musify_ai.records import HEADLINES, SEVERITIES, Edit, Failure, FileResult, Grade, Run
from musify_ai.report import Texts
from musify_ai.report.counts import Counts, counts, decisions, edits_of
from musify_ai.report.headlines import mood
from musify_ai.report.html import diffs, kernels, plots
from musify_ai.report.html.groups import EFFORTS, Code, codes
from musify_ai.report.html.pages import body_of, title_of
from musify_ai.report.html.renames import renames
from musify_ai.report.html.visible import attribute, finalized, prose
from musify_ai.report.meaning import is_plain_name
from musify_ai.report.merging import CAVEAT, answer, slower

# A page has to open. Hunks of meaning come side by side up to the first number of rows, plain renames up to the
# second; beyond, each changed line once, up to the third. What is left out is counted where it would stand.
MEANING_ROWS = 4_000
NAME_ROWS = 4_000
LINES = 40_000
# Up to this many files with changes of meaning are unfolded from the start.
_UNFOLDED = 12

TEMPLATE = "report.html.j2"

_GRADES: tuple[Grade, ...] = get_args(Grade)
_QUESTIONS = {
    "check": "Is it ready to migrate?",
    "verify": "Can this port be trusted?",
}


class File(NamedTuple):
    """A file as the page shows it; each part is HTML, empty where there is nothing of the kind."""

    number: int
    record: FileResult
    meaning: Markup
    meaning_lines: Markup
    names: Markup
    name_lines: Markup
    shown: int  # edits in these parts
    of_meaning: int  # of those, edits that are no plain names
    codes: str
    left: int  # changed lines that are not on the page
    open_edits: tuple[Edit, ...]
    whole: bool  # the file's text was at hand


def render(
    run: Run,
    texts: Texts,
    *,
    assumptions: Mapping[str, str] | None = None,
    pages: Mapping[str, str] | None = None,
) -> str:
    """The run as one HTML page.

    ``assumptions`` gives the sentence for each id that verdicts rest on, ``pages`` the page of each code in Markdown.
    """
    pages = pages or {}
    numbered = list(enumerate(run.files))
    edits = [edits_of(run, file) for file in run.files]
    found = counts(run)
    files = list(_files(numbered, edits, texts, pages.keys()))
    titles = {code: title_of(page) for code, page in pages.items()}
    grouped = codes(numbered, texts, titles)
    used = [*dict.fromkeys([*(c.code for c in grouped), *_rules(edits)])]
    made, open_ = slower(run)
    groups = kernels.groups(run.verdicts)
    text: str = (
        environment()
        .get_template(TEMPLATE)
        .render(
            run=run,
            question=_QUESTIONS.get(run.command, "Can I merge this?"),
            answer=answer(run),
            caveat=CAVEAT,
            counts=found,
            decisions=decisions(found),
            tiles=_tiles(run, found, groups),
            slower_made=_by_code(finding.code for _, finding in made),
            slower_open=_by_code(finding.code for _, finding in open_),
            kernel_groups=groups,
            kernel_mood=mood,
            codes=grouped,
            meaning=sorted((f for f in files if f.of_meaning), key=lambda f: _is_build(edits[f.number])),
            plain=[file for file in files if not file.of_meaning and (file.shown or file.open_edits)],
            unfolded=sum(file.of_meaning > 0 for file in files) <= _UNFOLDED,
            anchors={file.number for file in files if file.shown or file.open_edits},
            paths=[file.path for file in run.files],
            renames=renames(numbered, edits),
            quiet=Counter(_why_quiet(file) for file in run.files if not file.edits and not file.findings),
            statuses=found.statuses,
            residue=[(file.path, name) for file in run.files for _, _, name in file.residue],
            alike=Counter(name for file in run.files for _, _, name in file.residue_pattern).most_common(),
            assumptions=_used_assumptions(run, assumptions or {}),
            pages=[(code, titles[code], body_of(pages[code])) for code in sorted(used) if code in pages],
            titles=titles,
            used=pages.keys(),
            headlines=[h for h in HEADLINES if any(v.headline == h for v in run.verdicts)],
            findings_by_id=_findings_by_id(run),
        )
    )
    return text


def environment() -> Any:
    """The jinja2 environment of our pages: all text made visible, nothing undefined."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_templates()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalized,
    )
    made.filters["attribute"] = attribute
    made.filters["prose"] = prose
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["places"] = _places
    made.filters["groupby_failure"] = _alike
    made.globals["bar"] = plots.bar
    made.globals["notes"] = diffs.notes
    return made


def _templates() -> Path:
    """Where the templates lie: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent.parent
    installed = package / "_data" / "templates" / "reports"
    return installed if installed.is_dir() else package.parent / "templates" / "reports"


def _files(
    numbered: Sequence[tuple[int, FileResult]],
    edits: Sequence[tuple[Edit, ...]],
    texts: Texts,
    linked: Collection[str],
) -> Iterable[File]:
    found = [
        (
            number,
            file,
            shown,
            diffs.changes(file.path, file.encoding, texts.get(file.path, (b"", b""))[0], shown, linked),
        )
        for (number, file), shown in zip(numbered, edits, strict=True)
    ]
    beside = sum(changes.rows for *_, changes in found) <= NAME_ROWS
    line_room = LINES
    side_by_side = _with_room([(changes, _is_build(shown)) for _, _, shown, changes in found])
    for number, file, shown, changes in found:
        parts = {"meaning": Markup(""), "meaning_lines": Markup(""), "names": Markup(""), "name_lines": Markup("")}
        left = 0
        if not changes.before:
            parts["meaning_lines"] = diffs.without_text([e for e in shown if not is_plain_name(e)], linked)
            parts["name_lines"] = diffs.without_text([e for e in shown if is_plain_name(e)])
        elif changes.path in side_by_side:
            parts["meaning"] = diffs.side_by_side(changes, changes.of_meaning)
        else:
            parts["meaning_lines"], line_room, left = _within(changes, changes.of_meaning, line_room)
        if beside:
            parts["names"] = diffs.side_by_side(changes, changes.of_names)
        elif changes.of_names:
            parts["name_lines"], line_room, more = _within(changes, changes.of_names, line_room)
            left += more
        of_meaning = sum(not is_plain_name(edit) for edit in shown)
        yield File(
            number,
            file,
            **parts,
            shown=len(shown),
            of_meaning=of_meaning,
            codes=" ".join(
                sorted({e.rule for e in shown if e.rule.startswith("MUS")} | {f.code for f in file.findings})
            ),
            left=left,
            open_edits=_open_edits(file, shown),
            whole=bool(changes.before) or not shown,
        )


def _is_build(edits: Iterable[Edit]) -> bool:
    """Whether all that a file's edits mean is how it is built: such files are many, and much alike."""
    meant = {edit.rule for edit in edits if not is_plain_name(edit)}
    return bool(meant) and all(rule.startswith("MUS8") for rule in meant)


def _with_room(files: Iterable[tuple[diffs.Changes, bool]]) -> set[str]:
    """The files whose edits of meaning come side by side as long as there is room, sources before build files."""
    room, found = MEANING_ROWS, set()
    for changes, _ in sorted(files, key=lambda each: each[1]):
        rows = sum(len(hunk.lines) for hunk in changes.of_meaning)
        if rows <= room:
            room -= rows
            found.add(changes.path)
    return found


def _within(changes: diffs.Changes, hunks: Sequence[Any], room: int) -> tuple[Markup, int, int]:
    """Hunks as lines as far as there is room: the HTML, the room left, and how many changed lines are not shown."""
    kept = []
    left = 0
    for hunk in hunks:
        lines = sum(line.kind != " " for line in hunk.lines)
        if lines <= room:
            room -= lines
            kept.append(hunk)
        else:
            left += lines
    return diffs.in_lines(changes, kept), room, left


def _open_edits(file: FileResult, shown: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits that are neither made nor beside a finding of theirs."""
    seen = set(shown)
    codes_at = {(finding.code, finding.start) for finding in file.findings} | {
        (finding.edit.rule, finding.edit.start) for finding in file.findings if finding.edit is not None
    }
    by_code = {finding.code for finding in file.findings}
    return tuple(
        edit
        for edit in file.edits
        if edit not in seen and (edit.rule, edit.start) not in codes_at and edit.rule not in by_code
    )


def _tiles(run: Run, found: Counts, groups: Sequence[kernels.Group]) -> dict[str, Any]:
    """The figures of the first screen."""
    return {
        "headlines": [(g.headline, found.kernels[g.headline], g.mood) for g in groups],
        "efforts": [(effort, [found.efforts[effort, severity] for severity in SEVERITIES]) for effort in EFFORTS],
        "severities": SEVERITIES,
        "findings": found.findings.total(),
        "grades": [(grade, found.evidence[grade]) for grade in _GRADES if found.evidence[grade]],
        "bars": [(grade, found.evidence[grade], grade) for grade in _GRADES],
        "unproven_kernels": sum("name-unproven" in verdict.notes for verdict in run.verdicts),
    }


def _by_code(found: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(found).most_common()


def _rules(edits: Sequence[Sequence[Edit]]) -> Iterable[str]:
    return dict.fromkeys(edit.rule for shown in edits for edit in shown if edit.rule.startswith("MUS"))


def _why_quiet(file: FileResult) -> str:
    return f"{file.status} ({file.reason})" if file.reason else file.status


def _used_assumptions(run: Run, sentences: Mapping[str, str]) -> list[tuple[str, str]]:
    used = sorted({a for v in run.verdicts for e in v.evidence for a in e.assumptions})
    return [(identifier, sentences.get(identifier, "")) for identifier in used]


def _findings_by_id(run: Run) -> dict[str, str]:
    """The message of each finding that a rewrite speaks of, by the finding's id."""
    if not run.rewrites:
        return {}
    from musify_ai.report.identifiers import identifiers

    found = [(file.path, each) for file in run.files for each in sorted(file.findings, key=lambda f: (f.start, f.code))]
    names = identifiers((path, each.start, each.code) for path, each in found)
    return {name: f"{each.code}: {each.message}" for name, (_, each) in zip(names, found, strict=True)}


def _alike(failures: Iterable[Failure]) -> list[tuple[tuple[str, str, str], list[str]]]:
    """The paths of failures by stage, error and hint."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for failure in failures:
        found.setdefault((failure.stage, failure.error, failure.hint), []).append(failure.path)
    return list(found.items())


def _places(code: Code) -> str:
    """How many places a code has, in how many files."""
    places = f"{code.total:,} place" + ("" if code.total == 1 else "s")
    return places + (f" in {code.files:,} files" if code.files > 1 else "")
