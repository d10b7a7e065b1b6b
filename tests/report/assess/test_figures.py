"""The figures: what `check` found, added up, nothing twice and nothing lost."""

import json
import re
from pathlib import Path

import pytest

from musify_ai.records import Edit, FileResult, Finding, Options, Run, Tool
from musify_ai.report.assess import Assessment, assessed, document, markdown, page, text
from musify_ai.report.assess.telling import sentences, share
from tests.report.html.parsed import Page


def edit(name: bytes, start: int, rule: str = "names.runtime", **changed: object) -> Edit:
    plain = Edit(start, start + len(name), name, b"musa" + name[4:], rule, "seen", line=1, column=1)
    return plain._replace(**changed)


def finding(code: str, start: int, **changed: object) -> Finding:
    return Finding(code, "warning", start, start + 4, f"{code} here", fingerprint=f"{code}{start}")._replace(**changed)


FILES = (
    FileResult(
        "a.cu", None, "unchanged",
        edits=(
            edit(b"cudaMalloc", 0), edit(b"cudaMalloc", 20), edit(b"cudaFree", 40, evidence="table"),
            edit(b"cudaOdd", 60, evidence="prefix", safety="unsafe"), edit(b"asm", 80, "MUS401", evidence="rule"),
            edit(b"warpSize", 90, "MUS301", evidence="rule", safety="unsafe"),
        ),
        findings=(
            finding("MUS103", 60, name="cudaOdd", settled=False),  # the derived edit's own: not counted twice
            finding("MUS101", 100, name="cudaGone", settled=False, effort="hours"),
            finding("MUS110", 120, name="__frcp_rn", severity="note"),
            finding("MUS301", 90, name="warpSize"),
            finding("MUS204", 140, name="CUDA_VERSION", settled=False, severity="error"),
            finding("MUS000", 150, name="never heard of", settled=False),
        ),
    ),
    FileResult("base.h", None, "unchanged", findings=(finding("MUS303", 5, effort="hours"),)),
    FileResult("CMakeLists.txt", None, "unchanged", findings=(finding("MUS801", 5, effort="hours"),)),
    FileResult("quiet.h", None, "unchanged"),
)  # fmt: skip
RUN = Run(Tool("musify-ai", "0", "abc"), "check", Options(), FILES)
LIBRARIES = {"cudaOdd": "runtime", "cudaGone": "runtime", "__frcp_rn": "device", "CUDA_VERSION": "guards"}
INCLUDES = {"a.cu": ["quiet.h"], "quiet.h": ["base.h"], "base.h": []}


@pytest.fixture
def found() -> Assessment:
    return assessed(RUN, includes=INCLUDES, libraries=LIBRARIES, titles={"MUS303": "Vote <or> match"})


def test_each_use_of_a_name_counts_once_by_how_sure_it_is(found: Assessment) -> None:
    runtime, device = found.libraries
    assert runtime._asdict() == {
        "name": "runtime", "names": 4, "uses": 5, "seen": 2, "table": 1, "derived": 1, "unproven": 0, "none": 1,
    }  # fmt: skip
    assert (device.name, device.uses, device.unproven) == ("device", 1, 1)
    assert found.uses == 6


def test_constructs_have_their_places_and_what_rules_did(found: Assessment) -> None:
    rows = {row.code: row for row in found.constructs}
    assert (rows["MUS401"].open, rows["MUS401"].made, rows["MUS401"].offered) == (0, 1, 0)
    assert (rows["MUS301"].open, rows["MUS301"].made, rows["MUS301"].offered) == (1, 0, 1)
    assert (rows["MUS110"].open, rows["MUS110"].notes, rows["MUS110"].hours.high) == (0, 1, 0)
    assert (rows["MUS204"].errors, rows["MUS303"].title) == (1, "Vote <or> match")
    assert sum(row.open + row.notes for row in found.constructs) == found.counts.findings.total() == 8


