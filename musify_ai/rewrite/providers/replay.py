"""Answers that were recorded before (`musify_ai.rewrite.providers.recordings`): no model is there, nothing is sent."""

from collections.abc import Sequence
from pathlib import Path

from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Outcome, Request
from musify_ai.rewrite.providers.recordings import RecordingInvalid, read_all


class MissedRecording(LookupError):
    """There is no recording of a request although there has to be one."""


class Replay:
    """The recordings of a folder. All of them must be of one model, whose identity this provider takes on.

    A request without a recording stays unanswered; with ``strict`` it is an error (`MissedRecording`), for tests.
    """

    batch = 1
    leaves_machine = False

    def __init__(self, folder: Path, *, strict: bool = False) -> None:
        self.folder = folder
        self.strict = strict
        found = list(read_all(folder))
        identities = sorted({recording.identity for recording in found})
        if len(identities) > 1:
            raise RecordingInvalid(
                f"{folder}: recordings of several models ({', '.join(identities)}); keep one a folder"
            )
        self.identity = identities[0] if identities else "replay"
        self._answers: dict[str, Answer] = {recording.key: recording.answer for recording in found}

    def __len__(self) -> int:
        return len(self._answers)

    def complete(self, requests: Sequence[Request]) -> list[Outcome]:
        """The recorded answers; `NoAnswer` of kind ``missing`` where there is none."""
        return [self._one(request) for request in requests]

    def _one(self, request: Request) -> Outcome:
        found = self._answers.get(request.key(self.identity))
        if found is not None:
            return found
        why = f"{self.folder} has no recording of this request (make one with `musify-ai llm record`)"
        if self.strict:
            raise MissedRecording(why)
        return NoAnswer("missing", why)
