"""What persons decide of findings: kept with name and reason, found again, and gone when the line changes."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
SOURCE = '__global__ void k(int* p) {\n  p[0] = warpSize;\n  asm("exotic.op %0;" : "=r"(p[1]));\n}\n'
WHY = ("--reason", 'it is "right" \\ as\tit stands: größe', "--by", "kim")


@pytest.fixture
def project(musify: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    (tmp_path / "src" / "b.cu").write_text(SOURCE)
    return tmp_path


def found(ended: Any) -> list[tuple[str, str]]:
    """The findings that nobody has closed."""
    states = ("accepted", "waived")
    return [
        (each["path"], each["code"])
        for each in json.loads(ended.out)["findings"]
        if not each["decided"] or each["decided"]["state"] not in states
    ]


def test_what_is_decided_no_longer_counts_and_says_who_and_why(musify: Command, project: Path) -> None:
    ended = musify("triage", "accept", "src/a.cu:2", "--code", "MUS301", *WHY)
    assert ended.status == 0, ended.err
    (row,) = tomllib.loads((project / "musify-triage.toml").read_text("utf-8"))["decision"]
    assert (row["state"], row["code"], row["path"], row["line"], row["name"]) == (
        "accepted",
        "MUS301",
        "src/a.cu",
        2,
        "kim",
    )
    assert row["reason"] == WHY[1]
    ended = musify("check", "--format", "json", "src")
    assert ended.status == 1
    assert ("src/a.cu", "MUS301") not in found(ended)
    assert ("src/b.cu", "MUS301") in found(ended)
    assert json.loads(ended.out)["summary"]["decided"] == {"accepted": 1, "waived": 0, "assigned": 0, "baseline": 0}
    musify("triage", "waive", "src", *WHY)
    ended = musify("check", "src")
    assert (ended.status, "MUS" in ended.out, "4 waived" in ended.out) == (0, False, True)


def test_it_survives_lines_above_and_ends_with_its_own_line(musify: Command, project: Path) -> None:
    musify("triage", "waive", "src/a.cu", *WHY)
    (project / "src" / "a.cu").write_text("// more\n" * 9 + SOURCE)
    assert musify("check", "src/a.cu").status == 0
    (project / "src" / "a.cu").write_text(SOURCE.replace("p[0] = warpSize", "p[0] = 2 * warpSize"))
    assert found(musify("check", "--format", "json", "src/a.cu")) == [("src/a.cu", "MUS301")]
    listed = musify("triage", "list", "src")
    assert "src/a.cu:2: MUS301 waived, and gone" in listed.out
    assert musify("triage", "drop", "src/a.cu:2", "--code", "MUS301").status == 0
    assert "gone" not in musify("triage", "list", "src").out


def test_what_is_assigned_goes_on_counting(musify: Command, project: Path) -> None:
    assert musify("triage", "assign", "src/a.cu", "--to", "lee", "--by", "kim", "--reason", "knows it").status == 0
    ended = musify("check", "src/a.cu")
    assert ended.status == 1
    assert "[assigned to lee by kim, " in ended.out
    listed = musify("triage", "list", "src").out
    assert "assigned to lee by kim" in listed
    assert listed.splitlines()[-1].endswith("0 accepted, 0 waived, 2 assigned")


def test_it_holds_from_any_folder_and_for_a_migration(
    musify: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    musify("triage", "accept", "src", *WHY)
    asked = ("--out", "../out", "--no-verify", "--fail-on", "findings", "--report", "../report")
    monkeypatch.chdir(project / "src")
    assert musify("check", "a.cu").status == 0
    assert musify("check", project / "src").status == 0
    assert musify("migrate", ".", *asked).status == 0
    page = (project / "report" / "report.html").read_text("utf-8")
    assert "accepted" in page
    assert "kim" in page
    (project / "src" / "c.cu").write_text(SOURCE)
    assert musify("migrate", ".", *asked).status == 1


def test_assess_migrate_and_a_report_made_later_heed_what_was_decided(musify: Command, project: Path) -> None:
    arguments = ("migrate", "src", "--out", "out", "--no-verify", "--report", "report")
    first = json.loads(musify("assess", "src", "--format", "json").out)["summary"]["findings"]
    before = musify(*arguments).out
    assert "findings     4: 2 errors, 2 warnings" in before
    musify("triage", "waive", "src/a.cu", *WHY)
    found_ = json.loads(musify("assess", "src", "--format", "json").out)["summary"]
    assert (first["error"], found_["findings"]["error"], found_["decided"]["waived"]) == (2, 1, 2)
    # A report of the run from before, told where the sources are: decided since, and heeded.
    later = musify("report", "report", "--format", "json", "--source", "src")
    assert found(later) == [("b.cu", "MUS301"), ("b.cu", "MUS402")]
    plain = musify("report", "report", "--format", "markdown").out
    assert "waived" not in plain
    # A report of a run that knew of it keeps it without being told again.
    after = musify(*arguments).out
    assert "findings     2: 1 error, 1 warning" in after
    assert "decided      2 waived" in after
    for format_ in ("markdown", "html", "full", "csv", "jsonl", "json"):
        assert "waived" in musify("report", "report", "--format", format_).out, format_


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("accept", "src/a.cu:1", *WHY), "src/a.cu has some in line "),
        (("accept", "src/a.cu", "--code", "MUS999", *WHY), "there is no code MUS999"),
        (("accept", "src/a.cu", "--code", "MUS304", *WHY), "no finding of MUS304"),
        (("accept", "src/a.cu:2:MUS301", *WHY), "a code goes to --code"),
        (("accept", "nowhere.cu", *WHY), "no such file"),
        (("accept", "src/a.cu", "--reason", " ", "--by", "kim"), "say why"),
        (("accept", "src/a.cu", "--reason", "x", "--by", " "), "give --by NAME"),
        (("assign", "src/a.cu", "--reason", "x"), "--to"),
        (("assign", "src/a.cu", "--reason", "x", "--to", " "), "who is to do it"),
        (("assign", "src/a.cu", "--reason", "x", "--to", "lee", "--by", ""), "give --by NAME"),
        (("drop", "src/a.cu"), "nothing was decided"),
    ],
)
def test_a_decision_about_nothing_is_refused(
    musify: Command, project: Path, arguments: tuple[str, ...], said: str
) -> None:
    ended = musify("triage", *arguments)
    assert ended.status == 2
    assert said in ended.err
    assert not (project / "musify-triage.toml").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[[decision]]\nstate = 'waived'\n",
        "decision = 1\n",
        "x = 1\n",
        "[[decision\n",
        *(
            "[[decision]]\ncode='MUS301'\npath='a'\nfingerprint='f'\nname='n'\non='d'\n" + rest
            for rest in (
                "state='kept'\nline=1\nreason='r'\n",
                "state='waived'\nline='1'\nreason='r'\n",
                "state='waived'\nline=1\nreason=' '\n",
            )
        ),
    ],
)
def test_a_file_that_is_none_is_refused_and_nothing_taken_for_decided(
    musify: Command, project: Path, text: str
) -> None:
    (project / "musify-triage.toml").write_text(text)
    ended = musify("check", "src")
    assert (ended.status, ended.out) == (2, "")
    assert "musify-triage.toml" in ended.err


def test_two_persons_decisions_stand_apart_and_in_order(musify: Command, project: Path) -> None:
    musify("triage", "waive", "src/b.cu", *WHY)
    musify("triage", "accept", "src/a.cu:2", "--reason", "other", "--by", "lee")
    rows = tomllib.loads((project / "musify-triage.toml").read_text("utf-8"))["decision"]
    assert [(row["path"], row["name"]) for row in rows] == [("src/a.cu", "lee"), *[("src/b.cu", "kim")] * 2]
    musify("triage", "assign", "src/a.cu:2", "--to", "ann", "--by", "lee", "--reason", "again")
    rows = tomllib.loads((project / "musify-triage.toml").read_text("utf-8"))["decision"]
    assert (rows[0]["state"], rows[0]["name"], rows[0]["by"]) == ("assigned", "ann", "lee")
    assert len(rows) == 3


def test_a_family_of_codes_is_decided_and_the_list_is_of_where_we_stand(musify: Command, project: Path) -> None:
    assert "1 accepted, 1 decision in all" in musify("triage", "accept", "src/a.cu", "--code", "mus3", *WHY).out
    ended = musify("triage", "list")
    assert ended.status == 0
    assert ended.out.startswith("src/a.cu:2: MUS301 accepted by kim")
    assert ended.out.endswith("3 open (3 that count), 1 accepted, 0 waived, 0 assigned\n")
    assert musify("triage", "drop", "src/a.cu", "--code", "mus301").status == 0
