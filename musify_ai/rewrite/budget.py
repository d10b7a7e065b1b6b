"""What a run may spend: calls, tokens, money, time. A hard stop: nothing is sent that could go over."""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from musify_ai.rewrite.providers.protocol import Request, Usage


class Limits(NamedTuple):
    """The most that a run may spend; None is no limit. ``tokens`` are those read and written together, ``money`` is in
    the currency of `Prices`, ``seconds`` is the time since the run began."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None


class Prices(NamedTuple):
    """What a million tokens cost, read and written."""

    million_in: float = 0.0
    million_out: float = 0.0

    def of(self, usage: Usage) -> float:
        """The cost of some tokens."""
        return (usage.tokens_in * self.million_in + usage.tokens_out * self.million_out) / 1e6


def estimated(request: Request) -> Usage:
    """The tokens that a request may take: three characters a token (source code has between three and four), and an
    answer as long as it may be."""
    read = sum(len(message.content) + 12 for message in request.messages)
    return Usage(read // 3 + 1, request.sampling.max_tokens)


class Budget:
    """Counts over all threads of a run. What is on its way counts as its estimate until it is settled."""

    def __init__(
        self, limits: Limits | None = None, prices: Prices | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or Limits()
        self.prices = prices or Prices()
        self._clock = clock
        self._began = clock()
        self._calls = 0
        self._tokens = 0
        self._money = 0.0
        self._lock = threading.Lock()

    def take(self, request: Request) -> str:
        """Set aside what a request may cost. Empty where there is room for it, else which limit leaves none."""
        usage = estimated(request)
        tokens, money = sum(usage), self.prices.of(usage)
        limits = self.limits
        with self._lock:
            if limits.seconds is not None and self._clock() - self._began >= limits.seconds:
                return f"the time of {limits.seconds:g} s is used up"
            if limits.calls is not None and self._calls >= limits.calls:
                return f"all {limits.calls} calls are used up"
            if limits.tokens is not None and self._tokens + tokens > limits.tokens:
                return f"{limits.tokens - self._tokens} of {limits.tokens} tokens are left, {tokens} might be needed"
            if limits.money is not None and self._money + money > limits.money:
                left = limits.money - self._money
                return f"{left:.4f} of {limits.money:g} are left to be spent, {money:.4f} might be needed"
            self._calls += 1
            self._tokens += tokens
            self._money += money
            return ""

    def settle(self, request: Request, usage: Usage | None) -> None:
        """Replace what was set aside by what was used; None for a request that cost nothing."""
        aside = estimated(request)
        with self._lock:
            if usage is None:
                self._calls -= 1
            used = usage or Usage()
            self._tokens += sum(used) - sum(aside)
            self._money += self.prices.of(used) - self.prices.of(aside)

    @property
    def calls(self) -> int:
        """The calls made so far, those on their way included."""
        return self._calls

    @property
    def tokens(self) -> int:
        """The tokens used so far, those on their way as estimated."""
        return self._tokens

    @property
    def money(self) -> float:
        """The money spent so far, likewise."""
        return self._money
