"""Bringing a tree that an earlier run wrote up to date, and keeping what persons have made of it since.

First everything that is to be written is put beside the tree and the whole plan into the ledger; then each file takes
its place by a rename, which the ledger notes. So a run that ends before the plan stands has changed nothing, and one
that ends later is completed by the next.
"""

import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from musify_ai.project.destination import Tree, digest_at, digest_of
from musify_ai.project.discovery import Entry
from musify_ai.project.ledger import Step, Written, digest_of_bytes
from musify_ai.project.marks import marks
from musify_ai.project.merging import merge
from musify_ai.project.refusals import Refused
from musify_ai.project.roles import is_binary
from musify_ai.project.treating import Treated
from musify_ai.project.writing import as_written, make_folders, mergeable, put, wanted
from musify_ai.records import Failure

NEW = "new"
"""The folder beside the ledger in which the files of a plan wait."""
_RESOLVE = "Edit the marked places, then run again."
_CHOOSE = "The file is as it was edited. Make it as it should be, then run again."


class _Place(NamedTuple):
    """What is to happen at a place: a step, or none; bytes to keep for later merges; what is said of it."""

    step: Step | None = None
    body: tuple[str, bytes] | None = None
    reason: str = ""
    failure: Failure | None = None


def update(source: Path, tree: Tree, folders: Sequence[str], treated: Sequence[Treated]) -> list[Treated]:
    """Write what has changed into a tree and merge it with what persons edited there; the files come back with their
    outputs, those in conflict with a failure of stage ``merge``."""
    complete(tree)
    waiting = tree.ledger.folder / NEW
    shutil.rmtree(waiting, ignore_errors=True)
    known = tree.ledger.outputs()
    moved = {item.entry.path: item.place for item in treated}
    unlisted = tuple(f"{item.place}/" for item in treated if item.entry.kind == "special")
    done: list[Treated] = []
    steps: list[Step] = []
    bodies: list[tuple[str, bytes]] = []
    try:
        for item in treated:
            base = known.pop(item.place, None)
            settled, place = _settled(source, tree, item, base)
            if place.step is not None:
                steps.append(place.step)
            if place.body is not None:
                bodies.append(place.body)
            done.append(_told(settled, place))
        for name, written in known.items():
            if f"{name}/".startswith(unlisted) or "./" in unlisted:
                continue  # its folder could not be looked into: nobody knows that it is gone
            place = _gone(tree, name, written, moved.get(written.path, ""))
            if place.step is not None:
                steps.append(place.step)
            if place.failure is not None:
                done.append(_left_over(name, place.failure))
    except BaseException:
        shutil.rmtree(waiting, ignore_errors=True)
        raise
    if steps:
        tree.ledger.plan(steps, bodies)
    failures = complete(tree)
    shutil.rmtree(waiting, ignore_errors=True)
    with suppress(OSError):
        make_folders(source, tree.root, folders, treated)
    return [_failed(each, failures[each.place]) if each.place in failures else each for each in done]


def complete(tree: Tree) -> dict[str, Failure]:
    """Make the changes that the ledger has planned, and say of which places that failed."""
    failures = {}
    for step in tree.ledger.steps():
        place, waiting = tree.root / step.place, tree.ledger.folder / NEW / step.place
        now = digest_of(place)
        try:
            if step.staged and now == step.staged and not _is_there(waiting):
                pass  # the run was killed between the rename and this note of it
            elif now != step.expected:
                raise _Changed
            elif step.staged == step.expected:
                pass  # the tree stays as it is, what is known of it does not
            elif step.staged:
                place.parent.mkdir(parents=True, exist_ok=True)
                waiting.rename(place)
            elif now:
                place.unlink()
                _drop_empty(place.parent, tree.root)
        except _Changed:
            error, hint = "it was changed while the run was going on and is left as it is", "Run again."
            failures[step.place] = Failure(step.place, "write", error, hint)
            tree.ledger.given_up(step)
            continue
        except OSError as problem:
            error = problem.strerror or type(problem).__name__
            hint = "The file is as it was. Check the permissions of its folder, then run again."
            failures[step.place] = Failure(step.place, "write", error, hint)
            tree.ledger.given_up(step)
            continue
        tree.ledger.made(step)
    return failures


class _Changed(Exception):
    """Something else stands at a place than when the plan was made."""


