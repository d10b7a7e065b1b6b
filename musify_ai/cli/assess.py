"""``musify-ai assess``: what a migration would take, before anybody decides."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from musify_ai.cli.accepted import triage_of, with_decisions
from musify_ai.cli.choices import ExistingName, options_from, translating
from musify_ai.cli.config import near
from musify_ai.cli.ending import DONE, FOUND
from musify_ai.cli.output import put
from musify_ai.cli.progress import progress
from musify_ai.project.running import Outcome

if TYPE_CHECKING:
    from musify_ai.report.assess import Assessment

FORMATS = ("text", "json", "html", "markdown")
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("source", metavar="SRC", type=ExistingName(path_type=Path))
@click.option(
    "--format", "format_", metavar="FORMAT", default="text", help=f"text (default), {', '.join(FORMATS[1:])}."
)
@click.option("-o", "--output", metavar="FILE", type=_FILE, help="Write there instead of on standard output.")
@click.option("-j", "--jobs", type=click.IntRange(0), metavar="N", help="Processes to use; 0 is one a core.")
@translating
def assess(source: Path, format_: str, output: Path | None, **given: Any) -> int:
    """Say what a migration of SRC, a file or a repository, would take. Nothing is written, compiled or run.

    For each library what maps and how surely, the constructs that need a person with hours as a range, the hard
    files, and an order of work. Edits and findings are those that `check` reports.

    \b
    Exit status: 0, and 1 when a file could not be read or translated.

    \b
    Example: musify-ai assess my-project --format html -o assessment.html
    """
    if format_ not in FORMATS:
        raise click.UsageError(f"unknown format {format_!r}{near(format_, FORMATS)}")
    from musify_ai.project import check

    given.pop("baseline", None)
    options = options_from(source, **given)
    decided = triage_of(source)
    with progress() as shown:
        outcome = _within(source, with_decisions(check([source], options, progress=shown), decided))
    text = _writer(format_)(assessment_of(outcome)).encode("utf-8", "replace")
    if output is None:
        put(text)
    else:
        from musify_ai.rules.compiling import write_atomically

        if not write_atomically(output, text):
            raise click.UsageError(f"{output}: cannot be written")
    return FOUND if outcome.run.failed else DONE


def _writer(format_: str) -> "Callable[[Assessment], str]":
    from importlib import import_module

    module = {"json": "document", "html": "page"}.get(format_, format_)
    write: Callable[[Assessment], str] = import_module(f"musify_ai.report.assess.{module}").render
    return write


def _within(source: Path, outcome: Outcome) -> Outcome:
    """The run with its paths relative to a folder that was given, as `migrate` has them."""
    prefix = "" if not source.is_dir() or source == Path() else source.as_posix().removesuffix("/") + "/"
    files = tuple(file._replace(path=file.path.removeprefix(prefix)) for file in outcome.run.files)
    texts = {path.removeprefix(prefix): both for path, both in outcome.texts.items()}
    failed = tuple(failure._replace(path=failure.path.removeprefix(prefix)) for failure in outcome.run.failed)
    return Outcome(outcome.run._replace(files=files, failed=failed), texts)


def assessment_of(outcome: Outcome) -> "Assessment":
    """The figures, with what a report may not look up itself: includes, the libraries of names, titles of codes."""
    from musify_ai.project.includes import includes_of
    from musify_ai.project.roles import role_of
    from musify_ai.report.assess import assessed
    from musify_ai.rules.lookup import lookup
    from musify_ai.translate.registry import titles

    found = [finding for file in outcome.run.files for finding in file.findings]
    codes = {finding.code for finding in found} | {
        edit.rule for file in outcome.run.files for edit in file.edits if edit.rule.startswith("MUS")
    }
    libraries = {}
    for name in {finding.name for finding in found if finding.name}:
        rows = lookup(name).rows
        if rows:
            libraries[name] = rows[0].library
    sources = {path: before for path, (before, _) in outcome.texts.items() if role_of(path) == "source"}
    includes = {path: frozenset(tokens.values()) for path, tokens in includes_of(sources).items()}
    return assessed(
        outcome.run,
        includes=includes,
        libraries=libraries,
        titles={code: title for code, (title, _) in titles(codes).items()},
    )
