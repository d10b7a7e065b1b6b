"""A machine over ssh: sources go to a scratch folder there, are built and run under limits, and results come back.

Each step is one call of the ``ssh`` program, whose settings (keys, ports, jumps, aliases) are the user's own. Nothing
is asked for: no password, no unknown host's key. Every name goes through the shell's quoting, and a host's name that
ssh could take for an option is refused. There is no sandbox there: what is run has the rights of the user who logs in.
"""

import os
import re
import secrets
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from musify_ai.backends.limits import Completed, Limits, run_limited, scratch
from musify_ai.backends.machines import PASSED_ON, BackendError, MachineError, Session

_HOST = re.compile(
    r"(?P<at>(?:[A-Za-z0-9_][A-Za-z0-9_.+-]*@)?(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\]))(?::(?P<port>\d{1,5}))?"
)
_FOLDER = re.compile(r"/[A-Za-z0-9_./+-]*/musify-remote-[A-Za-z0-9]{8}")
_OPTIONS = (
    "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=15",
    "-o", "ServerAliveCountMax=4", "-o", "ClearAllForwardings=yes", "-o", "ForwardAgent=no", "-o", "ForwardX11=no",
    "-o", "PermitLocalCommand=no",
)  # fmt: skip
_OURS = ("PATH", "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK")
_MOST = 1 << 30  # bytes brought back at a time

# What ssh says, and what to do.
_TROUBLE = (
    (r"Could not resolve hostname", "its name is not known: look at the spelling, or at ~/.ssh/config"),
    (r"Host key verification failed|HOST IDENTIFICATION HAS CHANGED|no matching host key",
     "its host key is not known or has changed: log in once by hand and look at it"),
    (r"Permission denied|Too many authentication failures|no matching .* found",
     "the login was refused: a key is needed (ssh-add, or IdentityFile in ~/.ssh/config); passwords are not asked for"),
    (r"Connection refused", "nobody listens there: is sshd running, and is the port right?"),
    (r"timed out|No route to host|Network is unreachable", "it does not answer: is it on, and within reach from here?"),
)  # fmt: skip

# Opens a folder, or says what is missing; folders of ours that a cut connection left behind go after a day.
_OPEN = r"""for each in tar timeout mktemp readlink env rm find; do
  command -v "$each" >/dev/null 2>&1 || { echo "lacks $each" >&2; exit 9; }
done
base=${TMPDIR:-/tmp}
find "$base" -maxdepth 1 -type d -name 'musify-remote-????????' -user "$(id -u)" -mmin +1440 \
  -exec rm -rf {} + 2>/dev/null
mktemp -d "$base/musify-remote-XXXXXXXX"
"""
_PUT = 'cd -- "$1" && tar -xf -'
_RUN = (
    'cd -- "$1/$2" || exit 9; ulimit -c 0; ulimit -t "$3"; ulimit -f "$4"; [ "$5" = no ] || ulimit -v "$5"; w=$6;'
    ' shift 6; exec timeout -k 5 "$w" env "$@"'
)
_FETCH = (
    'cd -P -- "$1" || exit 9; shift; here=$(pwd -P); for f; do shift;'
    ' [ -f "$f" ] && [ "$(readlink -f -- "$f")" = "$here/$f" ] && set -- "$@" "$f"; done;'
    ' [ $# -eq 0 ] || exec tar -czf - -- "$@"'
)
_REMOVE = 'rm -rf -- "$1"'


