"""A run read back from its JSON is the run: the same JSON comes of it again, and the same page."""

import json
from pathlib import Path

import pytest

from musify_ai.project import check, migrate
from musify_ai.records import Attempt, Coverage, Decided, Evidence, Finding, Mutants, Options, Program, Rewrite, Run
from musify_ai.report import html
from musify_ai.report.json_report import document, render
from musify_ai.report.reading import NoReport, read_run, texts_from, without_texts

GALLERY = Path(__file__).parents[2] / "corpus" / "gallery"


def full(run: Run) -> Run:
    """The run with the parts that few runs have."""
    row = run.verdicts[0].evidence[0]
    tried = row._replace(
        mutants=Mutants(9, 5, 1, 1, ("a",), (), ("b", "c")), coverage=Coverage(9, 8, 7, 6, ("line 3: never false",))
    )
    first, *others = run.files
    decided = Decided("waived", "kim", "2026-11-30", "not built <there>")
    opened, *rest = first.findings
    first = first._replace(findings=(opened._replace(decided=decided, settled=False, name="warpSize"), *rest))
    edit = run.files[0].edits[1]  # holds a byte that is no text
    rewrites = (Rewrite("x", "a.cu", "m", (Attempt("ab", "accepted", "d", 1, 2),), edit), Rewrite("y", "a.cu", "m"))
    verdicts = (run.verdicts[0]._replace(evidence=(tried,)), *run.verdicts[1:])
    run = run._replace(files=(first, *others))
    return run._replace(rewrites=rewrites, programs=(Program("a.cu", (row,)),), verdicts=verdicts)


def test_everything_comes_back(run: Run) -> None:
    given = full(run)
    found = read_run(render(given))
    assert document(found) == document(given)
    # NaN is no equal of itself; all else is the same record.
    assert found._replace(verdicts=(), programs=(), files=()) == given._replace(verdicts=(), programs=(), files=())
    # The JSON is in order of place, and a run need not be.
    for mine, theirs in zip(found.files, given.files, strict=True):
        assert sorted(mine.edits) == sorted(theirs.edits)
        assert mine._replace(edits=()) == theirs._replace(edits=())


def test_what_comes_back_leaves_no_field_out(run: Run) -> None:
    """The run that the test above reads back has something in every field: one that is added later, and that reading
    or writing forgets, is noticed there."""
    given = full(run)
    findings: list[Finding] = [finding for file in given.files for finding in file.findings]
    rows: list[Evidence] = [row for verdict in given.verdicts for row in verdict.evidence]
    for records in (findings, rows):
        for name, plain in type(records[0])._field_defaults.items():
            assert any(getattr(each, name) != plain for each in records), name


def test_a_real_run_makes_the_same_page(tmp_path: Path) -> None:
    outcome = migrate(GALLERY, tmp_path / "out", Options(verify=False))
    found = read_run(render(outcome.run))
    texts, other = texts_from(GALLERY, found)
    assert other == []
    shown = {f.path for f in found.files if f.edits or f.findings}
    assert {path: both for path, both in outcome.texts.items() if path in shown} == texts
    given = outcome.run._replace(options=found.options)
    assert html.render(found, texts) == html.render(given, outcome.texts)


def test_texts_are_taken_only_where_they_are_what_the_run_read(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"cudaFree(p);\n")
    (tmp_path / "b.cu").write_bytes(b"cudaFree(p);\n")
    (tmp_path / "c.cu").write_bytes(b"cudaFree(p);\n")
    found = read_run(render(migrate(tmp_path, None, Options(), way="diff").run))
    (tmp_path / "b.cu").write_bytes(b"int x; cudaFree(p);\n")
    (tmp_path / "c.cu").unlink()
    texts, other = texts_from(tmp_path, found)
    assert texts == {"a.cu": (b"cudaFree(p);\n", b"musaFree(p);\n")}
    assert other == ["b.cu", "c.cu"]
    assert without_texts(found).keys() == {"a.cu", "b.cu", "c.cu"}


def test_a_report_of_an_earlier_version_can_be_read(run: Run) -> None:
    old = document(run)
    del old["residue"]
    for edit in old["edits"]:
        del edit["source"]
    for finding in old["findings"]:
        del finding["name"], finding["settled"], finding["decided"]
        if finding["edit"]:
            del finding["edit"]["source"]
    found = read_run(json.dumps(old))
    assert [f.code for file in found.files for f in file.findings] == ["MUS301", "MUS103"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("[]", "no report of version 1"),
        ('{"version": 2}', "no report of version 1"),
        ('{"version": 1}', "not whole"),
        ('{"version": 1, "options": [], "tool": {}}', "not whole"),
    ],
)
def test_what_is_no_report_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(NoReport, match=says):
        read_run(text)


def test_a_check_comes_back_too() -> None:
    run = check([GALLERY], Options(verify=False)).run
    assert document(read_run(render(run))) == document(run)
