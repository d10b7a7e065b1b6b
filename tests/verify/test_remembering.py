"""What was checked is found again, and nothing that another check would not give."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from musify_ai.records import Evidence, Failure, Options, Verdict
from musify_ai.verify.remembering import FILE, Done, Memory, checker_digest, tree_key, unit_key

HERE = (Path("/a b/original"), Path("/a b/original/out"))
ROOT = Path(__file__).parents[2]


def done(headline: str = "equal-emulated", reason: str | None = None, *failures: Failure) -> Done:
    repeat = "musify-ai verify '/a b/original' '/a b/original/out' --kernel k"
    row = Evidence("emulated", ("", ""), "mp_22", 128, (), (), (), (), 0, (), headline, "", repeat)  # type: ignore[arg-type]
    verdict = Verdict("a.cu", "k", 1, None, headline, reason, (), {"mp_22": headline}, (row,))  # type: ignore[dict-item,arg-type]
    return Done((verdict,), failures)


class Check:
    def __init__(self, result: Done) -> None:
        self.result, self.times = result, 0

    def __call__(self) -> Done:
        self.times += 1
        return self.result


def test_a_unit_is_checked_once(tmp_path: Path) -> None:
    check = Check(done())
    for _ in range(3):
        assert Memory(tmp_path).around("k", HERE, check) == check.result
    assert check.times == 1
    Memory(tmp_path).around("other", HERE, check)
    Memory(tmp_path, fresh=True).around("k", HERE, check)
    assert check.times == 3


def test_commands_name_the_paths_of_this_run(tmp_path: Path) -> None:
    Memory(tmp_path).around("k", HERE, Check(done()))
    there = (Path("/it's"), Path("/else where"))
    found = Memory(tmp_path).around("k", there, Check(done("differs")))
    assert found.verdicts[0].evidence[0].repeat == "musify-ai verify '/it'\"'\"'s' '/else where' --kernel k"


@pytest.mark.parametrize(
    "result",
    [
        done("unchecked", "the time budget of 7 s was spent before it (--time-budget)"),
        done("not-checkable", "it ran out of time"),
        done("not-checkable", "the checker failed (internal error: KeyError)"),
        done("build-failed", "the compiler was killed"),
        done("equal-emulated", None, Failure("a.cu", "check", "no space left on device", "")),
    ],
)
def test_what_is_of_the_moment_is_not_kept(tmp_path: Path, result: Done) -> None:
    check = Check(result)
    for _ in range(2):
        Memory(tmp_path).around("k", HERE, check)
    assert check.times == 2


def test_what_lasts_is_kept_whatever_it_says(tmp_path: Path) -> None:
    for name in ("differs", "build-failed", "not-checkable", "arch-dependent", "equal-weak"):
        check = Check(done(name, "because"))
        for _ in range(2):
            Memory(tmp_path).around(name, HERE, check)
        assert check.times == 1, name


@pytest.mark.parametrize("spoil", ["garbage", "older", "other", "readonly", "body"])
def test_a_file_that_cannot_be_used_costs_a_check_and_no_more(tmp_path: Path, spoil: str) -> None:
    check = Check(done())
    Memory(tmp_path).around("k", HERE, check)
    file = tmp_path / FILE
    if spoil == "garbage":
        file.write_bytes(b"no database" * 100)
    elif spoil == "readonly":
        shutil.rmtree(tmp_path)
        tmp_path.write_text("a file where the folder was")
    else:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(
                {
                    "older": "PRAGMA user_version=0",
                    "other": "DROP TABLE units",
                    "body": "UPDATE units SET body = '[1]'",
                }[spoil]
            )
            connection.commit()
    assert Memory(tmp_path).around("k", HERE, check) == check.result
    assert check.times == 2


def test_everything_that_a_verdict_depends_on_is_in_its_key(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("1")
    (tmp_path / "b.cu").write_text("2")

    def key(options: Options | None = None, files: tuple[str, ...] = ("a.cu",), further: str = "") -> str:
        return tree_key(((tmp_path, files), (tmp_path, ("b.cu",))), options or Options(), (further,))

    first = key()
    others = [
        key(Options(archs=("mp_31",))), key(Options(seeds=4)), key(Options(draw=1)), key(Options(mutants=True)),
        key(Options(includes=("x",))), key(files=("a.cu", "b.cu")), key(files=("gone.cu",)), key(further="another"),
    ]  # fmt: skip
    (tmp_path / "b.cu").write_text("3")
    others.append(key())
    assert len({first, *others}) == len(others) + 1
    (tmp_path / "b.cu").write_text("2")
    assert key() == key(Options(jobs=5, fail_on=("differs",), fresh=True)) == first
    assert unit_key(first, "a.cu", ("k",)) != unit_key(first, "a.cu", ("k", "l")) != unit_key(first, "b.cu", ("k", "l"))
    assert len(checker_digest()) == 40


def _fill(folder: Path, start: int) -> None:
    for number in range(start, start + 40):
        Memory(folder).around(str(number % 50), HERE, Check(done()))


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    context = get_context("spawn")
    workers = [context.Process(target=_fill, args=(tmp_path, start)) for start in (0, 10, 20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
        assert worker.exitcode == 0
    check = Check(done())
    for number in range(50):
        Memory(tmp_path).around(str(number), HERE, check)
    assert check.times == 0


KERNEL = """#include <cuda_runtime.h>
__global__ void k{n}(float *p, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += {n}; }}
"""


@pytest.mark.long
@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="checking needs g++ or clang++")
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for number in range(3):
        (tmp_path / "src" / f"f{number}.cu").write_text(KERNEL.format(n=number))
    cache = tmp_path / "cache"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MUSIFY_AI_CACHE": str(cache)}
    command = [
        sys.executable,
        "-m",
        "musify_ai",
        "migrate",
        "src",
        "--out",
        "out",
        "--arch",
        "mp_31",
        "--seeds",
        "2",
        "-j1",
    ]

    def rows() -> dict[str, float]:
        try:
            with closing(sqlite3.connect(f"file:{cache / FILE}?mode=ro", uri=True)) as connection:
                return dict(connection.execute("SELECT key, used FROM units"))
        except sqlite3.Error:
            return {}

    def wait(until: Callable[[], bool]) -> None:
        end = time.monotonic() + 240
        while not until():
            assert time.monotonic() < end
            time.sleep(0.05)

    begun = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait(lambda: bool(rows()) or begun.poll() is not None)
    begun.send_signal(signal.SIGKILL)
    begun.wait()
    kept = rows()
    assert 1 <= len(kept) < 3, "it was killed on the way"
    ended = subprocess.run(
        [*command, "--format", "json"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    after = rows()
    assert len(after) == 3
    assert set(kept) < set(after)
    # A second, undisturbed run in another place says the same of every kernel.
    environment["MUSIFY_AI_CACHE"] = str(tmp_path / "other")
    shutil.rmtree(tmp_path / "out")
    again = subprocess.run(
        [*command, "--format", "json"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert again.stdout == ended.stdout


@pytest.mark.parametrize("name", ["beside.cuh", "weights.dat", "deep/er/x.inc"])
def test_a_file_that_nobody_named_is_in_the_key(tmp_path: Path, name: str) -> None:
    for side in ("o", "t"):
        (tmp_path / side / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / side / "k.cu").write_text("")
        (tmp_path / side / name).write_text("1")

    def key() -> str:
        return tree_key(((tmp_path / "o", ("k.cu",)), (tmp_path / "t", ("k.cu",))), Options(), ())

    first = key()
    (tmp_path / "t" / name).write_text("2")
    assert key() not in (first, "")
    (tmp_path / "t" / name).unlink()
    assert key() not in (first, "")


def test_trees_too_large_to_read_are_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.cu").write_text("x" * 1000)
    monkeypatch.setattr("musify_ai.verify.remembering._MOST_BYTES", 1100)
    assert tree_key(((tmp_path, ()),), Options(), ()) == ""
