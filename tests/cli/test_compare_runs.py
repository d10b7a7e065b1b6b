"""``compare-runs``: what differs between two reports over the same sources."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
SOURCE = "void f() {\n  cublasGetStatusString(s);\n  cusolverDnCreate(&h);\n  cudaFree(p);\n}\n"


@pytest.fixture
def reports(musify: Command, tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "a.cu").write_text(SOURCE)
    paths = (tmp_path / "old.json", tmp_path / "new.json")
    for sdk, path in zip(("4.0", "5.2"), paths, strict=True):
        path.write_text(musify("check", "--format", "json", "--sdk", sdk, "a.cu").out)
    return paths


def test_changed_new_and_gone(musify: Command, reports: tuple[Path, Path]) -> None:
    ended = musify("compare-runs", *reports)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[1] == (
        "a.cu:2: edit: cublasGetStatusString to mublasStatus_to_string (seen, safe) -> "
        "cublasGetStatusString to mublasGetStatusString (seen, safe)"
    )
    assert any(line.startswith("a.cu:3: edit: nothing -> cusolverDnCreate to") for line in lines)
    assert any(line.startswith("a.cu:3: finding: MUS111") and line.endswith("-> nothing") for line in lines)
    assert not any("cudaFree" in line for line in lines)
    assert lines[-1].endswith("differ in 1 file")


def test_equal_runs_differ_in_nothing(musify: Command, reports: tuple[Path, Path]) -> None:
    ended = musify("compare-runs", reports[0], reports[0])
    assert ended.status == 0
    assert ended.out.splitlines()[-1] == "0 edits and 0 findings differ in 0 files"


def test_files_with_other_input_are_named_and_not_compared(
    musify: Command, reports: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text("int x;\n" + SOURCE)
    (tmp_path / "b.cu").write_text("int y;\n")
    reports[1].write_text(musify("check", "--format", "json", "a.cu", "b.cu").out)
    ended = musify("compare-runs", *reports)
    assert ended.status == 1
    assert "a.cu: other input, not compared" in ended.out
    assert "b.cu: in the second run only" in ended.out
    assert "edit:" not in ended.out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}'])
def test_another_file_is_wrong_use(musify: Command, reports: tuple[Path, Path], text: str) -> None:
    reports[1].write_text(text)
    assert musify("compare-runs", *reports).status == 2
