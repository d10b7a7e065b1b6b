"""``musify-ai check``: findings and pending edits, nothing written."""

from pathlib import Path
from typing import Any

import click

from musify_ai.cli.choices import common, format_from, options_from, translating
from musify_ai.cli.ending import status_of
from musify_ai.cli.output import show
from musify_ai.cli.progress import progress


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@translating
@common
def check(files: tuple[Path, ...], format_: str | None, **given: Any) -> int:
    """Report what needs a person in FILES (or directories) and which edits are pending. Writes nothing.

    \b
    Exit status: 1 when a finding of severity error or warning remains, or a file
    cannot be read; pending edits alone are 0 (--fail-on pending makes them 1).

    \b
    Example: musify-ai check --format full src/kernels.cu
    """
    from musify_ai.project import check as run_check

    format_ = format_from(format_)
    options = options_from(files[0], **given)
    with progress() as shown:
        outcome = run_check(files, options, progress=shown)
    show(outcome, format_)
    return status_of(outcome.run, options.fail_on)
