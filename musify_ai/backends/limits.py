"""Running a command under limits: processor time, wall time, memory, output, files, processes, a directory of its own.

What is run here is code out of somebody's repository, and the compiler over it. The limits keep an endless loop, a
fork bomb or a runaway allocation from taking the machine along; where bubblewrap is, `musify_ai.backends.sandbox`
confines the command besides.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.backends import sandbox
from musify_ai.backends.sandbox import Access
from musify_ai.backends.taskgroups import task_group
from musify_ai.backends.watching import Ended, Watch

if TYPE_CHECKING:
    import subprocess


class Limits(NamedTuple):
    """Seconds of processor and wall time, MiB of memory, bytes of output, MiB a written file, processes of the user.

    ``memory`` holds for each process (address space) and for all of them together (resident); ``tasks`` is how many
    processes and threads the command may have at a time, ``scratch`` how many MiB it may leave in its directory (0: the
    directory is not the command's own, and anything may lie there); ``addresses`` says whether the
    address space is limited too, which a GPU's driver reserves by the terabyte.
    """

    cpu: int = 60
    wall: float = 300.0
    memory: int = 8192
    output: int = 4_000_000
    file: int = 512
    processes: int = 4096
    tasks: int = 256
    scratch: int = 2048
    addresses: bool = True


# A question put to a program that somebody named, perhaps by a path from here: this directory may be of any size.
ASKING = Limits(cpu=20, wall=60, scratch=0)


class Completed(NamedTuple):
    """How a command ended. ``code`` is its exit status, or the signal's number where ``ended`` is ``signal``.

    ``timeout`` is the wall limit or the processor limit, ``output`` more output than allowed, ``missing`` a program
    that could not be started; ``memory``, ``tasks`` and ``disk`` are what all its processes together took too much of.
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
            "memory": "too much memory",
            "tasks": "too many processes",
            "disk": "too much written to disk",
        }[self.ended]


# POSIX shells agree on -t, -v, -f and -c; processes are -u in some and -p in others.
# A process that cannot enter its control group runs on without: then it is counted from outside.
_SHELL = (
    '[ -z "$5" ] || echo $$ 2>/dev/null >"$5"; ulimit -c 0; ulimit -t "$1" && ulimit -f "$3";'
    ' ulimit -v "$2" 2>/dev/null; ulimit -u "$4" 2>/dev/null || ulimit -p "$4" 2>/dev/null; shift 5; exec "$@"'
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
    access: Access | None = None,
) -> Completed:
    """Run a command under limits in ``cwd``; the whole process group is killed when it ends, however it ends.

    With ``access`` it is confined to that, its directory and the system, where this machine can do so. Raises
    `SandboxRequired` where the user demands it and the machine cannot.
    """
    if limits is None:
        limits = Limits()
    argv = [str(part) for part in command]
    # A relative path is the program's as the command finds it, from its own directory.
    if shutil.which(cwd / argv[0] if "/" in argv[0] else argv[0]) is None:
        return Completed("missing", 127, b"", f"{argv[0]}: not found".encode())
    env = dict(env) if env is not None else clean_environment(cwd)
    confining = sandbox.detect() if access is not None else None
    if access is not None and confining is not None:
        argv = sandbox.wrap(confining, argv, cwd=cwd, access=access, env=env, scratch=limits.scratch << 20)
    elif access is not None and sandbox.required():
        raise sandbox.SandboxRequired(f"{sandbox.SWITCH}=require, and {sandbox.missing()}")
    with task_group(limits.tasks) as group:
        entrance = "" if group is None else str(group.entrance)
        shell = [
            "/bin/sh", "-c", _SHELL, "limits", str(limits.cpu),
            str(limits.memory * 1024) if limits.addresses else "unlimited",
            str(limits.file * 2048), str(limits.processes), entrance, *argv,
        ]  # fmt: skip
        code, stdout, stderr, stopped = _run(shell, cwd, limits, env, stdin)
        if group is not None and (stopped or code) and group.was_full():
            stopped = "tasks"
    return _completed(code, stdout, stderr, stopped, confined=confining is not None)


def _run(
    command: Sequence[str], cwd: Path, limits: Limits, env: Mapping[str, str], stdin: bytes
) -> tuple[int, bytes, bytes, Ended | None]:
    import subprocess

    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    watch = Watch(process.pid, cwd, memory=limits.memory, tasks=limits.tasks, scratch=limits.scratch)
    try:
        stdout, stderr, stopped = _collect(process, limits, stdin, watch)
    finally:
        _kill_group(process.pid)
        code = process.wait()
        for pipe in (process.stdout, process.stderr, process.stdin):
            if pipe is not None and not pipe.closed:
                pipe.close()
    return code, stdout, stderr, stopped


def _completed(code: int, stdout: bytes, stderr: bytes, stopped: Ended | None, *, confined: bool) -> Completed:
    import signal

    if stopped is not None:
        return Completed(stopped, code, stdout, stderr)
    if confined and code - 128 in _DEADLY:
        # bubblewrap tells of a signal as a shell does.
        code = 128 - code
    if code < 0:
        ended: Ended = "timeout" if -code in (signal.SIGXCPU, signal.SIGKILL) else "signal"
        return Completed(ended, -code, stdout, stderr)
    return Completed("exit", code, stdout, stderr)


# Signals that end a program by themselves: HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM XCPU
# XFSZ SYS, by their numbers on Linux, where bubblewrap is.
_DEADLY = frozenset((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31))


def _collect(
    process: "subprocess.Popen[bytes]", limits: Limits, stdin: bytes, watch: Watch
) -> tuple[bytes, bytes, Ended | None]:
    """Read both pipes until they close, the time is up or too much has come or been taken."""
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
            # A grandchild may hold the pipe after the command itself is gone: look every so often. Whoever ends during
            # the wait may have written just before.
            ended = process.poll() is not None
            ready = selector.select(min(max(left, 0), 0.2))
            if left <= 0:
                stopped = "timeout"
                break
            stopped = watch.look()
            if stopped is not None or (not ready and ended):
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
        while stopped is None:
            # It has closed its output and may go on all the same.
            try:
                process.wait(min(max(end - time.monotonic(), 0), 0.2))
                break
            except subprocess.TimeoutExpired:
                stopped = "timeout" if time.monotonic() >= end else watch.look()
    return b"".join(parts["out"]), b"".join(parts["err"]), stopped


def _kill_group(pid: int) -> None:
    import signal
    from contextlib import suppress

    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
