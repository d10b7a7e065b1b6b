"""Translating on Ray, with a stand-in that has Ray's interface: order, deaths, failures. `pytest -m ray`
does the same with Ray itself, which takes a minute and 240 MB, and so does `python -m benchmarks.ray_workers`."""

import pickle
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.project import migrate, scheduling
from musify_ai.project.discovery import Entry
from musify_ai.project.ray_cluster import RETRIES, Died, each_done
from musify_ai.project.refusals import Refused
from musify_ai.project.treating import Manner, Treated, treat
from musify_ai.records import Options


class WorkerCrashedError(Exception):
    """As Ray raises it once a task's last retry has died."""


class StandIn(types.ModuleType):
    """Tasks are done when they are waited for, the last first; ``deaths`` says how often each one's worker dies."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.exceptions = types.ModuleType("ray.exceptions")
        self.exceptions.WorkerCrashedError = WorkerCrashedError
        self.exceptions.OutOfMemoryError = MemoryError
        self.up, self.begun, self.handed, self.most = False, 0, 0, 0
        self.deaths: dict[int, int] = {}
        self.open: list[int] = []
        self.tasks: dict[int, tuple[Callable[[Any], Any], Any, int]] = {}

    def is_initialized(self) -> bool:
        return self.up

    def init(self, **_: object) -> None:
        self.up, self.begun = True, self.begun + 1

    def shutdown(self) -> None:
        self.up = False

    def remote(self, max_retries: int, num_cpus: int) -> Callable[[Callable[[Any], Any]], Any]:
        def made(function: Callable[[Any], Any]) -> Any:
            def call(task: Any) -> int:
                self.handed += 1
                self.tasks[self.handed] = (function, pickle.loads(pickle.dumps(task)), max_retries)
                self.open.append(self.handed)
                self.most = max(self.most, len(self.open))
                return self.handed

            return types.SimpleNamespace(remote=call)

        return made

    def wait(self, references: list[int], num_returns: int) -> tuple[list[int], list[int]]:
        return [references[-1]], references[:-1]

    def get(self, reference: int) -> Any:
        self.open.remove(reference)
        function, task, retries = self.tasks[reference]
        if self.deaths.get(reference, 0) > retries:
            raise WorkerCrashedError
        return pickle.loads(pickle.dumps(function(task)))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = StandIn()
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.setitem(sys.modules, "ray.exceptions", made.exceptions)
    monkeypatch.setattr(scheduling, "_TASK_FILES", 3)
    return made


@pytest.fixture
def source(tmp_path: Path) -> Path:
    root = tmp_path / "src"
    root.mkdir()
    for number in range(20):
        (root / f"k{number:02}.cu").write_text(f'#include "k00.cu"\nvoid f{number}() {{ cudaFree(0); }}\n')
    return root


def tree(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


OPTIONS = Options(verify=False, jobs=2)


def test_the_tree_and_the_report_are_those_of_a_local_run(ray: StandIn, source: Path, tmp_path: Path) -> None:
    local = migrate(source, tmp_path / "local", OPTIONS)
    ray.deaths = {2: 1, 3: RETRIES}  # started anew elsewhere
    other = migrate(source, tmp_path / "ray", OPTIONS._replace(executor="ray"))
    assert (ray.begun, ray.handed, ray.up) == (1, 5, False)
    assert tree(tmp_path / "ray") == tree(tmp_path / "local")
    assert (other.run.files, other.run.failed) == (local.run.files, ())
    again = migrate(source, tmp_path / "ray", OPTIONS._replace(executor="ray"))
    assert again.run.files == local.run.files and ray.handed == 5  # the ledger has them


def test_the_files_of_a_task_that_kills_every_worker_are_taken_one_by_one_here(
    ray: StandIn, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray.deaths = {4: RETRIES + 1}
    alone: list[str] = []

    def noted(root: Path, entry: Entry, manner: Manner) -> Treated:
        alone.append(entry.path)
        return treat(root, entry, manner)

    monkeypatch.setattr(scheduling, "_alone", noted)
    assert migrate(source, tmp_path / "ray", OPTIONS._replace(executor="ray")).run.failed == ()
    assert alone == ["k12.cu", "k13.cu", "k14.cu", "k15.cu"]


def test_few_tasks_are_handed_over_at_once(ray: StandIn) -> None:
    done = list(each_done(lambda task: task * 2, range(100), 2))
    assert sorted(done) == [(n, n * 2) for n in range(100)] and ray.most <= 8
    ray.deaths = {105: RETRIES + 1}
    done = list(each_done(lambda task: task * 2, range(10), 2))
    assert [task for task, found in done if isinstance(found, Died)] == [4]


def test_a_cluster_that_is_there_is_used_and_left_up(ray: StandIn) -> None:
    ray.up = True
    assert len(list(each_done(abs, range(3), 1))) == 3 and ray.up and ray.begun == 0


def test_without_ray_and_without_a_cluster_a_sentence_says_so(
    ray: StandIn, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(**_: object) -> None:
        raise Exception("nobody answers")  # as Ray does where its own cluster does not come up

    monkeypatch.setenv("RAY_ADDRESS", "somewhere:6379")
    monkeypatch.setattr(ray, "init", none)
    with pytest.raises(Refused, match="no Ray cluster at somewhere:6379: nobody answers"):
        migrate(source, tmp_path / "out", OPTIONS._replace(executor="ray"))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Refused, match="pip install ray"):
        migrate(source, tmp_path / "out", OPTIONS._replace(executor="ray"))
    assert [path.name for path in tmp_path.iterdir()] == ["src"]
