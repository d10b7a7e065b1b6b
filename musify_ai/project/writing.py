"""Putting treated files on disk: as a new tree, as a new file, or as a passing copy for the checker."""

import errno
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from musify_ai.project.destination import (
    Tree,
    copy_as_is,
    digest_at,
    digest_of,
    make_directory,
    remember_file,
    write_manifest,
)
from musify_ai.project.in_place import write_new
from musify_ai.project.ledger import LARGEST, Written, digest_of_bytes
from musify_ai.project.refusals import Refused
from musify_ai.project.roles import is_binary
from musify_ai.project.treating import Treated
from musify_ai.records import Failure
from musify_ai.styles.marking import is_compat

# Errors that no other file would fare better with: the run ends, and the place is left as it was.
_HOPELESS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})


def write_tree(source: Path, tree: Tree, folders: Sequence[str], treated: Sequence[Treated]) -> list[Treated]:
    """Write a whole new tree with its manifest and publish it, or bring an older one up to date; the files come back
    with their outputs. What the tree's ledger says is there already is not written again."""
    from musify_ai.project.updating import follow_modes, update

    if not tree.is_new:
        written = update(source, tree, folders, treated)
    else:
        written = _filled(source, tree, folders, treated)
    follow_modes(source, tree, written)
    write_manifest(tree.root, {place: each.digest for place, each in tree.ledger.outputs().items()})
    tree.publish()
    return written


def _filled(source: Path, tree: Tree, folders: Sequence[str], treated: Sequence[Treated]) -> list[Treated]:
    make_folders(source, tree.root, folders, treated)
    there = tree.ledger.outputs()
    written = []
    for item in treated:
        known = there.pop(item.place, None)
        if known is not None and known == Written(item.entry.path, wanted(source, item)):
            written.append(as_written(item, known.digest))
            continue
        (tree.root / item.place).unlink(missing_ok=True)
        done = put(source, tree.root, item)
        written.append(done)
        if done.processed.result.output is not None:
            digest = digest_of(tree.root / item.place)
            tree.ledger.wrote(item.place, Written(item.entry.path, digest), mergeable(tree.root / item.place))
    for place in there:  # of a run that was killed, and since then gone from the source
        (tree.root / place).unlink(missing_ok=True)
        tree.ledger.forget(place)
    return written


def make_folders(source: Path, root: Path, folders: Sequence[str], treated: Sequence[Treated]) -> None:
    """The folders of a tree, but those that a style has emptied."""
    make_directory(source, root)
    emptied = {item.entry.path.rpartition("/")[0] for item in treated if item.target}
    emptied -= {item.place.rpartition("/")[0] for item in treated}
    for folder in folders:
        if folder not in emptied:
            (root / folder).parent.mkdir(parents=True, exist_ok=True)
            make_directory(source / folder, root / folder)


def wanted(source: Path, treated: Treated) -> str:
    """The digest of what is to stand at a file's place; empty where it cannot be read."""
    if treated.is_changed or treated.is_generated:
        return digest_of_bytes(treated.processed.output or b"")
    if treated.entry.kind == "file" and treated.kept is not None and treated.processed.result.sha256_before:
        return f"sha256:{treated.processed.result.sha256_before}"  # of the bytes that were read
    return "" if treated.entry.kind == "special" else digest_at(f"{source}/{treated.entry.path}")


def as_written(treated: Treated, digest: str) -> Treated:
    """A file whose output stands in the tree already."""
    result = treated.processed.result
    before, after = result.sha256_before, result.sha256_after
    if not treated.is_changed and treated.entry.kind == "file":
        after = digest.removeprefix("sha256:")
        before = before or after
    result = result._replace(output=treated.place, sha256_before=before, sha256_after=after)
    return treated._replace(processed=treated.processed._replace(result=result))


def changed_meanwhile(source: Path, treated: Sequence[Treated], since: int) -> list[Treated]:
    """The files, with a failure for each that was changed after it was read. ``since`` is when the run began, in the
    file system's own nanoseconds."""
    return [_compared(source, item, since) for item in treated]


