"""``musify-ai run``: a CUDA or MUSA program on the emulated device."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from musify_ai.cli.ending import FOUND
from musify_ai.cli.loudness import say
from musify_ai.cli.output import before_building, put
from musify_ai.project.refusals import Refused
from musify_ai.records import ARCHS

STREAMS = ("at-once", "late", "late-reverse")
SCHEDULES = ("forward", "reverse", "random", "interleaved", "lockstep")


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--with", "others", metavar="FILE", multiple=True, type=click.Path(path_type=Path),
    help="A further file to compile and link; may be given again.",
)  # fmt: skip
@click.option(
    "-I", "includes", metavar="DIR", multiple=True, type=click.Path(path_type=Path), help="A folder for includes."
)
@click.option("-D", "defines", metavar="NAME[=VALUE]", multiple=True, help="A macro, as for a compiler.")
@click.option("--side", type=click.Choice(("cuda", "musa")), help="What FILE is written for (default: looked at).")
@click.option("--arch", metavar="ARCH", help="sm_80 (default), sm_90; for MUSA mp_21, mp_22 (default), mp_31.")
@click.option("--races", is_flag=True, help="Look for races between threads.")
@click.option("--sanitize", is_flag=True, help="Build with the address and undefined-behaviour sanitizers.")
@click.option(
    "--schedule", default="forward", metavar="ORDER",
    help="forward, reverse, random:N, interleaved (by warps), lockstep (a warp's lanes access memory as one).",
)  # fmt: skip
@click.option(
    "--streams", default="at-once", metavar="WHEN",
    help="When streams work: at-once (at the call), late (not before something waits for it, streams in turn), "
    "late-reverse (the latest stream first). Late, a missing wait is seen, and kernels may wait for the host.",
)  # fmt: skip
@click.option("--protect", is_flag=True, help="Tell of host code that reads or writes device memory.")
@click.option(
    "--stray-reads", is_flag=True,
    help="Run the program three times more, silently and without input, with other bytes around buffers between: tell "
    "of the first kernel that reads them.",
)  # fmt: skip
@click.option("--poison", default="255", metavar="BYTE", help="What fresh memory is filled with: 0 to 255.")
@click.option("--seconds", default=60.0, metavar="N", type=float, help="Processor time a launch may take.")
@click.option("--launches", metavar="FILE", help="Write a log of the launches there, for verify --launches.")
@click.option("--format", "format_", default="text", metavar="FORMAT", help="text (default) or json.")
@click.option("--fail-on", metavar="findings", help="Exit 1 where the program ends well but something was found.")
def run(
    file: Path, arguments: tuple[str, ...], others: tuple[Path, ...], includes: tuple[Path, ...], **given: Any
) -> int:
    """Build FILE for the emulated device and run it with ARGUMENTS (after --), here and with your rights.

    What the device notices (out of bounds, divergent barriers, races ...) is printed to stderr when the program has
    ended. With --format json an object with the findings is on stdout, and the program's own output goes to stderr.

    \b
    Exit status: the program's own, 128 and the signal's number where one ended it;
    2 where it does not build, or for wrong use.

    \b
    Example: musify-ai run --races reduce.cu -- 1024
    """
    from musify_ai.backends.emulated import DeviceBuildError
    from musify_ai.backends.modes import ModeMissing
    from musify_ai.backends.toolchain import Toolchain
    from musify_ai.verify.checking import CompilerMissing
    from musify_ai.verify.single import CUDA_ARCHS, Asked, NotBuilt, run_program, side_of

    for path in (file, *others):
        if path.is_dir():
            raise Refused(f"{path} is a folder; give the file that holds main, and its others with --with")
        if not path.is_file():
            raise Refused(f"no such file: {path}")
        if path.suffix == ".py":
            raise Refused(f"{path} is Python; give the C++ file that holds main")
    for argument in arguments if "--" not in sys.argv else ():
        if _looks_like_a_source(argument):
            say(f"{argument} is given to the program as an argument; to compile and link it, give it with --with")
    for path in includes:
        if not path.is_dir():
            raise Refused(f"no such folder: {path}")
    side = given["side"] or side_of(file, given["arch"] or "")
    known = tuple(CUDA_ARCHS) if side == "cuda" else tuple(ARCHS)
    arch = given["arch"] or ("sm_80" if side == "cuda" else "mp_22")
    if arch not in known:
        raise click.UsageError(
            f"unknown {side.upper()} arch {arch!r}; there is {', '.join(known)} (for a {side.upper()} file)"
        )
    if given["races"] and given["sanitize"]:
        raise click.UsageError("--races and --sanitize are two builds; run it twice")
    if given["sanitize"] and given["schedule"] == "lockstep":
        raise click.UsageError("--sanitize and --schedule lockstep are two builds; run it twice")
    if given["protect"] and given["sanitize"]:
        raise click.UsageError("--protect and --sanitize are two builds; run it twice")
    if given["stray_reads"] and given["sanitize"]:
        raise click.UsageError("--sanitize sees stray reads itself; give one of the two")
    if given["streams"] not in STREAMS:
        raise click.UsageError(f"unknown --streams {given['streams']!r}; there is {', '.join(STREAMS)}")
    if given["format_"] not in ("text", "json"):
        raise click.UsageError(f"unknown format {given['format_']!r}; there is text, json")
    if given["fail_on"] not in (None, "findings"):
        raise click.UsageError(f"unknown --fail-on {given['fail_on']!r}; there is findings")
    asked = Asked(
        (file, *others), side, arch, "races" if given["races"] else "sanitize" if given["sanitize"] else "plain",
        _schedule(given["schedule"]), _poison(given["poison"]), given["seconds"], includes, given["defines"],
        given["launches"] or "", given["streams"], given["protect"], given["stray_reads"],
    )  # fmt: skip
    as_json = given["format_"] == "json"
    toolchain = Toolchain.detect()
    if toolchain is not None:
        before_building(toolchain)
    sys.stdout.flush()
    try:
        ran = run_program(asked, arguments, stdout=2 if as_json else None)
    except (CompilerMissing, ModeMissing, DeviceBuildError) as problem:
        raise Refused(str(problem)) from None
    except NotBuilt as problem:
        raise Refused(f"{file} does not build for the emulated device:\n{problem}{_advice(str(problem))}") from None
    if as_json:
        shown = {
            "version": 1, "command": "run", "side": side, "arch": arch, "mode": asked.mode, "status": ran.status,
            "findings": list(ran.findings),
        }  # fmt: skip
        put(f"{json.dumps(shown, indent=1)}\n".encode("ascii"))
    else:
        for each in ran.findings:
            kernel = f" in {each['kernel']}" if each.get("kernel") else ""
            click.echo(f"{each.get('file', file)}:{each['line']}: {each['kind']}{kernel}: {each['message']}", err=True)
    return FOUND if given["fail_on"] and not ran.status and ran.faults else ran.status


def _advice(problem: str) -> str:
    if re.search(r"undefined (?:reference to|symbol:) [`']?main\b", problem):
        return "\nFILE has no main: give the file that holds it, and this one with --with."
    if re.search(r"undefined (?:reference|symbol)", problem):
        return "\nWhere another file of the program defines that, give it with --with."
    return ""


def _looks_like_a_source(argument: str) -> bool:
    return Path(argument).suffix.lower() in (".cu", ".mu", ".cc", ".cpp", ".cxx", ".c") and Path(argument).is_file()


def _schedule(text: str) -> str:
    head, _, seed = text.partition(":")
    if text in SCHEDULES or (head == "random" and seed.isdigit()):
        return text
    raise click.UsageError(f"unknown schedule {text!r}; there is {', '.join(SCHEDULES)}, random:N")


def _poison(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 255:
        raise click.UsageError(f"--poison must be a byte from 0 to 255, not {text!r}")
    return value
