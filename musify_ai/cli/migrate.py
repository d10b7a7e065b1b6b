"""``musify-ai migrate``: the whole way for a file or a repository."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from musify_ai.cli.accepted import (
    accepted_from,
    triage_of,
    with_baseline,
    with_decisions,
    without_accepted,
)
from musify_ai.cli.asking import asked_from, asking
from musify_ai.cli.choices import (
    EXECUTORS,
    ExistingName,
    checking,
    common,
    format_from,
    options_from,
    refuse_vain,
    translating,
)
from musify_ai.cli.completing import offering
from musify_ai.cli.ending import status_of
from musify_ai.cli.loudness import say
from musify_ai.cli.output import before_checking, check_report_folder, put, show, write_report
from musify_ai.cli.progress import progress
from musify_ai.project.treating import Way

if TYPE_CHECKING:
    from musify_ai.records import Run


@click.command()
@click.argument("source", metavar="SRC", type=ExistingName(path_type=Path))
@click.option("--out", metavar="DST", type=ExistingName(path_type=Path), help="Write a new tree (or file) there.")
@click.option("--in-place", is_flag=True, help="Change SRC itself; refuses a git tree with uncommitted changes.")
@click.option("--diff", is_flag=True, help="Write nothing; print a patch that git apply takes.")
@click.option("--allow-dirty", is_flag=True, help="In place also where git knows of uncommitted changes.")
@click.option("--all-files", is_flag=True, help="In place also third-party, generated and git-ignored files.")
@click.option("--split", is_flag=True, help="With --in-place: commit what was changed, one commit a kind of change.")
@click.option("--verify/--no-verify", default=None, help="Check each kernel against its original (default).")
@click.option(
    "--executor",
    metavar="WHERE",
    shell_complete=offering(lambda: EXECUTORS),
    help="Where files are translated: local (processes, default) or ray (a cluster: RAY_ADDRESS, else one here).",
)
@click.option(
    "--resume", is_flag=True, help="Go on where a run was ended. Every run does; --fresh is for those that are not to."
)
@translating
@checking
@asking
@common
def migrate(
    source: Path,
    out: Path | None,
    in_place: bool,
    diff: bool,
    allow_dirty: bool,
    all_files: bool,
    split: bool,
    report: Path | None,
    resume: bool,
    format_: str | None,
    baseline: str | None,
    **given: Any,
) -> int:
    """Translate SRC, a file or a repository, and check its kernels against the original.

    Wants one of --out, --in-place and --diff. What is not translated is copied byte for byte. With --diff nothing is
    checked.

    \b
    Exit status: 0 when it finished, 1 when a file failed or what --fail-on names
    is there, 2 when it refused (nothing is written then).

    \b
    Examples: musify-ai migrate project --out project-musa --report report
              musify-ai migrate project --diff | git -C project apply
    """
    from musify_ai.project import migrate as run_migrate

    if resume and given["fresh"]:
        raise click.UsageError("--resume goes on where a run was ended and --fresh begins anew; give one of them")
    asked = asked_from(given)
    way = _way(out, in_place, diff)
    if split and (not in_place or allow_dirty or not source.is_dir()):
        raise click.UsageError("--split commits a directory that is clean: give it with --in-place, no --allow-dirty")
    if format_ is not None and diff:
        raise click.UsageError("--diff prints a patch; for another format give --report DIR with it")
    format_ = format_from(format_)
    if diff:
        refuse_vain(given["fail_on"], ("unchecked", "differs"), "with --diff no kernel is run")
    options = options_from(source, **given)
    if split and options.style != "tokens":
        raise click.UsageError(f"--split goes with --style tokens, not {options.style}")
    if report is not None:
        check_report_folder(report, *([source] if source.is_dir() else []), *([out] if out else []))
    known = accepted_from(source, baseline, given["fail_on"])
    decided = triage_of(source, source if source.is_dir() else source.parent)
    if options.verify and not diff:
        before_checking(options)
    with progress() as shown:
        outcome = run_migrate(
            source,
            out,
            options,
            way=way,
            allow_dirty=allow_dirty,
            everything=all_files,
            progress=shown,
            asked=asked,
            split=split,
        )
    from musify_ai.report.merging import counted

    for commit in outcome.commits:
        size = f"{counted(commit.edits, 'edit')} in {counted(commit.files, 'file')}"
        say(f"committed {commit.hash[:10]} {commit.subject}: {size}")
    for line in uncommitted(outcome.run) if split else ():
        say(line)
    outcome = with_decisions(outcome, decided)
    left = without_accepted(outcome, known, source)
    outcome = with_baseline(outcome, known, source)
    page = write_report(outcome, report) if report is not None else None
    if diff:
        from musify_ai.report.patch import render

        put(render(outcome.run, outcome.texts))
    else:
        show(outcome, format_)
    if page is not None and not diff and format_ != "json":
        put(f"report: {page}\n".encode("utf-8", "surrogateescape"))
    return status_of(outcome.run, options.fail_on, left.run)


def uncommitted(run: "Run") -> list[str]:
    """Which changed files are in no commit, and why; of many the first ten."""
    from musify_ai.project.running import UNCOMMITTED
    from musify_ai.report.placing import readable

    left = [file for file in run.files if (file.reason or "").startswith(UNCOMMITTED)]
    lines = [f"{readable(file.path)}: {file.reason}" for file in left[:10]]
    return lines + ([f"and {len(left) - 10:,} more files that are in no commit"] if len(left) > 10 else [])


def _way(out: Path | None, in_place: bool, diff: bool) -> Way:
    if (out is not None) + in_place + diff != 1:
        raise click.UsageError("give one of --out DST, --in-place and --diff, and one only")
    return "out" if out is not None else "in-place" if in_place else "diff"
