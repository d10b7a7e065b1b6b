"""A new tree: what may be written where, and how it comes into being at once or not at all."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path

from musify_ai.project.discovery import walk
from musify_ai.project.refusals import Refused

MANIFEST = ".musify-ai.json"


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
    """`Refused` unless a directory is empty, or holds just what its manifest says, as the manifest says it."""
    found = {entry.path: entry for entry in walk(out) if entry.kind != "directory"}
    if not found and not (out / ".git").exists():
        return
    advice = "choose another place, or remove it"
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
    try:
        if place.is_symlink():
            return f"link:{os.fsencode(place.readlink()).hex()}"
        with place.open("rb") as file:
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


def write_manifest(root: Path) -> None:
    """Record every file under a directory, so that a later run knows its own output."""
    files = {e.path: digest_of(root / e.path) for e in walk(root) if e.kind != "directory"}
    text = json.dumps({"tool": "musify-ai", "version": 1, "files": files}, indent=1, sort_keys=True)
    (root / MANIFEST).write_text(text + "\n", encoding="ascii")


@contextmanager
def new_tree(out: Path) -> Iterator[Path]:
    """An empty directory beside ``out``, that takes its place when the block ends well and goes away otherwise.

    ``Refused`` where the place cannot be written to.
    """
    target = out.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".musify-ai", dir=target.parent))
    except OSError as problem:
        raise Refused(f"cannot write to {target.parent}: {problem.strerror}") from problem
    try:
        yield stage
        _put_in_place(stage, target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _put_in_place(stage: Path, target: Path) -> None:
    """Rename the stage to its place; what stood there goes only once that is done."""
    if not target.exists():
        stage.rename(target)
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
