"""Finding the files of a source tree, in a fixed order, without asking git."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai.project.roles import Role, role_of

Kind = Literal["file", "link", "directory", "special"]


class Entry(NamedTuple):
    """One thing in the tree: its path below the root with ``/``, what it is on disk, and its role by name.

    ``size`` is in bytes, 0 for what is no regular file. ``dangling`` says of a link that it leads nowhere.
    """

    path: str
    kind: Kind
    role: Role
    size: int = 0
    dangling: bool = False


def walk(root: Path) -> list[Entry]:
    """Everything under a directory, sorted by path. Links are listed and never followed; ``.git`` is left out.

    A directory that cannot be listed comes out as an entry of kind ``special``.
    """
    return sorted(_walk(root), key=lambda entry: entry.path)


def _walk(root: Path) -> Iterator[Entry]:
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(root / folder) as scan:
                names = [item.name for item in scan]
        except OSError:
            yield Entry(folder or ".", "special", "other")
            continue
        for name in names:
            if name == ".git":  # the repository, or a submodule's pointer into it
                continue
            path = f"{folder}/{name}" if folder else name
            entry = look(root / path, path)
            if entry.kind == "directory":
                pending.append(path)
            yield entry


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
        return Entry(path, "file", role_of(path), status.st_size)
    return Entry(path, "special", role_of(path))