def _compared(source: Path, item: Treated, since: int) -> Treated:
    result = item.processed.result
    if item.entry.kind != "file" or item.is_generated or item.processed.failure is not None or not result.output:
        return item
    place = f"{source}/{item.entry.path}"
    try:
        status = os.lstat(place)  # it was a file, and no link
        if max(status.st_mtime_ns, status.st_ctime_ns) < since:
            return item
    except OSError:
        pass
    if digest_at(place) == f"sha256:{result.sha256_before}":
        return item
    error = "it was changed while the run was going on; what was written is of what it was before"
    failure = Failure(item.entry.path, "read", error, "Run again: what has not changed is not done again.")
    return item._replace(processed=item.processed._replace(failure=failure))


def mergeable(place: Path) -> bytes | None:
    """The bytes of a file that is kept to be merged with later: of no link, of nothing large, of text."""
    if place.is_symlink() or place.stat().st_size > LARGEST:
        return None
    data = place.read_bytes()
    return None if is_binary(data) else data


def write_file(source: Path, out: Path, treated: Sequence[Treated]) -> list[Treated]:
    """Write one new file, the first given, at once or not at all, and beside it what its style adds.

    `Refused` where something else is in the way of that.
    """
    main, *others = treated
    if main.processed.result.status == "failed" and main.kept is None:
        return list(treated)
    target = out.resolve()
    for each in others:
        place = target.parent / each.entry.path
        if place.exists() and not is_compat(place.read_bytes()):
            raise Refused(f"{place} is not ours, and the style writes a file there")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", suffix=".musify-ai", dir=target.parent) as stage:
            written = put(source.parent, Path(stage), main)
            for each in others:
                write_new(target.parent / each.entry.path, each.processed.output or b"")
            if (Path(stage) / main.place).exists():
                (Path(stage) / main.place).rename(target)
                remember_file(target)
    except OSError as problem:
        raise Refused(f"cannot write {out}: {problem.strerror}") from problem
    if written.processed.result.output is not None:
        written = _at(written, out.name)
    return [written, *(_at(each, each.entry.path) for each in others)]


def _at(treated: Treated, output: str) -> Treated:
    result = treated.processed.result._replace(output=output)
    return treated._replace(processed=treated.processed._replace(result=result))


@contextmanager
def staged(treated: Sequence[Treated]) -> Iterator[Path]:
    """A passing copy of source files as they will be."""
    with tempfile.TemporaryDirectory(prefix="musify-ai-") as name:
        stage = Path(name)
        for item in treated:
            if item.entry.kind == "file" and not item.is_generated:
                place = stage / item.place
                place.parent.mkdir(parents=True, exist_ok=True)
                data = item.processed.output if item.processed.output is not None else item.before
                if data is not None:
                    place.write_bytes(data)
        yield stage


def put(source: Path, stage: Path, treated: Treated) -> Treated:
    """One file written, or copied where nothing changed. What fails for this file only is its own failure."""
    result = treated.processed.result
    if treated.entry.kind == "special":
        return treated
    origin, place = source / treated.entry.path, stage / treated.place
    data = treated.processed.output
    try:
        if treated.target:
            place.parent.mkdir(parents=True, exist_ok=True)
        if treated.is_generated and data is not None:
            write_new(place, data)
        elif treated.is_changed and data is not None:
            place.write_bytes(data)
            place.chmod(origin.stat().st_mode & 0o7777)
        else:
            copy_as_is(origin, place)
    except OSError as problem:
        if problem.errno in _HOPELESS:
            raise Refused(f"cannot write the new tree: {problem.strerror}") from problem
        if treated.processed.failure is not None:  # it could not be read in the first place, and says so
            return treated
        error = problem.strerror or type(problem).__name__
        place.unlink(missing_ok=True)
        hint = "The file is not in the new tree. Check the file and the place."
        failure = Failure(result.path, "read" if problem.filename == str(origin) else "write", error, hint)
        edits = tuple(e._replace(applied=False) for e in result.edits)
        failed = result._replace(status="failed", reason=error, sha256_after=None, edits=edits)
        return treated._replace(processed=treated.processed._replace(result=failed, kept=None, failure=failure))
    before, after = result.sha256_before, result.sha256_after
    if not treated.is_changed and treated.entry.kind == "file":
        with place.open("rb") as file:
            after = file_digest(file, "sha256").hexdigest()
        before = before or after
    result = result._replace(output=treated.place, sha256_before=before, sha256_after=after)
    return treated._replace(processed=treated.processed._replace(result=result))
