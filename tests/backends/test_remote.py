"""Another machine over ssh: what is copied, run under limits and brought back, and what is said where that fails."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from musify_ai.backends.limits import Limits
from musify_ai.backends.machines import BackendError, MachineError, probe
from musify_ai.backends.remote import Remote
from tests.standins import ssh as stand_in

SSHD = shutil.which("sshd") or ("/usr/sbin/sshd" if Path("/usr/sbin/sshd").is_file() else None)
FEW = Limits(cpu=10, wall=20)
ODD = "folder with 'quotes'/a \"b\" $(touch owned) `touch owned`;touch owned &#.txt"


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the other machine, which a stand-in for ssh reaches."""
    folder = tmp_path / "other"
    monkeypatch.setenv("PATH", f"{stand_in.install(folder)}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize("name", ["me@host", "host", "gpu_box", "a.b-c.org", "me.x@10.0.0.1:2222", "me@[fe80::1]:22"])
def test_names_of_machines(name: str) -> None:
    assert Remote.named(name).name == name


@pytest.mark.parametrize(
    "name",
    ["", "-oProxyCommand=touch owned", "me@-oProxyCommand=x", "-l root", "me@host name", "me@host;touch owned",
     "me@host$(touch owned)", "me@host`id`", "me@ho'st", "me@host\nx", "a@b@c", "me@host:22:22", "me@host:port",
     "@host", "me@.x", "ssh://host", "me@host/../x"],
)  # fmt: skip
def test_what_ssh_could_take_for_something_else_is_refused(name: str) -> None:
    with pytest.raises(BackendError, match="user@host"):
        Remote.named(name)


def test_files_there_and_back_under_any_name(other: Path) -> None:
    with Remote.named("me@box").session() as session:
        session.put({ODD: b"\0one\n", "-rf": b"two", "sub/x": b"three"})
        done = session.run(["cat", ODD, "--", "-rf"], within=".", limits=FEW)
        assert (done.ended, done.code, done.stdout) == ("exit", 0, b"\0one\ntwo")
        said = session.run(["printf", "%s|", "$HOME", "a b", "'\"\\"], within="sub", limits=FEW, env={"X": "a b;id"})
        assert said.stdout == b"$HOME|a b|'\"\\|"
        assert session.run(["printenv", "X"], within=".", limits=FEW, env={"X": "a b;id"}).stdout == b"a b;id\n"
        assert session.fetch([ODD, "-rf", "sub/x", "not there"]) == {ODD: b"\0one\n", "-rf": b"two", "sub/x": b"three"}
        assert len(list((other / "tmp").iterdir())) == 1
        with pytest.raises(MachineError, match="outside"):
            session.put({"../x": b""})
    assert list((other / "tmp").iterdir()) == [], "the folder is gone"
    assert not list(other.rglob("owned")) + list(Path.cwd().glob("owned"))


def test_how_a_command_ended(other: Path) -> None:
    with Remote.named("box").session() as session:

        def ended(script: str, limits: Limits = FEW) -> tuple[str, int]:
            done = session.run(["sh", "-c", script], within=".", limits=limits)
            return done.ended, done.code

        assert ended("echo musify-status 0 >&2; exit 3") == ("exit", 3)
        assert ended("exit 255") == ("exit", 255), "of the command, and no cut connection"
        assert ended("kill -SEGV $$") == ("signal", 11)
        assert ended("sleep 30", FEW._replace(wall=1))[0] == "timeout"
        assert ended("while :; do :; done", FEW._replace(cpu=1))[0] == "timeout"
        assert ended("head -c 3000000 /dev/zero > big", FEW._replace(file=1))[0] in ("disk", "exit")
        assert session.run(["no-such-compiler"], within=".", limits=FEW).ended == "missing"
        assert session.run(["true"], within=".", limits=FEW).stdout == b""


def test_a_link_that_a_program_lays_is_not_followed(other: Path) -> None:
    (other / "home" / "secret").write_text("SECRET")
    with Remote.named("box").session() as session:
        session.put({"in/x": b"x"})
        session.run(["ln", "-s", f"{other}/home/secret", "result"], within=".", limits=FEW)
        session.run(["ln", "-s", f"{other}/home", "folder"], within=".", limits=FEW)
        assert session.fetch(["result", "folder/secret", "in/x"]) == {"in/x": b"x"}


def test_what_is_left_behind_goes_when_it_fails_here(other: Path) -> None:
    with pytest.raises(ZeroDivisionError), Remote.named("box").session() as session:
        session.put({"a": b"a"})
        raise ZeroDivisionError
    assert list((other / "tmp").iterdir()) == []


def test_what_a_cut_connection_left_goes_after_a_day(other: Path) -> None:
    old, new, others = (other / "tmp" / name for name in ("musify-remote-aaaaaaaa", "musify-remote-bbbbbbbb", "mine"))
    for folder in (old, new, others):
        folder.mkdir()
    for folder in (old, others):
        os.utime(folder, (time.time() - 200_000,) * 2)
    with Remote.named("box").session():
        assert not old.exists()
    assert sorted((other / "tmp").iterdir()) == [others, new]


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("nowhere", "its name is not known"),
        ("stranger", "its host key is not known or has changed: log in once by hand"),
        ("locked", "the login was refused: a key is needed"),
        ("asleep", "does not answer"),
        ("refusing", "nobody listens there"),
        ("bare", "lacks timeout"),
    ],
)
def test_no_session_and_why(other: Path, host: str, said: str) -> None:
    with pytest.raises(MachineError, match=f"{host}: .*{said}"), Remote.named(f"me@{host}").session():
        pytest.fail("there is no session")


