"""The one answer: *yes* only where nothing speaks against it, and the gravest reason first."""

import pytest

from musify_ai.records import (
    Edit,
    Evidence,
    Failure,
    FileResult,
    Finding,
    Headline,
    Options,
    Program,
    Run,
    Tool,
    Verdict,
)
from musify_ai.report.merging import answer, slower

EDIT = Edit(0, 8, b"cudaFree", b"musaFree", "names.runtime", "seen", applied=True)
FILE = FileResult("a.cu", "a.cu", "changed", edits=(EDIT,))


def verdict(headline: Headline, **by_arch: Headline) -> Verdict:
    return Verdict("a.cu", "k", 1, None, headline, None, (), by_arch or {"mp_31": headline}, ())


GOOD = verdict("equal-emulated")
RUN = Run(Tool("musify-ai", "0", ""), "migrate", Options(), (FILE,), (GOOD,))


def finding(severity: str, message: str = "m") -> FileResult:
    return FILE._replace(findings=(Finding("MUS405", severity, 0, 1, message),))


def test_yes_only_where_every_kernel_is_equal_and_nothing_is_open() -> None:
    assert answer(RUN).level == "yes"
    assert answer(RUN).reasons == ()


def test_nothing_run_is_never_a_plain_yes() -> None:
    bare = answer(RUN._replace(verdicts=()))
    assert (bare.level, bare.sentence) == ("not-yet", "Not yet: no kernel was run.")
    nothing = answer(RUN._replace(verdicts=(), files=()))
    assert "nothing was run either" in nothing.sentence


@pytest.mark.parametrize(
    ("change", "level", "says"),
    [
        ({"verdicts": (GOOD, verdict("differs"))}, "no", "1 kernel gives different results"),
        ({"verdicts": (verdict("build-failed"), verdict("build-failed"))}, "no", "2 kernels do not build"),
        (
            {"verdicts": (verdict("arch-dependent", mp_22="differs", mp_31="equal-emulated"),)},
            "no",
            "1 kernel gives different results on mp_22",
        ),
        ({"verdicts": (verdict("unchecked"),)}, "not-yet", "1 kernel was not run"),
        ({"verdicts": (verdict("not-checkable"),)}, "not-yet", "1 kernel could not be checked"),
        ({"verdicts": (verdict("original-schedule-dependent"),)}, "not-yet", "without a fixed result"),
        ({"verdicts": (verdict("equal-weak"),)}, "with-care", "on weak evidence"),
        ({"verdicts": (verdict("equal-assumed"),)}, "with-care", "under an assumption"),
        ({"verdicts": (GOOD._replace(notes=("name-unproven",)),)}, "with-care", "no public MUSA source shows"),
        ({"failed": (Failure("b.cu", "write", "full", ""),)}, "no", "1 file could not be read, translated or written"),
        ({"failed": (Failure("b.cu", "check", "no", ""),)}, "not-yet", "1 file could not be built for checking"),
        ({"files": (FILE._replace(residue=((0, 1, "cudaX"),)),)}, "no", "1 CUDA name stands"),
        ({"files": (finding("error"),)}, "no", "1 place does not build or run"),
        ({"files": (finding("warning"),)}, "not-yet", "1 place needs a decision"),
        ({"files": (finding("note"),)}, "yes", "Yes"),
        ({"files": (FILE._replace(edits=(EDIT._replace(safety="unsafe"),)),)}, "with-care", "1 unsafe edit was made"),
        ({"files": (FILE._replace(edits=(EDIT._replace(evidence="llm"),)),)}, "with-care", "from a model"),
        ({"files": (FILE._replace(edits=(EDIT._replace(evidence="table"),)),)}, "with-care", "published table only"),
        (
            {"files": (FILE, FileResult("Makefile", None, "copied", "build files are not migrated"))},
            "not-yet",
            "build files are left",
        ),
    ],
)
def test_each_thing_that_speaks_against_it(change: dict[str, object], level: str, says: str) -> None:
    found = answer(RUN._replace(**change))
    assert found.level == level
    assert says in found.sentence


def test_whole_programs_count_too() -> None:
    row = Evidence("program", ("a", "b"), "mp_31", 32, (), (), (), (), 0.0, (), "differs")
    assert answer(RUN._replace(programs=(Program("a", (row,)),))).level == "no"
    assert answer(RUN._replace(programs=(Program("a", (row._replace(outcome="unchecked"),)),))).level == "not-yet"
    assert answer(RUN._replace(programs=(Program("a", (row._replace(outcome="equal-emulated"),)),))).level == "yes"


def test_the_worst_level_makes_the_sentence_and_all_reasons_stand() -> None:
    found = answer(RUN._replace(files=(finding("error"),), verdicts=(verdict("unchecked"), verdict("equal-weak"))))
    assert found.sentence == "No: 1 place does not build or run on MUSA as written."
    assert [reason.level for reason in found.reasons] == ["no", "not-yet", "with-care"]


def test_slower_code_is_told_apart_from_code_that_would_be() -> None:
    made, open_ = slower(RUN._replace(files=(finding("note", "exact: slower"), finding("error", "slower by design"))))
    assert (len(made), len(open_)) == (1, 1)
