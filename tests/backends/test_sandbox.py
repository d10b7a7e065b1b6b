"""Hostile programs: each is confined, told of by name, and leaves nothing running."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.backends.limits import Completed, Limits, run_limited
from musify_ai.backends.sandbox import Access

BWRAP = sandbox.detect()
needs_sandbox = pytest.mark.skipif(BWRAP is None, reason=f"no sandbox here: {sandbox.missing()}")

NOTHING = Access()
LIMITS = Limits(cpu=20, wall=30, memory=1024, tasks=40, scratch=16, output=1_000_000)


def confined(script: str, cwd: Path, *, limits: Limits = LIMITS, access: Access = NOTHING) -> Completed:
    return run_limited(["sh", "-c", script], cwd=cwd, limits=limits, access=access)


def python(code: str, cwd: Path, limits: Limits = LIMITS) -> Completed:
    return run_limited(
        [sys.executable, "-I", "-c", code], cwd=cwd, limits=limits, access=Access(sandbox.python_folders())
    )


def alive(marker: str) -> list[str]:
    """Processes whose command line holds a word that only the test's own have."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                line = Path(f"/proc/{entry}/cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if marker in line:
                found.append(line)
    return found


def gone(marker: str) -> bool:
    for _ in range(100):
        if not alive(marker):
            return True
        time.sleep(0.05)
    return False


