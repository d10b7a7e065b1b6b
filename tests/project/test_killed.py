"""Runs that are killed at a change of their ledger and begun again: nothing is lost, nothing is done twice."""

import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from musify_ai.project import Outcome, destination, migrate, scheduling, updating
from musify_ai.project.burning import burned
from musify_ai.project.drift import drift
from musify_ai.project.ledger import FILE, FOLDER, Ledger
from musify_ai.project.refusals import Refused
from musify_ai.project.resuming import folder_for
from musify_ai.records import Options

OPTIONS = Options(verify=False, jobs=1)
Act = Callable[[], object]


@pytest.fixture(autouse=True)
def with_bytes_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a run over many files."""
    monkeypatch.setattr(scheduling, "ASIDE_FROM", 1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    root = tmp_path / "src"
    (root / "sub dir").mkdir(parents=True)
    for number in range(4):
        (root / f"k{number}.cu").write_text(
            f'#include "sub dir/shared.cuh"\n__global__ void k{number}(float *p) {{ p[threadIdx.x] = {number}; }}\n'
            "int main() { float *p; cudaMalloc(&p, 4); cudaFree(p); }\n"
        )
    (root / "sub dir" / "shared.cuh").write_text("#include <cuda_runtime.h>\ninline void f() { cudaDeviceReset(); }\n")
    (root / "train.py").write_text("import torch\nx = torch.zeros(3, device='cuda')\n")
    (root / "README.md").write_text("read me\n")
    (root / "link").symlink_to("k0.cu")
    return root


def moved_on(source: Path) -> None:
    """What upstream did since: changed, added, removed files."""
    (source / "k1.cu").write_text((source / "k1.cu").read_text() + "void more() { cudaDeviceSynchronize(); }\n")
    (source / "k4.cu").write_text("void added() { cudaDeviceSynchronize(); }\n")
    (source / "k2.cu").unlink()
    (source / "README.md").write_text("read me twice\n")


def edited(out: Path) -> None:
    """What a person did in the result."""
    (out / "k1.cu").write_text("// by hand\n" + (out / "k1.cu").read_text())
    (out / "mine.txt").write_text("mine\n")


def tree_of(out: Path) -> dict[str, str]:
    return {
        path.relative_to(out).as_posix(): path.readlink().as_posix() if path.is_symlink() else path.read_text()
        for path in sorted(out.rglob("*"))
        if not {FOLDER, ".git"}.intersection(path.parts) and (path.is_symlink() or path.is_file())
    }


def rows_of(out: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(out / FOLDER / FILE) as connection:
        tables = ("run", "files", "outputs", "plan", "objects", "tallies")
        return {name: sorted(connection.execute(f"SELECT * FROM {name}")) for name in tables}


def killed(act: Act, arm: Callable[[Callable[[], None]], None]) -> bool:
    """Do something in a process that ``arm`` gives its own death to, and say whether it died of it."""
    child = os.fork()
    if child == 0:
        try:
            arm(lambda: os.kill(os.getpid(), signal.SIGKILL))
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def at_change(number: int, log: Path) -> Callable[[Callable[[], None]], None]:
    """Death right after the change of that number; every change is logged by state and path."""

    def arm(die: Callable[[], None]) -> None:
        count = 0

        def watch(state: str, path: str) -> None:
            nonlocal count
            count += 1
            with log.open("a") as file:
                file.write(f"{state} {path}\n")
            if count == number:
                die()

        Ledger.watch = watch

    return arm


def at_written(number: int) -> Callable[[Callable[[], None]], None]:
    """Death right after so many files were written in their place."""

    def arm(die: Callable[[], None]) -> None:
        written = []

        def watch(state: str, path: str) -> None:
            written.extend([path] if state == "written" else [])
            if len(written) == number:
                die()

        Ledger.watch = watch

    return arm


def done_twice(log: Path) -> list[str]:
    seen = [line for line in log.read_text().splitlines() if line.startswith(("translated", "written"))]
    return sorted({line for line in seen if seen.count(line) > 1})


def changes(act: Act, log: Path) -> int:
    """How many changes a run makes in its ledger."""
    assert not killed(act, at_change(-1, log))
    count = len(log.read_text().splitlines())
    log.unlink()
    return count


def spread(count: int, of: int) -> list[int]:
    return sorted({1 + round(each * (count - 1) / (of - 1)) for each in range(of)})


def test_ten_kills_of_a_new_tree(source: Path, tmp_path: Path) -> None:
    log, whole = tmp_path / "log", tmp_path / "whole"
    migrate(source, tmp_path / "warm", OPTIONS)  # loads here what each process would load for itself
    shutil.rmtree(tmp_path / "warm")
    total = changes(lambda: migrate(source, whole, OPTIONS), log)
    for number in spread(total, 10):
        out = tmp_path / f"out{number}"
        assert killed(lambda out=out: migrate(source, out, OPTIONS), at_change(number, log))
        assert not out.exists() or (out / "k0.cu").exists()  # the whole tree or none
        assert not killed(lambda out=out: migrate(source, out, OPTIONS), at_change(-1, log))
        assert done_twice(log) == [], number
        assert (tree_of(out), rows_of(out)) == (tree_of(whole), rows_of(whole)), number
        log.unlink()
    assert {path.name for path in tmp_path.iterdir()} == {"src", "whole", *(f"out{n}" for n in spread(total, 10))}


def test_ten_kills_of_a_run_over_a_tree_that_both_sides_changed(source: Path, tmp_path: Path) -> None:
    log, start, whole = tmp_path / "log", tmp_path / "start", tmp_path / "whole"
    migrate(source, start, OPTIONS)
    edited(start)
    moved_on(source)
    shutil.copytree(start, whole, symlinks=True)
    total = changes(lambda: migrate(source, whole, OPTIONS), log)
    merged = tree_of(whole)
    assert merged["k1.cu"].startswith("// by hand") and "musaDeviceSynchronize" in merged["k1.cu"]
    assert merged["mine.txt"] == "mine\n" and "k2.cu" not in merged and "k4.cu" in merged
    for number in spread(total, 10):
        out = tmp_path / f"out{number}"
        shutil.copytree(start, out, symlinks=True)
        assert killed(lambda out=out: migrate(source, out, OPTIONS), at_change(number, log))
        assert not killed(lambda out=out: migrate(source, out, OPTIONS), at_change(-1, log))
        assert done_twice(log) == [], number
        assert (tree_of(out), rows_of(out)) == (merged, rows_of(whole)), number
        log.unlink()


def test_kills_between_a_rename_and_the_note_of_it(source: Path, tmp_path: Path) -> None:
    start, whole, fresh = (tmp_path / name for name in ("start", "whole", "fresh"))

    def after_publishing(die: Callable[[], None]) -> None:
        place = destination._put_in_place

        def put(stage: Path, target: Path) -> None:
            place(stage, target)
            die()

        destination._put_in_place = put

    migrate(source, start, OPTIONS)
    assert killed(lambda: migrate(source, fresh, OPTIONS), after_publishing)
    migrate(source, fresh, OPTIONS)
    assert (tree_of(fresh), rows_of(fresh)) == (tree_of(start), rows_of(start))
    edited(start)
    moved_on(source)
    shutil.copytree(start, whole, symlinks=True)
    migrate(source, whole, OPTIONS)
    for number in range(1, 5):  # k1.cu merged, k2.cu removed, k4.cu new, README.md replaced

        def before_the_note(die: Callable[[], None], number: int = number) -> None:
            made, count = Ledger.made, 0

            def counted(self: Ledger, step: updating.Step) -> None:
                nonlocal count
                count += 1
                if count == number:
                    die()
                made(self, step)

            Ledger.made = counted

        out = tmp_path / f"out{number}"
        shutil.copytree(start, out, symlinks=True)
        assert killed(lambda out=out: migrate(source, out, OPTIONS), before_the_note)
        migrate(source, out, OPTIONS)
        assert (tree_of(out), rows_of(out)) == (tree_of(whole), rows_of(whole)), number


def test_kills_of_a_run_in_place(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(tmp_path / "cache"))
    log, place = tmp_path / "log", tmp_path / "place"

    def run() -> Outcome:
        return migrate(place, None, OPTIONS, way="in-place")

    def begin() -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        shutil.copytree(source, place, symlinks=True)
        for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "all")):
            who = ("-c", "user.name=a", "-c", "user.email=a@b")
            subprocess.run(["git", *who, *words], cwd=place, check=True)

    begin()
    total = changes(run, log)
    whole = tree_of(place)
    begin()
    outcome = run()
    for number in spread(total - 1, 7):  # after the last change the run is over
        begin()
        assert killed(run, at_change(number, log))
        assert run().run == outcome.run, number
        assert tree_of(place) == whole, number
        assert done_twice(log) == [], number
        log.unlink()
    begin()
    assert killed(run, at_change(total - 2, log))
    (place / ".train.py.abc.musify-ai").write_text("half")  # as a kill between write and rename leaves it
    assert run().run == outcome.run
    assert tree_of(place) == whole
    begin()
    assert killed(run, at_change(total - 2, log))
    (place / "README.md").write_text("changed by hand")
    with pytest.raises(Refused, match=r"changes that are not committed \(README.md\)"):
        run()


def test_a_damaged_ledger_of_a_killed_run_in_place_loses_nothing_and_says_so(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(tmp_path / "cache"))
    whole, place = tmp_path / "whole", tmp_path / "place"
    shutil.copytree(source, whole, symlinks=True)
    migrate(whole, None, OPTIONS, way="in-place")
    damages = {
        "UPDATE files SET final = '{' WHERE final != ''": ["k0.cu", "k1.cu"],
        """UPDATE files SET final = '{"result": {}}', verdicts = '[[1]]'""": [".", "k0.cu", "k1.cu"],
        "UPDATE files SET final = '[]', first = '[]'": ["k0.cu", "k1.cu"],
        "UPDATE files SET final = 7": ["k0.cu", "k1.cu"],
        "DELETE FROM objects": ["k2.cu", "k3.cu", "sub dir/shared.cuh", "train.py"],
    }
    for damage, failed in damages.items():
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(source, place, symlinks=True)
        assert killed(lambda: migrate(place, None, OPTIONS, way="in-place"), at_written(2))
        with sqlite3.connect(folder_for(place) / FILE) as connection:
            connection.execute(damage)
        outcome = migrate(place, None, OPTIONS, way="in-place")
        assert [failure.path for failure in outcome.run.failed] == failed, damage
        assert all("damaged" in each.error or "cannot be read" in each.error for each in outcome.run.failed), damage
        assert migrate(place, None, OPTIONS, way="in-place").run.failed == ()
        assert tree_of(place) == tree_of(whole), damage


def test_a_damaged_history_or_plan_is_told_and_not_guessed_at(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = migrate(source, out, OPTIONS)
    damages: list[tuple[str, Act]] = [
        ("UPDATE tallies SET tally = '[1'", lambda: burned(out)),
        ("UPDATE outputs SET place = char(0) || 'x' WHERE place = 'k0.cu'", lambda: migrate(source, out, OPTIONS)),
        ("INSERT INTO plan VALUES ('a', '', '', '', '', 'x')", lambda: migrate(source, out, OPTIONS)),
        ("UPDATE files SET final = '{', first = '{' WHERE path = 'k0.cu'", lambda: drift(source, out, OPTIONS)),
    ]
    kept = (out / FOLDER / FILE).read_bytes()
    for damage, act in damages:
        with sqlite3.connect(out / FOLDER / FILE) as connection:
            connection.execute(damage)
        with pytest.raises(Refused, match=r"damaged|cannot be read"):
            act()
        (out / FOLDER / FILE).write_bytes(kept)
    with sqlite3.connect(out / FOLDER / FILE) as connection:
        connection.execute("UPDATE files SET verdicts = '[[1]]'")
    assert migrate(source, out, OPTIONS).run.verdicts == outcome.run.verdicts
