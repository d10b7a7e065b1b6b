"""``musify-ai triage``: what persons decide of findings, and what is left."""

import os
import subprocess
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from musify_ai.cli.choices import ExistingName, codes_of
from musify_ai.cli.completing import codes as known_codes
from musify_ai.cli.completing import offering
from musify_ai.cli.output import put
from musify_ai.project.refusals import Refused

if TYPE_CHECKING:
    from musify_ai.project.triage import Decision, State, Triage
    from musify_ai.records import Run


@click.group()
def triage() -> None:
    """Accept, waive or assign findings, with a reason and a name, in the file musify-triage.toml of the project.

    What is accepted (right as it stands) or waived (not to be done) no longer counts in check, migrate and assess, and
    shows as such in every report; what is assigned still counts. A decision goes when the text of its line changes.

    \b
    Example: musify-ai triage waive src/reduce.cu:41 --code MUS301 --reason "blocks of 32 threads only"
    """


def _deciding(state: str, text: str, example: str) -> click.Command:
    @click.command(state, short_help=text, help=f"{text}\n\n\b\nExample: {example}")
    @click.argument("places", nargs=-1, required=True, metavar="PLACES...")
    @click.option(
        "--code",
        "codes",
        multiple=True,
        metavar="CODE",
        shell_complete=offering(known_codes),
        help="Only findings of this code; may be given again.",
    )
    @click.option("--reason", required=True, help="Why; it stands in the file and in the report.")
    @click.option("--by", metavar="NAME", help="Who decides (default: git's user.name).")
    def decide(places: tuple[str, ...], codes: tuple[str, ...], reason: str, by: str | None, to: str = "") -> int:
        return _decide(state, places, codes, reason, _git_name() if by is None else by, to)

    if state == "assign":
        decide = click.option("--to", metavar="NAME", required=True, help="Who is to do it.")(decide)
    return decide


triage.add_command(
    _deciding(
        "accept",
        "Accept the findings at PLACES (path or path:line): the code is right as it stands.",
        'musify-ai triage accept src/scan.cu:12 --reason "32 lanes are meant, and shuffles say so"',
    )
)
triage.add_command(
    _deciding(
        "waive",
        "Waive the findings at PLACES (path or path:line): they will not be worked off.",
        'musify-ai triage waive src/old --reason "not built on MUSA"',
    )
)
triage.add_command(
    _deciding(
        "assign",
        "Assign the findings at PLACES (path or path:line) to somebody; they go on counting.",
        'musify-ai triage assign src/mma.cu --code MUS404 --to kim --reason "knows the tensor cores"',
    )
)


@triage.command(name="list", short_help="What was decided, and how much is open.")
@click.argument("files", nargs=-1, type=ExistingName(path_type=Path))
def listed(files: tuple[Path, ...]) -> int:
    """Print what was decided of the findings of FILES (without any: of this folder), decisions that have lost their
    finding, and how many are open: `check` prints those. Errors and warnings count, notes do not.

    \b
    Example: musify-ai triage list src
    """
    from musify_ai.project.triage import STATES, decided, gone
    from musify_ai.report.counts import counts, told

    looked_at, held, _ = _looked_at([str(each) for each in files] or ["."])
    run = decided(looked_at, held)
    found = [(file.path, finding) for file in run.files for finding in file.findings]
    settled = sorted(
        (each.decided.state, path, each.line, f"{path}:{each.line}: {each.code} {told(each)}")
        for path, each in found
        if each.decided is not None
    )
    lines = [row[-1] for row in settled]
    for decision in gone(run, held):
        lines.append(f"{decision.path}:{decision.line}: {decision.code} {decision.state}, and gone: `triage drop` it")
    open_ = [finding for _, finding in found if finding.decided is None]
    weighty = sum(finding.weighs for finding in open_)
    figures = counts(run).decided
    parts = [f"{len(open_)} open ({weighty} that count)", *(f"{figures[state]} {state}" for state in STATES)]
    put(("\n".join([*lines, ", ".join(parts)]) + "\n").encode("utf-8", "replace"))
    return 0