def _settled(source: Path, tree: Tree, item: Treated, base: Written | None) -> tuple[Treated, _Place]:
    """What is to be done for one file, its new bytes being put aside where there are any."""
    want = wanted(source, item)
    now = digest_at(f"{tree.root}/{item.place}")
    if want and base is not None and not base.conflict and base.digest == want == now:
        return as_written(item, want), _Place()
    there = tree.root / item.place
    if want and base is not None and not base.conflict and base.digest == want:
        if left := _left_marks(tree, there, base):
            return as_written(item, now), _Place(failure=_unfinished(item.place, left))
        return as_written(item, now or want), _Place(reason="edited by hand" if now else "deleted by hand")
    if _is_behind_link(tree, item.place):
        error = "a link stands at the place of its folder, and nothing is written through it"
        return item, _Place(failure=Failure(item.place, "merge", error, "Put the folder back, then run again."))
    if there.is_dir() and not there.is_symlink():
        return item, _Place(failure=Failure(item.place, "merge", "a folder stands at its place", _CHOOSE))
    if want and now == want:
        step = Step(item.place, now, now, Written(item.entry.path, want))
        return as_written(item, want), _Place(step, _body(there))
    if base is not None and now != base.digest and (left := _left_marks(tree, there, base)):
        return as_written(item, now), _Place(failure=_unfinished(item.place, left))
    if base is not None and base.digest == want:  # its conflict was resolved
        resolved = Step(item.place, now, now, Written(item.entry.path, want))
        return as_written(item, now or want), _Place(resolved, reason="edited by hand" if now else "deleted by hand")
    waiting = tree.ledger.folder / NEW
    (waiting / item.place).parent.mkdir(parents=True, exist_ok=True)
    settled = put(source, waiting, item)
    if settled.processed.result.output is None:
        return settled, _Place()
    place = waiting / item.place
    if now and not there.is_symlink() and not place.is_symlink():
        place.chmod(mode_of(there))  # a person's; what upstream made of it is for `follow_modes`
    want = digest_of(place)
    written, body = Written(item.entry.path, want), _body(place)
    if now == (base.digest if base is not None else ""):
        return settled, _Place(Step(item.place, now, want, written), body)
    if not now:
        place.unlink()
        error = "it was deleted by hand, and is otherwise now where it comes from"
        failure = Failure(item.place, "merge", error, "Take the file from a run into another place, or leave it out.")
        return settled, _Place(Step(item.place, "", "", written), body, failure=failure)
    return settled, _merged(tree, item, base, now, Step(item.place, now, "", written), body)


def _merged(
    tree: Tree, item: Treated, base: Written | None, now: str, step: Step, body: tuple[str, bytes] | None
) -> _Place:
    """What a person edited put together with what is new."""
    written = step.written or Written(item.entry.path, "")
    place, waiting = tree.root / item.place, tree.ledger.folder / NEW / item.place
    before = b"" if base is None else tree.ledger.body(base.digest)
    text = None if place.is_symlink() or waiting.is_symlink() else (place.read_bytes(), waiting.read_bytes())
    if text is None or before is None or any(map(is_binary, (before, *text))):
        waiting.unlink()
        error = "it was edited by hand and is otherwise now where it comes from, and it is no text that can be merged"
        step = step._replace(staged=now, written=written._replace(conflict=True))
        return _Place(step, body, failure=Failure(item.place, "merge", error, _CHOOSE))
    merged = merge(before, *text)
    waiting.write_bytes(merged.text)
    waiting.chmod(mode_of(place))
    staged = digest_of(waiting)
    if staged == now:
        waiting.unlink()
    step = step._replace(staged=staged, written=written._replace(conflict=bool(merged.conflicts)))
    if not merged.conflicts:
        return _Place(step, body, reason="merged with what was edited by hand")
    count, lines = len(merged.conflicts), ", ".join(map(str, merged.conflicts))
    error = f"{count} conflict{'s' * (count > 1)} with what was edited by hand (line {lines})"
    return _Place(step, body, failure=Failure(item.place, "merge", error, _RESOLVE))