def test_every_sum_of_hours_is_the_same(found: Assessment) -> None:
    for rows in ([w.hours for w in found.work], [c.hours for c in found.constructs], [h for *_, h in found.efforts]):
        assert sum(each.low for each in rows) == pytest.approx(found.hours.low)
        assert sum(each.high for each in rows) == pytest.approx(found.hours.high)
    assert found.hours == pytest.approx((3 * 1.0 + 4 * 0.1, 3 * 4.0 + 4 * 0.5))


def test_the_order_leads_from_leaves_to_what_includes_them_and_build_files_stand_beside(found: Assessment) -> None:
    assert [(number, [w.path for w in work]) for number, work in found.steps] == [
        (1, ["base.h"]), (2, ["a.cu"]), (0, ["CMakeLists.txt"]),
    ]  # fmt: skip
    assert {w.path: w.waiting for w in found.work} == {"a.cu": 0, "base.h": 2, "CMakeLists.txt": 0}


def test_the_sentences_hold_the_figures_and_what_they_are_not(found: Assessment) -> None:
    said = " ".join(sentences(found))
    assert "7 places in 3 files need a person: 3 to 14 hours of work" in said
    assert "33 % of 6 uses of CUDA names" in said
    assert "1 use has no plain counterpart (runtime)" in said
    assert "Nothing was compiled or run" in said
    nothing = assessed(RUN._replace(files=FILES[3:]), includes={}, libraries={}, titles={})
    assert sentences(nothing)[0] == "Nothing of CUDA was found that needs work (1 file read)."


@pytest.mark.parametrize("part", [0, 1, 999, 1000])
def test_a_share_never_claims_all_or_nothing_falsely(part: int) -> None:
    shown = share(part, 1000)
    assert (shown == "100 %") == (part == 1000)
    assert (shown == "0 %") == (part == 0)


def test_every_format_has_the_same_figures(found: Assessment) -> None:
    said = sentences(found)[0]
    shown = document.document(found)
    assert json.loads(document.render(found)) == json.loads(json.dumps(shown))
    assert shown["summary"]["findings"] == {"error": 1, "warning": 6, "note": 1}
    assert shown["summary"]["pending"] == 4
    plain, marked, html = text.render(found), markdown.render(found), page.render(found)
    assert said in " ".join(plain.split())
    assert said in marked
    parsed = Page(html)
    assert parsed.open == []
    assert said in parsed.text
    for row in shown["constructs"]:
        for written in (plain, marked, html) if row["open"] else (html,):
            assert row["code"] in written
    for work in found.work:
        for written in (plain, marked, html):
            assert work.path in written
    assert "Vote &lt;or&gt; match" in html
    assert "Vote \\<or\\> match" in marked
    assert html.count('<svg class="length"') == len(found.libraries) + 7 + len(found.work)


def test_long_lists_are_cut_and_say_so() -> None:
    files = tuple(FileResult(f"{i:03}.cu", None, "unchanged", findings=(finding("MUS301", i),)) for i in range(400))
    found = assessed(RUN._replace(files=files), includes={f.path: [] for f in files}, libraries={}, titles={})
    assert "and 385 more files: --format json has all" in text.render(found)
    assert "375 more files" in markdown.render(found)
    html = page.render(found)
    assert "200 more files, each with less" in html
    assert "and 340 more" in html
    assert len(document.document(found)["files"]) == 400


def test_hostile_paths_and_titles_are_harmless(tmp_path: Path) -> None:
    path = "<script>alert(1)</script>\x1b[2J\u202e.cu"
    file = FileResult(path, None, "unchanged", findings=(finding("MUS301", 0),))
    found = assessed(RUN._replace(files=(file,)), includes={}, libraries={}, titles={"MUS301": "<b>\x07"})
    html = page.render(found)
    assert html.count("<script>") == 1
    assert not re.search("[\x1b\x07\u202e]", html)
    assert '<b class="odd">ESC</b>' in html
