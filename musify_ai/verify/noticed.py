"""What the device is told by the environment of a program, and what it writes down while the program runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Reported(NamedTuple):
    """What a device reports of itself that is another's: multiprocessors, clocks and sizes (``figures``) and the
    compute capability (``capability``), by the arch macro's value; the lanes of a warp as the host is told (``width``).
    Its own where 0."""

    figures: int = 0
    capability: int = 0
    width: int = 0


OWN = Reported()


def settings(
    place: Path, *, lanes: int, schedule: str, poison: int, seconds: float, reported: Reported = OWN
) -> dict[str, str]:
    """The environment for a run whose findings go to ``place``; ``seconds`` of processor time may a launch take."""
    return {
        **({"MUSIFY_EMU_FIGURES": str(reported.figures)} if reported.figures else {}),
        **({"MUSIFY_EMU_CAPABILITY": str(reported.capability)} if reported.capability else {}),
        **({"MUSIFY_EMU_WIDTH": str(reported.width)} if reported.width else {}),
        "MUSIFY_EMU_LANES": str(lanes),
        "MUSIFY_EMU_SCHEDULE": schedule,
        "MUSIFY_EMU_POISON": str(poison),
        "MUSIFY_EMU_SECONDS": str(seconds),
        "MUSIFY_EMU_FINDINGS": str(place / "findings"),
    }


def findings(place: Path) -> list[Mapping[str, Any]]:
    """What the device noticed, in order, fields that say nothing left out."""
    return [{key: value for key, value in row.items() if value not in (None, "")} for row in rows(place / "findings")]


def rows(path: Path) -> list[Mapping[str, Any]]:
    """The JSON objects of a file, one a line; none where the file is not there."""
    found: list[Mapping[str, Any]] = []
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return found
    for line in lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue  # the last line of a program that was ended
        if isinstance(row, dict):
            found.append(row)
    return found