class Remote(NamedTuple):
    """A machine as ssh knows it."""

    name: str
    at: str
    port: str = ""

    @staticmethod
    def named(text: str) -> "Remote":
        """The machine of ``user@host``, ``host`` or ``user@host:port``. Raises `BackendError` for what is no name."""
        match = _HOST.fullmatch(text)
        if match is None:
            raise BackendError(f"--remote {text!r}: give user@host, an alias of ~/.ssh/config, or user@host:port")
        return Remote(text, match["at"].replace("[", "").replace("]", ""), match["port"] or "")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session in a folder for temporary files of that machine."""
        opened = _Ssh(self)
        done = opened.call(_OPEN, [], what="making a scratch folder")
        folder = done.stdout.decode("utf-8", "replace").strip()
        if not done.ok or not _FOLDER.fullmatch(folder):
            raise MachineError(f"{self.name}: making a scratch folder failed: {_said(done)}")
        session = _RemoteSession(self, opened, folder)
        try:
            yield session
        finally:
            with suppress(MachineError):  # gone with the connection; the next session takes it away
                opened.call(_REMOVE, [folder], what="removing the scratch folder")


class _Ssh:
    def __init__(self, machine: Remote) -> None:
        self.machine = machine

    def call(
        self, script: str, arguments: Sequence[str], *, what: str, stdin: bytes = b"", wall: float = 120,
        output: int = 4_000_000,
    ) -> Completed:  # fmt: skip
        """Run a script there. Raises `MachineError` where ssh or the connection failed, and not the script."""
        # The script's own end is told by a line that nothing else prints: status 255 is ssh's, or may be anybody's.
        mark = f"musify-status-{secrets.token_hex(8)}"
        inner = shlex.join(["/bin/sh", "-c", script, "sh", *arguments])
        line = f"{inner}; echo {mark} $? >&2"
        command = ["ssh", *_OPTIONS, *(["-p", self.machine.port] if self.machine.port else []), "--", self.machine.at]
        env = {name: os.environ[name] for name in _OURS if name in os.environ} | {"LC_ALL": "C"}
        with scratch() as work:
            done = run_limited(
                [*command, shlex.join(["/bin/sh", "-c", line])], cwd=work, env=env, stdin=stdin,
                limits=Limits(cpu=600, wall=wall, output=output, tasks=64, addresses=False),
            )  # fmt: skip
        if done.ended == "missing":
            raise MachineError(f"{self.machine.name}: there is no ssh program on this machine (install openssh-client)")
        if done.ended == "timeout":
            raise MachineError(f"{self.machine.name}: {what}: no end within {wall:.0f} s; the connection was given up")
        if done.ended == "output":
            raise MachineError(f"{self.machine.name}: {what}: more than {output >> 20} MiB came back")
        head, found, status = done.stderr.rpartition(mark.encode())
        if not found or not status.strip().isdigit():
            raise MachineError(f"{self.machine.name}: {what}: {_why(done)}")
        return Completed("exit", int(status), done.stdout, head)


class _RemoteSession:
    def __init__(self, machine: Remote, ssh: _Ssh, folder: str) -> None:
        self.machine, self.ssh, self.folder = machine, ssh, folder

    def put(self, files: Mapping[str, bytes]) -> None:
        import io
        import tarfile

        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, data in files.items():
                if name.startswith("/") or ".." in name.split("/"):
                    raise MachineError(f"{name}: outside the scratch folder")
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(data), 0o600
                archive.addfile(entry, io.BytesIO(data))
        done = self.ssh.call(_PUT, [self.folder], what="copying files there", stdin=packed.getvalue(), wall=600)
        if not done.ok:
            raise MachineError(f"{self.machine.name}: copying files there failed: {_said(done)}")

    def run(
        self, command: Sequence[str], *, within: str, limits: Limits, read: Sequence[str] = (),
        nodes: Sequence[str] = (), env: Mapping[str, str] | None = None,
    ) -> Completed:  # fmt: skip
        memory = str(limits.memory * 1024) if limits.addresses else "no"
        given = [f"{name}={value}" for name, value in (env or {}).items()]
        passed = [f"{name}={os.environ[name]}" for name in PASSED_ON if name in os.environ and "_VISIBLE_" in name]
        arguments = [
            self.folder, within, str(limits.cpu), str(limits.file * 2048), memory, f"{limits.wall:.0f}",
            f"TMPDIR={self.folder}", "LC_ALL=C", *passed, *given, *command,
        ]  # fmt: skip
        what = f"running {command[0].rsplit('/', 1)[-1]}"
        done = self.ssh.call(_RUN, arguments, what=what, wall=limits.wall + 60, output=limits.output)
        return _ended(done)

    def fetch(self, paths: Sequence[str]) -> dict[str, bytes]:
        import io
        import tarfile

        done = self.ssh.call(_FETCH, [self.folder, *paths], what="bringing results back", wall=900, output=_MOST)
        if not done.ok:
            raise MachineError(f"{self.machine.name}: bringing results back failed: {_said(done)}")
        found: dict[str, bytes] = {}
        if not done.stdout:
            return found
        try:
            with tarfile.open(fileobj=io.BytesIO(done.stdout), mode="r:gz") as archive:
                for entry in archive:
                    if not entry.isfile() or entry.name not in paths:
                        continue
                    if entry.size + sum(map(len, found.values())) > _MOST:
                        raise MachineError(f"{self.machine.name}: results of more than {_MOST >> 20} MiB")
                    content = archive.extractfile(entry)
                    found[entry.name] = content.read() if content is not None else b""
        except (tarfile.TarError, OSError, EOFError) as problem:
            raise MachineError(f"{self.machine.name}: results came back broken: {problem}") from None
        return found

    def ask(self, script: str) -> Completed:
        return self.ssh.call(script, [], what="asking what it has")


def _ended(done: Completed) -> Completed:
    """How a command there ended: what the shell and ``timeout`` make a status of."""
    import signal

    code = done.code
    if code in (124, 137, 128 + signal.SIGXCPU):
        return done._replace(ended="timeout")
    if code == 128 + signal.SIGXFSZ:
        return done._replace(ended="disk")
    if code == 127:
        return done._replace(ended="missing")
    if 128 < code < 160:
        return done._replace(ended="signal", code=code - 128)
    return done


def _said(done: Completed) -> str:
    text = done.stderr.decode("utf-8", "replace").strip()
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return "its disk is full (set TMPDIR there to a folder with room)"
    if text.startswith("lacks "):
        return f"it {text}, which is needed there"
    return text[-300:] or done.describe()


def _why(done: Completed) -> str:
    """Why ssh itself ended, in words."""
    text = done.stderr.decode("utf-8", "replace")
    for pattern, words in _TROUBLE:
        if re.search(pattern, text):
            return words
    last = text.strip().splitlines()[-1:] or [done.describe()]
    return f"the connection was cut ({last[0][:200]})"
