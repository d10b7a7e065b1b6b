"""``assess``: the figures of `check`, added up; nothing written beside what was asked for."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
GALLERY = Path(__file__).parents[2] / "corpus" / "gallery"


def test_its_counts_are_those_of_check(musify: Command) -> None:
    found = json.loads(musify("assess", GALLERY, "--format", "json").out)
    checked = json.loads(musify("check", GALLERY, "--format", "json").out)
    assert found["summary"]["files"] == checked["summary"]["files"]
    assert found["summary"]["pending"] == checked["summary"]["pending"]
    for severity in ("error", "warning", "note"):
        wanted = sum(each["severity"] == severity for each in checked["findings"])
        assert found["summary"]["findings"][severity] == wanted
    by_code = {row["code"]: row["open"] + row["notes"] for row in found["constructs"] if row["open"] + row["notes"]}
    assert by_code == checked["summary"]["findings"]
    made = checked["summary"]["edits"]["by_rule"]
    assert {
        row["code"]: row["made"] + row["offered"] for row in found["constructs"] if row["made"] + row["offered"]
    } == {code: number for code, number in made.items() if code.startswith("MUS")}
    named = sum(number for rule, number in made.items() if rule.startswith(("names.", "headers.")))
    assert sum(lib["seen"] + lib["table"] + lib["derived"] for lib in found["libraries"]) == named
    assert all(not str(each["path"]).startswith("/") for each in found["files"])


def test_leaf_headers_come_first_in_a_real_tree(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "p" / "inc").mkdir(parents=True)
    vote = "__device__ int f(int x) { return __ballot_sync(~0u, x); }\n"
    (tmp_path / "p" / "inc" / "leaf.cuh").write_text(vote)
    (tmp_path / "p" / "inc" / "mid.cuh").write_text('#include "leaf.cuh"\n')
    (tmp_path / "p" / "main.cu").write_text('#include "inc/mid.cuh"\n' + vote.replace("f(", "g("))
    found = json.loads(musify("assess", "p", "--format", "json").out)
    assert found["order"] == [{"step": 1, "files": ["inc/leaf.cuh"]}, {"step": 2, "files": ["main.cu"]}]
    assert {each["path"]: each["waiting"] for each in found["files"]} == {"inc/leaf.cuh": 2, "main.cu": 0}


@pytest.mark.parametrize(
    ("format_", "begins"),
    [("text", r"\d+ places in "), ("markdown", "## What"), ("html", "<!doctype html>"), ("json", "{")],
)
def test_each_format_to_the_screen_and_to_a_file(musify: Command, format_: str, begins: str) -> None:
    shown = musify("assess", GALLERY, "--format", format_)
    assert (shown.status, shown.err) == (0, "")
    assert re.match(begins, shown.out)
    assert musify("assess", GALLERY, "--format", format_, "-o", "out").out == ""
    assert Path("out").read_text(encoding="utf-8") == shown.out


def test_one_file_and_wrong_use(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int x = cudaSuccess;\n")
    assert "100 % of 1 use of CUDA names" in musify("assess", "a.cu").out
    assert (tmp_path / "a.cu").read_text() == "int x = cudaSuccess;\n"
    assert musify("assess", "nowhere").status == 2
    wrong = musify("assess", "a.cu", "--format", "htm")
    assert (wrong.status, wrong.out) == (2, "")
    assert "did you mean 'html'" in wrong.err


def test_a_file_that_failed_is_told_and_is_one(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "gone.cu").symlink_to("nowhere.cu")
    ended = musify("assess", "p")
    assert ended.status == 1
    assert "1 file could not be read or translated" in ended.out


def test_a_file_that_could_not_be_read_comes_before_all_other_work(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.cu").write_text("<<<<<<< HEAD\nvoid f() { cudaFree(0); }\n=======\n>>>>>>> other\n")
    (tmp_path / "p" / "b.cu").write_text("__device__ int f(int x) { return __ballot_sync(~0u, x); }\n")
    first, *rest = json.loads(musify("assess", "p", "--format", "json").out)["order"]
    assert first == {"step": -1, "files": ["a.cu"]} and [row["files"] for row in rest] == [["b.cu"]]
    for format_ in ("text", "markdown", "html"):
        text = musify("assess", "p", "--format", format_).out
        assert "Before all else: files that could not be read" in text and "a.cu" in text
