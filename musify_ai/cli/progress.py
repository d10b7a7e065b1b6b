"""Progress for a person at a terminal; nothing at all otherwise."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from musify_ai.cli.loudness import is_quiet
from musify_ai.source.patterns import late_pattern

_COUNT = late_pattern(r"(\w+) (\d+)/(\d+)")
_SOON = 2.0  # seconds; before, a rate is a guess


@contextmanager
def progress() -> Iterator[Callable[[str], None] | None]:
    """Where stderr is a terminal, a function that shows one line there while the block runs; else None."""
    if sys.stderr is None or not sys.stderr.isatty() or is_quiet():  # None where it is closed
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    pace = Pace()
    with Console(stderr=True).status("starting") as status:
        yield lambda text: status.update(escape(pace.told(text, time.monotonic())))


class Pace:
    """How fast a stage goes, from lines such as ``translating 12/300 a.cu``."""

    def __init__(self) -> None:
        self._stage = ""
        self._since = 0.0
        self._from = 0

    def told(self, text: str, now: float) -> str:
        """The line, with rate and time left once there is enough to say them. ``now`` is in seconds."""
        found = _COUNT.match(text)
        if found is None:
            return text
        stage, done, of = found[1], int(found[2]), int(found[3])
        if stage != self._stage or done < self._from:
            self._stage, self._since, self._from = stage, now, done
        passed, made = now - self._since, done - self._from
        if passed < _SOON or made < 1:
            return text
        rate = made / passed
        pace = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 1 else f"{1 / rate:.1f} s each"
        return f"{text}  ({pace}, {_duration((of - done) / rate)} left)"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
