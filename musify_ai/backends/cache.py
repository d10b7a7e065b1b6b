"""A directory of build results found by a digest of everything they were made from.

Safe with several processes at once: a result is made beside its place and moved there by one rename, and whoever
comes second throws its own away. Nothing in it is ever changed; deleting the directory costs time only.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

_FORMAT = b"1"


def digest(parts: Iterable[bytes | str]) -> str:
    """A digest of parts such that no two different lists of parts share their bytes."""
    total = hashlib.sha256(_FORMAT)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()[:40]


def default_root() -> Path:
    """``MUSIFY_AI_CACHE``, else ``musify-ai`` in ``XDG_CACHE_HOME``, else in ``~/.cache``.

    Where that cannot be written, as in a container whose user has no home, a folder of ours among the temporary ones.
    """
    try:
        named = _named_root()
        named.mkdir(parents=True, exist_ok=True)
        if os.access(named, os.W_OK | os.X_OK):
            return named
    except (OSError, RuntimeError):  # the latter where there is no home at all
        pass
    return _temporary_root()


def _named_root() -> Path:
    named = os.environ.get("MUSIFY_AI_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "musify-ai"


def _temporary_root() -> Path:
    """A folder that later runs and other processes of this user find too; a new one where somebody else could have
    laid it, since what is in a cache is run."""
    place = Path(tempfile.gettempdir()) / f"musify-ai-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    found = place.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return place if ours else Path(tempfile.mkdtemp(prefix="musify-ai-"))


class Cache:
    """Results under ``root``, each a directory named by kind and key."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root or default_root()).absolute()

    def find(self, kind: str, key: str) -> Path | None:
        """The directory of a result, if it has been made."""
        path = self.root / kind / key
        return path if path.is_dir() else None

    def make(self, kind: str, key: str, fill: Callable[[Path], None]) -> Path:
        """The directory of a result; ``fill`` writes it into an empty directory if it has not been made.

        An exception of ``fill`` leaves nothing behind.
        """
        place = self.root / kind / key
        if place.is_dir():
            return place
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
        try:
            fill(fresh)
            fresh.chmod(0o755)
            try:
                fresh.rename(place)
            except OSError:
                if not place.is_dir():
                    raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return place
