"""Putting a finished run on stdout and into a report folder."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from musify_ai.cli.colours import coloured, takes_colour
from musify_ai.cli.loudness import is_quiet, tell_run
from musify_ai.project.refusals import Refused
from musify_ai.project.running import Outcome
from musify_ai.records import Options, Run

if TYPE_CHECKING:
    from musify_ai.backends.toolchain import Toolchain

REPORT_FILES = ("report.html", "report.json")


def show(outcome: Outcome, format_: str) -> None:
    """The run on stdout in a format. A reader that has gone away ends nothing."""
    tell_run(outcome.run)
    text = text_of(outcome, format_)
    if format_ in ("text", "full") and takes_colour(sys.stdout):
        text = coloured(text)
    put(text.encode("utf-8", "replace"))


def text_of(outcome: Outcome, format_: str) -> str:
    """The run in a format, as text."""
    run, texts = outcome.run, outcome.texts
    if format_ == "html":
        return page_of(outcome)
    if format_ == "json":
        from musify_ai.report.json_report import render

        return render(run, texts)
    if format_ in _WRITERS:
        return _written(outcome, format_)
    from musify_ai.report.text import render as render_text

    left, by_hand = _without_settled(outcome)
    return render_text(left, texts, full=format_ == "full", summary=not is_quiet(), by_hand=by_hand)


def _without_settled(outcome: Outcome) -> tuple[Run, int]:
    """The run without the findings that a person has settled in the new tree, and how many those are. A finding that
    was accepted or waived counts as that."""
    if not outcome.by_hand:
        return outcome.run, 0
    files, gone = [], 0
    for file in outcome.run.files:
        left = tuple(f for f in file.findings if f.closed or (file.path, f.code, f.start, f.end) not in outcome.by_hand)
        gone += len(file.findings) - len(left)
        files.append(file._replace(findings=left))
    return outcome.run._replace(files=tuple(files)), gone


def page_of(outcome: Outcome) -> str:
    """The reviewer's page of a run. What codes and assumptions are comes along, for a report may not look it up."""
    from musify_ai.emulator.assumptions import ASSUMPTIONS
    from musify_ai.report.html import render

    return render(outcome.run, outcome.texts, assumptions=ASSUMPTIONS, pages=_pages(outcome.run))


# Format: the module that writes it, and its function.
_WRITERS = {
    "jsonl": ("table", "render_lines"),
    "csv": ("table", "render"),
    "markdown": ("markdown", "render"),
    "github": ("annotations", "render"),
    "gitlab": ("gitlab", "render"),
    "sarif": ("sarif", "render"),
    "rdjsonl": ("rdjson", "render"),
    "junit": ("junit", "render"),
}


def _written(outcome: Outcome, format_: str) -> str:
    """A run in a format of other tools. What codes are called comes along, for a report may not look it up."""
    from importlib import import_module

    from musify_ai.translate.registry import titles

    module, function = _WRITERS[format_]
    codes = {finding.code for file in outcome.run.files for finding in file.findings}
    render = getattr(import_module(f"musify_ai.report.{module}"), function)
    text: str = render(outcome.run, outcome.texts, titles(codes))
    return text


def put(data: bytes) -> None:
    """Bytes on stdout. `Refused` where they cannot be written, as on a full disk or a closed stream."""
    if sys.stdout is None:
        raise Refused("cannot write the result: standard output is closed")
    stream = getattr(sys.stdout, "buffer", None)
    try:
        if stream is None:
            click.echo(data, nl=False)
        else:
            stream.write(data)
            stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Refused(f"cannot write the result to standard output: {problem.strerror}") from problem


def check_report_folder(folder: Path, *keep_off: Path) -> None:
    """`Refused` where a report may not go: a folder with other people's files, or one that the run itself writes."""
    place = folder.resolve()
    for other in keep_off:
        if place == other.resolve() or other.resolve() in place.parents:
            raise Refused(f"the report folder {folder} lies inside {other}; choose a place outside it")
    if folder.is_dir():
        strangers = sorted(p.name for p in folder.iterdir() if p.name not in REPORT_FILES)
        if strangers:
            raise Refused(f"the report folder {folder} holds {strangers[0]}, which is no report; choose another place")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise Refused(f"the report folder {folder} may not be written to")
    elif os.path.lexists(folder):
        raise Refused(f"the report folder {folder} exists and is no directory")
    else:
        above = next(parent for parent in place.parents if os.path.lexists(parent))
        if not above.is_dir():
            raise Refused(f"the report folder {folder} would lie in {above}, which is no directory")
        if not os.access(above, os.W_OK | os.X_OK):
            raise Refused(f"the report folder {folder} cannot be made: {above} may not be written to")


def write_report(outcome: Outcome, folder: Path) -> Path:
    """Write the report of a run into a folder and say where its page is. `Refused` where that fails."""
    from musify_ai.project.in_place import write_whole
    from musify_ai.report import json_report

    page = page_of(outcome)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "report.json", json_report.render(outcome.run).encode("ascii"))
        write_whole(folder / "report.html", page.encode("utf-8"))
    except OSError as problem:
        raise Refused(f"cannot write the report to {folder}: {problem.strerror}") from problem
    return folder / "report.html"


def _pages(run: Run) -> dict[str, str]:
    """The page of each code that a run speaks of; a project's own rule has none."""
    from musify_ai.translate.registry import UnknownCode, page

    found: dict[str, str] = {}
    edits = {edit.rule for file in run.files for edit in file.edits if edit.rule.startswith("MUS")}
    for code in sorted({finding.code for file in run.files for finding in file.findings} | edits):
        with suppress(UnknownCode):
            found[code] = page(code)
    return found


def before_checking(options: Options) -> None:
    """Say on stderr, before anything is run, where there is no sandbox for it; refuse what cannot be done here."""
    from musify_ai.backends.nvidia import NO_NVCC, Nvcc
    from musify_ai.backends.sandbox import missing
    from musify_ai.backends.toolchain import Toolchain

    if options.ptx_identity and Nvcc.detect() is None:
        raise Refused(f"--ptx-identity: {NO_NVCC}")
    toolchain = Toolchain.detect()
    text = missing() if toolchain else ""
    if text:
        click.echo(f"musify-ai: warning: {text}", err=True)
    if toolchain is not None:
        before_building(toolchain)


def before_building(toolchain: "Toolchain") -> None:
    """Say on stderr where the first build is going to take long, so that nobody takes it for a hang."""
    from musify_ai.backends.cache import default_root
    from musify_ai.backends.linking import Linker

    text = Linker(toolchain, default_root()).slow_start()
    if text:
        click.echo(f"musify-ai: {text}", err=True)
