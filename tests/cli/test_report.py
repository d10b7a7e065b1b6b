"""``report``: a finished run in another format."""

import json
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def finished(musify: Command, tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("#include <cuda_runtime.h>\nint x = cudaSuccess + warpSize;\n// end\n")
    assert musify("migrate", "src", "--out", "dst", "--no-verify", "--report", "report").status == 0
    return tmp_path / "report"


@pytest.mark.parametrize(
    "format_", ["json", "markdown", "sarif", "csv", "jsonl", "github", "gitlab", "rdjsonl", "full"]
)
def test_each_format_is_as_the_run_itself_gave_it(musify: Command, finished: Path, format_: str) -> None:
    given = musify("migrate", "src", "--diff", "--report", "again")
    assert given.status == 0
    first = musify("report", "again", "--format", format_, "--source", "src")
    assert (first.status, first.err) == (0, "")
    from musify_ai.cli.output import text_of
    from musify_ai.project import migrate
    from musify_ai.records import Options

    assert first.out == text_of(migrate(Path("src"), None, Options(), way="diff"), format_)


def test_the_page_is_the_default_and_needs_the_source_for_its_lines(musify: Command, finished: Path) -> None:
    whole = musify("report", "report", "--source", "src", "-o", "page.html")
    assert (whole.status, whole.out) == (0, "")
    assert Path("page.html").read_bytes() == (finished / "report.html").read_bytes()
    bare = musify("report", finished / "report.json").out
    assert "The source was not at hand" in bare
    assert "<del>cudaSuccess</del><ins>musaSuccess</ins>" in bare


def test_a_run_comes_by_standard_input_too(musify: Command, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO((finished / "report.json").read_text()))
    assert json.loads(musify("report", "-", "--format", "json").out)["command"] == "migrate"


def test_a_file_that_changed_since_is_named(musify: Command, finished: Path) -> None:
    Path("src/a.cu").write_text("int y;\n")
    ended = musify("report", "report", "--source", "src")
    assert ended.status == 0
    assert "not in src as in the run, and shown without the lines around: a.cu" in ended.err
    assert "The source was not at hand" in ended.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "give a report folder or a JSON report"),
        (["src"], "give a report folder or a JSON report"),
        (["src/a.cu"], "no JSON"),
        (["report", "--format", "htm"], "did you mean 'html'"),
        (["report", "-o", "no/such/folder/x.html"], "cannot be written"),
    ],
)
def test_wrong_use_is_two_and_says_what_to_do(musify: Command, finished: Path, arguments: list[str], says: str) -> None:
    ended = musify("report", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err


def test_the_page_can_be_had_of_any_run(musify: Command, finished: Path) -> None:
    assert "Is it ready to migrate?" in musify("check", "--format", "html", "src").out


def test_findings_of_the_baseline_are_marked_in_the_report(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("__global__ void k(int* p) {\n  p[0] = warpSize;\n}\n")
    musify("check", "src", "--write-baseline", "known.json")
    (tmp_path / "src" / "a.cu").write_text(
        "__global__ void k(int* p) {\n  p[0] = warpSize;\n  p[1] = 2 * warpSize;\n}\n"
    )
    given = musify("migrate", "src", "--diff", "--baseline", "known.json", "--report", "report")
    assert given.status == 0
    page = Path("report/report.html").read_text()
    assert page.count(">in the baseline<") == 1
    before = page[: page.index(">in the baseline<")]
    assert before.rindex("a.cu:2") > before.rfind("a.cu:3")


@pytest.mark.parametrize(("table", "key"), [
    ("edits", "evidence"), ("edits", "safety"), ("edits", "rule"), ("edits", "source"), ("findings", "code"),
    ("findings", "severity"), ("findings", "effort"), ("findings", "message"),
])  # fmt: skip
def test_nothing_in_a_stranger_s_report_becomes_part_of_the_page(
    musify: Command, tmp_path: Path, table: str, key: str
) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n__global__ void k(int* p) { p[0] = warpSize; }\n")
    document = json.loads(musify("check", "--format", "json", "a.cu").out)
    assert document[table]
    for row in document[table]:
        row[key] = "<script>alert(1)</script>"
    (tmp_path / "r.json").write_text(json.dumps(document))
    ended = musify("report", "r.json", "--format", "html")
    assert "<script>alert(1)" not in ended.out
    assert ended.status == (2 if key in ("evidence", "safety", "severity", "effort") else 0), ended.err
    assert "internal error" not in ended.err
