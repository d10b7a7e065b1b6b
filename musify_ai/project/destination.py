"""A new tree: what may be written where, and how it comes into being at once or not at all."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path

from musify_ai.project.discovery import MANIFEST as MANIFEST
from musify_ai.project.discovery import walk
from musify_ai.project.in_place import write_whole
from musify_ai.project.ledger import FOLDER, Ledger, digest_of_bytes, is_there
from musify_ai.project.refusals import Refused
from musify_ai.source.aside import read_bytes

_SMALL = 1_000_000  # bytes that are read at once
STAGE = ".musify-ai"
"""How the name of a tree ends that grows beside its place."""


def check_destination(source: Path, out: Path) -> None:
    """`Refused` where a run may not write to a place: one that meets SRC, or that holds anything but our own output."""
    src, dst = source.resolve(), out.resolve()
    if src == dst:
        raise Refused(f"{out} is the source itself; to change it, ask for --in-place")
    if src in dst.parents:
        raise Refused(f"{out} lies inside the source {source}; choose a place outside it")
    if dst in src.parents:
        raise Refused(f"{out} holds the source {source}; choose a place of its own")
    if not out.exists() and not out.is_symlink():
        return
    if source.is_file():
        if out.is_dir():
            raise Refused(f"{out} is a directory; name the new file itself: {out / source.name}")
        if not is_own_file(out):
            raise Refused(f"{out} is no unchanged output of musify-ai; remove it or choose another name")
        return
    if not out.is_dir():
        raise Refused(f"{out} exists and is no directory; remove it or choose another place")
    _refuse_strangers(out)


def _refuse_strangers(out: Path) -> None:
    """`Refused` unless a directory is empty, has the ledger of an earlier run, with which what persons did in it is
    merged, or holds just what its manifest says, as the manifest says it."""
    if is_there(out / FOLDER):
        return
    entries = walk(out)
    found = {entry.path: entry for entry in entries if entry.kind != "directory"}
    advice = "choose another place, or remove it"
    if (inner := next((entry.path for entry in entries if entry.repository), None)) is not None:
        raise Refused(f"{out} holds a git repository in {inner}; {advice}")
    if not found and not (out / ".git").exists():
        return
    if MANIFEST not in found:
        raise Refused(f"{out} holds {min(found, default='.git')}, which musify-ai did not write; {advice}")
    try:
        known: dict[str, str] = json.loads((out / MANIFEST).read_bytes())["files"]
        known.items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Refused(f"{out / MANIFEST} cannot be read as a manifest; {advice}") from None
    del found[MANIFEST]
    if (out / ".git").exists():
        raise Refused(f"{out} holds a git repository; {advice}")
    for path in sorted(found):
        if path not in known:
            raise Refused(f"{out} holds {path}, which musify-ai did not write; {advice}")
        if digest_of(out / path) != known[path]:
            raise Refused(f"{out} holds {path}, which was changed after musify-ai wrote it; {advice}")


def digest_of(place: Path) -> str:
    """What a manifest records of a file or a link. Empty where it cannot be read."""
    return digest_at(str(place))


def digest_at(place: str) -> str:
    """`digest_of` for a place that is text, for those who ask of thousands."""
    try:
        status = os.lstat(place)
        if stat.S_ISLNK(status.st_mode):
            return f"link:{os.fsencode(Path(place).readlink()).hex()}"
        if status.st_size < _SMALL:
            return digest_of_bytes(read_bytes(place))
        with Path(place).open("rb") as file:
            return "sha256:" + file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def is_own_file(out: Path) -> bool:
    """Whether a file is as an earlier run on a single file wrote it."""
    record = _record_of(out)
    try:
        return record is not None and not out.is_symlink() and record.read_text("ascii") == digest_of(out)
    except (OSError, ValueError):
        return False


def remember_file(out: Path) -> None:
    """Record a single file as our output. The record lies in the cache, for nothing is to lie beside the file; where
    there is no cache to write to, a later run refuses to replace the file."""
    record = _record_of(out)
    if record is not None:
        with suppress(OSError):
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(digest_of(out), "ascii")


def _record_of(out: Path) -> Path | None:
    from musify_ai.backends.cache import default_root, digest

    with suppress(OSError):
        return default_root() / "outputs" / digest([str(out.resolve())])
    return None


def write_manifest(root: Path, written: Mapping[str, str]) -> None:
    """Write beside the files of a tree which digests we wrote there, for those who get the tree without its ledger."""
    text = json.dumps({"tool": "musify-ai", "version": 1, "files": dict(written)}, indent=1, sort_keys=True) + "\n"
    place = root / MANIFEST
    with suppress(OSError):
        if place.read_text("ascii") == text:
            return
    write_whole(place, text.encode("ascii"))


class Tree:
    """Where a run writes: ``root`` with its ledger. A new tree grows beside its place until it is published."""

    def __init__(self, root: Path, target: Path) -> None:
        self.root, self.target = root, target
        self.ledger = Ledger(root / FOLDER)

    @property
    def is_new(self) -> bool:
        """Whether nobody can have edited it yet."""
        return self.root != self.target

    def publish(self) -> None:
        """Put a new tree in its place, by one rename."""
        if not self.is_new:
            return
        if is_there(self.target / FOLDER):
            raise Refused(f"another run of musify-ai has written {self.target} meanwhile; run again to merge with it")
        if self.target.is_dir():  # what a person put there while the run went on is not to be swept away
            _refuse_strangers(self.target)
        self.ledger.close()
        _put_in_place(self.root, self.target)
        self.root = self.target
        self.ledger.move(self.root / FOLDER)


@contextmanager
def opened_tree(out: Path) -> Iterator[Tree]:
    """The tree at a place, or a new one that grows beside it; where a run was killed, the one that it left.

    A block that ends badly leaves no new tree. ``Refused`` where the place cannot be written to, and where another run
    is at it.
    """
    target = out.resolve()
    stage = target.parent / f".{target.name}{STAGE}"
    if is_there(target / FOLDER):
        tree = Tree(target, target)
    else:
        try:
            stage.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Refused(f"cannot write to {target.parent}: {problem.strerror}") from problem
        tree = Tree(stage, target)
    try:
        yield tree
    except BaseException:
        tree.ledger.close()
        if tree.is_new:
            shutil.rmtree(stage, ignore_errors=True)
        raise
    tree.ledger.close()


def _put_in_place(stage: Path, target: Path) -> None:
    """Rename the stage to its place; what stood there goes only once that is done."""
    if not target.exists() or not any(target.iterdir()):
        try:
            stage.rename(target)
        except OSError as problem:
            raise Refused(f"cannot write {target}: {problem.strerror}") from problem
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".old", dir=target.parent))
    try:
        target.rename(old / "tree")
        try:
            stage.rename(target)
        except BaseException:
            (old / "tree").rename(target)
            raise
    except OSError as problem:
        raise Refused(f"cannot replace {target}: {problem.strerror}") from problem
    finally:
        shutil.rmtree(old, ignore_errors=True)


def copy_as_is(source: Path, place: Path) -> None:
    """A file byte for byte with its mode, or a link as the link it is. ``OSError`` where that fails."""
    if source.is_symlink():
        place.symlink_to(source.readlink())
        return
    shutil.copyfile(source, place)
    shutil.copymode(source, place)


def make_directory(source: Path, place: Path) -> None:
    """A directory with the mode of another, but always one that we can still write to and take away."""
    place.mkdir(exist_ok=True)
    with suppress(OSError):
        place.chmod(stat.S_IMODE(source.stat().st_mode) | stat.S_IRWXU)
