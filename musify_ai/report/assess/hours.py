"""Hours of work as a range, from what each rule says a place may take. An estimate of ours: nothing was measured.

A place whose finding is a note costs nothing beyond reading. Where the same line recurs under the same code (its
fingerprint says so), whoever has thought it through once may go on with a tenth of the time: so the low end counts the
first in full and the others at a tenth, the high end counts all in full. What takes days is a piece of work over a
file (calls of another API, a pipeline of copies): further places of its code there take a tenth at either end.
"""

from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.records import Finding

PLACE: dict[str, tuple[float, float]] = {"minutes": (0.1, 0.5), "hours": (1.0, 4.0), "days": (8.0, 40.0)}
"""Hours that one place may take, at least and at most."""
AGAIN = 0.1
"""What a place takes, of the least, that is like one already done."""
DAY = 8.0

HOW = (
    "minutes are taken as 0.1 to 0.5 hours a place, hours as 1 to 4, days as 8 to 40 for a code in a file and a tenth "
    "for its further places there; at the low end a line like one already done takes a tenth; notes take nothing"
)
"""How the range comes about, for whoever reads it."""


class Hours(NamedTuple):
    """At least, and at most."""

    low: float = 0.0
    high: float = 0.0

    def plus(self, other: "Hours") -> "Hours":
        """Both together."""
        return Hours(self.low + other.low, self.high + other.high)

    @property
    def text(self) -> str:
        """The range in words: ``3 to 12 hours``, ``2 to 9 days`` from two working days on, ``none``."""
        if not self.high:
            return "none"
        unit, size = ("days", DAY) if self.high >= 4 * DAY else ("hours", 1.0)
        low, high = rounded(self.low / size), rounded(self.high / size)
        return f"{low} {unit if low != '1' else unit[:-1]}" if low == high else f"{low} to {high} {unit}"


def rounded(number: float) -> str:
    """Two digits that mean something, for no more is known: ``0.4``, ``7``, ``35``, ``1,200``."""
    if number < 1:
        return f"{max(number, 0.1):.1f}"
    if number < 10:
        return f"{number:.0f}"
    digits = len(str(int(number))) - 2
    return f"{int(round(number, -digits)):,}"


def hours_of(findings: Iterable[Finding], known: set[tuple[str, str]]) -> Hours:
    """What findings of one file may take; ``known`` are the lines already met, by code and fingerprint, and grows."""
    low = high = 0.0
    begun: set[str] = set()
    for finding in findings:
        if not finding.weighs:
            continue
        least, most = PLACE[finding.effort]
        key = (finding.code, finding.fingerprint)
        further = finding.effort == "days" and finding.code in begun
        low += least * AGAIN if further or key in known else least
        high += most * AGAIN if further else most
        known.add(key)
        begun.add(finding.code)
    return Hours(low, high)
