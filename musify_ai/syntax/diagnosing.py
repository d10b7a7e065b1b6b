"""What libclang finds wrong with a unit, as a program of its own, so that whoever asks can hold it to limits.

The request comes as JSON on standard input: ``make`` writes what a header of ours declares to a file, which later units
begin with; ``unit`` answers with the errors, each as path, line, text and the places that asked for it.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

MISSING = 3
"""The exit status where libclang is not installed."""
UNREADABLE = 4
"""The exit status where the unit cannot be read, or the header not be kept."""
MOST = 200
"""Errors of a unit that are told."""


class Found(NamedTuple):
    """An error: where, what, and the further places that asked for it (an instantiation, an include), from within."""

    path: str
    line: int
    text: str
    asked_by: tuple[tuple[str, int], ...] = ()


def request(unit: Path, include_dirs: Sequence[Path], arguments: Sequence[str], *, make: Path | None = None) -> bytes:
    """What to write to the program's standard input; with ``make`` the unit is the header to keep there."""
    asked = {
        "unit": str(unit),
        "include_dirs": [str(each) for each in include_dirs],
        "arguments": list(arguments),
        "make": "" if make is None else str(make),
    }
    return json.dumps(asked).encode()


def errors(answer: bytes) -> tuple[Found, ...]:
    """The errors in an answer. ``ValueError`` where it is none of the program's."""
    try:
        return tuple(
            Found(str(path), int(line), str(text), tuple((str(p), int(n)) for p, n in asked))
            for path, line, text, asked in json.loads(answer)
        )
    except (TypeError, ValueError) as error:
        raise ValueError("no answer about errors") from error


def answered(asked: Mapping[str, Any]) -> int:
    """Answer one request on standard output; the exit status."""
    from musify_ai.syntax import clang

    folders = [Path(each) for each in asked["include_dirs"]]
    try:
        if asked["make"]:
            done = clang.precompile(Path(asked["unit"]), Path(asked["make"]), folders, asked["arguments"])
            return 0 if done else UNREADABLE
        unit = clang.parse(Path(asked["unit"]), folders, asked["arguments"])
    except clang.LibclangMissing:
        return MISSING
    except OSError:
        return UNREADABLE
    found = [
        (message.path, message.line, message.text, [(note.path, note.line) for note in message.notes if note.path])
        for message in unit.messages
        if message.severity >= 3
    ]
    json.dump(found[:MOST], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(answered(json.loads(sys.stdin.buffer.read())))
