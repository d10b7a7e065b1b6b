"""What a provider is asked and what it answers. Every outcome is a value: a provider raises (`Unusable`) only where no
request could ever be answered.

A request is plain data, so that its hash (`Request.key`) names the answer in the store, in a recording and in the
evidence of a rewrite.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One message of a chat."""

    role: Role
    content: str


class Sampling(NamedTuple):
    """How an answer is drawn: greedy at temperature 0; ``max_tokens`` bounds the answer, ``seed`` makes a draw
    repeatable where the server can do that."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int = 0


class Request(NamedTuple):
    """One chat to be completed."""

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()

    def key(self, identity: str) -> str:
        """The hash, in hex, of this request put to the provider of an identity (`Provider.identity`)."""
        said = [identity, [list(message) for message in self.messages], list(self.sampling)]
        return sha256(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()

    @property
    def prompt_sha256(self) -> str:
        """The hash of the messages alone: what a template's edit changes."""
        return sha256(json.dumps([list(m) for m in self.messages], ensure_ascii=False).encode()).hexdigest()


class Usage(NamedTuple):
    """Tokens read and written, as the provider counts them; 0 where it does not say."""

    tokens_in: int = 0
    tokens_out: int = 0


class Answer(NamedTuple):
    """What a model wrote. ``finish`` is ``length`` where it was cut at the limit: such an answer is never used."""

    text: str
    finish: Literal["stop", "length", "other"]
    usage: Usage
    model: str


FailureKind = Literal[
    "rate-limit", "server", "timeout", "connection", "cut-off", "malformed", "wrong-model", "refused", "too-large",
    "breaker", "missing", "budget",
]  # fmt: skip
"""Why there is no answer. ``refused`` is the server's no (a wrong key, a prompt that is too long); ``breaker``: too
many failures in a row, so nothing is sent for a while; ``missing``: no recording; ``budget``: nothing is left."""

TRANSIENT: frozenset[str] = frozenset({"rate-limit", "server", "timeout", "connection", "cut-off", "malformed"})
"""The kinds that another try may mend."""


class NoAnswer(NamedTuple):
    """Why a request has no answer, and what was said. ``retry_after`` are the seconds that a server asked for."""

    kind: FailureKind
    detail: str
    retry_after: float | None = None


Outcome = Answer | NoAnswer


class Unusable(RuntimeError):
    """A provider cannot be used at all: what it needs is not installed, or its model is none. The message says what to
    do."""


class Provider(Protocol):
    """A source of answers.

    ``identity`` names the model and everything else that makes its answers what they are (revision, dtype), and is part
    of each request's hash; no address and no key. ``batch`` is how many requests it likes at once (1: one by one, from
    as many threads as you like). ``leaves_machine`` says whether what is asked is sent elsewhere.
    """

    @property
    def identity(self) -> str:
        """The model and what makes its answers what they are."""

    @property
    def batch(self) -> int:
        """How many requests are best put at once."""

    @property
    def leaves_machine(self) -> bool:
        """Whether requests are sent off this machine, or may be."""

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """An outcome for each request, in order."""
