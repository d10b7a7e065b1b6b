"""Findings by code, and within a code by what is said: a sentence that holds for a thousand places is read once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from markupsafe import Markup

from musify_ai.records import SEVERITIES, Edit, FileResult, Finding, Severity
from musify_ai.report import Texts
from musify_ai.report.counts import told
from musify_ai.report.html.diffs import marked_line
from musify_ai.report.html.visible import decoded

Effort = Literal["minutes", "hours", "days"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
# Lines of source that a finding shows: a whole block is known by its first ones.
_LINES = 6


class Place(NamedTuple):
    """One finding where it stands: its record, the file's number on the page, the lines, the line as suggested, what
    was decided of it."""

    record: Finding
    path: str
    file: int
    excerpt: Markup
    suggestion: Markup
    safety: str
    decided: str


class Said(NamedTuple):
    """A message and its places."""

    message: str
    severity: Severity
    places: tuple[Place, ...]


class Code(NamedTuple):
    """A code's findings, the gravest message first. ``severities`` and ``efforts`` are of those that no person has
    closed."""

    code: str
    title: str
    total: int
    files: int
    severities: Counter[str]
    efforts: Counter[str]
    said: tuple[Said, ...]
    closed: int


def codes(
    files: Iterable[tuple[int, FileResult]],
    texts: Texts,
    titles: Mapping[str, str],
) -> list[Code]:
    """Every finding, in groups: codes with errors first, then by how many days and hours they may take."""
    groups: dict[str, dict[tuple[Severity, str], list[Place]]] = {}
    for number, file in files:
        before = texts.get(file.path, (b"", b""))[0]
        for finding in file.findings:
            group = groups.setdefault(finding.code, {}).setdefault((finding.severity, finding.message), [])
            group.append(_place(finding, file, number, before))
    found = [_code(code, said, titles.get(code, "")) for code, said in groups.items()]
    return sorted(found, key=_gravity)


def _gravity(code: Code) -> tuple[int, ...]:
    counts = code.severities
    return (-(counts["error"] > 0), -(counts["warning"] > 0), *(-code.efforts[each] for each in reversed(EFFORTS)))


def _code(code: str, said: Mapping[tuple[Severity, str], Sequence[Place]], title: str) -> Code:
    places = [place for group in said.values() for place in group]
    open_ = [place.record for place in places if not place.record.closed]
    messages = sorted(
        (Said(message, severity, tuple(group)) for (severity, message), group in said.items()),
        key=lambda each: (SEVERITIES.index(each.severity), -len(each.places)),
    )
    return Code(
        code,
        title,
        len(places),
        len({place.file for place in places}),
        Counter(finding.severity for finding in open_),
        Counter(finding.effort for finding in open_),
        tuple(messages),
        len(places) - len(open_),
    )


def _place(finding: Finding, file: FileResult, number: int, before: bytes) -> Place:
    edit = finding.edit or next(
        (e for e in file.edits if not e.applied and e.rule == finding.code and _meet(e, finding)), None
    )
    suggestion: list[tuple[str, bool]] = []
    if edit is not None:
        # Without the file's text the edit itself is all there is to show.
        first = before.rfind(b"\n", 0, edit.start) + 1
        last = before.find(b"\n", edit.end)
        ahead, behind = before[first : edit.start], before[edit.end : len(before) if last < 0 else last]
        suggestion = [
            (decoded(ahead, file.encoding).lstrip(), False),
            (decoded(edit.new, file.encoding), True),
            (decoded(behind, file.encoding), False),
        ]
    return Place(
        finding,
        file.path,
        number,
        marked_line(_excerpt(finding, before, file.encoding)),
        marked_line(suggestion, "ins"),
        edit.safety if edit is not None else "",
        told(finding),
    )


def _meet(edit: Edit, finding: Finding) -> bool:
    return edit.start <= finding.end and finding.start <= edit.end


def _excerpt(finding: Finding, before: bytes, encoding: str) -> list[tuple[str, bool]]:
    if not before:
        return []
    first = before.rfind(b"\n", 0, finding.start) + 1
    last = before.find(b"\n", max(finding.start, finding.end - 1))
    last = len(before) if last < 0 else last
    end = min(finding.end, last)
    inside = before[finding.start : end].split(b"\n")
    ahead = decoded(before[first : finding.start], encoding).lstrip()
    if len(inside) > _LINES:
        kept = b"\n".join(inside[:_LINES])
        return [(ahead, False), (decoded(kept, encoding), True), (f"\n... {len(inside) - _LINES} more lines", False)]
    return [
        (ahead, False),
        (decoded(before[finding.start : end], encoding), True),
        (decoded(before[end:last], encoding), False),
    ]
