"""``musify-ai drift``: what upstream changed since a migration, and which of it matters to it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from musify_ai.cli.choices import ExistingName, options_from, translating
from musify_ai.cli.config import near
from musify_ai.cli.ending import DONE, FOUND
from musify_ai.cli.output import put

if TYPE_CHECKING:
    from musify_ai.project.drift import Drift, Drifted, Touched

FORMATS = ("text", "json")


@click.command()
@click.argument("source", metavar="SRC", type=ExistingName(path_type=Path))
@click.argument("out", metavar="DST", type=ExistingName(path_type=Path))
@click.option("--format", "format_", metavar="FORMAT", default="text", help="text (default) or json.")
@translating
def drift(source: Path, out: Path, format_: str, **given: Any) -> int:
    """Say what has changed in SRC since it was migrated into DST, and which of it touches migrated places.

    A place is touched where an edit or a finding stood in lines that upstream has changed. Findings and edits in lines
    that are new are told too. Nothing is written; migrate SRC --out DST merges what has changed.

    \b
    Exit status: 0 when no change concerns the migration, 1 when one does, 2 when DST has no ledger.

    \b
    Example: musify-ai drift my-project my-project-musa
    """
    if format_ not in FORMATS:
        raise click.UsageError(f"unknown format {format_!r}{near(format_, FORMATS)}")
    from musify_ai.project.drift import drift as found_in

    given.pop("baseline", None)
    found = found_in(source, out, options_from(source, **given))
    text = json.dumps(_document(found), indent=1) + "\n" if format_ == "json" else _text(found)
    put(text.encode("utf-8", "replace"))
    return FOUND if any(file.matters for file in found.files) else DONE


def _text(found: "Drift") -> str:
    from musify_ai.report.merging import counted

    lines = []
    for file in found.files:
        if not file.matters:
            continue
        lines.append(f"{file.path}: {file.change}{', and the result was edited by hand' if file.edited else ''}")
        lines += [f"  {_touched(each)}" for each in file.touched]
        lines += [f"  {each.line}:{each.column}: new {each.code} {each.severity}: {each.message}" for each in file.new]
        if file.edits:
            lines.append(f"  {file.edits} edit{'s' * (file.edits != 1)} to make in lines that are new")
    count = {kind: sum(file.change == kind for file in found.files) for kind in ("changed", "added", "removed")}
    matter = sum(file.matters for file in found.files)
    places = sum(len(file.touched) for file in found.files)
    since = f" since {found.then[:12]}" if found.then else " since the migration"
    lines.append(
        f"{counted(count['changed'], 'file')} changed, {count['added']} added, {count['removed']} removed{since}; "
        f"{matter} of them matter: {counted(places, 'migrated place')} touched, "
        f"{counted(sum(len(file.new) for file in found.files), 'new finding')}"
    )
    return "\n".join(lines) + "\n"


def _touched(each: "Touched") -> str:
    now = f"line {each.new_line} now" if each.new_end >= each.new_line else "gone now"
    if each.new_end > each.new_line:
        now = f"lines {each.new_line} to {each.new_end} now"
    what = f"edit {each.code} of `{each.text}`" if each.kind == "edit" else f"{each.code}: {each.text}"
    return f"line {each.line}, {now}: {what}"


def _document(found: "Drift") -> dict[str, Any]:
    return {
        "version": 1,
        "command": "drift",
        "then": found.then,
        "now": found.now,
        "files": [_file(file) for file in found.files],
    }


def _file(file: "Drifted") -> dict[str, Any]:
    return {
        "path": file.path.encode("utf-8", "replace").decode(),
        "change": file.change,
        "edited": file.edited,
        "touched": [each._asdict() for each in file.touched],
        "new": [
            {"code": f.code, "severity": f.severity, "line": f.line, "column": f.column, "message": f.message}
            for f in file.new
        ],
        "edits": file.edits,
    }
