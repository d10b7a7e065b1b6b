"""What a real compiler found wrong with a translation, led back to the edit behind it and to the original's line."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.project.bisecting import Ours, ours_of
from musify_ai.records import Edit, Failure, Options
from musify_ai.source import Lines, OffsetMap
from musify_ai.source.patterns import late_pattern

if TYPE_CHECKING:
    from musify_ai.verify.on_devices import DeviceError

_QUOTED = late_pattern(r"'([^']+)'|\"([^\"]+)\"")
_UNDECLARED = late_pattern(
    r"(?:undeclared identifier|unknown type name|no (?:member|type|template) named) '([A-Za-z_]\w*)'"
    r"|(?:identifier|namespace \"[^\"]*\" has no member) \"([A-Za-z_]\w*)\""
)
_NO_HEADER = late_pattern(
    r"'([^']+)' file not found|cannot open source file \"([^\"]+)\"|([^\s:]+): No such file or dir"
)
MOST = 50
"""Errors of a compiler that are told; the rest are mostly consequences."""


class Absent(NamedTuple):
    """Names and headers that a real SDK lacks, as its compiler said."""

    names: frozenset[bytes]
    headers: frozenset[bytes]


def absent(errors: Iterable["DeviceError"]) -> Absent:
    """The names and headers that errors say are not there."""
    names, headers = set(), set()
    for error in errors:
        name = _UNDECLARED.search(error.message)
        header = _NO_HEADER.search(error.message)
        if name:
            names.add((name[1] or name[2]).encode())
        if header:
            headers.add((header[1] or header[2] or header[3]).encode())
    return Absent(frozenset(names), frozenset(headers))


def failures_of(
    errors: Sequence["DeviceError"], original: Path, files: Mapping[str, str], translation: Path, options: Options
) -> tuple[Failure, ...]:
    """An entry for each error of a real compiler over the translation: where it is, and what edit it comes from."""
    wanted = {error.path for error in errors}
    concerned = {path: other for path, other in files.items() if other in wanted}
    ours = ours_of(original, concerned, options)
    origins = {each.path: path for path, each in zip(sorted(concerned), ours, strict=True)}
    known = {each.path: _Origins(each, _read(translation / each.path)) for each in ours}
    out = []
    for error in errors[:MOST]:
        where = f"{error.path}:{error.line}" if error.line else error.path or "no file"
        came = known[error.path].of(error.line, error.message, origins[error.path]) if error.path in known else ""
        text = f"{error.backend}: {error.message} at {where}" + (f" {came}" if came else "")
        out.append(Failure(error.path, "check", text, _hint(error.message)))
    return tuple(dict.fromkeys(out))


def _hint(message: str) -> str:
    if _UNDECLARED.search(message) or _NO_HEADER.search(message):
        return (
            "this SDK lacks the name; --write-overlay FILE notes it, and migrate --overlay FILE then reports its uses"
        )
    return ""


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


class _Origins:
    """A file of a port beside our translation of its original: which of our edits made a line."""

    def __init__(self, ours: Ours, port: bytes) -> None:
        self.ours = ours
        self.output = ours.without(frozenset())
        mine, theirs = self.output.splitlines(True), port.splitlines(True)
        self.same: dict[int, int] = {}  # by the port's line, from 1
        matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
        for a, b, size in matcher.get_matching_blocks():
            self.same |= {b + k + 1: a + k + 1 for k in range(size)}
        self.starts = [0]
        for line in mine:
            self.starts.append(self.starts[-1] + len(line))

    def of(self, line: int, message: str, original: str) -> str:
        """What a line of the port comes from, in a phrase."""
        mine = self.same.get(line)
        if mine is None or mine >= len(self.starts):
            return "on a line that is not our translation's" if line else ""
        start, end = self.starts[mine - 1], self.starts[mine]
        lines, shift, here = Lines(self.ours.src), 0, []
        for each in self.ours.edits:
            out = each.start + shift
            if out < end and out + max(len(each.new), 1) > start:
                here.append(each)
            shift += len(each.new) - len(each.old)
        edit = _chosen(here, message)
        if edit is None:
            line = lines.at(OffsetMap(self.ours.edits).to_input(start))[0]
            return f"comes from no edit ({original}:{line})"
        old = edit.old.decode("utf-8", "replace").split("\n", 1)[0][:60]
        return f"came from edit {edit.rule}/{edit.evidence} of {old} at {original}:{lines.at(edit.start)[0]}"


def _chosen(edits: Sequence[Edit], message: str) -> Edit | None:
    """The edit of a line that an error is about: one whose text the message quotes, else the only one."""
    quoted = {(a or b).encode() for a, b in _QUOTED.findall(message)}
    for edit in edits:
        if any(edit.new == word or (word and word in edit.new) for word in quoted):
            return edit
    return edits[0] if len(edits) == 1 else None
