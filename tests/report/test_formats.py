"""The formats of other tools: each rule of theirs that a careless writer breaks."""

import csv
import io
import json
import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest

from musify_ai.records import Edit, Failure, FileResult, Finding, Options, Related, Run, Tool, Verdict
from musify_ai.report import Texts, annotations, gitlab, junit, markdown, rdjson, sarif, table

TITLES = {"MUS301": ("Built-in warpSize", "It is 128 on mp_22.")}
SRC = "/* üü */ warpSize;\nint x;\n".encode()
AT = SRC.index(b"warpSize")


def finding(**changed: object) -> Finding:
    plain = Finding(
        "MUS301", "warning", AT, AT + 8, "a | b, 100 %\nnext: <b> @user", "hours",
        related=(Related("", 0, 3, "here too", 1, 1),), line=1, column=AT - 1, end_line=1, end_column=AT + 7,
        fingerprint="f00d",
    )  # fmt: skip
    return plain._replace(**changed)


def a_run(*findings: Finding, command: str = "check", path: str = "dir/a b.cu", **changed: object) -> Run:
    pending = Edit(AT, AT + 8, b"warpSize", b"32", "MUS301", "rule", line=1, column=AT - 1)
    file = FileResult(path, None, "unchanged", edits=(pending,), findings=findings or (finding(),))
    run = Run(Tool("musify-ai", "1.2.3", "abc"), command, Options(), (file,), (), ())
    return run._replace(**changed)


TEXTS: Texts = {"dir/a b.cu": (SRC, SRC)}
VERDICTS = (
    Verdict("a.cu", "good", 3, "float", "equal-emulated", None, ("note",), {"mp_31": "equal-emulated"}, ()),
    Verdict("a.cu", "bad", 4, None, "differs", "x < 1 & y\x01", (), {"mp_31": "differs"}, ()),
    Verdict("a.cu", "not", 5, None, "unchecked", "MUS407", (), {"mp_31": "unchecked"}, ()),
    Verdict("a.cu", "weak", 6, None, "equal-weak", "little", (), {"mp_31": "equal-weak"}, ()),
)


# ---------------------------------------------------------------- SARIF


def the_result(run: Run) -> dict[str, object]:
    log = json.loads(sarif.render(run, TEXTS, TITLES))
    (result,) = log["runs"][0]["results"]
    found: dict[str, object] = result
    return found


def test_sarif_names_its_rule_by_index_and_its_place_by_uri() -> None:
    log = json.loads(sarif.render(a_run(finding(), finding(code="MUS999", start=30, end=31)), TEXTS, TITLES))
    (run,) = log["runs"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["MUS301", "MUS999"]
    assert rules[0]["shortDescription"]["text"] == "Built-in warpSize"
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "dir/a%20b.cu", "uriBaseId": "%SRCROOT%"}
        assert result["partialFingerprints"] == {"musifyFinding/v1": "f00d"}
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": AT - 1, "endLine": 1, "endColumn": AT + 7}
    assert run["results"][0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_sarif_gives_a_suggestion_by_bytes() -> None:
    edit = Edit(AT, AT + 8, b"warpSize", b"32", "MUS301", "rule", "unsafe", line=1, column=AT - 1)
    (fix,) = the_result(a_run(finding(edit=edit)))["fixes"]  # type: ignore[misc]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement["deletedRegion"] == {"byteOffset": AT, "byteLength": 8}
    assert replacement["insertedContent"] == {"text": "32"}


def test_sarif_leaves_the_least_severe_out_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 2)
    many = [finding(severity=s, start=n, end=n + 1) for n, s in enumerate(("note", "error", "note", "warning"))]
    log = json.loads(sarif.render(a_run(*many), TEXTS, TITLES))
    (run,) = log["runs"]
    assert [result["level"] for result in run["results"]] == ["error", "warning"]
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "2 of 4 findings" in said["message"]["text"]


def test_a_failed_file_is_no_success() -> None:
    run = a_run(failed=(Failure("b.cu", "read", "broken", "mend it"),))
    (invocation,) = json.loads(sarif.render(run, TEXTS, TITLES))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "broken. mend it" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_a_path_that_is_no_utf8_is_kept() -> None:
    path = "d/\udcff%.cu"
    log = json.loads(sarif.render(a_run(path=path), TEXTS, TITLES))
    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote_to_bytes(uri) == b"d/\xff%.cu"


# ---------------------------------------------------------------- GitHub, GitLab, reviewdog


def test_annotations_are_one_line_each_worst_first() -> None:
    run = a_run(finding(severity="note"), finding(severity="error"), path="d,1/a:b.cu", verdicts=VERDICTS)
    lines = annotations.render(run, TEXTS, TITLES).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::error", "::notice"]
    assert "file=d%2C1/a%3Ab.cu,line=1,endLine=1,title=MUS301%3A Built-in warpSize" in lines[0]
    assert lines[0].endswith("::a | b, 100 %25%0Anext: <b> @user")
    assert "title=bad%3A differs" in lines[1]


def test_columns_of_a_span_of_several_lines_are_not_said() -> None:
    assert ",col=" not in annotations.render(a_run(finding(end_line=2)), TEXTS, TITLES)


def test_reviewdog_counts_columns_in_bytes_and_suggests_what_is_pending() -> None:
    rows = [json.loads(line) for line in rdjson.render(a_run(), TEXTS, TITLES).splitlines()]
    ranges = [row["location"]["range"] for row in rows]
    assert ranges == [{"start": {"line": 1, "column": AT + 1}, "end": {"line": 1, "column": AT + 9}}] * 2
    assert {row["severity"] for row in rows} == {"WARNING", "INFO"}
    (suggestion,) = next(row for row in rows if row["severity"] == "INFO")["suggestions"]
    line = SRC.splitlines()[0]
    start, end = (suggestion["range"][key]["column"] - 1 for key in ("start", "end"))
    assert line[:start] + suggestion["text"].encode() + line[end:] == "/* üü */ 32;".encode()


