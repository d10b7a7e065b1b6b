"""``check --baseline`` and ``--statistics``: what was accepted is left out, wherever it has moved to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
BEFORE = '__global__ void k(int* p) {\n  p[0] = warpSize;\n  asm("exotic.op %0;" : "=r"(p[1]));\n}\n'


@pytest.fixture
def accepted(musify: Command, tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(BEFORE)
    assert musify("check", "a.cu").status == 1
    assert musify("check", "--write-baseline", "known.json", "a.cu").status == 0
    return tmp_path


def test_what_was_accepted_does_not_fail_again(musify: Command, accepted: Path) -> None:
    ended = musify("check", "--baseline", "known.json", "a.cu")
    assert ended.status == 0
    assert "2 findings are in the baseline" in ended.err
    assert "MUS" not in ended.out


def test_fifty_lines_above_and_another_indentation_change_nothing(musify: Command, accepted: Path) -> None:
    moved = "// a line\n" * 50 + BEFORE.replace("  p[0]", "\tp[0]")
    (accepted / "a.cu").write_text(moved)
    assert musify("check", "--baseline", "known.json", "a.cu").status == 0


def test_a_new_finding_counts_and_only_that(musify: Command, accepted: Path) -> None:
    (accepted / "a.cu").write_text(BEFORE.replace("p[0] = warpSize;", "p[0] = warpSize;\n  p[2] = 2 * warpSize;"))
    ended = musify("check", "--baseline", "known.json", "--format", "json", "a.cu")
    assert ended.status == 1
    assert [each["line"] for each in json.loads(ended.out)["findings"]] == [3]


def test_a_second_finding_on_an_equal_line_is_new(musify: Command, accepted: Path) -> None:
    (accepted / "a.cu").write_text(BEFORE.replace("p[0] = warpSize;", "p[0] = warpSize;\n  p[0] = warpSize;"))
    assert musify("check", "--baseline", "known.json", "a.cu").status == 1


def test_what_is_gone_is_said(musify: Command, accepted: Path) -> None:
    (accepted / "a.cu").write_text("int x;\n")
    ended = musify("check", "--baseline", "known.json", "a.cu")
    assert ended.status == 0
    assert "; 2 that it holds are gone: write it anew" in ended.err
    (accepted / "a.cu").write_text(BEFORE.replace("p[0] = warpSize;", "p[0] = 1;"))
    assert "; 1 that it holds is gone: write it anew" in musify("check", "--baseline", "known.json", "a.cu").err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 9, "findings": []}',
        '{"format": 1, "findings": []}',
        '{"format": 2, "findings": [1]}',
    ],
)
def test_another_file_is_refused(musify: Command, accepted: Path, text: str) -> None:
    (accepted / "known.json").write_text(text)
    ended = musify("check", "--baseline", "known.json", "a.cu")
    assert ended.status == 2
    assert "--write-baseline" in ended.err


def test_a_baseline_holds_wherever_one_stands(musify: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "src" / "a.cu").write_text(BEFORE)
    assert musify("check", "one/src", "--write-baseline", "one/known.json").status == 0
    assert '"src/a.cu"' in (tmp_path / "one" / "known.json").read_text()
    assert musify("check", "one", "--baseline", "one/known.json").status == 0
    assert musify("migrate", "one", "--diff", "--baseline", "one/known.json", "--fail-on", "new").status == 0
    # Another project has a file of the same name, and nobody has accepted what is there.
    assert musify("check", "two", "--baseline", "one/known.json").status == 1
    monkeypatch.chdir(tmp_path / "one" / "src")
    assert musify("check", "a.cu", "--baseline", "../known.json").status == 0
    monkeypatch.chdir(tmp_path / "two")
    assert musify("check", "src", "--baseline", "../one/known.json").status == 1
    # It goes with its project.
    (tmp_path / "one").rename(tmp_path / "three")
    monkeypatch.chdir(tmp_path / "three")
    assert musify("check", "src", "--baseline", "known.json").status == 0


def test_statistics_count_by_code_the_most_frequent_first(musify: Command, accepted: Path) -> None:
    (accepted / "a.cu").write_text(BEFORE.replace("p[0] = warpSize;", "p[0] = warpSize + warpSize;"))
    lines = musify("check", "--statistics", "a.cu").out.splitlines()
    assert lines[0].split()[:2] == ["2", "MUS301"]
    assert "2 by --unsafe-fixes" in lines[0]
    assert lines[-1] == "3 findings in 1 of 1 file"
    assert musify("check", "--statistics", "--select", "MUS4", "a.cu").out.splitlines()[-1].startswith("1 finding in ")


def test_fail_on_new_is_for_what_the_baseline_lacks(musify: Command, accepted: Path) -> None:
    (accepted / "src").mkdir()
    (accepted / "a.cu").rename(accepted / "src" / "a.cu")
    musify("check", "--write-baseline", "known.json", "src")
    asked = ("--baseline", "known.json", "--fail-on", "new", "--no-verify")
    assert musify("migrate", "src", "--out", "out", *asked).status == 0
    assert musify("migrate", "src", "--out", "out", "--fail-on", "findings", "--no-verify").status == 1
    (accepted / "src" / "b.cu").write_text("void f() { cutensorCreate(&h); }\n")
    assert musify("migrate", "src", "--out", "out", *asked).status == 1
    assert musify("migrate", "src", "--out", "out", *asked, "--ignore", "MUS1").status == 0
    (accepted / "musify-ai.toml").write_text('baseline = "known.json"\nfail-on = ["new"]\n')
    assert musify("check", "src/a.cu").status == 0
    assert musify("migrate", "src", "--out", "out", "--no-verify").status == 1


def test_a_baseline_that_cannot_be_read_stops_a_fix_before_it_writes(musify: Command, accepted: Path) -> None:
    (accepted / "b.cu").write_text("void f() { cudaFree(p); }\n")
    assert musify("fix", "--baseline", "nowhere.json", "b.cu").status == 2
    assert (accepted / "b.cu").read_text() == "void f() { cudaFree(p); }\n"
    assert musify("fix", "--baseline", "known.json", "b.cu").status == 1
