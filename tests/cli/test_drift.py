"""``drift`` and ``migrate --split`` as commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


def test_drift_says_what_matters_as_text_and_as_json(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("void f() { cudaFree(0); }\n// end\n")
    assert musify("migrate", "src", "--out", "dst", "--no-verify").status == 0
    ended = musify("drift", "src", "dst")
    assert ended.status == 0 and ended.out.startswith("0 files changed, 0 added, 0 removed")
    (tmp_path / "src" / "a.cu").write_text("void f() { cudaFreeHost(0); }\n// end\n")
    ended = musify("drift", "src", "dst")
    assert ended.status == 1
    assert "a.cu: changed\n  line 1, line 1 now: edit names.runtime of `cudaFree`" in ended.out
    found = json.loads(musify("drift", "src", "dst", "--format", "json").out)
    assert [(f["path"], f["change"], f["touched"][0]["code"]) for f in found["files"]] == [
        ("a.cu", "changed", "names.runtime")
    ]
    assert musify("drift", "src", "nowhere").status == 2
    assert "drift src dst" in musify("drift", "dst", "src").err
    ended = musify("drift", "src", "dst", "--format", "xml")
    assert ended.status == 2 and "unknown format" in ended.err


def test_split_is_for_clean_directories_in_place(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for words in (("--out", "dst"), ("--diff",), ("--in-place", "--allow-dirty")):
        ended = musify("migrate", "src", *words, "--split")
        assert ended.status == 2 and "--in-place" in ended.err
    ended = musify("migrate", "src", "--in-place", "--split", "--style", "alias")
    assert ended.status == 2 and "--style tokens" in ended.err


def test_burn_down_tells_each_run_and_what_moved(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text('__global__ void k() { asm volatile("bar.sync 1;"); }\n')
    assert musify("burn-down", "dst").status == 2
    musify("migrate", "src", "--out", "dst", "--no-verify")
    (tmp_path / "dst" / "a.cu").write_text("__global__ void k() { __syncthreads(); }\n")
    musify("migrate", "src", "--out", "dst", "--no-verify")
    lines = musify("burn-down", "dst").out.splitlines()
    assert [line.split()[1] for line in lines[1:3]] == ["1", "0"]
    assert lines[2].endswith("none              0 of 1") and lines[3] == "since the run before: MUS407 -1"
    found = json.loads(musify("burn-down", "dst", "--format", "json").out)
    assert [(run["open"], run["codes"]) for run in found["runs"]] == [(1, {"MUS407": 1}), (0, {})]
