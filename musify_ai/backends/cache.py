"""A directory of build results found by a digest of everything they were made from.

Safe with several processes at once: a result is made beside its place and moved there by one rename, and whoever
comes second throws its own away. Nothing in it is ever changed; deleting the directory costs time only.
"""

import hashlib
import os
import shutil
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
    """``MUSIFY_AI_CACHE``, else ``musify-ai`` in ``XDG_CACHE_HOME``, else in ``~/.cache``."""
    named = os.environ.get("MUSIFY_AI_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "musify-ai"


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
