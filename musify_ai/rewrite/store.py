"""What a model answered and what came of it, in one SQLite file that any number of processes share.

- ``answers``: raw answers by the request's hash. Whatever is made of an answer is made anew each time.
- ``rewrites``: what was accepted or refused, by the construct's canonical hash.
- ``claims``: who works on what. A claim is good as long as its owner lives, which a lock held on a file beside the
  store shows: the system lets go of it when a process ends, however it ends.
- ``spending``: what each run has spent.

Every change is one transaction, so a process that is killed leaves the store as it was before or after it.
"""

import json
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rewrite.providers.protocol import Answer, Request
from musify_ai.rewrite.providers.recordings import (
    Recording,
    answer_from_json,
    answer_to_json,
    request_from_json,
    request_to_json,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers(
    key TEXT PRIMARY KEY, identity TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS rewrites(
    key TEXT NOT NULL, policy TEXT NOT NULL, accepted INTEGER NOT NULL, record TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY(key, policy)
) STRICT;
CREATE TABLE IF NOT EXISTS claims(key TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS spending(
    run TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL
) STRICT;
"""

VERSION = 1
"""The number of the file's format (SQLite's ``user_version``)."""


class StoreInvalid(RuntimeError):
    """The file is no store, or one of another version."""


class Spent(NamedTuple):
    """What was spent: calls that were answered, tokens read and written."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Kept(NamedTuple):
    """A rewrite as it is kept: ``record`` is the JSON object that `musify_ai.rewrite.outcomes` makes."""

    key: str
    policy: str
    accepted: bool
    record: dict[str, Any]


class Store:
    """One open store. Usable from many threads; each has its own connection.

    ``sleep`` is how waiting for another's claim waits. Close it, or use it in ``with``.
    """

    def __init__(self, path: Path, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.path = path
        self._sleep = sleep
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._owner: _Owner | None = None
        try:
            self._prepare()
        except sqlite3.DatabaseError as problem:
            self.close()
            raise StoreInvalid(f"{path}: not a store of answers ({problem})") from None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all claims and close the file."""
        if self._owner is not None:
            with self._writing() as db:
                db.execute("DELETE FROM claims WHERE owner = ?", (self._owner.name,))
            self._owner.release()
            self._owner = None
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    # Answers

    def answer(self, key: str) -> Answer | None:
        """The answer that is kept for a request's hash."""
        row = self._db.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else answer_from_json(json.loads(row[0]))

    def keep_answer(self, identity: str, request: Request, answer: Answer, run: str = "") -> None:
        """Keep an answer, count it to a run and let go of its claim, all at once."""
        key = request.key(identity)
        row = (key, identity, json.dumps(request_to_json(request)), json.dumps(answer_to_json(answer)), time.time())
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO answers VALUES(?, ?, ?, ?, ?)", row)
            db.execute(
                "INSERT INTO spending VALUES(?, 1, ?, ?) ON CONFLICT(run) DO UPDATE SET calls = calls + 1,"
                " tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out",
                (run, answer.usage.tokens_in, answer.usage.tokens_out),
            )
            db.execute("DELETE FROM claims WHERE key = ?", (f"request:{key}",))

    def recordings(self, identity: str = "") -> Iterator[Recording]:
        """All answers, of one provider where an identity is given, in the order of their hashes."""
        for found, request, answer in self._db.execute(
            "SELECT identity, request, answer FROM answers WHERE ? IN ('', identity) ORDER BY key", (identity,)
        ):
            yield Recording(found, request_from_json(json.loads(request)), answer_from_json(json.loads(answer)))

    def spent(self, run: str = "") -> Spent:
        """What a run has spent, in all processes that worked on it."""
        row = self._db.execute("SELECT calls, tokens_in, tokens_out FROM spending WHERE run = ?", (run,)).fetchone()
        return Spent(*(row or ()))

    # Rewrites

    def accepted(self, key: str) -> Kept | None:
        """The accepted rewrite of a construct, whichever model it came from."""
        return self._rewrite("SELECT * FROM rewrites WHERE key = ? AND accepted = 1 ORDER BY at LIMIT 1", (key,))

    def refused(self, key: str, policy: str) -> Kept | None:
        """What came of a construct under a policy (the model, how often it is asked), where nothing was accepted."""
        return self._rewrite("SELECT * FROM rewrites WHERE key = ? AND policy = ? AND accepted = 0", (key, policy))

    def keep_rewrite(self, kept: Kept) -> None:
        """Keep what came of a construct, over what the same policy had come to before."""
        row = (kept.key, kept.policy, int(kept.accepted), json.dumps(kept.record), time.time())
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO rewrites VALUES(?, ?, ?, ?, ?)", row)

    def rewrites(self) -> Iterator[Kept]:
        """All rewrites, in the order of their hashes."""
        for row in self._db.execute("SELECT * FROM rewrites ORDER BY key, policy"):
            yield Kept(row[0], row[1], bool(row[2]), json.loads(row[3]))

    def _rewrite(self, query: str, values: tuple[str, ...]) -> Kept | None:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else Kept(row[0], row[1], bool(row[2]), json.loads(row[3]))

    # Claims

    def claim(self, key: str) -> bool:
        """Take on a piece of work for this process; False where a living process has it already (this one included)."""
        owner = self._owned().name
        with self._writing() as db:
            row = db.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchone()
            if row is not None and (row[0] == owner or self._lives(row[0])):
                return False
            db.execute("INSERT OR REPLACE INTO claims VALUES(?, ?)", (key, owner))
            return True

    def release(self, key: str) -> None:
        """Let go of a piece of work."""
        with self._writing() as db:
            db.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self._owned().name))

    def wait(self, seconds: float = 0.02) -> None:
        """Wait a little for another's work."""
        self._sleep(seconds)

    def _owned(self) -> "_Owner":
        with self._lock:
            if self._owner is None:
                self._owner = _Owner(self._locks)
            return self._owner

    def _lives(self, owner: str) -> bool:
        return _is_locked(self._locks / owner)

    @property
    def _locks(self) -> Path:
        return self.path.with_name(f"{self.path.name}-owners")

    # The file

    def _prepare(self) -> None:
        with self._writing() as db:
            found = db.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, VERSION):
                raise StoreInvalid(
                    f"{self.path}: a store of version {found}; this musify-ai has {VERSION}. Move it away."
                )
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")

    @property
    def _db(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "db", None)
        if found is None:
            found = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
            found.execute("PRAGMA journal_mode = WAL")
            # In WAL mode this loses nothing to a killed process; only a machine's crash may take the last answers.
            found.execute("PRAGMA synchronous = NORMAL")
            self._local.db = found
            with self._lock:
                self._connections.append(found)
        return found

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


class _Owner:
    """This process among those that share a store: a file that it holds a lock on as long as it lives."""

    def __init__(self, folder: Path) -> None:
        import fcntl

        folder.mkdir(parents=True, exist_ok=True)
        self.name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._path = folder / self.name
        self._file = self._path.open("w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def release(self) -> None:
        """Give the lock up, and take its file away."""
        self._path.unlink(missing_ok=True)
        self._file.close()


def _is_locked(path: Path) -> bool:
    """Whether a living process holds the lock of an owner's file. A dead owner's file is taken away."""
    import fcntl

    try:
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
            path.unlink(missing_ok=True)
    except OSError:
        return False
    return False
