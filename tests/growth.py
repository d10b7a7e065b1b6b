"""How processor time grows: the one thing about time that a test may ask."""

import gc
import time
from collections.abc import Callable

ROUNDS = 6
_LEAST = 0.004  # seconds below which a clock's grain and a cache's warmth say more than the code


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of a call, without those of the collector, which depend on what other tests left behind."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        work()
        return time.process_time() - begin
    finally:
        if was_on:
            gc.enable()


def assert_in_proportion(work: Callable[[int], object], size: int, slack: float = 0.05) -> None:
    """CPU(4n) < 8 CPU(n), in the best of several rounds.

    What else a machine does can make any one measurement several times longer, so a round that fails is repeated;
    work that is quadratic takes 16 times as long in each.
    """
    tried = []
    for _ in range(ROUNDS):
        small = seconds(lambda: work(size))
        large = seconds(lambda: work(4 * size))
        if large < 8 * max(small, _LEAST) + slack:
            return
        tried.append((small, large))
    raise AssertionError(f"4 times the size took more than 8 times as long in {ROUNDS} rounds: {tried}")
