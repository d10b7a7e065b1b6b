"""``musify-ai verify``: only the checking, for a port of any making."""

from pathlib import Path
from typing import Any

import click

from musify_ai.cli.choices import OF_FINDINGS, ExistingName, checking, common, format_from, options_from, refuse_vain
from musify_ai.cli.ending import status_of
from musify_ai.cli.output import before_checking, check_report_folder, put, show, write_report
from musify_ai.cli.progress import progress
from musify_ai.records import Options


@click.command()
@click.argument("original", type=ExistingName(path_type=Path))
@click.argument("translation", type=ExistingName(path_type=Path))
@click.option("--kernel", "kernels", metavar="NAME", multiple=True, help="Only this kernel; may be given again.")
@click.option("--program", is_flag=True, help="Run both programs whole too, and compare what they print and launch.")
@click.option("--argument", "arguments", metavar="ARG", multiple=True, help="An argument for --program, in order.")
@click.option("--bisect", is_flag=True, help="With --program: where they differ, look for the change that makes it.")
@click.option("--inputs", metavar="FILE", help="What to run kernels with (default: musify-inputs.toml in ORIGINAL).")
@click.option("--launches", metavar="FILE", help="Learn inputs from a log that run --launches wrote.")
@click.option(
    "--init", is_flag=True, help="Write the inputs that would be used to ORIGINAL/musify-inputs.toml; no more."
)
@click.option("--draw", type=click.IntRange(0), default=0, metavar="N", help="Where the inputs' seeds begin.")
@click.option(
    "--schedules", metavar="ORDER,...", help="Orders of threads: forward, reverse, interleaved, random:N (a number)."
)
@click.option("--style", metavar="STYLE", help="The style of TRANSLATION, where its names are left to aliases.")
@click.option(
    "--data", metavar="DIR", type=ExistingName(path_type=Path), help="For --program: copied to where it runs."
)
@click.option(
    "--backend",
    metavar="NAME",
    multiple=True,
    help="Run kernels by real compilers and GPUs besides: mcc, musa-on-nvidia, nvcc, or a pair ORIGINAL:TRANSLATION.",
)
@click.option(
    "--remote",
    metavar="USER@HOST",
    multiple=True,
    help="The machine that backends are on, over ssh; BACKEND=USER@HOST for one of them.",
)
@click.option(
    "--write-overlay",
    metavar="FILE",
    type=ExistingName(path_type=Path),
    help="Note the names that a real compiler lacks, for migrate --overlay.",
)
@checking
@common
def verify(
    original: Path,
    translation: Path,
    kernels: tuple[str, ...],
    program: bool,
    arguments: tuple[str, ...],
    bisect: bool,
    init: bool,
    data: Path | None,
    write_overlay: Path | None,
    report: Path | None,
    format_: str | None,
    **given: Any,
) -> int:
    """Check TRANSLATION against ORIGINAL, kernel by kernel: two directories or two files.

    What is built and run is confined by bubblewrap where that is installed, and held by limits in any case.

    \b
    Exit status: 0 when every kernel that ran is equal, 1 when one differs, does not
    build, or none ran (a program counts like a kernel; with --program one must
    have run besides), 2 without a C++ compiler.

    \b
    Example: musify-ai verify project project-musa --kernel saxpy
    """
    from musify_ai.project import verify_port
    from musify_ai.project.checking import Whole

    if (arguments or data) and not program:
        raise click.UsageError("--argument and --data go with --program")
    if bisect and not program:
        raise click.UsageError("--bisect goes with --program")
    if data is not None and not data.is_dir():
        raise click.UsageError(f"--data {data}: give a directory")
    if write_overlay is not None and not given["backend"]:
        raise click.UsageError("--write-overlay goes with --backend: only a real compiler knows what it lacks")
    whole = Whole(arguments, data, bisect) if program else None
    format_ = format_from(format_, OF_FINDINGS, "it shows findings; check and migrate have those")
    refuse_vain(
        given["fail_on"], ("findings", "new", "pending", "unsafe"), "verify looks at kernels only; check and migrate do"
    )
    options = options_from(translation, verify=True, **given)
    if init:
        return _write_inputs(original, translation, options, kernels)
    if report is not None:
        check_report_folder(report, translation)
    before_checking(options)
    with progress() as shown:
        outcome = verify_port(
            original, translation, options, kernels=kernels, program=whole, progress=shown, overlay=write_overlay
        )
    page = write_report(outcome, report) if report is not None else None
    show(outcome, format_)
    if page is not None and format_ != "json":
        put(f"report: {page}\n".encode("utf-8", "surrogateescape"))
    return status_of(outcome.run, options.fail_on)


def _write_inputs(original: Path, translation: Path, options: Options, kernels: tuple[str, ...]) -> int:
    from musify_ai.project.checking import propose_inputs
    from musify_ai.project.refusals import Refused
    from musify_ai.verify.given import NAME

    file = original / NAME
    if file.exists():
        raise Refused(f"{file} is there already; change it by hand, or move it away first")
    before_checking(options)
    text = propose_inputs(original, translation, options, kernels)
    file.write_text(text, "utf-8")
    put(f"wrote {file}\n".encode("utf-8", "surrogateescape"))
    return 0
