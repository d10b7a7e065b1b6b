"""Everything that the rules know of one name, for `query` and for messages that need more than the table."""

from functools import lru_cache
from typing import NamedTuple

from musify_ai.rules.locating import data_dir
from musify_ai.rules.reading import Row
from musify_ai.rules.sdks import in_range
from musify_ai.rules.treatments import RENAMED, Treatment


class Known(NamedTuple):
    """What is known of a name: its rows as a CUDA name, the CUDA names it stands for as a MUSA name, and whether
    anything was found only in the bulk part."""

    name: str
    rows: tuple[Row, ...]
    stands_for: tuple[Row, ...]
    bulk: bool = False

    def __bool__(self) -> bool:
        """Whether anything is known at all."""
        return bool(self.rows or self.stands_for)


MEANING: dict[Treatment, str] = {
    "seen": "renamed; the MUSA name is seen in real MUSA code or headers",
    "table": "renamed; the MUSA name is in a published table only",
    "prefix": "renamed with --unsafe-fixes only; the MUSA name is derived by the prefix rule",
    "unchanged": "the same on MUSA",
    "unproven": "left as it is; no public MUSA source shows it",
    "differs": "not renamed; what MUSA has under this name is of another shape or meaning",
    "none": "no counterpart on MUSA is known",
    "version": "not renamed; a version number on another scale",
    "guard": "a compiler or version macro; the guard rules (MUS2xx) decide",
    "left-out": "not renamed; the published pair is wrong",
}
"""What each treatment means, in a sentence for people."""


@lru_cache(maxsize=2)
def _all_rows(part: str) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    from musify_ai.rules.reading import FOLDERS, read

    forward: dict[str, list[Row]] = {}
    backward: dict[str, list[Row]] = {}
    for row in read(data_dir(), FOLDERS if part == "main" else ("bulk",)):
        forward.setdefault(row.name, []).append(row)
        if row.musa and row.musa != row.name and row.treatment in RENAMED | {"differs", "version", "guard"}:
            backward.setdefault(row.musa, []).append(row)
    return forward, backward


def lookup(name: str, sdk: str = "") -> Known:
    """Everything known of a CUDA or MUSA name, or of an include token (``cuda_fp16.h``), for one SDK or for all; the
    bulk part is read only for names that the main part lacks. Raises `RulesMissing` where there is no data."""
    for part in ("main", "bulk"):
        forward, backward = _all_rows(part)
        if name in forward or name in backward:
            rows = tuple(row for row in forward.get(name, ()) if _is_for(row, sdk))
            stands_for = tuple(row for row in backward.get(name, ()) if _is_for(row, sdk))
            return Known(name, rows, stands_for, part == "bulk")
    return Known(name, (), ())


def names() -> tuple[str, ...]:
    """Every CUDA and MUSA name that the main part knows."""
    forward, backward = _all_rows("main")
    return tuple(dict.fromkeys((*forward, *backward)))


def _is_for(row: Row, sdk: str) -> bool:
    return not sdk or in_range(sdk, row.since, row.until)
