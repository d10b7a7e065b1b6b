"""From a request to its one answer: from the store, from somebody who is asking already, or from the provider.

Equal requests cost one call, whichever thread or process they come from. What comes to nothing is not kept, so that a
later run asks again.
"""

from collections.abc import Callable, Sequence

from musify_ai.rewrite.budget import Budget
from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Outcome, Provider, Request
from musify_ai.rewrite.store import Store

Ask = Callable[[Request], Outcome]
"""How the loop asks: one request, one outcome."""


class Answering:
    """Asks a provider in this process, through a store."""

    def __init__(self, store: Store, provider: Provider, budget: Budget | None = None, run: str = "") -> None:
        self.store = store
        self.provider = provider
        self.budget = budget or Budget()
        self.run = run

    @property
    def identity(self) -> str:
        """The provider's identity."""
        return self.provider.identity

    @property
    def batch(self) -> int:
        """How many requests the provider likes at once."""
        return self.provider.batch

    def ask(self, request: Request) -> Outcome:
        """The outcome of a request."""
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request]) -> list[Outcome]:
        """The outcomes of requests in order; what has to be asked goes to the provider in batches of its liking.

        Requests that another thread or process is asking are waited for.
        """
        identity = self.provider.identity
        keys = [request.key(identity) for request in requests]
        outcomes: dict[str, Outcome] = {}
        waiting = dict(zip(keys, requests, strict=True))
        while waiting:
            ours: dict[str, Request] = {}
            for key, request in list(waiting.items()):
                outcome = self.store.answer(key)
                if outcome is not None:
                    outcomes[key] = outcome
                    del waiting[key]
                elif self.store.claim(f"request:{key}"):
                    ours[key] = request
            if ours:
                outcomes |= self._asked(ours)
                for key in ours:
                    del waiting[key]
            elif waiting:
                self.store.wait()
        return [outcomes[key] for key in keys]

    def _asked(self, ours: dict[str, Request]) -> dict[str, Outcome]:
        """Ask what this thread has claimed. All claims are let go of, whatever happens."""
        done: dict[str, Outcome] = {}
        try:
            keys = list(ours)
            size = max(self.provider.batch, 1)
            for first in range(0, len(keys), size):
                done |= self._batch({key: ours[key] for key in keys[first : first + size]})
        finally:
            for key in ours:
                self.store.release(f"request:{key}")
        return done

    def _batch(self, requests: dict[str, Request]) -> dict[str, Outcome]:
        done: dict[str, Outcome] = {}
        sent: dict[str, Request] = {}
        for key, request in requests.items():
            # Between the look and the claim somebody may have come to the end of it.
            found = self.store.answer(key)
            why = "" if found is not None else self.budget.take(request)
            if found is not None:
                done[key] = found
            elif why:
                done[key] = NoAnswer("budget", why)
            else:
                sent[key] = request
        if not sent:
            return done
        try:
            outcomes = self.provider.complete(list(sent.values()))
        except BaseException:
            for request in sent.values():
                self.budget.settle(request, None)
            raise
        for (key, request), outcome in zip(sent.items(), outcomes, strict=True):
            if isinstance(outcome, Answer):
                self.store.keep_answer(self.provider.identity, request, outcome, self.run)
                self.budget.settle(request, outcome.usage)
            else:
                self.budget.settle(request, None)
            done[key] = outcome
        return done
