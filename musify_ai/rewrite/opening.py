"""From ``--llm SPEC`` to somebody to ask: the provider, the store, the budget."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from musify_ai.backends.cache import default_root
from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.budget import Budget, Limits, Prices
from musify_ai.rewrite.courier import Courier, Errand
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.providers.protocol import Outcome, Provider, Request
from musify_ai.rewrite.store import Store

FORMS = "none, replay:DIR, openai:URL#MODEL or transformers:PATH"
SECONDS = 300.0
"""How long one attempt at an answer may take, from sending to its last byte."""


class SpecInvalid(ValueError):
    """What ``--llm`` was given names no provider, or one that cannot be had here."""


class Asked(NamedTuple):
    """What a run asks of the LLM stage. ``store`` is the file of answers, None for the one of the user's cache."""

    spec: str
    store: Path | None = None
    limits: Limits = Limits()
    prices: Prices = Prices()
    policy: Policy = Policy()
    seconds: float = SECONDS


def provider_of(spec: str, seconds: float = SECONDS) -> Provider:
    """The provider that a spec names. `SpecInvalid` with what to do where it cannot be had."""
    kind, _, rest = spec.partition(":")
    if kind == "none" and not rest:
        from musify_ai.rewrite.providers.none import Nobody

        return Nobody()
    if kind == "replay" and rest:
        from musify_ai.rewrite.providers.recordings import RecordingInvalid
        from musify_ai.rewrite.providers.replay import Replay

        if not Path(rest).is_dir():
            raise SpecInvalid(f"--llm {spec}: no such folder")
        try:
            return Replay(Path(rest))
        except RecordingInvalid as problem:
            raise SpecInvalid(f"--llm {spec}: {problem}") from None
    if kind == "openai" and rest:
        return _openai(spec, rest, seconds)
    if kind == "transformers" and rest:
        from musify_ai.rewrite.providers.transformers import Local, Transformers, TransformersMissing

        if rest.startswith(("/", ".", "~")) and not Path(rest).expanduser().exists():
            raise SpecInvalid(f"--llm {spec}: no such model")
        try:
            return Transformers(Local(str(Path(rest).expanduser()) if rest.startswith("~") else rest))
        except TransformersMissing as problem:
            raise SpecInvalid(str(problem)) from None
    raise SpecInvalid(f"--llm {spec}: not one of {FORMS}")


def _openai(spec: str, rest: str, seconds: float) -> Provider:
    from musify_ai.rewrite.providers.openai import Openai, OpenaiMissing, Server

    url, _, model = rest.rpartition("#")
    if not model or not url.startswith(("http://", "https://")):
        raise SpecInvalid(f"--llm {spec}: give openai:URL#MODEL, as openai:http://localhost:8000/v1#my-model")
    try:
        return Openai(Server(url, model, seconds))
    except OpenaiMissing as problem:
        raise SpecInvalid(str(problem)) from None


def store_path(asked: Asked) -> Path:
    """The file that answers and rewrites are kept in."""
    return asked.store or default_root() / "llm.sqlite"


class Open(Protocol):
    """Somebody to ask: through a store, within a budget."""

    @property
    def store(self) -> Store:
        """Where answers and rewrites are kept."""

    @property
    def budget(self) -> Budget:
        """What was spent, and what may be."""

    @property
    def identity(self) -> str:
        """The provider's identity."""

    @property
    def batch(self) -> int:
        """How many requests are best asked at once."""

    def ask(self, request: Request) -> Outcome:
        """The outcome of a request."""

    def ask_all(self, requests: Sequence[Request]) -> list[Outcome]:
        """The outcomes of requests, in order."""


@contextmanager
def opened(asked: Asked, run: str = "", provider: Provider | None = None) -> Iterator[Open]:
    """Somebody to ask, for a run. `SpecInvalid` where there is nobody, `StoreInvalid` for a store that is none.
    ``provider`` is who is asked in the place of the one that the spec names.

    What is sent to a server goes by a process of its own (`musify_ai.rewrite.courier`).
    """
    from musify_ai.rewrite.providers.openai import Openai

    provider = provider or provider_of(asked.spec, asked.seconds)
    budget = Budget(asked.limits, asked.prices)
    path = store_path(asked)
    with Store(path) as store:
        if not provider.leaves_machine:
            yield Answering(store, provider, budget, run)
            return
        assert isinstance(provider, Openai)
        provider.close()
        server = provider.server
        errand = Errand(str(path), server.url, server.model, server.seconds, run)
        courier = Courier(store, errand, provider.identity, budget)
        try:
            yield courier
        finally:
            courier.close()
