"""Every format says the same numbers of one run: those that `counts` gives, which are checked here by hand."""

import csv
import io
import json
import re
from typing import Literal

import pytest

from musify_ai.records import Decided, Edit, FileResult, Finding, Options, Run, Tool, Verdict
from musify_ai.records.changes import Grade, Safety, Severity
from musify_ai.report import annotations, gitlab, html, json_report, markdown, rdjson, sarif, statistics, table, text
from musify_ai.report.assess import assessed, document, page
from musify_ai.report.assess import markdown as assess_markdown
from musify_ai.report.counts import counts
from musify_ai.report.merging import answer
from tests.report.html.parsed import Page

SRC = b"cudaFree(p);\n" * 40
WAIVED = Decided("waived", "kim", "2026-11-30", "not built <there>")
ASSIGNED = Decided("assigned", "lee", "2026-11-30", "knows it", "kim")


def edit(line: int, rule: str, grade: Grade, safety: Safety = "safe", *, applied: bool) -> Edit:
    start = (line - 1) * 13
    return Edit(start, start + 8, b"cudaFree", b"musaFree", rule, grade, safety, "", applied, line, 1)


def finding(line: int, severity: Severity, decided: Decided | None = None, code: str = "MUS301") -> Finding:
    start = (line - 1) * 13
    return Finding(
        code, severity, start, start + 8, f"say {severity}", "hours", line=line, column=1, end_line=line, end_column=9,
        fingerprint=f"f{line}", decided=decided,
    )  # fmt: skip


def a_run(command: Literal["check", "migrate"]) -> Run:
    """Edits: 7 made or pending (5 renames, 2 of meaning in two files), 3 offered, 1 to be looked at. Findings: 2
    errors, 3 warnings (1 assigned), 4 notes; 2 closed ones beside."""
    made = command == "migrate"
    first = FileResult(
        "a.cu", None, "changed" if made else "unchanged",
        edits=(
            *(edit(n, "names.runtime", "seen", applied=made) for n in range(1, 5)),
            edit(5, "names.runtime", "table", applied=made),
            edit(6, "MUS201", "rule", applied=made),
            *(edit(n, "names.runtime", "prefix", "unsafe", applied=False) for n in range(7, 10)),
            edit(10, "MUS601", "rule", "display", applied=False),
        ),
        findings=(
            finding(12, "error"), finding(13, "error"), finding(14, "warning"), finding(15, "warning", ASSIGNED),
            finding(16, "error", WAIVED), *(finding(n, "note") for n in range(17, 21)),
        ),
    )  # fmt: skip
    second = FileResult(
        "b.cu", None, "changed" if made else "unchanged",
        edits=(edit(1, "MUS301", "rule", applied=made),),
        findings=(finding(2, "warning", code="MUS405"), finding(3, "warning", WAIVED._replace(state="accepted"))),
    )  # fmt: skip
    verdicts = tuple(Verdict("a.cu", f"k{n}", n, None, "equal-emulated", None, (), {}, ()) for n in range(4))
    return Run(Tool("musify-ai", "1", "abc"), command, Options(), (first, second), verdicts if made else ())


TEXTS = {"a.cu": (SRC, SRC), "b.cu": (SRC, SRC)}


def number(pattern: str, said: str) -> int:
    found = re.search(pattern, said)
    assert found, (pattern, said)
    return int(found[1])


