"""``musify-ai check``: findings and pending edits, nothing written."""

from pathlib import Path
from typing import Any

import click

from musify_ai.cli.accepted import Accepted, accepted_from, since_from, triage_of, with_decisions, without_accepted
from musify_ai.cli.choices import OF_KERNELS, ExistingName, common, format_from, options_from, refuse_vain, translating
from musify_ai.cli.ending import DONE, FOUND, status_of
from musify_ai.cli.output import put, show
from musify_ai.cli.progress import progress
from musify_ai.project.running import Outcome

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=ExistingName(path_type=Path))
@click.option("--statistics", is_flag=True, help="Count the findings by code instead of listing them.")
@click.option(
    "--write-baseline", type=_FILE, metavar="FILE", help="Write the findings to FILE, to be accepted as they are."
)
@click.option(
    "--since", metavar="REV", help="Only findings that the files did not have in this git revision, such as HEAD."
)
@translating
@common
def check(
    files: tuple[Path, ...],
    format_: str | None,
    statistics: bool,
    write_baseline: Path | None,
    baseline: str | None,
    since: str | None,
    **given: Any,
) -> int:
    """Report what needs a person in FILES (or directories) and which edits are pending. Writes nothing.

    \b
    Exit status: 1 when a finding of severity error or warning remains, or a file
    cannot be read; pending edits alone are 0 (--fail-on pending makes them 1).

    \b
    Examples: musify-ai check --format full src/kernels.cu
              musify-ai check --since origin/main src
    """
    from musify_ai.project import check as run_check

    format_ = format_from(format_, OF_KERNELS, "it shows kernels; migrate and verify check those")
    refuse_vain(given["fail_on"], ("unchecked", "differs"), "check runs no kernel; migrate and verify do")
    options = options_from(files[0], **given)
    since = since_from(files[0], since, baseline)
    known = None if since else accepted_from(files[0], baseline, given["fail_on"])
    decided = triage_of(files[0])
    with progress() as shown:
        outcome = run_check(files, options, progress=shown)
    if write_baseline is not None:
        return _accepted(outcome, write_baseline)
    if since:
        from musify_ai.project.since import known_since

        known = Accepted(known_since(outcome.run, since, options))
    outcome = with_decisions(outcome, decided)
    outcome = without_accepted(outcome, known, where=f"were there in {since}" if since else "")
    if statistics:
        from musify_ai.report.statistics import render
        from musify_ai.translate.registry import title

        put(render(outcome.run, title).encode())
    else:
        show(outcome, format_)
    return status_of(outcome.run, options.fail_on)


def _accepted(outcome: Outcome, place: Path) -> int:
    """The findings written as a baseline. A file that could not be read is in none, so it stays a failure."""
    from musify_ai.project.baseline import named_from, written
    from musify_ai.rules.compiling import write_atomically

    if not write_atomically(place, written(outcome.run, named_from(place.parent)).encode("utf-8", "surrogateescape")):
        raise click.UsageError(f"{place}: cannot be written")
    count = sum(len(file.findings) for file in outcome.run.files)
    said = f"wrote {count} finding{'' if count == 1 else 's'} to {place}"
    put(f"{said}; check with --baseline {place} to see only what is new\n".encode())
    return FOUND if outcome.run.failed else DONE
