"""MUSA SDK versions: which rows hold for one, and what becomes of a name outside its range."""

from typing import NamedTuple

SDKS = ("3.1", "4.0", "4.2", "4.3", "5.0", "5.1", "5.2")
"""The SDKs whose names the rules tell apart, oldest first; others (4.1) read as the range they fall in."""

CURRENT = SDKS[-1]


class Ranged(NamedTuple):
    """A row that holds for some SDKs only: from ``since`` on, below ``until``; empty is open.

    ``outside`` is said of the name where no row of its holds.
    """

    name: bytes
    since: str
    until: str
    treatment: str
    library: str
    code: str
    musa: bytes
    note: str
    outside: str

    def holds(self, sdk: str) -> bool:
        """Whether the row is for an SDK."""
        return in_range(sdk, self.since, self.until)

    def instead(self) -> str:
        """What to say of the name for an SDK outside the range."""
        where = f"from SDK {self.since} on" if self.since else f"below SDK {self.until}"
        said = f"MUSA has it as {self.musa.decode()} {where} only"
        return f"{said}; {self.outside}" if self.outside else said


def number_of(sdk: str) -> tuple[int, ...]:
    """A version as numbers, so that 5.10 comes after 5.9; parts that are no number count as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in sdk.removeprefix("rc").split("."))


def in_range(sdk: str, since: str, until: str) -> bool:
    """Whether an SDK is at or after ``since`` and before ``until``."""
    if not (since or until):
        return True
    at = number_of(sdk)
    return (not since or at >= number_of(since)) and (not until or at < number_of(until))
