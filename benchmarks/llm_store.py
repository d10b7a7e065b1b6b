"""Equal constructs, one call: many units of few kinds against a server that takes its time, killed half way.

Usage: python -m benchmarks.llm_store [--units 10000] [--kinds 200] [--latency 0.05]

Needs the extra [llm] and nothing else; the server is this program's own, on this machine's own address. A first run
over all units is killed (SIGKILL) when the server has begun to answer half of the kinds, with calls on their way; a
second one takes it up again. Printed are the calls that the server saw, the units that came out rewritten with their
own names, and the times. Gates are not what is measured, so none builds or runs anything here.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.records import Finding, Options
from musify_ai.rewrite.gates.protocol import Gate, Passed, Refused, Site
from musify_ai.rewrite.loop import Judge, Policy
from musify_ai.rewrite.opening import Asked, opened
from musify_ai.rewrite.units import WorkUnit
from musify_ai.rewrite.working import Setting, work

ROOT = Path(__file__).resolve().parent.parent

_HEAD = re.compile(r"its head kept as it is:\n`(.*)`")


class Figures(NamedTuple):
    """What came out: calls that the server saw in both runs and when the first was killed, units with their own right
    code, and the seconds of both runs."""

    calls: int
    calls_at_kill: int
    right: int
    first_seconds: float
    second_seconds: float


def unit(number: int, kinds: int) -> WorkUnit:
    """A unit whose construct is one of some kinds and whose names are its own."""
    kind = number % kinds
    head = f"__device__ void store_{number}(int* to_{number}, int value_{number}) "
    body = f'{{\n    asm volatile("thing.{kind} [%0], %1;" :: "l"(to_{number}), "r"(value_{number}));\n}}'
    text = f"// unit {number}\n{head}{body}\n".encode()
    start = text.index(b"__device__")
    finding = Finding("MUS402", "error", start, len(text) - 1, "inline PTX was left in place", settled=False)
    place = f"f{number}.cu"
    return WorkUnit(
        path=place, place=place, name=f"store_{number}", kind="ptx", findings=(finding,), text=text, start=start,
        body_start=text.index(b"{"), end=len(text) - 1, original=text, original_start=start,
        original_end=len(text) - 1, context=(), launches=(), kernels=("k",),
        kernel_paths=(place,), archs=("mp_22", "mp_31"), sdk="5.2",
        sheets=(), examples=(),
    )  # fmt: skip


def right(one: WorkUnit, kinds: int) -> bytes:
    """The code that the server's answer has to become in a unit's place."""
    number = int(one.name.rsplit("_", 1)[1])
    return one.head + f"{{\n    *to_{number} = value_{number} + {number % kinds};\n}}".encode()


def child(store: Path, url: str, units: int, kinds: int) -> None:
    """One run over all units; prints how many came out right."""
    everything = [unit(number, kinds) for number in range(units)]

    def check(candidate: Any) -> Passed | Refused:
        same = candidate.code == right(candidate.unit, kinds)
        return Passed() if same else Refused("numeric", f"not what it should be: {candidate.code!r}")

    asked = Asked(f"openai:{url}#coder", store)
    site = Site(ROOT, {}, {}, {}, Options())
    with opened(asked) as somebody:
        judge = Judge((Gate("right", check),))
        setting = Setting(somebody.store, somebody.ask, somebody.identity, judge, Policy(0, 0))
        done = work(everything, site, setting)
    print(sum(each.code == right(each.unit, kinds) for each in done))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        prompt = body["messages"][-1]["content"]
        kind = re.search(r"thing\.(\d+)", prompt)
        head = _HEAD.search(prompt)
        assert kind is not None and head is not None
        to, value = re.findall(r"(?:to|value)_\d+", head[1])[:2]
        with server.lock:
            server.calls += 1
        time.sleep(server.latency)
        text = f"```cpp\n{head[1]} {{\n    *{to} = {value} + {kind[1]};\n}}\n```"
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 30, "total_tokens": len(prompt) // 4 + 30}
        said = json.dumps(
            {"id": "1", "object": "chat.completion", "model": "coder", "choices": [choice], "usage": usage}
        )
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said.encode())


def measure(units: int, kinds: int, latency: float, folder: Path) -> Figures:
    """Both runs against a server of our own."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.calls, server.latency, server.lock = 0, latency, threading.Lock()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    command = [
        sys.executable,
        "-m",
        "benchmarks.llm_store",
        "--child",
        str(folder / "store.sqlite"),
        url,
        str(units),
        str(kinds),
    ]
    try:
        begun = time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as first:
            while server.calls < kinds // 2 and first.poll() is None:
                time.sleep(0.001)
            os.kill(first.pid, signal.SIGKILL)
            at_kill = server.calls
        middle = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        ended = time.perf_counter()
        return Figures(server.calls, at_kill, int(done.stdout), middle - begun, ended - middle)
    finally:
        server.shutdown()
        server.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--units", type=int, default=10_000)
    parser.add_argument("--kinds", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--child", nargs=4, metavar=("STORE", "URL", "UNITS", "KINDS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        store, url, units, kinds = given.child
        child(Path(store), url, int(units), int(kinds))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = measure(given.units, given.kinds, given.latency, Path(folder))
    print(f"{given.units} units of {given.kinds} kinds, {given.latency * 1000:g} ms a call")
    print(f"calls {found.calls}, of which {found.calls_at_kill} had begun when the first run was killed")
    print(f"right in the end: {found.right}")
    print(f"first run {found.first_seconds:.1f} s until it was killed, second run {found.second_seconds:.1f} s")


if __name__ == "__main__":
    main()