def test_a_full_disk_and_a_cut_connection(other: Path) -> None:
    with Remote.named("full").session() as session, pytest.raises(MachineError, match=r"full: copying .* disk is full"):
        session.put({"a": b"a"})
    with Remote.named("cut").session() as session:
        with pytest.raises(MachineError, match=r"cut: running true: the connection was cut .*Broken pipe"):
            session.run(["true"], within=".", limits=FEW)
        with pytest.raises(MachineError, match="cut: bringing results back: the connection was cut"):
            session.fetch(["a"])


def test_without_an_ssh_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError, match="there is no ssh program"), Remote.named("box").session():
        pytest.fail("there is no session")


@pytest.fixture
def real_sshd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A real sshd on loopback with keys made for this test, and a user's ssh that knows it."""
    if SSHD is None or shutil.which("ssh-keygen") is None or shutil.which("ssh") is None:
        pytest.skip("no sshd (openssh-server) on this machine: only the stand-in for ssh was tried")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    (tmp_path / "authorized").write_text((tmp_path / "user.pub").read_text())
    key = " ".join((tmp_path / "host.pub").read_text().split()[:2])
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {key}\n")
    (tmp_path / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path}/host\nAuthorizedKeysFile {tmp_path}/authorized\n"
        f"PidFile {tmp_path}/pid\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n"
    )
    # ssh reads no settings from $HOME but from the password database's home: so a program before it on PATH gives them.
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin" / "ssh"
    wrapper.write_text(
        f"#!/bin/sh\nexec {shutil.which('ssh')} -F none -i {tmp_path}/user -o IdentitiesOnly=yes"
        f' -o UserKnownHostsFile={tmp_path}/known "$@"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    with subprocess.Popen([SSHD, "-D", "-e", "-f", tmp_path / "sshd_config"], stderr=subprocess.PIPE) as server:
        try:
            for _ in range(100):
                with socket.socket() as trial:
                    if trial.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if server.poll() is not None:
                    pytest.skip(
                        f"sshd does not run here: {server.stderr.read().decode()[:200] if server.stderr else ''}"
                    )
                time.sleep(0.05)
            yield f"127.0.0.1:{port}"
        finally:
            server.terminate()


def test_a_real_sshd(real_sshd: str, tmp_path: Path) -> None:
    with Remote.named(real_sshd).session() as session:
        session.put({ODD: b"\0one\n" * 200_000})
        done = session.run(["sh", "-c", 'cat "$1" | wc -c; exit 7', "sh", ODD], within=".", limits=FEW)
        assert (done.ended, done.code, done.stdout.strip()) == ("exit", 7, b"1000000")
        assert session.fetch([ODD]) == {ODD: b"\0one\n" * 200_000}
        assert session.run(["sleep", "20"], within=".", limits=FEW._replace(wall=1)).ended == "timeout"
        probe(session)
    (tmp_path / "known").write_text("")
    with pytest.raises(MachineError, match="host key is not known"), Remote.named(real_sshd).session():
        pytest.fail("there is no session")
    (tmp_path / "known").unlink()
