"""Finding the files of a source tree, in a fixed order; what git says of them is asked apart (`git_listing`)."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai.project.roles import Role, may_hold_cuda, role_by_content, role_of

FOLDER = ".musify-ai"
"""The folder of a tree that holds the ledger of the run that wrote it."""

MANIFEST = ".musify-ai.json"
"""The file of such a tree that says what was written there."""

Kind = Literal["file", "link", "directory", "special"]


class Entry(NamedTuple):
    """One thing in the tree: its path below the root with ``/``, what it is on disk, and its role by name, or by
    content where the name says nothing.

    ``size`` is in bytes, 0 for what is no regular file. ``dangling`` says of a link that it leads nowhere,
    ``repository`` of a directory below the root that it is a repository of git's own: a submodule, or a checkout.
    """

    path: str
    kind: Kind
    role: Role
    size: int = 0
    dangling: bool = False
    repository: bool = False


_LARGEST = 1_000_000  # bytes of a file that is looked into for CUDA source


def walk(root: Path) -> list[Entry]:
    """Everything under a directory, sorted by path. Links are listed and never followed; ``.git`` is left out, and
    what a run keeps in ``.musify-ai``.

    A directory that cannot be listed comes out as an entry of kind ``special``.
    """
    repositories: set[str] = set()
    entries = sorted(_walk(root, repositories), key=lambda entry: entry.path)
    if not repositories:
        return entries
    return [entry._replace(repository=True) if entry.path in repositories else entry for entry in entries]


def _walk(root: Path, repositories: set[str]) -> Iterator[Entry]:
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(root / folder) as scan:
                items = list(scan)
        except OSError:
            yield Entry(folder or ".", "special", "other")
            continue
        for item in items:
            name = item.name
            if name == ".git":  # the repository, or a submodule's pointer into it
                if folder:
                    repositories.add(folder)
                continue
            if name == FOLDER:  # the ledger of a run that wrote this tree
                continue
            path = f"{folder}/{name}" if folder else name
            entry = _plainly(item, path) or look(root / path, path)
            if entry.kind == "directory":
                pending.append(path)
            yield entry


def _plainly(item: "os.DirEntry[str]", path: str) -> Entry | None:
    """The entry for a folder, or for a file that its name says enough of; None where more has to be looked at."""
    try:
        if item.is_dir(follow_symlinks=False):
            return Entry(path, "directory", "other")
        if item.is_file(follow_symlinks=False):
            role = role_of(path)
            if role != "other" or not may_hold_cuda(path):
                return Entry(path, "file", role, item.stat(follow_symlinks=False).st_size)
    except OSError:
        pass
    return None


def look(place: Path, path: str) -> Entry:
    """The entry for one place on disk. Never raises: what cannot be looked at is ``special``."""
    try:
        status = place.lstat()
    except OSError:
        return Entry(path, "special", role_of(path))
    if stat.S_ISLNK(status.st_mode):
        return Entry(path, "link", role_of(path), dangling=not place.exists())
    if stat.S_ISDIR(status.st_mode):
        return Entry(path, "directory", "other")
    if stat.S_ISREG(status.st_mode):
        role = role_of(path)
        if role == "other" and 0 < status.st_size <= _LARGEST and may_hold_cuda(path):
            role = _looked_into(place, path)
        return Entry(path, "file", role, status.st_size)
    return Entry(path, "special", role_of(path))


def _looked_into(place: Path, path: str) -> Role:
    try:
        return role_by_content(path, place.read_bytes())
    except OSError:
        return "other"  # copying it will say what is wrong
