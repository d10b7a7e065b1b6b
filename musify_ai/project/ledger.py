"""The ledger of a run: an SQLite file in which each change of a file's state is written as it happens.

It is the one record of what a migration has read, made and written. A run that was killed goes on from it, a later run
merges with what it says was written, and `drift` compares the source with it. The manifest that lies in the new tree is
made from it, for those who get the tree without it.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple

from musify_ai.project.discovery import FOLDER as FOLDER
from musify_ai.project.refusals import Refused
from musify_ai.records import Verdict
from musify_ai.records.codec import restored

FILE = "ledger.sqlite"
_FORMAT = 1
LARGEST = 8_000_000  # bytes of an output that is kept whole, so that it can be merged later
_TABLES = """
CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, state TEXT, key TEXT, first TEXT, final TEXT, verdicts TEXT) WITHOUT ROWID;
CREATE TABLE outputs (place TEXT PRIMARY KEY, path TEXT, digest TEXT, conflict INTEGER) WITHOUT ROWID;
CREATE TABLE plan (place TEXT PRIMARY KEY, expected TEXT, staged TEXT, path TEXT, digest TEXT, conflict INTEGER)
 WITHOUT ROWID;
CREATE TABLE objects (digest TEXT PRIMARY KEY, body BLOB);
CREATE TABLE tallies (number INTEGER PRIMARY KEY, day TEXT, tally TEXT);
"""
_MODES = "CREATE TABLE IF NOT EXISTS modes (place TEXT PRIMARY KEY, mode INTEGER) WITHOUT ROWID"


class Row(NamedTuple):
    """A file of the source: its state (``discovered``, ``translated``, ``written``, ``checked``), the key of what it
    was made from, and what translating it said: alone, and with the files around it where that was otherwise."""

    state: str
    key: str
    first: str
    final: str


class Written(NamedTuple):
    """What we wrote at a place last: the source's path, the digest, and whether it is in conflict with a person's."""

    path: str
    digest: str
    conflict: bool = False


class Step(NamedTuple):
    """A change of the tree that is planned: the digest that stands there (empty for nothing), that of the file that is
    to stand there (empty for nothing), and what is written of it afterwards; ``written`` None forgets the place."""

    place: str
    expected: str
    staged: str
    written: Written | None


class Ledger:
    """An open ledger, locked against other runs. A context manager; closing keeps everything."""

    watch: ClassVar[Callable[[str, str], None] | None] = None
    """Called after each change with the state and the path or place; tests set it."""

    def __init__(self, folder: Path) -> None:
        """Open the ledger of a folder, which is made where it is not there. `Refused` where another run has it, and
        where it cannot be read or written."""
        self.folder = folder
        self._lock: IO[bytes] | None = None
        self._connection: sqlite3.Connection | None = None
        self.move(folder)

    def _open(self) -> None:
        ignoring = self.folder / ".gitignore"
        if not ignoring.exists():
            ignoring.write_text("*\n", "ascii")
        self._connection = sqlite3.connect(self.folder / FILE, timeout=20, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _FORMAT):
            raise Refused(f"{self.folder / FILE} was written by another version of musify-ai (format {version})")
        if version == 0:
            self._connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version={_FORMAT};COMMIT;")
        self._connection.execute(_MODES)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write everything to the one file and let go of it."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
            self._connection = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def move(self, folder: Path) -> None:
        """Open the ledger, where it is or, closed, where it has been moved to."""
        self.folder = folder
        self._lock = _locked(folder)
        try:
            with _telling(folder):
                self._open()
        except BaseException:
            self.close()
            raise

    # What a run is about

    def note(self, name: str, value: str) -> None:
        """Write a fact of the run as a whole, and its stage among them."""
        with self._change(name, value) as connection:
            connection.execute("REPLACE INTO run VALUES (?, ?)", (name, value))

    def noted(self, name: str) -> str:
        """A fact of the run; empty where there is none."""
        rows = self._read("SELECT value FROM run WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    # Files of the source

    def discover(self, paths: Iterable[str]) -> None:
        """Write which files there are; what is known of them stays, and what is no longer there goes."""
        keys = [_key(path) for path in paths]
        with self._change("discovered", "") as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO files VALUES (?, 'discovered', '', '', '', '')", [(k,) for k in keys]
            )
            gone = {row[0] for row in connection.execute("SELECT path FROM files")} - set(keys)
            connection.executemany("DELETE FROM files WHERE path = ?", [(k,) for k in gone])

    def rows(self) -> dict[str, Row]:
        """Everything that is known of files, by path."""
        found = self._read("SELECT path, state, key, first, final FROM files")
        return {_path(row[0]): Row(*row[1:]) for row in found}

    def translations(self) -> Iterator[tuple[str, str, str, str]]:
        """Path, state, key, and what translating said of each file alone, where it was; one at a time."""
        return self._each("SELECT path, state, key, first FROM files WHERE first != '' ORDER BY path")

    def finals(self) -> Iterator[tuple[str, str]]:
        """Path, and what came of each file together with those around it, where that was otherwise."""
        return self._each("SELECT path, final FROM files WHERE final != '' ORDER BY path")

    def translated(self, path: str, key: str, first: str) -> None:
        """A file was read and translated: what it was made from, and what came of it."""
        with self._change("translated", path) as connection:
            connection.execute("REPLACE INTO files VALUES (?, 'translated', ?, ?, '', '')", (_key(path), key, first))

    def settled(self, finals: Mapping[str, str]) -> None:
        """What came of files together with those around them, where it is otherwise than alone."""
        with self._change("settled", "") as connection:
            connection.execute("UPDATE files SET final = '' WHERE final != ''")
            connection.executemany(
                "UPDATE files SET final = ? WHERE path = ?", [(text, _key(path)) for path, text in finals.items()]
            )

    def checked(self, verdicts: Mapping[str, str]) -> None:
        """The verdicts of each file, the run's check being over."""
        with self._change("checked", "") as connection:
            connection.execute("UPDATE files SET state = 'checked' WHERE state != 'checked'")
            rows = [(text, _key(path)) for path, text in verdicts.items()]
            gone = {key for (key,) in connection.execute("SELECT path FROM files WHERE verdicts != ''")}
            gone -= {key for _, key in rows}
            rows += [("", key) for key in gone]
            connection.executemany("UPDATE files SET verdicts = ?1 WHERE path = ?2 AND verdicts != ?1", rows)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts of the run's check."""
        texts = self.verdict_texts().values()
        return tuple(v for text in texts for v in restored(tuple[Verdict, ...], json.loads(text)))

    def verdict_texts(self) -> dict[str, str]:
        """The verdicts of each file that has any, as they were written."""
        rows = self._read("SELECT path, verdicts FROM files WHERE verdicts != '' ORDER BY path")
        return {_path(row[0]): str(row[1]) for row in rows}

    # What stands in the tree

    def outputs(self) -> dict[str, Written]:
        """What we wrote last, by place."""
        found = self._read("SELECT place, path, digest, conflict FROM outputs")
        with _sound(self.folder):
            return {_path(row[0]): Written(_path(row[1]), row[2], bool(row[3])) for row in found}

    def modes(self) -> dict[str, int]:
        """The permissions that the source's files had when they were written last, by place."""
        with _sound(self.folder):
            return {_path(row[0]): int(row[1]) for row in self._read("SELECT place, mode FROM modes")}

    def note_modes(self, modes: Mapping[str, int]) -> None:
        """Write the permissions of the source's files, by place."""
        with self._change("modes", "") as connection:
            rows = [(_key(place), mode) for place, mode in modes.items()]
            connection.executemany("REPLACE INTO modes VALUES (?, ?)", rows)

    def wrote(self, place: str, written: Written, body: bytes | None) -> None:
        """A file stands in the tree; ``body`` is kept as what a later run merges with."""
        with self._change("written", place) as connection:
            self._keep(connection, written.digest, body)
            _note_written(connection, place, written)

    def plan(self, steps: Iterable[Step], bodies: Iterable[tuple[str, bytes]]) -> None:
        """Write what is to be changed in the tree, before any of it is: from here on the run is to be completed."""
        with self._change("planned", "") as connection:
            for digest, body in bodies:
                self._keep(connection, digest, body)
            for step in steps:
                written = step.written or Written("", "", False)
                row = (_key(step.place), step.expected, step.staged, _key(written.path), written.digest)
                connection.execute(
                    "REPLACE INTO plan VALUES (?, ?, ?, ?, ?, ?)",
                    (*row, -1 if step.written is None else int(written.conflict)),
                )

    def steps(self) -> list[Step]:
        """The changes that are planned and not made yet, in order of place."""
        found = self._read("SELECT place, expected, staged, path, digest, conflict FROM plan ORDER BY place")
        with _sound(self.folder):
            return [
                Step(_path(r[0]), r[1], r[2], None if r[5] < 0 else Written(_path(r[3]), r[4], bool(r[5])))
                for r in found
            ]

    def made(self, step: Step) -> None:
        """A planned change was made."""
        with self._change("written", step.place) as connection:
            connection.execute("DELETE FROM plan WHERE place = ?", (_key(step.place),))
            if step.written is None:
                connection.execute("DELETE FROM outputs WHERE place = ?", (_key(step.place),))
            else:
                _note_written(connection, step.place, step.written)

    def given_up(self, step: Step) -> None:
        """A planned change cannot be made: what is known of the place stays."""
        with self._change("given up", step.place) as connection:
            connection.execute("DELETE FROM plan WHERE place = ?", (_key(step.place),))

    def forget(self, place: str) -> None:
        """A place is no longer ours."""
        with self._change("forgotten", place) as connection:
            connection.execute("DELETE FROM outputs WHERE place = ?", (_key(place),))

    def body(self, digest: str) -> bytes | None:
        """The bytes of something we wrote; None where they were too many to be kept, and where the ledger's bytes are
        no longer those."""
        found = self._read("SELECT body FROM objects WHERE digest = ?", digest)
        try:
            data = zlib.decompress(found[0][0]) if found else None
        except (zlib.error, TypeError):
            return None
        return data if data is None or digest_of_bytes(data) == digest else None

    def keep(self, data: bytes) -> str:
        """Keep bytes under their digest, which comes back."""
        digest = digest_of_bytes(data)
        with self._change("kept", digest) as connection:
            self._keep(connection, digest, data)
        return digest

    def finish(self, day: str, tally: Mapping[str, int]) -> None:
        """The run is over: write what it left, and drop bytes that nothing refers to."""
        text = json.dumps(dict(sorted(tally.items())))
        with self._change("done", "") as connection:
            connection.execute("DELETE FROM objects WHERE digest NOT IN (SELECT digest FROM outputs)")
            last = connection.execute("SELECT tally FROM tallies ORDER BY number DESC LIMIT 1").fetchone()
            if last is None or last[0] != text:
                connection.execute("INSERT INTO tallies (day, tally) VALUES (?, ?)", (day, text))
            connection.execute("REPLACE INTO run VALUES ('stage', 'done')")

    def finish_in_place(self) -> None:
        """A run in place is over: nothing of it has to be kept."""
        with self._change("done", "") as connection:
            for clearing in ("DELETE FROM objects", "DELETE FROM outputs", "DELETE FROM files"):
                connection.execute(clearing)
            connection.execute("DELETE FROM run WHERE name = 'commits'")
            connection.execute("REPLACE INTO run VALUES ('stage', 'done')")

    def tallies(self) -> list[tuple[str, dict[str, int]]]:
        """Day and tally of each run that left something else than the one before, the first first."""
        with _sound(self.folder):
            return [
                (row[0], {str(name): int(count) for name, count in json.loads(row[1]).items()})
                for row in self._read("SELECT day, tally FROM tallies ORDER BY number")
            ]

    # The file itself

    def _keep(self, connection: sqlite3.Connection, digest: str, body: bytes | None) -> None:
        if body is not None:
            connection.execute("INSERT OR IGNORE INTO objects VALUES (?, ?)", (digest, zlib.compress(body, 1)))

    def _each(self, query: str) -> Iterator[Any]:
        """Rows whose first column is a path, read as they are asked for."""
        assert self._connection is not None
        with _telling(self.folder), _sound(self.folder):
            for row in self._connection.execute(query):
                yield (_path(row[0]), *row[1:])

    def _read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        assert self._connection is not None
        with _telling(self.folder):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _change(self, state: str, path: str) -> Iterator[sqlite3.Connection]:
        """One change, whole or not at all."""
        assert self._connection is not None
        with _telling(self.folder):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        if Ledger.watch is not None:
            Ledger.watch(state, path)


