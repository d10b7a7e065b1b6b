"""``musify-ai fleet``: many repositories, one table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from musify_ai.cli.choices import ExistingName
from musify_ai.cli.config import near
from musify_ai.cli.ending import DONE, FOUND
from musify_ai.cli.loudness import loudness
from musify_ai.cli.output import put
from musify_ai.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from musify_ai.project.fleet import Fared

FORMATS = ("text", "json")
_HEADS = ("repository", "files", "changed", "failed", "edits", "errors", "warnings",
          "of days", "of hours", "of minutes", "residue", "kernels", "equal", "weakly", "seconds")  # fmt: skip


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("repositories", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@click.option("--out", metavar="DIR", required=True, type=ExistingName(path_type=Path), help="A folder for the trees.")
@click.option("--at-once", type=click.IntRange(1), default=1, metavar="N", help="Repositories at a time (default 1).")
@click.option("--format", "format_", metavar="FORMAT", default="text", help="text (default) or json.")
@loudness
def fleet(repositories: Path, options: tuple[str, ...], out: Path, at_once: int, format_: str) -> int:
    """Migrate the repositories that FILE lists, and print a table of how they fared.

    FILE is TOML: a [[repo]] table each, with a path (relative to FILE) and if wanted a name and options. OPTIONS after
    FILE are those of `migrate`, for all. A repository that goes wrong is a row with its reason and ends nothing; one
    that is done is not done again until its commit or the options change.

    \b
    Exit status: 0 when all were migrated, 1 when one was not or has a file that failed.

    \b
    Example: musify-ai fleet repos.toml --out migrated --no-verify
    """
    if format_ not in FORMATS:
        raise click.UsageError(f"unknown format {format_!r}{near(format_, FORMATS)}")
    from musify_ai.project.fleet import OWN_OPTIONS, migrate_fleet, read_fleet

    wrong = next((each for each in options if each.split("=")[0] in OWN_OPTIONS), None)
    if wrong is not None:
        raise click.UsageError(f"{wrong} is for the fleet itself to give to `migrate`")
    found = read_fleet(repositories)
    with progress() as shown:
        rows = migrate_fleet(found, out, options, at_once=at_once, progress=shown)
    text = _document(rows) if format_ == "json" else _table(rows)
    put(text.encode("utf-8", "replace"))
    return FOUND if any(row.error or row.failed for row in rows) else DONE


def _document(rows: "Sequence[Fared]") -> str:
    from musify_ai.project.fleet import totals

    document = {
        "version": 1,
        "command": "fleet",
        "summary": {
            "repositories": len(rows),
            "not_migrated": sum(bool(row.error) for row in rows),
            **dict(totals(rows)),
        },
        "repositories": [row.told() for row in rows],
    }
    return json.dumps(document, indent=1) + "\n"


def _table(rows: "Sequence[Fared]") -> str:
    cells = [_HEADS, *(_cells(row) for row in rows if not row.error)]
    done = [row for row in rows if not row.error]
    if len(done) > 1:
        sums = [_cells(row)[1:] for row in done]
        total = [f"{sum(float(row[at].replace(',', '')) for row in sums):,.0f}" for at in range(len(_HEADS) - 1)]
        cells.append(("together", *total))
    widths = [max(len(row[at]) for row in cells) for at in range(len(_HEADS))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in cells]
    lines += [f"{row.name}: not migrated: {row.error}" for row in rows if row.error]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cells(row: "Fared") -> tuple[str, ...]:
    kernels = sum(row.kernels.values())
    weakly = row.kernels.get("equal-weak", 0)
    equal = sum(count for headline, count in row.kernels.items() if headline.startswith("equal-")) - weakly
    severities, efforts = row.severities, row.efforts
    figures = (
        row.files, row.changed, row.failed, row.edits, severities.get("error", 0), severities.get("warning", 0),
        efforts.get("days", 0), efforts.get("hours", 0), efforts.get("minutes", 0), row.residue, kernels, equal,
        weakly,
    )  # fmt: skip
    return (row.name, *(f"{figure:,}" for figure in figures), f"{row.seconds:,.1f}")
