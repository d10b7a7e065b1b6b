"""A process of its own that carries requests to a server, so that no call is lost with the process that wanted it.

A call that is on its way when a run is killed has been paid for. So it is not the run that makes it: a courier does, in
a session of its own, and puts the answer into the store before anybody is told. When the run is gone (its end of the
pipe closes) the courier begins nothing new, sees what is on its way to its end, and ends. A run that is taken up again
meanwhile finds the request claimed by a living process and waits for its answer.

The lines of the pipe are JSON objects: first what to ask with, then ``{"id": 1, "request": {...}}`` one way and
``{"id": 1, "outcome": {...}}`` the other.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.budget import Budget
from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Outcome, Request
from musify_ai.rewrite.providers.recordings import answer_from_json, answer_to_json, request_from_json, request_to_json
from musify_ai.rewrite.store import Store


class Errand(NamedTuple):
    """Where a courier asks, for which store and run, and how many requests it has on the way at once."""

    store: str
    url: str
    model: str
    seconds: float
    run: str = ""
    threads: int = 8


class Courier:
    """The run's end: asks through the store and the courier, within a budget. From as many threads as you like."""

    batch = 1

    def __init__(self, store: Store, errand: Errand, identity: str, budget: Budget) -> None:
        self.store, self.budget, self.identity = store, budget, identity
        self._errand = errand
        self._process: subprocess.Popen[str] | None = None
        self._waiting: dict[int, tuple[threading.Event, list[Outcome]]] = {}
        self._number = 0
        self._gone = False
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Outcome:
        """The outcome of a request."""
        found = self.store.answer(request.key(self.identity))
        if found is not None:
            return found
        why = self.budget.take(request)
        if why:
            return NoAnswer("budget", why)
        outcome = self._carried(request)
        self.budget.settle(request, outcome.usage if isinstance(outcome, Answer) else None)
        return outcome

    def ask_all(self, requests: Sequence[Request]) -> list[Outcome]:
        """The outcomes of requests, in order."""
        return [self.ask(request) for request in requests]

    def close(self) -> None:
        """Let the courier end, and wait for it."""
        process = self._process
        if process is not None:
            self._process = None
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _carried(self, request: Request) -> Outcome:
        done, outcome = threading.Event(), list[Outcome]()
        with self._lock:
            if self._gone:
                # Its pipes do not close at one moment: what is written now might be taken, and never be read.
                return _GONE
            process = self._started()
            self._number += 1
            number = self._number
            self._waiting[number] = (done, outcome)
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps({"id": number, "request": request_to_json(request)}) + "\n")
                process.stdin.flush()
            except OSError:
                del self._waiting[number]
                return _GONE
        done.wait()
        return outcome[0] if outcome else _GONE

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            package = str(Path(__file__).parents[2])
            paths = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH", ""))))
            self._process = subprocess.Popen(
                [sys.executable, "-m", "musify_ai.rewrite.courier"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True, encoding="utf-8", start_new_session=True, env={**os.environ, "PYTHONPATH": paths},
            )  # fmt: skip
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdin.write(json.dumps(self._errand._asdict()) + "\n")
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        return self._process

    def _read(self, lines: IO[str]) -> None:
        try:
            with lines:
                for line in lines:
                    value = json.loads(line)
                    with self._lock:
                        done, outcome = self._waiting[value["id"]]
                    outcome.append(_from_json(value["outcome"]))
                    with self._lock:
                        del self._waiting[value["id"]]
                    done.set()
        finally:  # Whatever ended the reading, nobody is left to wait.
            with self._lock:
                self._gone = True
                left, self._waiting = list(self._waiting.values()), {}
            for done, _ in left:
                done.set()


_GONE = NoAnswer("connection", "the process that carries requests is gone")


def _to_json(outcome: Outcome) -> dict[str, Any]:
    return answer_to_json(outcome) if isinstance(outcome, Answer) else {**outcome._asdict(), "none": True}


def _from_json(value: dict[str, Any]) -> Outcome:
    if value.pop("none", False):
        return NoAnswer(**value)
    return answer_from_json(value)


def main(lines: IO[str], out: IO[str]) -> None:
    """The courier's end: until the pipe closes, and then until what is on its way has arrived."""
    from concurrent.futures import ThreadPoolExecutor

    from musify_ai.rewrite.providers.openai import Openai, Server

    errand = Errand(**json.loads(lines.readline()))
    provider = Openai(Server(errand.url, errand.model, errand.seconds))
    lock = threading.Lock()
    with Store(Path(errand.store)) as store:
        answering = Answering(store, provider, run=errand.run)

        def carry(number: int, request: Request) -> None:
            outcome = answering.ask(request)
            with lock, suppress(OSError, ValueError):
                out.write(json.dumps({"id": number, "outcome": _to_json(outcome)}) + "\n")
                out.flush()

        pool = ThreadPoolExecutor(errand.threads)
        for line in lines:
            value = json.loads(line)
            pool.submit(carry, value["id"], request_from_json(value["request"]))
        pool.shutdown(cancel_futures=True)
        provider.close()


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