def is_there(folder: Path) -> bool:
    """Whether a folder has a ledger."""
    return (folder / FILE).is_file()


def digest_of_bytes(data: bytes) -> str:
    """What the ledger and the manifest record of a file's bytes."""
    return "sha256:" + sha256(data).hexdigest()


def _note_written(connection: sqlite3.Connection, place: str, written: Written) -> None:
    connection.execute(
        "REPLACE INTO outputs VALUES (?, ?, ?, ?)",
        (_key(place), _key(written.path), written.digest, int(written.conflict)),
    )
    connection.execute("UPDATE files SET state = 'written' WHERE path = ?", (_key(written.path),))


@contextmanager
def _sound(folder: Path) -> Iterator[None]:
    """Rows that are not as they were written, as what a person can do about it."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, IndexError) as problem:
        advice = f"restore it from a copy, or move {folder} away to begin anew"
        raise Refused(f"{folder / FILE} is damaged, a row of it cannot be read ({problem}); {advice}") from None


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    """What SQLite says, as what a person can do about it."""
    try:
        yield
    except sqlite3.Error as problem:
        text = str(problem)
        if "not a database" in text or "malformed" in text:
            raise Refused(f"{folder / FILE} is no ledger ({text}); move {folder} away to begin anew") from problem
        if "full" in text:
            raise Refused(f"cannot write {folder / FILE}: no space left; free some and run again") from problem
        raise Refused(f"cannot use {folder / FILE}: {text}; check its permissions and run again") from problem
    except OSError as problem:
        raise Refused(f"cannot write {folder}: {problem.strerror}") from problem


def _locked(folder: Path) -> "IO[bytes] | None":
    """A lock that no other run has, held until it is closed; the system lets go of it when a process dies."""
    import fcntl

    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = (folder / "lock").open("ab")
        except OSError as problem:
            raise Refused(f"cannot write {folder}: {problem.strerror}") from problem
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise Refused(f"another run of musify-ai is writing there ({folder}); wait for it to end") from None
        except OSError:  # a file system without locks: two runs at once are then the user's to avoid
            return file
        with suppress(OSError):  # the run before may have moved its folder to its place meanwhile
            if os.path.samestat(os.fstat(file.fileno()), (folder / "lock").stat()):
                return file
        file.close()


def _key(path: str) -> str:
    """A path as SQLite keeps it: a name that is no text is kept as its bytes."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "\0" + os.fsencode(path).hex()
    return path


def _path(key: str) -> str:
    return os.fsdecode(bytes.fromhex(key[1:])) if key.startswith("\0") else key