def test_gitlab_wants_fingerprints_that_differ() -> None:
    rows = json.loads(gitlab.render(a_run(finding(), finding(start=0), finding(fingerprint="")), TEXTS, TITLES))
    prints = [row["fingerprint"] for row in rows]
    assert len(set(prints)) == 3
    assert prints[:2] == ["f00d", "f00d-2"]
    assert rows[0]["location"] == {"path": "dir/a b.cu", "lines": {"begin": 1}}


# ---------------------------------------------------------------- JUnit, CSV, JSON lines, Markdown


def test_junit_never_passes_what_did_not_run() -> None:
    failed = (Failure("b.cu", "read", "broken", "mend it"),)
    suites = ElementTree.fromstring(junit.render(a_run(command="verify", verdicts=VERDICTS, failed=failed), {}, TITLES))
    assert (suites.get("tests"), suites.get("failures"), suites.get("skipped"), suites.get("errors")) == (
        "5",
        "1",
        "1",
        "1",
    )
    cases = {case.get("name"): case for case in suites.iter("testcase")}
    assert cases["bad"].find("failure") is not None
    assert cases["not"].find("skipped") is not None
    output = cases["good<float>"].find("system-out")
    assert output is not None
    assert (output.text or "").startswith("equal-emulated\n")
    assert len(cases["good<float>"]) == 1


def test_junit_tells_a_note_that_is_the_reason_once() -> None:
    verdict = VERDICTS[0]._replace(notes=("seen little",), reason="seen little")
    assert junit.render(a_run(command="verify", verdicts=(verdict,)), {}, TITLES).count("seen little") == 1


def test_csv_is_quoted_and_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(table.render(a_run(finding(message='=1+1, "x"')), TEXTS, TITLES))))
    assert rows[0] == list(table.FINDINGS)
    assert rows[1][6] == '\'=1+1, "x"'
    kernels = list(csv.reader(io.StringIO(table.render(a_run(command="verify", verdicts=VERDICTS), TEXTS, TITLES))))
    assert [row[2] for row in kernels] == ["kernel", "good", "bad", "not", "weak"]


def test_json_lines_are_the_rows_of_the_json() -> None:
    rows = [json.loads(line) for line in table.render_lines(a_run(verdicts=VERDICTS), TEXTS, TITLES).splitlines()]
    assert [row["type"] for row in rows] == ["finding"] + ["kernel"] * 4


def test_markdown_keeps_to_its_cells_and_length() -> None:
    text = markdown.render(a_run(verdicts=VERDICTS), TEXTS, {})
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) in (5, 6) for row in rows)
    assert "@user" not in text
    assert "**differs**" in text
    assert "good" not in text, "what is plainly equal is no reading matter"
    many = [
        Verdict("a.cu", f"kernel_{n}", n, None, "differs", "r" * 400, (), {"mp_31": "differs"}, ()) for n in range(1000)
    ]
    long = markdown.render(a_run(verdicts=tuple(many)), TEXTS, TITLES)
    assert len(long) <= markdown.MOST
    assert re.search(r"\d+ more rows", long)
    assert long.count("`kernel_") > 100


def test_markdown_says_first_whether_this_can_be_merged_and_what_to_read() -> None:
    edit = Edit(AT, AT + 8, b"warpSize", b"32", "MUS301", "rule", line=1, column=AT - 1, applied=True)
    name = edit._replace(rule="names.runtime", evidence="seen")
    note = finding(code="MUS408", severity="note", message="m", fingerprint="beef")
    run = a_run(finding(severity="error"), note, command="migrate", verdicts=VERDICTS)
    run = run._replace(files=(run.files[0]._replace(edits=(edit, name)),))
    lines = markdown.render(run, TEXTS, TITLES).splitlines()
    assert lines[2].startswith("**No: 1 kernel gives different results and 1 place does not build")
    assert "- **against:** 1 kernel gives different results" in lines
    assert "- **open:** 1 kernel was not run" in lines
    assert "1 edit of meaning, in dir/a b.cu (1)." in lines
    at = lines.index("<details><summary>1 kind of note, to be read</summary>")
    assert any("MUS408" in line for line in lines[at : lines.index("</details>")])
    assert not any("MUS408" in line for line in lines[:at])


def test_a_cut_comment_is_still_whole() -> None:
    many = tuple(
        finding(code=f"MUS{n:03}", severity="note", message="m" * 290, fingerprint=str(n)) for n in range(100, 400)
    )
    text = markdown.render(a_run(*many), TEXTS, {})
    assert len(text) <= markdown.MOST
    assert (text.count("<details>"), text.count("</details>")) == (1, 1)
    assert re.search(r"\d+ more rows", text)


@pytest.mark.parametrize(
    "render",
    [
        sarif.render,
        annotations.render,
        rdjson.render,
        gitlab.render,
        junit.render,
        table.render,
        table.render_lines,
        markdown.render,
    ],
)
def test_nothing_found_is_a_good_answer(render: Callable[[Run, Texts, dict[str, tuple[str, str]]], str]) -> None:
    run = Run(Tool("musify-ai", "1", "a"), "check", Options(), (), (), ())
    text = render(run, {}, {})
    text.encode("utf-8")
    assert "finding" not in text or "no findings" in text or "0" in text
