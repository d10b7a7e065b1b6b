"""The JSON object, key by key: other programs read it."""

import json
from typing import Any

import pytest

from musify_ai.records import Attempt, Edit, FileResult, Options, Program, Rewrite, Run, Tool
from musify_ai.report.json_report import document, number, render


def test_the_object_has_just_these_keys(run: Run) -> None:
    found = document(run)
    assert list(found) == [
        "version", "tool", "command", "options", "summary", "files", "edits", "findings", "kernels", "residue",
        "failed",
    ]  # fmt: skip
    assert found["version"] == 1
    assert found["tool"] == {"name": "musify-ai", "version": "0.1.0", "rules": "abc"}
    assert found["command"] == "migrate"
    assert found["options"] == {"style": "tokens", "sdk": "5.2", "archs": ["mp_22", "mp_31"]}


def test_whole_programs_are_there_where_they_were_run(run: Run) -> None:
    kernel = run.verdicts[0].evidence[0]
    rows = (kernel._replace(detail="rests on x"), kernel._replace(arch="mp_31", outcome="equal-emulated", detail=""))
    (shown,) = document(run._replace(command="verify", programs=(Program("a.cu", rows),)))["programs"]
    assert [row["arch"] for row in shown.pop("evidence")] == ["mp_22", "mp_31"]
    assert shown == {
        "path": "a.cu",
        "headline": "equal-assumed",
        "reason": "rests on x",
        "by_arch": {"mp_22": "equal-assumed", "mp_31": "equal-emulated"},
    }


def test_the_summary(run: Run) -> None:
    assert document(run)["summary"] == {
        "files": 3,
        "changed": 1,
        "failed": 1,
        "pending": 0,
        "residue": 1,
        "residue_pattern": 2,
        "build_files": "none",
        "edits": {
            "made": 1,
            "pending": 0,
            "offered": 1,
            "shown": 1,
            "meaning": 0,
            "by_evidence": {"seen": 1, "table": 0, "prefix": 1, "rule": 1, "llm": 0},
            "by_rule": {"MUS601": 1, "names.runtime": 2},
        },
        "findings": {"MUS103": 1, "MUS301": 1},
        "severities": {"error": 0, "warning": 2, "note": 0},
        "decided": {"accepted": 0, "waived": 0, "assigned": 0, "baseline": 0},
        "kernels": {"differs": 1, "equal-assumed": 1},
    }


def test_a_file_an_edit_and_a_finding(run: Run) -> None:
    found = document(run)
    assert found["files"][0] == {
        "path": "a.cu",
        "output": "a.cu",
        "status": "changed",
        "reason": None,
        "encoding": "unknown-8bit",
        "sha256": {"before": "s1", "after": "s2"},
    }
    edit = {
        "id": "a.cu:15:names.runtime",
        "path": "a.cu",
        "start": 15,
        "end": 23,
        "line": 2,
        "column": 1,
        "old": "cudaFree",
        "new": "musaFree",
        "rule": "names.runtime",
        "evidence": "seen",
        "safety": "safe",
        "source": "seen <somewhere>",
        "applied": True,
    }
    assert found["edits"][0] == edit
    assert list(found["edits"][0]) == list(edit)
    derived, warp = found["findings"][1], found["findings"][0]
    assert list(warp) == [
        "id", "fingerprint", "code", "severity", "path", "start", "end", "line", "column", "end_line", "end_column",
        "name", "message", "effort", "settled", "decided", "edit", "related",
    ]  # fmt: skip
    assert (warp["id"], warp["edit"], warp["effort"]) == ("a.cu:30:MUS301", None, "hours")
    assert [(r["path"], r["line"]) for r in warp["related"]] == [("a.cu", 1), ("b.cu", 7)]
    assert derived["edit"]["new"] == "musaNew"
    assert derived["edit"]["applied"] is False


def test_names_left_over_are_told_with_their_places(run: Run) -> None:
    assert document(run)["residue"] == [
        {"path": "a.cu", "start": 5, "end": 6, "name": "cudaLeft", "known": True},
        {"path": "a.cu", "start": 7, "end": 8, "name": "cuOdd", "known": False},
        {"path": "a.cu", "start": 9, "end": 10, "name": "cuOdder", "known": False},
    ]


def test_what_a_model_was_asked_is_there_where_one_was(run: Run) -> None:
    edit = run.files[0].edits[0]
    asked = Rewrite("a.cu:30:MUS301", "a.cu", "m", (Attempt("ab", "accepted", "fine", 10, 2),), edit)
    (shown,) = document(run._replace(rewrites=(asked,)))["rewrites"]
    assert shown.pop("accepted")["new"] == "musaFree"
    assert shown == {
        "finding": "a.cu:30:MUS301",
        "path": "a.cu",
        "model": "m",
        "attempts": [
            {"prompt_sha256": "ab", "outcome": "accepted", "detail": "fine", "tokens_in": 10, "tokens_out": 2}
        ],
    }


def test_a_kernel_and_its_evidence(run: Run) -> None:
    kernel = document(run)["kernels"][0]
    assert list(kernel) == [
        "id", "path", "name", "line", "instantiation", "headline", "reason", "notes", "by_arch", "evidence",
    ]  # fmt: skip
    assert kernel["id"] == "a.cu:k<float, 4>"
    assert kernel["by_arch"] == {"mp_22": "equal-assumed", "mp_31": "equal-emulated"}
    assert kernel["evidence"] == [
        {
            "method": "emulated",
            "backend": ["cuda", "musa"],
            "arch": "mp_22",
            "lanes": 128,
            "seeds": [1, 2, 3],
            "schedules": ["forward"],
            "poison": [0, 165],
            "buffers": [
                {"name": "y", "elements": 1000, "varies": True, "worst_error": 0},
                {"name": "z", "elements": 3, "varies": False, "worst_error": "nan"},
            ],
            "tolerance": 0,
            "assumptions": ["warp128-ballot-segment"],
            "outcome": "equal-assumed",
            "detail": "fine",
            "repeat": "musify-ai verify a b",
        }
    ]


def test_text_and_paths_that_are_no_utf8_are_kept_in_base64(run: Run) -> None:
    found = document(run)
    assert found["edits"][1]["old"] == {"base64": "/w=="}
    assert found["failed"] == [{"path": {"base64": "Y/8uY3U="}, "stage": "read", "error": "broken", "hint": "mend it"}]


def test_it_is_strict_json_in_ascii(run: Run) -> None:
    def refuse(name: str) -> Any:
        raise AssertionError(name)

    text = render(run)
    assert text.isascii()
    assert text.endswith("\n")
    assert json.loads(text, parse_constant=refuse) == document(run)


@pytest.mark.parametrize(
    ("value", "written"), [(0.0, 0), (1.5, 1.5), (float("inf"), "inf"), (float("-inf"), "-inf"), (1e300, 1e300)]
)
def test_numbers(value: float, written: object) -> None:
    assert number(value) == written


def test_ids_are_given_once_and_lists_are_in_order() -> None:
    def edit(start: int) -> Edit:
        return Edit(start, start, b"", b"x", "MUS201", "rule")

    files = (
        FileResult("b", None, "unchanged", edits=(edit(3), edit(3), edit(1))),
        FileResult("a", None, "unchanged", edits=(edit(9),)),
    )
    found = document(Run(Tool("musify-ai", "0", ""), "check", Options(), files))
    assert [e["id"] for e in found["edits"]] == ["a:9:MUS201", "b:1:MUS201", "b:3:MUS201", "b:3:MUS201#2"]
    assert [f["path"] for f in found["files"]] == ["a", "b"]
