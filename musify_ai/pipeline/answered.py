"""Putting accepted rewrites of functions into a file that was translated."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from musify_ai.pipeline.places import placed_findings
from musify_ai.pipeline.residue import residue
from musify_ai.pipeline.translating import Processed
from musify_ai.records import Edit, Finding
from musify_ai.source import Lines, OffsetMap, splice, undo

REWRITTEN = "MUS901"


class Accepted(NamedTuple):
    """A rewrite to be made: the function's bytes ``[start, end)`` in the original, what is to stand there, the code of
    the finding that it settles, and what is to be said of it. ``settles`` are all findings that it settles."""

    start: int
    end: int
    new: bytes
    code: str
    settles: tuple[Finding, ...]
    message: str
    source: str


class NotApplied(ValueError):
    """An accepted rewrite does not fit the file that it was made for."""


def with_rewrites(
    processed: Processed, src: bytes, accepted: Sequence[Accepted], remarks: Mapping[Finding, str]
) -> Processed:
    """The file with accepted rewrites made and with ``remarks`` added to findings that stay.

    An edit inside a rewritten function is part of the rewrite from then on. Raises `NotApplied` where an edit reaches
    over a function's end, or the edits could not be taken back.
    """
    result = processed.result
    spans = [(each.start, each.end) for each in accepted]

    def inside(start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in spans)

    lines = Lines(src)
    kept = [edit for edit in result.edits if not inside(edit.start, edit.end)]
    made = [_edit(each, src, lines) for each in accepted]
    for edit in kept:
        if any(edit.start < end and start < edit.end for start, end in spans):
            raise NotApplied(f"an edit of {edit.rule} reaches over the end of a rewritten function")
    edits = sorted([*kept, *made], key=lambda edit: (edit.start, edit.end))
    applied = [edit for edit in edits if edit.applied]
    output = splice(src, applied)
    if undo(output, applied) != src:
        raise NotApplied("taking the edits back does not give the input")
    settled = {finding for each in accepted for finding in each.settles}
    findings = [_remarked(f, remarks) for f in result.findings if f not in settled]
    findings += [_note(each) for each in accepted]
    offsets = OffsetMap(applied)
    before = OffsetMap([edit for edit in result.edits if edit.applied])
    regions = [(offsets.to_output(each.start), offsets.to_output(each.start) + len(each.new)) for each in accepted]

    def moved(places: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Places of the old output outside of the rewritten functions, in the new one."""
        found = []
        for start, end, text in places:
            begin = before.to_input(start)
            if not inside(begin, begin):
                first = offsets.to_output(begin)
                found.append((first, first + end - start, text))
        return found

    left = residue(output, [(0, regions[0][0]), *_between(regions, len(output))] if regions else [(0, len(output))])
    return processed._replace(
        kept=output,
        result=result._replace(
            status="changed" if output != src else result.status,
            sha256_after=sha256(output).hexdigest(),
            edits=tuple(edits),
            findings=placed_findings(findings, src, lines),
            residue=tuple(sorted([*moved(result.residue), *left.known])),
            residue_pattern=tuple(sorted([*moved(result.residue_pattern), *left.pattern])),
        ),
        unsettled=tuple(sorted(moved(processed.unsettled))),
    )


def _between(regions: Sequence[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """What lies after each region, up to the next or the end."""
    starts = [start for start, _ in regions[1:]] + [end]
    return [(last, following) for (_, last), following in zip(regions, starts, strict=True)]


def _edit(each: Accepted, src: bytes, lines: Lines) -> Edit:
    line, column = lines.at(each.start)
    old = src[each.start : each.end]
    return Edit(each.start, each.end, old, each.new, each.code, "llm", "unsafe", each.source, True, line, column)


def _note(each: Accepted) -> Finding:
    return Finding(REWRITTEN, "note", each.start, each.end, each.message)


def _remarked(finding: Finding, remarks: Mapping[Finding, str]) -> Finding:
    remark = remarks.get(finding, "")
    return finding._replace(message=f"{finding.message} {remark}") if remark else finding
