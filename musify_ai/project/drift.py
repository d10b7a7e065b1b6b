"""What upstream has changed since a tree was migrated, and which of it touches places that the migration touched.

The ledger has what was written last and the edits that made it, so what the source was then is had by taking the edits
back; it need not be in git.
"""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai.project.destination import digest_of
from musify_ai.project.discovery import MANIFEST, Entry, walk
from musify_ai.project.git_listing import commit_of
from musify_ai.project.ledger import FOLDER, Ledger, Written, is_there
from musify_ai.project.recording import result_of
from musify_ai.project.refusals import Refused
from musify_ai.project.treating import Manner, Treated, treat
from musify_ai.records import FileResult, Finding, Options
from musify_ai.source import undo

Change = Literal["changed", "added", "removed"]


class Touched(NamedTuple):
    """A migrated place in lines that upstream changed: an edit (``code`` is its rule) or a finding, where it stood,
    and the lines of the new source that are there now (``new_end`` before ``new_line`` for none)."""

    kind: Literal["edit", "finding"]
    code: str
    line: int
    text: str
    new_line: int
    new_end: int


class Drifted(NamedTuple):
    """A source file that is otherwise than when it was migrated. ``edited`` says whether a person has edited the
    result since, so that a merge is ahead; ``new`` are the findings that it did not have, and ``edits`` how many edits
    there are to be made in what was not there."""

    path: str
    change: Change
    edited: bool
    touched: tuple[Touched, ...]
    new: tuple[Finding, ...]
    edits: int

    @property
    def matters(self) -> bool:
        """Whether anything of it concerns the migration: not a file that is only copied, nor lines beside."""
        return bool(self.touched or self.new or self.edits)


class Drift(NamedTuple):
    """The files that drifted, in order of path, and the commits that the source was at then and is at now, where git
    knows them."""

    then: str
    now: str
    files: tuple[Drifted, ...]


def drift(source: Path, out: Path, options: Options) -> Drift:
    """Compare a source with what its migration into ``out`` was made from.

    `Refused` where there is no such source, no ledger in ``out``, and where that was made in another style, whose
    changes are not edits that can be taken back.
    """
    if not source.is_dir():
        raise Refused(f"{source}: no such directory")
    if not is_there(out / FOLDER):
        if is_there(source / FOLDER):
            raise Refused(
                f"{source} is a migration's result and {out} is not: give the source first, drift {out} {source}"
            )
        raise Refused(f"{out} has no ledger: migrate {source} into it first")
    entries = {e.path: e for e in walk(source) if e.kind in ("file", "link") and e.path != MANIFEST}
    with Ledger(out.resolve() / FOLDER) as ledger:
        rows, written = ledger.rows(), ledger.outputs()
        if (style := ledger.noted("style")) not in ("", "tokens"):
            raise Refused(f"{out} was migrated in style {style!r}; drift compares trees of style 'tokens' alone")
        by_path = {
            each.path: (place, each)
            for place, each in written.items()
            if each.path in rows or each.digest.startswith("link:")  # any other one was made by the run
        }
        files = []
        for path in sorted({*entries, *by_path}):
            recorded = _recorded(ledger, path, rows[path].final or rows[path].first if path in rows else "", by_path)
            found = _compared(source, out, entries.get(path), path, recorded, options)
            if found is not None:
                files.append(found)
        return Drift(ledger.noted("commit"), commit_of(source), tuple(files))


class _Recorded(NamedTuple):
    """A file as the migration read it: its digest, its bytes where they are had, what was said of it, its output."""

    digest: str
    text: bytes | None
    result: FileResult | None
    place: str
    output: Written


def _recorded(ledger: Ledger, path: str, told: str, outputs: dict[str, tuple[str, Written]]) -> _Recorded | None:
    if path not in outputs:
        return None
    place, output = outputs[path]
    body = ledger.body(output.digest)
    if not told:
        return _Recorded(output.digest, body, None, place, output)
    try:
        result = result_of(told)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        what = f"what the ledger {ledger.folder} has of {path} cannot be read"
        raise Refused(f"{what}; migrate into {ledger.folder.parent} again, which reads it anew") from None
    made = [edit for edit in result.edits if edit.applied]
    try:
        text = None if body is None else undo(body, made)
    except ValueError:  # not made by these edits alone: a model's rewrite is in it
        text = None
    return _Recorded(f"sha256:{result.sha256_before}", text, result, place, output)


def _compared(
    source: Path, out: Path, entry: Entry | None, path: str, recorded: _Recorded | None, options: Options
) -> Drifted | None:
    now = "" if entry is None else digest_of(source / path)
    if recorded is None:
        if entry is None:
            return None
        fresh = treat(source, entry, Manner("check", options))
        return Drifted(path, "added", False, (), _of_work(fresh), len(fresh.processed.result.edits))
    if now == recorded.digest:
        return None
    edited = digest_of(out / recorded.place) != recorded.output.digest
    if entry is None:
        gone = tuple(_places(recorded, [(1, 1 << 40, 1, 0)]))
        return Drifted(path, "removed", edited, gone, (), 0)
    fresh = treat(source, entry, Manner("check", options))
    text = fresh.before if fresh.before is not None else (source / path).read_bytes() if entry.kind == "file" else b""
    whole = (1, 1 << 40, 1, text.count(b"\n") + 1)  # where nobody knows what it was, all of it may have changed
    stretches = [whole] if recorded.text is None else list(_stretches(recorded.text, text))
    known = {f.fingerprint for f in recorded.result.findings} if recorded.result else set()
    new = tuple(finding for finding in _of_work(fresh) if finding.fingerprint not in known)
    edits = sum(any(first <= e.line <= last for _, _, first, last in stretches) for e in fresh.processed.result.edits)
    return Drifted(path, "changed", edited, tuple(_places(recorded, stretches)), new, edits)


def _of_work(treated: Treated) -> tuple[Finding, ...]:
    return tuple(finding for finding in treated.processed.result.findings if finding.severity != "note")


def _places(recorded: _Recorded, stretches: Sequence[tuple[int, int, int, int]]) -> Iterator[Touched]:
    """The migrated places in changed stretches of lines, in order."""
    if recorded.result is None:
        return
    found = []
    for edit in recorded.result.edits:
        if edit.applied:
            last = edit.line + edit.old.count(b"\n")
            found.append(("edit", edit.rule, edit.line, last, edit.old.decode("utf-8", "replace").split("\n")[0]))
    for each in recorded.result.findings:
        if each.severity != "note":
            found.append(("finding", each.code, each.line, each.end_line, each.message))
    for kind, code, line, last, text in sorted(found, key=lambda row: (row[2], row[0], row[1])):
        for first, end, new_first, new_end in stretches:
            if first <= last and line <= end:
                yield Touched("edit" if kind == "edit" else "finding", code, line, text, new_first, new_end)
                break


def _stretches(before: bytes, after: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Lines of the old text that were changed or taken away, first and last, and those that are there instead."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines())
    for tag, first, end, new_first, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield first + 1, end, new_first + 1, new_end
