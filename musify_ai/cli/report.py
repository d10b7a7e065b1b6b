"""``musify-ai report``: a finished run in another format."""

import sys
from pathlib import Path

import click

from musify_ai.cli.accepted import triage_of, with_decisions
from musify_ai.cli.choices import FORMATS, ExistingName, format_from
from musify_ai.cli.ending import DONE
from musify_ai.cli.output import show, text_of
from musify_ai.project.running import Outcome

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("run", metavar="RUN", type=ExistingName(path_type=Path, allow_dash=True))
@click.option(
    "--format", "format_", metavar="FORMAT", help=f"html (default), {', '.join(f for f in FORMATS if f != 'html')}."
)
@click.option(
    "--source", metavar="DIR", type=ExistingName(path_type=Path), help="What the run's paths are relative to."
)
@click.option("-o", "--output", metavar="FILE", type=_FILE, help="Write there instead of on standard output.")
def report(run: Path, format_: str | None, source: Path | None, output: Path | None) -> int:
    """Write the report of a finished RUN: a report folder, its report.json, or what --format json printed (- is stdin).

    With --source (what migrate was given, or the folder in which check stood) it shows the lines around edits and
    findings, and heeds what was decided since by `triage`. Files that have changed are named, and shown without lines.

    \b
    Example: musify-ai report report/ --source my-project --format html -o review.html
    """
    from musify_ai.report.reading import NoReport, read_run, texts_from, without_texts

    chosen = format_from(format_ or "html")
    place = run / "report.json" if run.is_dir() else run
    try:
        text = sys.stdin.read() if str(run) == "-" else place.read_text(encoding="utf-8")
        found = read_run(text)
    except OSError as problem:
        raise click.UsageError(f"{place}: {problem.strerror}; give a report folder or a JSON report") from None
    except (NoReport, UnicodeDecodeError) as problem:
        raise click.UsageError(f"{place}: {problem}") from None
    texts = without_texts(found)
    if source is not None:
        root = source if source.is_dir() else source.parent
        if (decided := triage_of(source, root)) is not None:
            found = with_decisions(Outcome(found, {}), decided).run
        read, other = texts_from(root, found)
        texts = {**texts, **read}
        if other:
            click.echo(
                f"musify-ai: not in {root} as in the run, and shown without the lines around: {other[0]}"
                + (f" and {len(other) - 1} more" if len(other) > 1 else ""),
                err=True,
            )
    outcome = Outcome(found, texts)
    if output is None:
        show(outcome, chosen)
        return DONE
    from musify_ai.rules.compiling import write_atomically

    if not write_atomically(output, text_of(outcome, chosen).encode("utf-8", "replace")):
        raise click.UsageError(f"{output}: cannot be written")
    return DONE
