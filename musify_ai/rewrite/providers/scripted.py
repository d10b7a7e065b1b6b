"""Answers from a script: what tests, and `llm bench` with answers of one's own, put in a model's place."""

import threading
from collections.abc import Callable, Sequence

from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Outcome, Request, Usage

Script = Callable[[Request], Outcome | str]


class Scripted:
    """A provider that answers what a function says, or the next of a list of answers.

    Each request is kept in ``asked``, in the order of arrival. A list that has run out is a fault of the script
    (`AssertionError`).
    """

    batch = 1
    leaves_machine = False

    def __init__(self, script: Script | Sequence[Outcome | str], identity: str = "scripted") -> None:
        self.identity = identity
        self.asked: list[Request] = []
        self._rest = None if callable(script) else list(script)
        self._script = script if callable(script) else None
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """The script's answers, plain text counted four characters a token."""
        return [self._one(request) for request in requests]

    def _one(self, request: Request) -> Outcome:
        with self._lock:
            self.asked.append(request)
            if self._rest is not None and not self._rest:
                raise AssertionError(f"the script has no answer for request {len(self.asked)}")
            said = self._rest.pop(0) if self._rest is not None else None
        if self._script is not None:
            said = self._script(request)
        if isinstance(said, (Answer, NoAnswer)):
            return said
        text = str(said)
        read = sum(len(message.content) for message in request.messages)
        return Answer(text, "stop", Usage(read // 4, len(text) // 4), self.identity)
