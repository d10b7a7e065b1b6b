"""``musify-ai fix``: the safe edits, in place."""

from pathlib import Path
from typing import Any

import click

from musify_ai.cli.accepted import accepted_from, triage_of, with_decisions, without_accepted
from musify_ai.cli.choices import OF_KERNELS, ExistingName, common, format_from, options_from, refuse_vain, translating
from musify_ai.cli.ending import status_of
from musify_ai.cli.output import show
from musify_ai.cli.progress import progress


@click.command()
@click.argument("files", nargs=-1, required=True, type=ExistingName(path_type=Path))
@translating
@common
def fix(files: tuple[Path, ...], format_: str | None, baseline: str | None, **given: Any) -> int:
    """Make the safe edits in FILES (or directories), each file by atomic rename.

    \b
    Exit status: 1 when a file was changed or one failed, else 0.

    \b
    Example: musify-ai fix src/kernels.cu
    """
    from musify_ai.project import fix as run_fix

    format_ = format_from(format_, OF_KERNELS, "it shows kernels; migrate and verify check those")
    refuse_vain(given["fail_on"], ("unchecked", "differs"), "fix runs no kernel; migrate and verify do")
    options = options_from(files[0], **given)
    known = accepted_from(files[0], baseline, given["fail_on"])
    decided = triage_of(files[0])
    with progress() as shown:
        outcome = with_decisions(run_fix(files, options, progress=shown), decided)
    show(outcome, format_)
    return status_of(outcome.run, options.fail_on, without_accepted(outcome, known).run)
