"""A directory of build results found by a digest of everything they were made from.

Safe with several processes at once: a result is made beside its place and moved there by one rename, and whoever
comes second throws its own away. Nothing in it is ever changed; deleting the directory costs time only.

A result's directory has the time of its last use. Now and then the results that were not used for longest are deleted
until the rest is no more than ``MUSIFY_AI_CACHE_MIB`` (default 4096); what was used within the hour stays, since
somebody may be running it.
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

_FORMAT = b"1"
_KEY = re.compile(r"[0-9a-f]{40}")
_LIMIT_MIB = 4096
_KEPT = 3600.0  # seconds since the last use within which nothing is deleted
_LOOK = 1800.0  # seconds between two looks at the size


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
        if not path.is_dir():
            return None
        _used(path)
        return path

    def make(self, kind: str, key: str, fill: Callable[[Path], None]) -> Path:
        """The directory of a result; ``fill`` writes it into an empty directory if it has not been made.

        An exception of ``fill`` leaves nothing behind.
        """
        place = self.root / kind / key
        if place.is_dir():
            _used(place)
            return place
        self.prune_now_and_then()
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

    def prune_now_and_then(self) -> None:
        """Prune to the limit, unless some process looked within the last half hour."""
        import time

        stamp = self.root / ".pruned"
        try:
            if time.time() - stamp.stat().st_mtime < _LOOK:
                return
        except OSError:
            pass  # nobody has looked yet
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            stamp.touch()
            self.prune(_limit())
        except OSError:
            pass  # the cache is somebody else's, or going away: nothing depends on this

    def prune(self, limit: int, kept: float = _KEPT) -> int:
        """Delete what was not used for longest until at most ``limit`` bytes are left; how many results went.

        What was used within ``kept`` seconds stays, whatever it takes.
        """
        import time

        results: list[tuple[float, int, Path]] = []
        for kind in (path for path in self.root.iterdir() if path.is_dir()):
            for place in kind.iterdir():
                if not _KEY.fullmatch(place.name):
                    continue  # no result: headers, or one that is being made
                with suppress(OSError):  # gone meanwhile
                    results.append((place.stat().st_mtime, _size(place), place))
        total = sum(size for _, size, _ in results)
        now, gone = time.time(), 0
        for used, size, place in sorted(results):
            if total <= limit or now - used < kept:
                break
            aside = place.with_name(f".old-{place.name}-{os.getpid()}")
            try:
                place.rename(aside)  # from here on nobody finds it
            except OSError:
                continue
            shutil.rmtree(aside, ignore_errors=True)
            total -= size
            gone += 1
        return gone


def _used(place: Path) -> None:
    with suppress(OSError):  # a cache that is only read
        os.utime(place)


def _size(place: Path) -> int:
    return sum(path.lstat().st_size for path in (place, *place.rglob("*")))


def _limit() -> int:
    named = os.environ.get("MUSIFY_AI_CACHE_MIB", "")
    return (int(named) if named.isdigit() else _LIMIT_MIB) << 20
