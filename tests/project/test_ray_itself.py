"""Translating on Ray itself, with two workers of this machine, of which some are killed (``pytest -m ray``)."""

import os
from pathlib import Path

import pytest

from benchmarks.growth import grow
from benchmarks.ray_workers import Killer, state_of
from musify_ai.project import migrate, scheduling
from musify_ai.records import Options

pytestmark = [
    pytest.mark.ray,
    # Ray leaves sockets and processes to the collector, and warns of a coming default; neither is ours.
    pytest.mark.filterwarnings("ignore"),
]


def test_a_tree_is_the_same_where_workers_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "_TASK_FILES", 10)
    source = tmp_path / "src"
    grow(source, 200)
    options = Options(verify=False, jobs=2)
    local = migrate(source, tmp_path / "local", options)
    killer = Killer(2)
    other = migrate(source, tmp_path / "ray", options._replace(executor="ray"), progress=killer)
    assert killer.killed, "no worker was found to be killed"
    assert (other.run.files, other.run.failed) == (local.run.files, ())
    assert state_of(tmp_path / "ray") == state_of(tmp_path / "local")
    assert os.environ.get("RAY_USAGE_STATS_ENABLED") == "0"
