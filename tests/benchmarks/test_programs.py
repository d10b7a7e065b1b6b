import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import checkouts, programs
from benchmarks.checkouts import Case


def found(headline: str, detail: str = "", **more: Any) -> dict[str, Any]:
    archs = {"mp_22": {"outcome": headline, "detail": detail}}
    return {"headline": headline, "archs": archs, "says": "-", "open": [], "translate": 1.0, "check": 2.0} | more


def test_the_table_says_which_92_programs_and_why_some_stand_elsewhere() -> None:
    cases = checkouts.table()
    assert len(cases) == 92 == len({case.name for case in cases})
    assert {case.repository for case in cases} == set(checkouts.MARKS)
    assert all(case.moved for case in cases if case.tier == "X")
    assert {case.tier for case in cases} == {"A", "B", "B+lib", "C", "X"}


def test_a_row_with_a_key_that_means_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[[program]]\nname = "a"\nrepository = "r"\npath = "p"\ntier = "A"\nargument = "1"\n')
    with pytest.raises(ValueError, match="unknown key argument"):
        checkouts.table(path)


def test_a_copy_is_made_smaller_and_the_checkout_is_not_touched(tmp_path: Path) -> None:
    source = tmp_path / "checkout"
    (source / "src" / "a").mkdir(parents=True)
    (source / "lib").mkdir()
    (source / "src" / "a" / "main.cu").write_text("n = 4096; m = 4096;")
    (source / "lib" / "x.h").write_text("x")
    case = Case(
        "a", "r", "src/a", "A", (), (("main.cu", "4096", "4"),), ("lib/*.h",), made=(("src/config.h", "#define A\n"),)
    )
    assert checkouts.copy(source, case, tmp_path / "out") == ""
    assert (tmp_path / "out" / "src" / "a" / "main.cu").read_text() == "n = 4; m = 4;"
    assert (tmp_path / "out" / "src" / "config.h").read_text() == "#define A\n"
    assert (source / "src" / "a" / "main.cu").read_text() == "n = 4096; m = 4096;"
    gone = case._replace(smaller=(("main.cu", "8192", "4"),))
    assert "does not hold '8192'" in checkouts.copy(source, gone, tmp_path / "second")
    assert "none/*.h is not in" in checkouts.copy(source, case._replace(others=("none/*.h",)), tmp_path / "third")


def test_a_result_holds_for_the_sources_and_the_row_it_was_made_from(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("1")
    case = Case("a", "r", "a.cu", "A", ("1",))
    first = programs.digest(case, tmp_path)
    assert programs.digest(case, tmp_path) == first
    assert programs.digest(case._replace(arguments=("2",)), tmp_path) != first
    (tmp_path / "a.cu").write_text("2")
    assert programs.digest(case, tmp_path) != first


@pytest.mark.parametrize(
    ("headline", "detail", "expected"),
    [
        ("equal-emulated", "", ("both", "yes")),
        ("differs", "exit status 0 became 1", ("both", "yes")),
        ("build-failed", "translation: a.cu:1: no", ("original", "-")),
        ("not-checkable", "original does not build here: a.cu:1: no", ("none", "-")),
        ("not-checkable", "the original launches no kernel with these arguments", ("both", "no")),
        ("not-checkable", "the checker broke: x", ("none", "-")),
    ],
)
def test_what_was_built_and_ran(headline: str, detail: str, expected: tuple[str, str]) -> None:
    assert programs.built_and_ran(found(headline, detail)) == expected


def test_totals_count_by_tier_and_agreement_is_no_more_than_equal() -> None:
    cases = [Case(name, "r", name, tier) for name, tier in (("a", "A"), ("b", "A"), ("c", "A"), ("d", "B"))]
    rows = {
        "a": found("equal-assumed"), "c": found("equal-weak", "y"),
        "b": found("arch-dependent", archs={"mp_22": {"outcome": "differs", "detail": "x"},
                                            "mp_31": {"outcome": "equal-emulated", "detail": ""}}),
        "d": found("differs", "z"),
    }  # fmt: skip
    text = programs.totals(cases, rows)
    assert "A | 3 | 3 | 3 | 1 (33 %) | 1 | 1 | 0 | 0" in text
    assert "B | 1 | 1 | 1 | 0 (0 %) | 0 | 0 | 1 | 0" in text
    assert "  1  differs: z" in text
    assert json.dumps(rows)


def test_what_an_original_says_of_itself() -> None:
    assert programs.says(b"Test PASSED\n") == "PASS"
    assert programs.says(b"PASS\n1 mismatches found\n") == "FAIL"
    assert programs.says(b"sum 4\n") == "-"
