"""``musify-ai burn-down``: what each run into a tree left, and what came of it since."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from musify_ai.cli.choices import ExistingName
from musify_ai.cli.config import near
from musify_ai.cli.ending import DONE
from musify_ai.cli.output import put

if TYPE_CHECKING:
    from musify_ai.project.burning import Day

FORMATS = ("text", "json")


@click.command("burn-down")
@click.argument("out", metavar="DST", type=ExistingName(path_type=Path))
@click.option("--format", "format_", metavar="FORMAT", default="text", help="text (default) or json.")
def burn_down(out: Path, format_: str) -> int:
    """Print how much work each run of `migrate --out DST` left, and which codes stand in the way of most kernels: open
    places by what one takes (minutes, hours, days), and the hours that all of them may take.

    A place is open until its line in DST was edited, or its finding was accepted or waived with `triage`; a
    conflict with edits by hand until its marks are gone, a file that failed until it does not. Run
    `migrate SRC --out DST` again to count anew; a run that left the same as the one before is not told.

    \b
    Exit status: 0, and 2 when DST has no ledger.

    \b
    Example: musify-ai burn-down my-project-musa
    """
    if format_ not in FORMATS:
        raise click.UsageError(f"unknown format {format_!r}{near(format_, FORMATS)}")
    from musify_ai.project.burning import burned

    days = burned(out)
    text = json.dumps(_document(days), indent=1) + "\n" if format_ == "json" else _text(days)
    put(text.encode("utf-8", "replace"))
    return DONE


def _text(days: "Sequence[Day]") -> str:
    lines = [
        f"{'day':<10}  {'open':>6}  {'of minutes':>10}  {'of hours':>8}  {'of days':>7}  "
        f"{'left in all':<16}  kernels equal"
    ]
    for each in days:
        lines.append(
            f"{each.day:<10}  {each.open:>6,}  {each.efforts.get('minutes', 0):>10,}"
            f"  {each.efforts.get('hours', 0):>8,}  {each.efforts.get('days', 0):>7,}  "
            f"{_left(each):<16}  {_equal(each)}"
        )
    if len(days) > 1:
        before, after = _counts(days[-2]), _counts(days[-1])
        moved = {code: after.get(code, 0) - before.get(code, 0) for code in sorted({*before, *after})}
        told = ", ".join(f"{code} {count:+,}" for code, count in moved.items() if count)
        lines.append(f"since the run before: {told or 'kernels alone'}")
    if days and (days[-1].conflicts or days[-1].failed):
        lines.append(f"to be settled first: conflicts {days[-1].conflicts:,}, files that failed {days[-1].failed:,}")
    if days and days[-1].blocked:
        first = sorted(days[-1].blocked.items(), key=lambda row: (-row[1], row[0]))[:8]
        lines.append("kernels that wait for: " + ", ".join(f"{code} {count:,}" for code, count in first))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _counts(day: "Day") -> dict[str, int]:
    return {**day.codes, "conflicts": day.conflicts, "failed files": day.failed}


def _left(day: "Day") -> str:
    """Hours for what is open, as `assess` counts them for places each of its own."""
    from musify_ai.report.assess.hours import PLACE, Hours

    total = Hours()
    for effort, count in day.efforts.items():
        total = total.plus(Hours(*(count * each for each in PLACE[effort])))
    return total.text


def _equal(day: "Day") -> str:
    equal = sum(count for headline, count in day.kernels.items() if headline.startswith("equal-"))
    weak = day.kernels.get("equal-weak", 0)
    return f"{equal:,} of {sum(day.kernels.values()):,}" + (f", {weak:,} of them weakly" if weak else "")


def _document(days: "Sequence[Day]") -> Mapping[str, object]:
    return {"version": 1, "command": "burn-down", "runs": [{"open": each.open, **each._asdict()} for each in days]}