def follow_modes(source: Path, tree: Tree, treated: Sequence[Treated]) -> None:
    """Give files the permissions that upstream has given theirs since, but those whose permissions a person changed."""
    known, found = tree.ledger.modes(), {}
    for item in treated:
        if item.entry.kind != "file" or item.is_generated:
            continue
        with suppress(OSError):
            if not stat.S_ISREG(os.lstat(f"{tree.root}/{item.place}").st_mode):
                continue
            new = stat.S_IMODE(os.lstat(f"{source}/{item.entry.path}").st_mode)
            if known.get(item.place, new) == new:
                found[item.place] = new
                continue
            place = tree.root / item.place
            if mode_of(place) == known[item.place] and not _is_behind_link(tree, item.place):
                place.chmod(new)
            found[item.place] = new
    tree.ledger.note_modes({place: mode for place, mode in found.items() if known.get(place) != mode})


def refuse_another(source: Path, tree: Tree, entries: Sequence[Entry]) -> None:
    """`Refused` where all of a tree would go, for the source has no file of those that it was made from: one that is
    empty, or another project's. To be asked before the ledger is told of the run."""
    paths, before = {entry.path for entry in entries}, tree.ledger.noted("source")
    if paths and before == str(source.resolve()):
        return
    made_of = [written.path for written in tree.ledger.outputs().values()]
    if made_of and not any(path in paths for path in made_of):
        what = f"{tree.root} was migrated from {before}, and {source} has none of its files"
        raise Refused(f"{what}; choose another place, or remove {tree.root}")


def _gone(tree: Tree, name: str, written: Written, moved: str) -> _Place:
    """What is to become of an output whose source is no longer there, or has ``moved``: is written elsewhere now."""
    if _is_behind_link(tree, name):
        return _Place(Step(name, digest_of(tree.root / name), digest_of(tree.root / name), None))
    now = digest_of(tree.root / name)
    if now in ("", written.digest):
        return _Place(Step(name, now, "", None))
    error = "it was edited by hand, and what it was made from is no longer there"
    if moved:
        error = f"it was edited by hand, and what it was made from is written to {moved} now, without those edits"
    hint = "The file stays. Remove it, or keep it as your own: later runs leave it alone."
    step = Step(name, now, now, None)
    return _Place(step, failure=Failure(name, "merge", error, hint))


def _told(settled: Treated, place: _Place) -> Treated:
    processed = settled.processed
    if place.failure is not None:
        result = processed.result._replace(reason=place.failure.error)
        return settled._replace(processed=processed._replace(result=result, failure=place.failure))
    if place.reason:
        return settled._replace(processed=processed._replace(result=processed.result._replace(reason=place.reason)))
    return settled


def _left_over(name: str, failure: Failure) -> Treated:
    from musify_ai.pipeline import Processed
    from musify_ai.records import FileResult

    result = FileResult(name, name, "skipped", failure.error)
    return Treated(Entry(name, "file", "other"), None, Processed(result, None, (), failure))


def _failed(treated: Treated, failure: Failure) -> Treated:
    result = treated.processed.result
    edits = tuple(edit._replace(applied=False) for edit in result.edits)
    failed = result._replace(status="failed", reason=failure.error, sha256_after=None, edits=edits)
    return treated._replace(processed=treated.processed._replace(result=failed, kept=None, failure=failure))


def _body(place: Path) -> tuple[str, bytes] | None:
    """The bytes at a place under their digest, where they are kept."""
    data = mergeable(place)
    return None if data is None else (digest_of_bytes(data), data)


def _left_marks(tree: Tree, place: Path, base: Written) -> tuple[int, ...]:
    """The lines of conflicts that stand in a file that was edited by hand, but where it was written with marks."""
    try:
        found = () if place.is_symlink() else marks(place.read_bytes())
    except OSError:
        return ()
    return () if found and not base.conflict and marks(tree.ledger.body(base.digest) or b"") else found


def _unfinished(name: str, lines: Sequence[int]) -> Failure:
    """A file in the tree that waits for a person to finish a merge: one of ours, or one that git left there."""
    error = f"marks of a merge that was not finished stand in it (line {', '.join(map(str, lines[:10]))})"
    return Failure(name, "merge", error, _RESOLVE)


def _is_behind_link(tree: Tree, name: str) -> bool:
    """Whether a folder of a place in the tree is a link: what stands behind it may be anybody's, the source's too."""
    return any((tree.root / folder).is_symlink() for folder in PurePosixPath(name).parents)


def mode_of(place: Path) -> int:
    """The permissions of a file, as ``chmod`` takes them."""
    return place.stat().st_mode & 0o7777


def _is_there(place: Path) -> bool:
    return place.is_symlink() or place.exists()


def _drop_empty(folder: Path, root: Path) -> None:
    """Take away folders that a removed file has left empty."""
    with suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent
