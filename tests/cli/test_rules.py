"""A project's own rules: begun with `rules new`, tested by `rules test`, used by the other commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

RULES = """
library = "ours"
[names]
trackedCudaMalloc = "trackedMusaMalloc"
cudaMalloc = "ourMalloc"
[headers]
"tracked_cuda.h" = "tracked_musa.h"
[report]
cudaOldThing = "see the notes"
[keep]
cudaFree = "ours"
[[case]]
source = '#include "tracked_cuda.h"'
output = '#include "tracked_musa.h"'
[[case]]
source = "trackedCudaMalloc(p); cudaMalloc(q); cudaFree(q);"
output = "trackedMusaMalloc(p); ourMalloc(q); cudaFree(q);"
[[case]]
source = "cudaOldThing();"
findings = ["cudaOldThing"]
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(RULES)
    return path


def test_what_new_writes_passes_its_own_test(musify: Command, tmp_path: Path) -> None:
    assert musify("rules", "new", "mine.toml").status == 0
    ended = musify("rules", "test", "mine.toml")
    assert (ended.status, ended.out) == (0, "2 cases, all as written\n")
    assert musify("rules", "new", "mine.toml").status == 2


def test_the_cases_are_run(musify: Command, rules: Path) -> None:
    assert musify("rules", "test", rules).status == 0
    rules.write_text(RULES.replace("ourMalloc(q); c", "musaMalloc(q); c").replace('findings = ["cudaOldThing"]', ""))
    ended = musify("rules", "test", rules)
    assert ended.status == 1
    assert "case 2: became" in ended.out
    assert "case 3: findings about cudaOldThing, not nothing" in ended.out


def test_a_name_without_a_case_fails(musify: Command, rules: Path) -> None:
    rules.write_text(RULES.replace("[headers]", 'lonelyCuda = "lonelyMusa"\n[headers]'))
    ended = musify("rules", "test", rules)
    assert ended.status == 1
    assert "lonelyCuda has no case" in ended.out


def test_the_commands_use_them_and_name_them(musify: Command, rules: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("void trackedCudaMalloc(int* p) {\n  cudaMalloc(&p, 4);\n  cudaFree(p);\n}\n")
    plain = json.loads(musify("check", "--format", "json", "a.cu").out)["tool"]["rules"]
    found = json.loads(musify("check", "--format", "json", "--rules", rules, "a.cu").out)
    assert found["tool"]["rules"].startswith(plain + "+")
    assert {edit["evidence"] for edit in found["edits"]} == {"rule"}
    assert [each["code"] for each in found["findings"]] == ["MUS107"]
    assert found["summary"]["residue"] == 0
    assert musify("fix", "--rules", rules, "a.cu").status == 1
    assert source.read_text() == "void trackedMusaMalloc(int* p) {\n  ourMalloc(&p, 4);\n  cudaFree(p);\n}\n"
    assert musify("fix", "--rules", rules, "a.cu").status == 0


def test_settings_name_them_from_where_they_are(musify: Command, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "musify-ai.toml").write_text('rules = ["ours.toml"]\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("cudaOldThing();\n")
    ended = musify("check", "src")
    assert ended.status == 1
    assert "see the notes" in ended.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[nmaes]\n", "unknown key 'nmaes'"),
        ('[names]\ncuda = "musa"\n', "bare prefix"),
        ('[names]\na = "b"\nb = "c"\n', "renamed itself"),
        ('[names]\na = "b c"\n', "no identifier"),
        ('[names]\na = "b"\n[keep]\na = "x"\n', "two sections"),
        ("[names]\na = 1\n", "must hold strings"),
        ("[[case]]\noutput = 'x'\n", "case 1: needs source"),
        ("= broken", "ours.toml"),
    ],
)
def test_files_that_are_no_rules_are_wrong_use(musify: Command, rules: Path, text: str, said: str) -> None:
    rules.write_text(text)
    for command in (("rules", "test", rules), ("check", "--rules", rules, rules)):
        ended = musify(*command)
        assert ended.status == 2
        assert said in ended.err


def test_coverage_prints_a_table_and_writes_a_page_a_library(musify: Command, tmp_path: Path) -> None:
    ended = musify("rules", "coverage", "--out", "pages")
    assert ended.status == 0
    assert ended.out.splitlines()[-1].startswith("all ")
    assert "`cudaMalloc`" in (tmp_path / "pages" / "runtime.md").read_text()
