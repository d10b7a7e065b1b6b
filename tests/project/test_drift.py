"""What upstream did since a migration: which of it concerns the migration, and where."""

import sqlite3
from pathlib import Path

import pytest

from musify_ai.project import migrate
from musify_ai.project.drift import Drift, drift
from musify_ai.project.ledger import FOLDER
from musify_ai.project.refusals import Refused
from musify_ai.records import Options

OPTIONS = Options(verify=False, jobs=1)
SOURCE = """#include <cuda_runtime.h>
// one
void f() { cudaDeviceSynchronize(); }
// two
__global__ void k(float *p) { asm volatile("bar.sync 1;"); }
// three
"""


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    source = tmp_path / "src"
    source.mkdir()
    for name in ("a.cu", "b.cu", "c.cu"):
        (source / name).write_text(SOURCE)
    (source / "d.txt").write_text("text\n")
    migrate(source, tmp_path / "out", OPTIONS)
    return source, tmp_path / "out"


def told(found: Drift) -> dict[str, tuple[str, list[tuple[str, int, int]], bool]]:
    return {
        file.path: (file.change, [(each.code, each.line, each.new_line) for each in file.touched], file.matters)
        for file in found.files
    }


def test_a_tree_that_stayed_as_it_was_has_not_drifted(trees: tuple[Path, Path]) -> None:
    assert drift(*trees, OPTIONS).files == ()


def test_changes_are_told_with_the_places_that_they_touch(trees: tuple[Path, Path]) -> None:
    source, out = trees
    lines = SOURCE.splitlines(True)
    (source / "a.cu").write_text("".join(["// new\n", *lines[:2], "void f(int) { cudaDeviceReset(); }\n", *lines[3:]]))
    (source / "b.cu").write_text(SOURCE.replace("// two", "// 2"))
    (source / "c.cu").unlink()
    (source / "d.txt").write_text("other\n")
    (source / "e.cu").write_text('void g() { cudaFree(0); }\n__global__ void h() { asm("bar.sync 2;"); }\n')
    (out / "a.cu").write_text((out / "a.cu").read_text() + "// by hand\n")
    found = drift(source, out, OPTIONS)
    rows = told(found)
    assert rows["a.cu"] == ("changed", [("names.runtime", 3, 4)], True)
    assert rows["b.cu"] == ("changed", [], False) and rows["d.txt"] == ("changed", [], False)
    assert rows["c.cu"][0] == "removed" and {line for _, line, _ in rows["c.cu"][1]} == {1, 3, 5}
    assert rows["e.cu"] == ("added", [], True)
    by_path = {file.path: file for file in found.files}
    assert [path for path, file in by_path.items() if file.edited] == ["a.cu"]
    assert by_path["a.cu"].edits == 1 and by_path["a.cu"].new == ()
    assert by_path["e.cu"].edits == 1 and [finding.line for finding in by_path["e.cu"].new] == [2]
    migrate(source, out, OPTIONS)
    assert drift(source, out, OPTIONS).files == ()


def test_a_touched_finding_is_told_with_what_it_says(trees: tuple[Path, Path]) -> None:
    source, out = trees
    (source / "a.cu").write_text(SOURCE.replace("bar.sync 1;", "bar.sync 3;"))
    (file,) = drift(source, out, OPTIONS).files
    assert [(each.kind, each.line) for each in file.touched] == [("finding", 5)] and "bar" in file.touched[0].text
    assert [finding.line for finding in file.new] == [5]


def test_without_a_ledger_there_is_nothing_to_compare(trees: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has no ledger"):
        drift(trees[0], tmp_path, OPTIONS)
    with pytest.raises(Refused, match="no such directory"):
        drift(tmp_path / "gone", trees[1], OPTIONS)


def test_what_is_not_known_any_more_is_told_as_touched_and_other_styles_are_refused(
    trees: tuple[Path, Path], tmp_path: Path
) -> None:
    source, out = trees
    (source / "a.cu").write_text(SOURCE + "// four\n")
    with sqlite3.connect(out / FOLDER / "ledger.sqlite") as connection:
        connection.execute("DELETE FROM objects")
    connection.close()
    assert len(told(drift(source, out, OPTIONS))["a.cu"][1]) >= 3
    migrate(source, tmp_path / "other", OPTIONS._replace(style="rebrand"))
    with pytest.raises(Refused, match="in style 'rebrand'"):
        drift(source, tmp_path / "other", OPTIONS)