@pytest.mark.parametrize("command", ["check", "migrate"])
def test_every_format_says_the_same(command: Literal["check", "migrate"]) -> None:
    run = a_run(command)
    made = command == "migrate"
    found = counts(run)
    assert (found.edits, found.made, found.pending) == (7, 7 if made else 0, 0 if made else 7)
    assert (found.offered, found.shown, found.meaning, found.meaning_files) == (3, 1, 2, 2)
    assert found.findings == {"error": 2, "warning": 3, "note": 4}
    assert found.codes == {"MUS301": 8, "MUS405": 1}
    assert found.decided == {"accepted": 1, "waived": 1, "assigned": 1, "baseline": 0}

    whole = json_report.document(run)
    summary = whole["summary"]
    assert summary["pending"] == summary["edits"]["pending"] == found.pending
    assert (summary["edits"]["made"], summary["edits"]["offered"], summary["edits"]["meaning"]) == (found.made, 3, 2)
    assert summary["severities"] == found.findings
    assert summary["findings"] == found.codes
    assert summary["decided"] == found.decided
    closed = [row for row in whole["findings"] if (row["decided"] or {}).get("state") in ("accepted", "waived")]
    assert len(whole["findings"]) == found.findings.total() + len(closed)

    said = text.render(run, TEXTS)
    decided = "1 accepted, 1 waived, 1 assigned"
    assert decided in said
    if made:
        assert "edits        7 made: 4 seen, 2 rule, 1 table" in said
        assert "read first   2 edits of meaning in 2 files" in said
        assert "not applied  3 unsafe edits" in said
        assert "findings     9: 2 errors, 3 warnings, 4 notes" in said
        assert "kernels      4: 4 equal-emulated" in said
    else:
        assert f"2 files checked, 9 findings (2 errors, 3 warnings, 4 notes), {decided}, 7 edits pending" in said
        assert said.count(": MUS") == 9
    full = text.render(run, TEXTS, full=True)
    assert full.count(": MUS") == 11
    assert "say error [waived by kim, 2026-11-30: not built <there>]" in full

    said = markdown.render(run, TEXTS)
    assert f"2 files, 7 edits {'made' if made else 'pending'}, 3 unsafe edits offered; 2 errors, 3 warnings" in said
    assert "2 edits of meaning, in a.cu (1), b.cu (1)." in said
    assert decided in said
    assert "waived by kim, 2026-11-30: not built \\<there\\>" in said
    assert (
        sum(int(row.split("|")[4]) for row in said.splitlines() if row.startswith("| MUS") and row.count("|") == 6) == 9
    )

    said = Page(html.render(run, TEXTS)).text
    assert number(r"Findings by effort (\d+)", said) == 9
    assert number(r"(?:Edits|Edits pending) by evidence (\d+)", said) == 7
    assert number(r"unsafe offered, not made (\d+)", said) == 3
    assert number(r"Meaning (\d+)", said) == number(r"Edits of meaning (\d+) in 2 files", said) == 2
    assert f"Decided by persons: {decided}." in said
    assert "assigned to lee by kim, 2026-11-30: knows it" in said

    assert statistics.render(run, str).splitlines()[-1] == f"9 findings in 2 of 2 files; {decided}"
    reasons = [reason.text for reason in answer(run).reasons]
    assert "2 places do not build or run on MUSA as written" in reasons
    assert "3 more places need a decision" in reasons
    assert "2 findings were accepted or waived" in reasons

    rows = list(csv.DictReader(io.StringIO(table.render(run, TEXTS))))
    assert [row["decided"] for row in rows].count("") == 8
    assert len(rows) == 11
    log = json.loads(sarif.render(run, TEXTS))["runs"][0]
    assert len(log["results"]) == 9
    assert "2 findings were accepted or waived" in json.dumps(log["invocations"])
    assert len(json.loads(gitlab.render(run, TEXTS))) == 9
    assert annotations.render(run, TEXTS).count("say ") == 9
    assert "[assigned to lee by kim" in annotations.render(run, TEXTS)
    assert rdjson.render(run, TEXTS).count("say ") == 9


def test_an_assessment_counts_the_same_as_the_check_it_is_made_of() -> None:
    run = a_run("check")
    found = assessed(run, includes={}, libraries={}, titles={})
    summary = document.document(found)["summary"]
    assert summary["findings"] == {"error": 2, "warning": 3, "note": 4}
    assert summary["decided"]["waived"] == 1
    assert summary["pending"] == 7
    assert sum(row.open for row in found.constructs) == 5 == sum(n for _, n, _ in found.efforts)
    assert sum(row.closed for row in found.constructs) == 2
    said = "1 accepted, 1 waived, 1 assigned; what was accepted or waived counts as nothing here"
    assert said in assess_markdown.render(found)
    assert said in page.render(found)
    assert "Findings 9" in Page(page.render(found)).text
    # Two hours each at least, four at most for the three that are open, and none for the closed.
    assert found.hours == assessed(
        run._replace(
            files=tuple(f._replace(findings=tuple(x for x in f.findings if not x.closed)) for f in run.files)
        ),
        includes={}, libraries={}, titles={},
    ).hours  # fmt: skip
