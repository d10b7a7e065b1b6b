"""Identical renames as one line each, with every place it was made at."""

from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.records import Edit, FileResult
from musify_ai.report.meaning import is_plain_name


class Rename(NamedTuple):
    """One name that became another: by which rule and evidence, how often, and the lines by file."""

    old: str
    new: str
    rule: str
    evidence: str
    source: str
    applied: bool
    total: int
    places: tuple[tuple[int, tuple[int, ...]], ...]
    """Number of the file on the page, and the lines in it (a line twice where it holds the name twice)."""


def renames(files: Iterable[tuple[int, FileResult]], shown: Iterable[tuple[Edit, ...]]) -> list[Rename]:
    """The plain renames among each file's ``shown`` edits, the most frequent first; ``files`` carry their numbers."""
    groups: dict[tuple[bytes, bytes, str, str, str, bool], dict[int, list[int]]] = {}
    for (number, _), edits in zip(files, shown, strict=True):
        for edit in edits:
            if is_plain_name(edit):
                key = (edit.old, edit.new, edit.rule, edit.evidence, edit.source, edit.applied)
                groups.setdefault(key, {}).setdefault(number, []).append(edit.line)
    found = [
        Rename(
            old.decode("utf-8", "surrogateescape"),
            new.decode("utf-8", "surrogateescape"),
            rule,
            evidence,
            source,
            applied,
            sum(map(len, places.values())),
            tuple((number, tuple(lines)) for number, lines in places.items()),
        )
        for (old, new, rule, evidence, source, applied), places in groups.items()
    ]
    return sorted(found, key=lambda each: (-each.total, each.old))
