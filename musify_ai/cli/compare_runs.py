"""``musify-ai compare-runs``: what a new version of the rules would change."""

from pathlib import Path

import click

from musify_ai.cli.ending import DONE, FOUND
from musify_ai.cli.output import put

_REPORT = click.Path(dir_okay=False, path_type=Path)


@click.command("compare-runs")
@click.argument("first", type=_REPORT)
@click.argument("second", type=_REPORT)
def compare_runs(first: Path, second: Path) -> int:
    """List what the run of report SECOND does or says otherwise than that of FIRST, over the same sources.

    Both are JSON reports, as check --format json prints them: keep the one of the version in use, make the
    other with the new version.

    \b
    Exit status: 1 when anything differs.

    \b
    Example: musify-ai compare-runs before.json after.json
    """
    from musify_ai.report.comparison import NoReport, compare, read_report, render

    try:
        found = compare(read_report(first), read_report(second))
    except NoReport as problem:
        raise click.UsageError(str(problem)) from None
    put(render(found).encode("utf-8", "replace"))
    return FOUND if any(found[1:]) else DONE
