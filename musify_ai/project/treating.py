"""What becomes of one file of a tree: translated, reported, copied, skipped or failed."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from musify_ai.pipeline import Processed, process
from musify_ai.pipeline.places import placed_findings
from musify_ai.pipeline.selection import selected
from musify_ai.project.discovery import Entry
from musify_ai.project.roles import is_binary, is_generated, is_musa_already, is_vendored
from musify_ai.records import Failure, FileResult, Options
from musify_ai.source import Lines, describe, is_utf_16

if TYPE_CHECKING:
    from musify_ai.translate import Surroundings

Way = Literal["out", "in-place", "diff", "check", "fix"]
"""How a run uses its results: a new tree, the tree itself, a patch, nothing at all, or single files in place."""


class Manner(NamedTuple):
    """What applies to every file of a run. ``everything`` takes in third-party and generated files too, in place.

    ``ignored`` are the files that git ignores, which are left alone in place as well.
    """

    way: Way
    options: Options
    everything: bool = False
    ignored: frozenset[str] = frozenset()


class Treated(NamedTuple):
    """A file with what was read of it (None where nothing was) and what the pipeline made of it."""

    entry: Entry
    before: bytes | None
    processed: Processed

    @property
    def is_changed(self) -> bool:
        """Whether other bytes are to be written than were read."""
        return self.processed.output is not None and self.processed.output != self.before


def treat(root: Path, entry: Entry, manner: Manner) -> Treated:
    """Take one file or link through the pipeline, as its role and the manner of the run say.

    Nothing is written. A file that cannot be read is a failure of stage ``read``.
    """
    path = entry.path
    if entry.kind == "special" or (entry.dangling and entry.role == "source"):
        return _failed(entry, *_what_is_wrong(root / path, entry))
    if entry.kind == "link":
        return _as_it_is(entry, None, "symbolic link" if not entry.dangling else "dangling symbolic link", manner)
    if entry.role == "other":
        return _as_it_is(entry, None, None, manner)
    try:
        src = (root / path).read_bytes()
    except OSError as problem:
        return _failed(entry, _reason(problem), "Check that the file exists and may be read.")
    if entry.role == "build":
        return _build_file(entry, src, manner)
    if is_utf_16(src):
        return _failed(
            entry, "the file is UTF-16, which no CUDA compiler reads", "Convert it to UTF-8 and run again.", src
        )
    reason = _why_left_alone(path, src, manner)
    if reason is not None:
        return _as_it_is(entry, src, reason, manner)
    return Treated(entry, src, process(src, path, manner.options, write=manner.way != "check"))


def treat_again(treated: Treated, manner: Manner, around: "Surroundings") -> Treated:
    """A file translated once more, now that it is known what the files around it define."""
    from functools import partial

    from musify_ai.translate import may_change, translate

    translator = partial(translate, surroundings=around)
    src, write = treated.before or b"", manner.way != "check"
    processed = process(src, treated.entry.path, manner.options, write=write, translator=translator, screen=may_change)
    return treated._replace(processed=processed)


def _why_left_alone(path: str, src: bytes, manner: Manner) -> str | None:
    if is_binary(src):
        return "binary"
    there = manner.options.direction == "c2m"
    if there and manner.way in ("out", "in-place", "diff") and is_musa_already(path, src):
        return "already MUSA"
    if manner.way == "in-place" and not manner.everything:
        if path in manner.ignored:
            return "ignored by git"
        if is_vendored(path):
            return "in a third-party folder"
        if is_generated(src):
            return "says that it is generated"
    return None


def _as_it_is(entry: Entry, src: bytes | None, reason: str | None, manner: Manner) -> Treated:
    """Copied where a new tree is made, skipped elsewhere."""
    from hashlib import sha256

    digest = "" if src is None else sha256(src).hexdigest()
    result = FileResult(
        path=entry.path,
        output=None,
        status="copied" if manner.way == "out" else "skipped",
        reason=reason,
        encoding="" if src is None else describe(src).name,
        sha256_before=digest,
        sha256_after=digest if manner.way == "out" and src is not None else None,
    )
    return Treated(entry, src, Processed(result, src))


def _build_file(entry: Entry, src: bytes, manner: Manner) -> Treated:
    treated = _as_it_is(entry, src, "build files are not migrated", manner)
    from musify_ai.translate.build import build_file_finding

    finding = build_file_finding(entry.path, src)
    if finding is None:
        return _as_it_is(entry, src, None, manner)
    if not selected(finding.code, manner.options):
        return treated
    result = treated.processed.result._replace(findings=placed_findings([finding], src, Lines(src)))
    return treated._replace(processed=treated.processed._replace(result=result))


def _what_is_wrong(place: Path, entry: Entry) -> tuple[str, str]:
    if entry.dangling:
        return "a symbolic link that leads nowhere", "Restore its target, or remove the link."
    if place.is_dir():
        return "the directory cannot be listed", "Check its permissions."
    if place.exists():
        return "not a regular file (a pipe, socket or device)", "Remove it from the tree, or run on single files."
    return "the file cannot be looked at", "Check that it exists and may be read."


def _reason(problem: OSError) -> str:
    return problem.strerror or type(problem).__name__


def _failed(entry: Entry, error: str, hint: str, src: bytes | None = None) -> Treated:
    failure = Failure(entry.path, "read", error, hint)
    return Treated(entry, src, Processed(FileResult(entry.path, None, "failed", error), None, (), failure))
