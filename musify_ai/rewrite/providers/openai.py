"""Any server that speaks OpenAI's chat completions: vLLM, SGLang, Ollama, llama.cpp, or a service.

The `openai` package does the HTTP (extra ``[llm]``); its own retries are off, since they neither report what happened
nor stop at a breaker. The answer's body is read piece by piece against a deadline and a size: a limit on the time
between two packets would hold neither.
"""

import json
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from musify_ai.rewrite.providers.breaker import Breaker
from musify_ai.rewrite.providers.protocol import Answer, FailureKind, NoAnswer, Outcome, Request, Unusable, Usage
from musify_ai.rewrite.providers.retrying import Patience, Timing, with_retries

if TYPE_CHECKING:
    import openai

KEY_VARIABLES = ("MUSIFY_AI_API_KEY", "OPENAI_API_KEY")
"""Environment variables that a key is taken from, the first that is set. A server without keys needs none."""

MOST_BYTES = 8_000_000
"""The largest answer that is read, in bytes."""

_OTHER_LIMIT = "max_completion_tokens"

NEEDS_OPENAI = "install musify-ai[llm]"


class OpenaiMissing(Unusable):
    """The `openai` package is not installed."""


class Server(NamedTuple):
    """Where to ask, and for which model. ``seconds`` bounds one attempt, from sending to the last byte, and
    ``connect`` how long a connection may take."""

    url: str
    model: str
    seconds: float = 300.0
    connect: float = 10.0


class Openai:
    """A provider over HTTP. Requests may come from many threads; ``identity`` has the model, and no address."""

    batch = 1
    leaves_machine = True

    def __init__(self, server: Server, patience: Patience | None = None, timing: Timing | None = None) -> None:
        self.server = server
        self.identity = f"openai:{server.model}"
        self._patience = patience or Patience()
        self._timing = timing or Timing()
        self._breaker = Breaker(self._timing.clock)
        self._client = _client(server)
        self._limit = "max_tokens"
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """An outcome for each request, one after the other, each with its retries."""
        return [with_retries(self._once, r, self._breaker, self._patience, self._timing) for r in requests]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _once(self, request: Request) -> Outcome:
        limit = self._limit
        outcome = self._sent(request, limit)
        # Services with newer models take the limit under another name only, and say so.
        refused = isinstance(outcome, NoAnswer) and outcome.kind == "refused" and _OTHER_LIMIT in outcome.detail
        if refused and limit != _OTHER_LIMIT:
            with self._lock:
                self._limit = _OTHER_LIMIT
            return self._sent(request, _OTHER_LIMIT)
        return outcome

    def _sent(self, request: Request, limit: str) -> Outcome:
        import openai

        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self.server.model,
            "messages": [{"role": each.role, "content": each.content} for each in request.messages],
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            limit: sampling.max_tokens,
        }
        deadline = self._timing.clock() + self.server.seconds
        try:
            with self._client.chat.completions.with_streaming_response.create(**body) as response:
                text = b""
                for piece in response.iter_bytes():
                    text += piece
                    if self._timing.clock() > deadline:
                        return NoAnswer("timeout", f"the answer did not end within {self.server.seconds:g} s")
                    if len(text) > MOST_BYTES:
                        return NoAnswer("too-large", f"the answer is larger than {MOST_BYTES} bytes")
        except openai.APITimeoutError:
            return NoAnswer("timeout", f"no answer within {self.server.seconds:g} s")
        except openai.APIStatusError as problem:
            return _refused(problem)
        except openai.APIConnectionError as problem:
            return NoAnswer("connection", f"{self.server.url}: {problem.__cause__ or problem}")
        except Exception as problem:  # the transport's own errors pass through while a body is read
            return _cut(problem, self.server.seconds)
        return read_answer(text, self.server.model)


def _client(server: Server) -> "openai.OpenAI":
    try:
        import openai
    except ImportError:
        raise OpenaiMissing(f"--llm openai: needs the openai package: {NEEDS_OPENAI}") from None
    key = next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), "none")
    timeout = openai.Timeout(server.seconds, connect=server.connect)
    return openai.OpenAI(base_url=server.url, api_key=key, max_retries=0, timeout=timeout)


def _refused(problem: "openai.APIStatusError") -> NoAnswer:
    status = problem.status_code
    kind: FailureKind = "refused"
    if status == 429:
        kind = "rate-limit"
    elif status >= 500 or status in (408, 409, 425):
        kind = "server"
    after = _seconds(problem.response.headers.get("retry-after")) if kind != "refused" else None
    return NoAnswer(kind, f"status {status}: {_short(str(problem.message))}", after)


def _seconds(value: str | None) -> float | None:
    """The seconds of a ``Retry-After``, given as a number or as a date."""
    if not value:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _cut(problem: Exception, seconds: float) -> NoAnswer:
    name = type(problem).__name__
    if "Timeout" in name:
        return NoAnswer("timeout", f"nothing came for {seconds:g} s")
    if "Protocol" in name or "Read" in name or "Decod" in name:
        return NoAnswer("cut-off", f"the answer was cut off ({_short(str(problem)) or name})")
    raise problem


def read_answer(body: bytes, asked: str) -> Outcome:
    """What a chat completion's JSON says. ``asked`` is the model that was asked for."""
    try:
        said = json.loads(body)
        choice = said["choices"][0]
        text = choice["message"]["content"]
        finish = choice.get("finish_reason")
        usage = said.get("usage") or {}
        counted = Usage(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
        model = str(said.get("model") or asked)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as problem:
        start = _short(body[:200].decode("utf-8", "replace"))
        return NoAnswer("malformed", f"not a chat completion ({type(problem).__name__}): {start}")
    if not isinstance(text, str):
        return NoAnswer("malformed", "a chat completion without text")
    if not same_model(asked, model):
        why = f"asked for {asked!r}, and {model!r} answered; if that is right, ask for it by that name"
        return NoAnswer("wrong-model", why)
    return Answer(text, "stop" if finish == "stop" else "length" if finish == "length" else "other", counted, model)


def same_model(asked: str, answered: str) -> bool:
    """Whether an answer's model is the one asked for: servers drop folders and suffixes, or add a date or revision."""

    def plain(name: str) -> str:
        return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower().removesuffix(".gguf")

    first, second = plain(asked), plain(answered)
    return first == second or any(second.startswith(first + sign) for sign in ("-20", "@", ":"))


def _short(text: str) -> str:
    from musify_ai.rewrite.showing import plain

    return plain(text, 300)
