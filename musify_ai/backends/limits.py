"""Running a command under limits: processor time, wall time, memory, output, files, processes, a directory of its own.

What is run here is code out of somebody's repository. The limits keep an endless loop, a fork bomb or a runaway
allocation from taking the machine along; they are no sandbox against malice (no namespace, no seccomp).
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import subprocess

Ended = Literal["exit", "signal", "timeout", "output", "missing"]


class Limits(NamedTuple):
    """Seconds of processor and wall time, MiB of memory, bytes of output, MiB a written file, processes of the user."""

    cpu: int = 60
    wall: float = 300.0
    memory: int = 8192
    output: int = 4_000_000
    file: int = 512
    processes: int = 4096


class Completed(NamedTuple):
    """How a command ended. ``code`` is its exit status, or the signal's number where ``ended`` is ``signal``.

    ``timeout`` is the wall limit or the processor limit, ``output`` more output than allowed, ``missing`` a program
    that could not be started.
    """

    ended: Ended
    code: int
    stdout: bytes
    stderr: bytes

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.ended == "exit" and self.code == 0

    def describe(self) -> str:
        """How it ended, in words."""
        import signal

        if self.ended == "signal":
            try:
                return f"killed by {signal.Signals(self.code).name}"
            except ValueError:
                return f"killed by signal {self.code}"
        return {
            "exit": f"exit status {self.code}",
            "timeout": "time limit",
            "output": "too much output",
            "missing": "could not be started",
        }[self.ended]


# POSIX shells agree on -t, -v, -f and -c; processes are -u in some and -p in others.
_SHELL = (
    'ulimit -c 0; ulimit -t "$1" && ulimit -f "$3"; ulimit -v "$2" 2>/dev/null;'
    ' ulimit -u "$4" 2>/dev/null || ulimit -p "$4" 2>/dev/null; shift 4; exec "$@"'
)


def clean_environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """A small environment: where programs are, a home and a place for temporary files, no locale, and ``extra``."""
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LC_ALL": "C",
    }
    if extra:
        env.update(extra)
    return env


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A directory that is gone afterwards, whatever has been written into it."""
    path = Path(tempfile.mkdtemp(prefix="musify-", dir=parent))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def run_limited(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
) -> Completed:
    """Run a command under limits in ``cwd``; the whole process group is killed when it ends, however it ends."""
    import signal
    import subprocess

    if limits is None:
        limits = Limits()
    argv = [str(part) for part in command]
    if shutil.which(argv[0]) is None:
        return Completed("missing", 127, b"", f"{argv[0]}: not found".encode())
    shell = [
        "/bin/sh", "-c", _SHELL, "limits", str(limits.cpu), str(limits.memory * 1024),
        str(limits.file * 2048), str(limits.processes), *argv,
    ]  # fmt: skip
    process = subprocess.Popen(
        shell,
        cwd=cwd,
        env=dict(env) if env is not None else clean_environment(cwd),
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdout, stderr, stopped = _collect(process, limits, stdin)
    finally:
        _kill_group(process.pid)
        code = process.wait()
        for pipe in (process.stdout, process.stderr, process.stdin):
            if pipe is not None and not pipe.closed:
                pipe.close()
    if stopped is not None:
        return Completed(stopped, code, stdout, stderr)
    if code < 0:
        ended: Ended = "timeout" if -code in (signal.SIGXCPU, signal.SIGKILL) else "signal"
        return Completed(ended, -code, stdout, stderr)
    return Completed("exit", code, stdout, stderr)


def _collect(process: "subprocess.Popen[bytes]", limits: Limits, stdin: bytes) -> tuple[bytes, bytes, Ended | None]:
    """Read both pipes until they close, the time is up or too much has come."""
    import selectors
    import subprocess
    import time

    assert process.stdout is not None and process.stderr is not None
    parts: dict[str, list[bytes]] = {"out": [], "err": []}
    size = 0
    end = time.monotonic() + limits.wall
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, "out")
        selector.register(process.stderr, selectors.EVENT_READ, "err")
        if stdin and process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, "in")
        stopped: Ended | None = None
        while stopped is None and any(key.data != "in" for key in selector.get_map().values()):
            left = end - time.monotonic()
            # A grandchild may hold the pipe after the command itself is gone: look every so often.
            ready = selector.select(min(max(left, 0), 0.2))
            if left <= 0:
                stopped = "timeout"
                break
            if not ready and process.poll() is not None:
                break
            for key, _ in ready:
                if key.data == "in":
                    try:
                        stdin = stdin[os.write(key.fd, stdin[:65536]) :]
                    except OSError:
                        stdin = b""
                    if not stdin:
                        selector.unregister(key.fileobj)
                        if process.stdin is not None:
                            process.stdin.close()
                    continue
                chunk = os.read(key.fd, 65536)
                if not chunk:
                    selector.unregister(key.fileobj)
                    continue
                parts[key.data].append(chunk)
                size += len(chunk)
                if size > limits.output:
                    stopped = "output"
                    break
        if stopped is None:
            try:
                process.wait(max(end - time.monotonic(), 0))
            except subprocess.TimeoutExpired:
                stopped = "timeout"
    return b"".join(parts["out"]), b"".join(parts["err"]), stopped


def _kill_group(pid: int) -> None:
    import signal
    from contextlib import suppress

    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
