"""The ``musify-ai`` command: its subcommands by name, and how it ends whatever happens."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from musify_ai import __version__
from musify_ai.cli.ending import FAILED, INTERRUPTED
from musify_ai.project.refusals import Refused

# Name, and the line that `--help` shows; the module of the same name is imported when the command is run.
COMMANDS = {
    "migrate": "Translate a file or a repository to MUSA and check its kernels.",
    "assess": "Say what a migration would take, before you decide.",
    "check": "Report findings and pending edits; write nothing.",
    "fix": "Make the safe edits in files, in place.",
    "verify": "Check a translation against its original.",
    "drift": "Say what upstream changed since a migration.",
    "burn-down": "Print how much work each run has left.",
    "fleet": "Migrate many repositories and print a table.",
    "report": "Write the report of a finished run, in any format.",
    "run": "Run a CUDA or MUSA program on the emulated device.",
    "triage": "Accept, waive or assign findings, with a reason.",
    "explain": "Print the page of a finding's code.",
    "query": "Print everything known of a CUDA or MUSA name.",
    "compare-runs": "List what a new version of the rules would change.",
    "llm": "Plan, record and export what a model is asked.",
    "rules": "Test a project's own rules, or begin some.",
    "sdk": "Read which names an installed MUSA SDK has.",
    "completion": "Print the script for your shell's completion.",
    "doctor": "Print what this machine has for checking.",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name only, so that starting one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command = getattr(import_module(f"musify_ai.cli.{module}"), module)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command meant; for one that is none, the nearest that is."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from musify_ai.cli.config import near

            ctx.fail(f"no command {args[0]!r}{near(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list for ``--help``, without importing what it lists."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 done, 1 something you asked to fail on (or a file that failed), 2 wrong use.",
)
@click.version_option(__version__, prog_name="musify-ai")
def cli() -> None:
    """Migrate CUDA repositories to MUSA: rules translate, an emulator checks, nothing changes meaning in silence.

    \b
    Example: musify-ai migrate my-cuda-project --out my-musa-project
    """


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status: 2 for wrong use or a fault of our own, 130 when interrupted."""
    try:
        status = cli.main(None if arguments is None else list(arguments), "musify-ai", standalone_mode=False)
    except click.ClickException as problem:
        problem.show(sys.stderr)
        status = FAILED
    except Refused as refusal:
        click.echo(f"musify-ai: {refusal}", err=True)
        status = FAILED
    except (click.Abort, KeyboardInterrupt):
        click.echo("musify-ai: interrupted; nothing is half written", err=True)
        status = INTERRUPTED
    except BrokenPipeError:
        status = FAILED
    except Exception as problem:
        status = FAILED
        _report_fault(problem)
    _leave(status if isinstance(status, int) else 0)


def _report_fault(problem: Exception) -> None:
    """A sentence about a fault of our own; the traceback only for who asks for it."""
    click.echo(
        f"musify-ai: internal error: {type(problem).__name__}: {problem}\n"
        "This is a fault of musify-ai. Please report it with the command you ran and the output of the same command "
        "with MUSIFY_AI_TRACEBACK=1 set.",
        err=True,
    )
    if os.environ.get("MUSIFY_AI_TRACEBACK"):
        import traceback

        traceback.print_exception(problem)


def _leave(status: int) -> NoReturn:
    """Exit; a reader of our output that has gone away is no error of ours."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
