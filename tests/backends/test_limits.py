import os
import selectors
import sys
import time
from pathlib import Path

import pytest

from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch


def test_output_and_status_come_back(tmp_path: Path) -> None:
    done = run_limited(["sh", "-c", "echo out; echo err >&2; exit 3"], cwd=tmp_path)
    assert (done.ended, done.code, done.stdout, done.stderr) == ("exit", 3, b"out\n", b"err\n")
    assert not done.ok


def test_input_is_fed(tmp_path: Path) -> None:
    text = b"line\n" * 40_000
    done = run_limited(["wc", "-c"], cwd=tmp_path, stdin=text)
    assert int(done.stdout) == len(text)


def test_endless_loop_hits_the_processor_limit(tmp_path: Path) -> None:
    done = run_limited(["sh", "-c", "while :; do :; done"], cwd=tmp_path, limits=Limits(cpu=1, wall=60))
    assert done.ended == "timeout"
    assert done.describe() == "time limit"


def test_sleeper_hits_the_wall_limit(tmp_path: Path) -> None:
    done = run_limited(["sleep", "60"], cwd=tmp_path, limits=Limits(wall=0.3))
    assert done.ended == "timeout"


def test_flood_of_output_is_cut(tmp_path: Path) -> None:
    done = run_limited(["yes"], cwd=tmp_path, limits=Limits(output=100_000, wall=60))
    assert done.ended == "output"
    assert len(done.stdout) < 1_000_000


def test_memory_is_limited(tmp_path: Path) -> None:
    code = "b = bytearray(3_000_000_000)"
    done = run_limited([sys.executable, "-c", code], cwd=tmp_path, limits=Limits(memory=1024))
    assert not done.ok
    assert b"MemoryError" in done.stderr


def test_written_files_are_limited(tmp_path: Path) -> None:
    done = run_limited(["sh", "-c", "yes > big"], cwd=tmp_path, limits=Limits(file=1, cpu=20, wall=60))
    assert not done.ok
    assert (tmp_path / "big").stat().st_size <= 1 << 20


def test_children_left_behind_are_killed(tmp_path: Path) -> None:
    done = run_limited(["sh", "-c", "sleep 100 & echo $!"], cwd=tmp_path, limits=Limits(wall=30))
    child = int(done.stdout)
    for _ in range(100):
        status = Path(f"/proc/{child}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the child is still running")


def test_signal_is_named(tmp_path: Path) -> None:
    done = run_limited(["sh", "-c", "kill -SEGV $$"], cwd=tmp_path)
    assert (done.ended, done.describe()) == ("signal", "killed by SIGSEGV")


def test_missing_program_is_said(tmp_path: Path) -> None:
    done = run_limited(["no-such-program-here"], cwd=tmp_path)
    assert done.ended == "missing"
    assert b"no-such-program-here" in done.stderr


def test_environment_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSIFY_TEST_SECRET", "x")
    done = run_limited(["env"], cwd=tmp_path, env=clean_environment(tmp_path, {"GIVEN": "1"}))
    names = {line.split("=")[0] for line in done.stdout.decode().splitlines()}
    assert "MUSIFY_TEST_SECRET" not in names
    assert {"PATH", "HOME", "TMPDIR", "LC_ALL", "GIVEN"} <= names


def test_scratch_is_removed() -> None:
    with scratch() as folder:
        (folder / "file").write_text("x")
        os.mkdir(folder / "sub")
    assert not folder.exists()


def test_what_is_written_just_before_the_end_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    read = selectors.DefaultSelector.select
    waits: list[float] = []

    def late(self: selectors.DefaultSelector, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        # The machine is busy: the first wait sees nothing, and the command ends before anybody looks again. It may
        # not end before that wait, which would have seen it.
        waits.append(timeout or 0)
        if len(waits) == 1:
            (tmp_path / "go").touch()
            time.sleep(0.5)
            return []
        return read(self, timeout)

    monkeypatch.setattr(selectors.DefaultSelector, "select", late)
    command = ["sh", "-c", "until [ -e go ]; do sleep 0.01; done; echo here"]
    assert run_limited(command, cwd=tmp_path).stdout == b"here\n"
