"""Trying again, with patience: what is transient is sent again after a wait that grows, or that the server named."""

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from musify_ai.rewrite.providers.breaker import Breaker
from musify_ai.rewrite.providers.protocol import TRANSIENT, Answer, NoAnswer, Outcome, Request


class Patience(NamedTuple):
    """How long to try: attempts in all; first and longest wait in seconds between two; the longest wait that a server
    may ask for (a longer one ends the tries); the most seconds from the first attempt to the last one's begin."""

    attempts: int = 5
    first: float = 1.0
    longest: float = 30.0
    asked: float = 120.0
    total: float = 600.0


class Timing(NamedTuple):
    """The clock (seconds that only grow), the way to wait, and a draw in [0, 1) that spreads waits."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random


def with_retries(
    once: Callable[[Request], Outcome], request: Request, breaker: Breaker, patience: Patience, timing: Timing
) -> Outcome:
    """The outcome of a request that is sent until it is answered, refused for good, or patience ends.

    A ``Retry-After`` is kept to. Every attempt asks the breaker first.
    """
    began = timing.clock()
    outcome: Outcome = NoAnswer("breaker", "nothing was sent")
    for attempt in range(1, max(patience.attempts, 1) + 1):
        if not breaker.lets_through():
            return NoAnswer("breaker", _why_open(outcome))
        outcome = once(request)
        if isinstance(outcome, Answer) or outcome.kind not in TRANSIENT:
            breaker.succeeded()
            return outcome
        if outcome.kind == "rate-limit":
            breaker.succeeded()  # the server is there, and busy
        else:
            breaker.failed()
        wait = _wait(outcome, attempt, patience, timing)
        if wait is None:
            return outcome._replace(detail=f"{outcome.detail}; the server asks to wait {outcome.retry_after:g} s")
        if attempt == patience.attempts or timing.clock() + wait - began > patience.total:
            break
        timing.sleep(wait)
    assert isinstance(outcome, NoAnswer)
    return outcome._replace(detail=f"{outcome.detail} (after {attempt} attempts)")


def _why_open(last: Outcome) -> str:
    why = f" (last: {last.detail})" if isinstance(last, NoAnswer) and last.kind != "breaker" else ""
    return f"the server failed too often in a row; nothing is sent to it for now{why}"


def _wait(failure: NoAnswer, attempt: int, patience: Patience, timing: Timing) -> float | None:
    """Seconds to wait before the next attempt: what the server asked for, else twice as long each time, spread over
    half its length. None where the server asks for more than there is patience."""
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= patience.asked else None
    longest: float = min(patience.first * 2.0 ** (attempt - 1), patience.longest)
    return longest * (0.5 + 0.5 * timing.draw())