@needs_sandbox
def test_what_it_may_do(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("given\n")
    done = confined("cat in; echo made > out; echo err >&2; exit 7", tmp_path)
    assert (done.ended, done.code, done.stdout, done.stderr) == ("exit", 7, b"given\n", b"err\n")
    assert (tmp_path / "out").read_text() == "made\n"
    assert (tmp_path / "out").stat().st_uid == os.getuid(), "what is written belongs to the user"


@needs_sandbox
def test_a_home_is_not_there(tmp_path: Path) -> None:
    secret = tmp_path / "home" / ".ssh"
    secret.mkdir(parents=True)
    (secret / "id_ed25519").write_text("SECRET")
    inside = tmp_path / "work"
    inside.mkdir()
    done = confined(f"cat {secret}/id_ed25519 ../home/.ssh/id_ed25519 {Path.home()}/* /etc/shadow /etc/passwd", inside)
    assert not done.ok
    assert b"SECRET" not in done.stdout
    assert done.stdout == b""


@needs_sandbox
def test_what_may_be_read_cannot_be_written(tmp_path: Path) -> None:
    given, inside = tmp_path / "given", tmp_path / "work"
    given.mkdir()
    inside.mkdir()
    (given / "file").write_text("as it was")
    done = confined(
        f"cat {given}/file; echo bad > {given}/file; rm -f {given}/file; echo x > {given}/new; echo x > /usr/new",
        inside, access=Access((given,)),
    )  # fmt: skip
    assert done.stdout == b"as it was"
    assert [path.name for path in given.iterdir()] == ["file"]
    assert (given / "file").read_text() == "as it was"


@needs_sandbox
def test_there_is_no_network_and_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setenv("MY_TOKEN", "SECRET")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        code = (
            "import os, socket\n"
            "print(sorted(os.environ))\n"
            f"try:\n    socket.create_connection(('127.0.0.1', {port}), 3)\n    print('CONNECTED')\n"
            "except OSError as e:\n    print('refused')\n"
        )
        done = python(code, tmp_path)
    assert b"refused" in done.stdout
    assert b"MY_TOKEN" not in done.stdout
    assert b"CONNECTED" not in done.stdout


@needs_sandbox
def test_it_has_no_rights_and_sees_no_other_process(tmp_path: Path) -> None:
    done = python(
        "import os\nprint(os.getuid(), len([p for p in os.listdir('/proc') if p.isdigit()]) < 6)\n"
        "for act in (lambda: os.setuid(0), lambda: os.chroot('/tmp'), lambda: os.mknod('/tmp/d', 0o60600, 0x801)):\n"
        "    try:\n        act()\n        print('ALLOWED')\n    except OSError:\n        pass\n",
        tmp_path,
    )
    assert done.stdout == b"65534 True\n"


@needs_sandbox
def test_fork_bomb(tmp_path: Path) -> None:
    """One that grows slowly, for the sake of a machine where only the watch counts: 20 more every tenth of a second."""
    marker = "765432.25"
    done = confined(
        f"while :; do i=0; while [ $i -lt 20 ]; do sleep {marker} & i=$((i+1)); done; sleep 0.1; done", tmp_path
    )
    assert done.ended == "tasks"
    assert done.describe() == "too many processes"
    assert gone(marker)


@needs_sandbox
def test_what_hides_from_its_parent_ends_too(tmp_path: Path) -> None:
    marker = "987654.25"
    done = confined(
        f"(setsid sleep {marker} >/dev/null 2>&1 &); (setsid sh -c 'sleep {marker} &' &); echo started", tmp_path
    )
    assert done.stdout == b"started\n"
    assert gone(marker)


@needs_sandbox
def test_memory_that_many_processes_take_together(tmp_path: Path) -> None:
    code = """
import os, time
for _ in range(12):
    if os.fork() == 0:
        held = bytearray(200 << 20)
        time.sleep(20)
        os._exit(0)
time.sleep(20)
"""
    done = python(code, tmp_path, LIMITS._replace(memory=700))
    assert done.ended == "memory"
    assert done.describe() == "too much memory"


@needs_sandbox
def test_a_disk_is_not_filled_by_many_files(tmp_path: Path) -> None:
    done = confined(
        "i=0; while [ $i -lt 100000 ]; do head -c 1000000 /dev/zero > f$i; i=$((i+1)); done", tmp_path,
        limits=LIMITS._replace(wall=60, cpu=60),
    )  # fmt: skip
    assert done.ended == "disk"


@needs_sandbox
def test_the_temporary_folder_has_a_size(tmp_path: Path) -> None:
    name = f"/tmp/{tmp_path.name}-{os.getpid()}"
    done = confined(f"head -c 100000000 /dev/zero > {name}; wc -c < {name}", tmp_path)
    assert b"No space left" in done.stderr
    assert 0 < int(done.stdout) <= 16 << 20
    assert not Path(name).exists()


@needs_sandbox
def test_endless_output(tmp_path: Path) -> None:
    assert confined("yes", tmp_path).ended == "output"


@needs_sandbox
def test_a_signal_is_told_from_an_exit(tmp_path: Path) -> None:
    done = confined("kill -SEGV $$", tmp_path)
    assert (done.ended, done.code, done.describe()) == ("signal", 11, "killed by SIGSEGV")
    assert confined("exit 200", tmp_path)[:2] == ("exit", 200)
    assert confined("while :; do :; done", tmp_path, limits=LIMITS._replace(cpu=1)).ended == "timeout"
    assert confined("sleep 60", tmp_path, limits=LIMITS._replace(wall=0.5)).ended == "timeout"


@needs_sandbox
def test_a_compiler_reads_no_secret(tmp_path: Path) -> None:
    compiler = next((name for name in ("g++", "clang++") if shutil.which(name)), None)
    if compiler is None:
        pytest.skip("no C++ compiler (g++ or clang++): that one is confined is not tested")
    secret, inside = tmp_path / "secret", tmp_path / "work"
    inside.mkdir()
    secret.write_text("the SECRET word\n")
    for number, line in enumerate(
        (f'#include "{secret}"', f'asm(".incbin \\"{secret}\\"");', '#include "/etc/shadow"')
    ):
        (inside / f"{number}.cpp").write_text(f"{line}\nint main() {{ return 0; }}\n")
        done = run_limited([compiler, f"{number}.cpp", "-o", "out"], cwd=inside, limits=LIMITS, access=Access())
        assert not done.ok
        assert b"SECRET" not in done.stderr + done.stdout


def test_switched_off_it_runs_under_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.SWITCH, "off")
    assert sandbox.detect() is None
    assert "limits only" in sandbox.missing()
    assert confined("echo here", tmp_path).stdout == b"here\n"


def test_required_it_runs_nothing_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    (empty / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv(sandbox.SWITCH, "require")
    with pytest.raises(sandbox.SandboxRequired, match="bubblewrap"):
        confined("echo here > ran", tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_home_is_never_shown_for_a_compiler_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    tool = home / "bin" / "cxx"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    line = sandbox.wrap("bwrap", [str(tool)], cwd=None, access=Access(), env={}, scratch=1)
    shown = [line[at + 1] for at, word in enumerate(line) if word in ("--ro-bind", "--bind")]
    assert shown == [str(tool)]


@needs_sandbox
def test_all_of_it_ends_with_us(tmp_path: Path) -> None:
    """Killed outright, the tool leaves no program of a user's project behind."""
    marker = "876543.25"
    code = (
        "import sys; from pathlib import Path\n"
        "from musify_ai.backends.limits import run_limited\nfrom musify_ai.backends.sandbox import Access\n"
        f"run_limited(['sleep', '{marker}'], cwd=Path({str(tmp_path)!r}), access=Access())\n"
    )
    root = Path(sandbox.__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root) as process:
        for _ in range(200):
            if any(line.startswith("sleep") for line in alive(marker)):
                break
            time.sleep(0.05)
        else:
            pytest.fail("the program never started")
        process.kill()
    assert gone(marker)
