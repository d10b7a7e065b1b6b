"""What came of each unit of a check, kept as it comes, so that a run that was ended goes on where it was.

A unit's verdicts are found again by a digest of everything that could change them: each file of both sides that the
check may read, the inputs, the options, the compiler, and the checker's own code. So nothing is ever found that another
check would not give. What says more of the machine at that moment than of the unit (no time left, a fault of ours) is
not kept.
"""

import hashlib
import json
import os
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.cache import digest
from musify_ai.records import Failure, Options, Verdict
from musify_ai.records.codec import plain, restored

FILE = "checked.sqlite"
_FORMAT = 1
_MOST_BYTES = 400_000_000  # of both trees together; reading them takes a second or two
_KEPT = 100_000  # units; the longest unused go first
# Words of a reason that is of the moment: another run of the same unit may have more luck.
_OF_THE_MOMENT = ("time", "seconds", "memory", "killed", "stopped", "space", "internal error", "process")
_ORIGINAL, _TRANSLATION = "\x00original\x00", "\x00translation\x00"


class Done(NamedTuple):
    """A unit's verdicts and failures, as a check of it gives them."""

    verdicts: tuple[Verdict, ...]
    failures: tuple[Failure, ...]


class Memory:
    """The file of results. Where it cannot be read or written (a full disk, another's file), nothing is remembered and
    nothing fails. ``taken`` counts the units that were found in it, ``anew`` those that were not."""

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self.taken = self.anew = 0
        self._fresh = fresh
        self._file = folder / FILE

    def around(self, key: str, paths: tuple[Path, Path], check: Callable[[], Done]) -> Done:
        """The result under a key: the kept one, else what ``check`` gives, which is kept. ``paths`` are those of both
        sides, which stand in commands and may be others the next time."""
        found = None if self._fresh else self._read(key)
        if found is not None:
            self.taken += 1
            return _renamed(found, (_ORIGINAL, _TRANSLATION), (str(paths[0]), str(paths[1])))
        self.anew += 1
        done = check()
        if _lasts(done):
            self._write(key, _renamed(done, (str(paths[0]), str(paths[1])), (_ORIGINAL, _TRANSLATION)))
        return done

    def _read(self, key: str) -> Done | None:
        try:
            with self._open() as connection:
                row = connection.execute("SELECT body FROM units WHERE key = ?", (key,)).fetchone()
                if row is None:
                    return None
                connection.execute("UPDATE units SET used = ? WHERE key = ?", (time.time(), key))
            return restored(Done, json.loads(row[0]))
        except (sqlite3.Error, OSError, ValueError):
            return None

    def _write(self, key: str, done: Done) -> None:
        body = json.dumps(plain(done))
        with suppress(sqlite3.Error, OSError), self._open() as connection:
            connection.execute("REPLACE INTO units VALUES (?, ?, ?)", (key, time.time(), body))
            connection.execute(
                "DELETE FROM units WHERE key IN (SELECT key FROM units ORDER BY used DESC LIMIT -1 OFFSET ?)", (_KEPT,)
            )

    def _open(self) -> "_Connection":
        self._file.parent.mkdir(parents=True, exist_ok=True)
        return _Connection(self._file)


class _Connection:
    """A connection for one transaction. Each thread and process opens its own; readers never wait for a writer."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, timeout=20)

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if version != _FORMAT:
                self._connection.execute("DROP TABLE IF EXISTS units")
                self._connection.execute("CREATE TABLE units (key TEXT PRIMARY KEY, used REAL, body TEXT)")
                self._connection.execute(f"PRAGMA user_version={_FORMAT}")
        except BaseException:
            self._connection.close()
            raise
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._connection.commit()
        finally:
            self._connection.close()


def tree_key(sides: Sequence[tuple[Path, Iterable[str]]], options: Options, further: Iterable[str | bytes]) -> str:
    """A digest of all that the units of a check share: both trees, options, and what else. Empty where the trees are
    too large to be read through each time.

    A unit may include any file of its tree, whatever it is called (``#include "weights.dat"``), and a check of two
    files reads what lies beside them. So every file below counts, and not only those that are named.
    """
    parts: list[str | bytes] = [checker_digest(), repr(_telling(options)), *further]
    left = _MOST_BYTES
    for root, names in sides:
        parts.append(repr(sorted(set(names))))
        for name in _files_below(root):
            place = root / name
            try:
                data = place.read_bytes() if place.is_file() else b""
            except OSError as problem:
                data = f"unreadable: {problem.errno}".encode()
            left -= len(data) + 200
            if left < 0:
                return ""
            parts += [name, hashlib.sha256(data).digest()]
    return digest(parts)


def _files_below(root: Path) -> Iterator[str]:
    """Every file below a folder, in order, but those of version control and the ledger of a migration."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in (".git", ".hg", ".svn", ".musify-ai"))
        for name in sorted(files):
            yield Path(folder, name).relative_to(root).as_posix()


def given_bytes(original: Path, options: Options) -> list[bytes]:
    """The bytes of the files that a person, or a run of the program, gave the check besides the sources."""
    from musify_ai.verify.given import NAME

    found = []
    for file in (original / NAME, Path(options.inputs), Path(options.launches)):
        try:
            found.append(file.read_bytes())
        except OSError:
            found.append(b"")
    return found


def unit_key(tree: str, unit: str, kernels: Iterable[str]) -> str:
    """The key of one unit of a check: its file, and the kernels that are asked for in it."""
    return digest([tree, unit, *kernels])


def _telling(options: Options) -> Mapping[str, object]:
    """The options that a verdict depends on."""
    named = options._asdict()
    for name in ("jobs", "fail_on", "select", "ignore", "time_budget", "fresh", "unsafe_fixes", "verify", "executor"):
        named.pop(name, None)
    return named


@cache
def checker_digest() -> str:
    """A digest of the checker's own code and of the templates that it fills in."""
    package = Path(__file__).resolve().parent.parent
    templates = package / "_data" / "templates"
    templates = templates if templates.is_dir() else package.parent / "templates"
    folders = [package / name for name in ("records", "source", "syntax", "kernels", "emulator", "backends", "verify")]
    parts: list[str | bytes] = []
    for folder in (*folders, templates / "harness"):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                parts += [file.relative_to(folder).as_posix(), file.read_bytes()]
    return digest(parts)


def _lasts(done: Done) -> bool:
    """Whether another check of the same unit would say the same."""
    return not done.failures and all(
        verdict.headline != "unchecked"
        and not (
            verdict.headline in ("not-checkable", "build-failed")
            and any(word in (verdict.reason or "") for word in _OF_THE_MOMENT)
        )
        for verdict in done.verdicts
    )


def _renamed(done: Done, old: tuple[str, str], new: tuple[str, str]) -> Done:
    """The result with the paths of both sides in its commands as others."""

    names = dict(zip(old, new, strict=True))

    def command(text: str) -> str:
        return shlex.join(names.get(word, word) for word in shlex.split(text))

    verdicts = tuple(
        verdict._replace(evidence=tuple(row._replace(repeat=command(row.repeat)) for row in verdict.evidence))
        for verdict in done.verdicts
    )
    return done._replace(verdicts=verdicts)
