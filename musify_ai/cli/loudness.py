"""How much a run says besides its result: ``-q``, ``-v``, and what stands between."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from musify_ai.records import Options, Run

F = TypeVar("F", bound=Callable[..., Any])

_KEY = "musify_ai.loudness"
_BEGUN = "musify_ai.begun"


def loudness(command: F) -> F:
    """The options ``-q`` and ``-v``. What they say is kept with the command that is run."""

    def kept(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value:
            if ctx.meta.get(_KEY, param.name) != param.name:
                raise click.UsageError("-q says less and -v says more; give one of them")
            ctx.meta[_KEY] = param.name
            ctx.meta[_BEGUN] = time.monotonic()

    for flags, text in (
        (("-v", "--verbose"), "Say on stderr which settings hold, what was passed over, and how long it took."),
        (("-q", "--quiet"), "Findings, kernels and failures only: no summary, no progress."),
    ):
        command = click.option(*flags, is_flag=True, expose_value=False, callback=kept, help=text)(command)
    return command


def is_quiet() -> bool:
    """Whether the command that is running was asked to say no more than its result."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_KEY) == "quiet"


def is_verbose() -> bool:
    """Whether the command that is running was asked to say how it comes to its result."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_KEY) == "verbose"


def say(text: str) -> None:
    """A word on stderr beside the result; nothing with ``-q``."""
    if not is_quiet():
        click.echo(f"musify-ai: {text}", err=True)


def tell_settings(place: "Path", options: "Options") -> None:
    """With ``-v``, where the settings come from and which archs, SDK and rules hold."""
    if not is_verbose():
        return
    from musify_ai.cli.config import settings_file_for
    from musify_ai.rules import load

    file = settings_file_for(place)
    say(f"settings: {file if file else 'none found, so the defaults'}")
    say(f"style {options.style}, SDK {options.sdk}, archs {', '.join(options.archs)}, rules {load().version}")


def tell_run(run: "Run") -> None:
    """With ``-v``, what was passed over and why, and the time that the run took."""
    if not is_verbose():
        return
    for file in run.files:
        if file.reason and file.status in ("skipped", "copied", "unchanged"):
            say(f"{file.path.encode('utf-8', 'replace').decode()}: {file.status}: {file.reason}")
    seconds = time.monotonic() - click.get_current_context().meta[_BEGUN]
    from musify_ai.report.merging import counted

    kernels = "" if run.command in ("check", "fix") else f" and {counted(len(run.verdicts), 'kernel')}"
    say(f"{counted(len(run.files), 'file')}{kernels} in {seconds:.2f} s")
