"""Recorded answers on disk: a folder with one JSON file an answer, named by the request's hash, to be kept in git.

Each file holds the identity of the provider that answered, the request whole and the answer, so that a recording can be
read, and found stale, without anything else.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rewrite.providers.protocol import Answer, Message, Request, Sampling, Usage

_SUFFIX = ".json"


class RecordingInvalid(ValueError):
    """A file among the recordings is none, or is not named for what it holds."""


class Recording(NamedTuple):
    """A recorded answer."""

    identity: str
    request: Request
    answer: Answer

    @property
    def key(self) -> str:
        """The request's hash, by which it is found."""
        return self.request.key(self.identity)


def write(folder: Path, recording: Recording) -> Path:
    """Put a recording into a folder, over an older one of the same request."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{recording.key[:24]}{_SUFFIX}"
    text = json.dumps(to_json(recording), indent=1, ensure_ascii=False)
    place.write_text(text + "\n", encoding="utf-8", newline="\n")
    return place


def read_all(folder: Path) -> Iterator[Recording]:
    """All recordings of a folder, in the order of their names. `RecordingInvalid` for a file that is none."""
    for place in sorted(folder.glob(f"*{_SUFFIX}")):
        try:
            recording = from_json(json.loads(place.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as problem:
            raise RecordingInvalid(f"{place}: not a recording ({problem})") from None
        if not recording.key.startswith(place.stem):
            raise RecordingInvalid(f"{place}: named for another request; it was edited, or the format has changed")
        yield recording


def to_json(recording: Recording) -> dict[str, Any]:
    """The JSON object of a recording."""
    return {
        "identity": recording.identity,
        "request": request_to_json(recording.request),
        "answer": answer_to_json(recording.answer),
    }


def from_json(value: dict[str, Any]) -> Recording:
    """The recording that `to_json` made the object of. `KeyError`, `TypeError` or `ValueError` where it is none."""
    return Recording(str(value["identity"]), request_from_json(value["request"]), answer_from_json(value["answer"]))


def request_to_json(request: Request) -> dict[str, Any]:
    """A request as a JSON object."""
    return {
        "messages": [{"role": each.role, "content": each.content} for each in request.messages],
        "sampling": request.sampling._asdict(),
    }


def request_from_json(value: dict[str, Any]) -> Request:
    """The request of a JSON object."""
    messages = tuple(Message(each["role"], each["content"]) for each in value["messages"])
    return Request(messages, Sampling(**value["sampling"]))


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """An answer as a JSON object."""
    return {**answer._asdict(), "usage": answer.usage._asdict()}


def answer_from_json(value: dict[str, Any]) -> Answer:
    """The answer of a JSON object."""
    return Answer(value["text"], value["finish"], Usage(**value["usage"]), value["model"])
