"""Writing into the tree itself: only where it can be taken back, and each file whole or not at all."""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from musify_ai.project.git_listing import GIT, commit_of
from musify_ai.project.refusals import Refused

TEMPORARY = ".musify-ai"
"""How the name of a file ends that is about to take another's place."""


def refuse_dirty_tree(source: Path, is_own: Callable[[str], bool] = lambda path: False) -> None:
    """`Refused` where git knows of changes under ``source`` that are not committed, but those to files (relative to
    ``source``) of which ``is_own`` says that a killed run of ours made them. Outside git nothing is asked."""
    import subprocess

    folder = source if source.is_dir() else source.parent
    if not any((parent / ".git").exists() for parent in (folder.resolve(), *folder.resolve().parents)):
        return
    command = [*GIT, "-C", str(folder), "status", "--porcelain", "-z", "--no-renames"]
    # Whatever a person's settings hide: a file that git does not have cannot be had back from it.
    command += ["--untracked-files=normal", "--ignore-submodules=none", "--", str(source.resolve())]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Refused(f"cannot ask git whether {source} is clean ({problem}); --allow-dirty goes on anyway") from None
    if answer.returncode != 0:
        said = answer.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refused(
            f"cannot ask git whether {source} is clean ({said[0] if said else 'git failed'}); "
            "--allow-dirty goes on anyway"
        )
    names = [os.fsdecode(row[3:]) for row in answer.stdout.split(b"\0") if row]
    if not names:
        return
    top = _top_of(folder)
    for name in names:
        place = os.path.relpath(top / name, folder.resolve())
        if (top / name / ".git").exists() and _is_at_its_commit(top, name):
            # A submodule that is changed inside: it knows itself which of its files are.
            refuse_dirty_tree(top / name, partial(_within, is_own, place))
            continue
        if not is_own(place) and not name.endswith(TEMPORARY):
            raise Refused(f"{source} has changes that are not committed ({name}); commit them, or give --allow-dirty")


def _within(is_own: Callable[[str], bool], folder: str, path: str) -> bool:
    return is_own(f"{folder}/{path}")


def _is_at_its_commit(top: Path, name: str) -> bool:
    """Whether a submodule is checked out at the commit that the repository at ``top`` names for it."""
    import subprocess

    command = [*GIT, "-C", str(top), "ls-files", "-z", "--stage", "--", f":(literal){name}"]
    row = subprocess.run(command, capture_output=True, timeout=120, check=False).stdout.split(b" ")
    return len(row) > 1 and row[0] == b"160000" and row[1].decode("ascii", "replace") == commit_of(top / name)


def _top_of(folder: Path) -> Path:
    """The root of the repository that a folder is in, which git names files from."""
    return next((p for p in (folder.resolve(), *folder.resolve().parents) if (p / ".git").exists()), folder.resolve())


def replace_file(place: Path, data: bytes) -> None:
    """Put new bytes in a file by atomic rename, with its mode and owner; behind a link, in the file it leads to.

    ``OSError`` leaves the file as it was.
    """
    place = place.resolve()

    def as_it_was(temporary: Path) -> None:
        shutil.copymode(place, temporary)
        with suppress(OSError):
            status = place.stat()
            os.chown(temporary, status.st_uid, status.st_gid)

    _write(place, data, as_it_was)


def move_file(root: Path, path: str, target: str, data: bytes | None) -> None:
    """Move a file or link within a tree, with other bytes where there are any; folders that are left empty go.

    ``OSError`` where that fails, and where something stands at the target: nothing is written over.
    """
    place, new = root / path, root / target
    if os.path.lexists(new):
        raise FileExistsError(errno.EEXIST, f"{target} is there already")
    new.parent.mkdir(parents=True, exist_ok=True)
    if data is not None:
        replace_file(place, data)
    place.rename(new)
    folder = place.parent
    with suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent


def write_new(place: Path, data: bytes) -> None:
    """Write a file that is not there yet, and the folders that it lies in. ``OSError`` where that fails."""
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, data)


def write_whole(place: Path, data: bytes) -> None:
    """Write a file of our own by atomic rename, readable as new files are."""

    def as_new_files_are(temporary: Path) -> None:
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)

    _write(place, data, as_new_files_are)


def _write(place: Path, data: bytes, set_mode: Callable[[Path], None]) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=TEMPORARY, dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        set_mode(temporary)
        temporary.replace(place)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
