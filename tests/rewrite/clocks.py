"""A clock that stands still until somebody sleeps, so that nothing waits in earnest."""

from musify_ai.rewrite.providers.retrying import Timing


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def timing(self) -> Timing:
        return Timing(self, self.sleep, lambda: 1.0)
