"""A limit of time over all of a check: what is not begun by then is `unchecked`, and says why."""

import time
from typing import NamedTuple

from musify_ai.verify.judging import Judgement


class Budget(NamedTuple):
    """The seconds that checking may take, and when it began; ``seconds`` of 0 sets no limit.

    A kernel that has begun is finished: its own limits of time hold, so a run ends within that of one kernel more.
    """

    seconds: int = 0
    began: float = 0.0

    @classmethod
    def of(cls, seconds: int) -> "Budget":
        """A budget that begins now."""
        return cls(seconds, time.monotonic())

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.seconds > 0 and time.monotonic() - self.began >= self.seconds

    @property
    def judgement(self) -> Judgement:
        """What is said of a kernel that was not begun."""
        return Judgement("unchecked", f"the time budget of {self.seconds} s was spent before it (--time-budget)")