@triage.command(short_help="Take decisions back.")
@click.argument("places", nargs=-1, required=True, metavar="PLACES...")
@click.option("--code", "codes", multiple=True, metavar="CODE", help="Only decisions about this code.")
def drop(places: tuple[str, ...], codes: tuple[str, ...]) -> int:
    """Take back what was decided at PLACES (path or path:line, as `triage list` prints them).

    \b
    Example: musify-ai triage drop src/scan.cu:12
    """
    from musify_ai.project.triage import find_triage, read_triage, split_place

    file = find_triage(Path(split_place(places[0])[0]))
    if file is None:
        raise Refused("there is no musify-triage.toml here or above, so nothing was decided")
    held = read_triage(file)
    left = dict(held.decisions)
    for place in places:
        path, line = split_place(place)
        inside = held.inside(path)
        taken = [
            key
            for key, each in left.items()
            if (each.path == inside or each.path.startswith(f"{inside}/"))
            and (not line or each.line == int(line))
            and (not codes or each.code in [code.upper() for code in codes])
        ]
        if not taken:
            raise Refused(f"{place}: nothing was decided there")
        for key in taken:
            del left[key]
    _write(file, left.values())
    put(f"{file}: {len(held.decisions) - len(left)} taken back, {len(left)} left\n".encode("utf-8", "replace"))
    return 0


def _decide(state: str, places: tuple[str, ...], codes: tuple[str, ...], reason: str, by: str, to: str) -> int:
    from musify_ai.project.triage import Decision, chosen, split_place

    if not reason.strip():
        raise click.UsageError("--reason is empty; say why, for whoever reads the report")
    if state == "assign" and not to.strip():
        raise click.UsageError("--to is empty; say who is to do it")
    if not by.strip():
        raise click.UsageError("no name is known; give --by NAME")
    codes = codes_of(codes)
    run, held, file = _looked_at([split_place(place)[0] for place in places])
    called: dict[str, State] = {"accept": "accepted", "waive": "waived", "assign": "assigned"}
    decisions = dict(held.decisions)
    found = chosen(run, places, codes)
    for path, finding in found:
        inside = held.inside(path)
        decision = Decision(
            called[state], finding.code, inside, finding.line, finding.fingerprint,
            (to or by).strip(), date.today().isoformat(), reason.strip(), by.strip() if to else "",
        )  # fmt: skip
        decisions[inside, finding.code, finding.fingerprint] = decision
    _write(file, decisions.values())
    held_now = f"{len(decisions)} decision{'' if len(decisions) == 1 else 's'}"
    put(f"{file}: {len(found)} {called[state]}, {held_now} in all\n".encode("utf-8", "replace"))
    return 0


def _looked_at(paths: list[str]) -> "tuple[Run, Triage, Path]":
    """A check of files, the decisions about them, and the file that those are in or are to be."""
    from musify_ai.cli.choices import options_from
    from musify_ai.project import check
    from musify_ai.project.triage import FILE, Triage, find_triage, read_triage

    for path in paths:
        if not os.path.lexists(path):
            hint = "; a code goes to --code" if path.rpartition(":")[2].upper().startswith("MUS") else ""
            raise Refused(f"{path}: no such file or directory{hint}")
    given = [Path(path) for path in dict.fromkeys(paths)]
    file = find_triage(given[0])
    held = read_triage(file) if file is not None else Triage(_home(given[0]), {})
    return check(given, options_from(given[0])).run, held, file or held.folder / FILE


def _home(place: Path) -> Path:
    """Where a project's first decision goes: the root of its git repository, else where we stand."""
    for parent in (place.absolute(), *place.absolute().parents):
        if (parent / ".git").exists():
            return parent
    return Path.cwd()


def _git_name() -> str:
    try:
        answer = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return answer.stdout.strip()


def _write(file: Path, decisions: "Iterable[Decision]") -> None:
    from musify_ai.project.triage import written
    from musify_ai.rules.compiling import write_atomically

    if not write_atomically(file, written(decisions).encode("utf-8", "surrogateescape")):
        raise Refused(f"{file}: cannot be written")
