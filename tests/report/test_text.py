"""What a person reads in a terminal."""

from musify_ai.records import Edit, FileResult, Finding, Options, Program, Run, Tool
from musify_ai.records.verdicts import Mutants
from musify_ai.report import html
from musify_ai.report.reasons import why
from musify_ai.report.text import render

Texts = dict[str, tuple[bytes, bytes]]


def test_a_migration_is_summed_up(run: Run, texts: Texts) -> None:
    text = render(run, texts)
    assert "MUS301   1      hours        a.cu:3:1  a warp is <wider>" in text
    assert "files        3: 1 changed, 1 copied, 1 failed" in text
    assert "edits        1 made: 1 seen" in text
    assert "not applied  1 unsafe edit (--unsafe-fixes applies them)" in text
    assert (
        "residue      1 CUDA name left unexplained: cudaLeft (a.cu); 2 names in 2 places only look like CUDA's (cuOdd"
        in text
    )
    assert "kernels      2: 1 differs, 1 equal-assumed" in text
    assert "k<float, 4>" in text
    assert "order-dependent" in text
    assert "y[0]: 1 and 2" in text
    assert "failed to read: broken (mend it)" in text


def test_full_shows_the_source_line_and_the_evidence(run: Run, texts: Texts) -> None:
    text = render(run, texts, full=True)
    assert "a.cu:3:1: MUS301 warning: a warp is <wider>\n    warpSize\n    ^^^^^^^^\n" in text
    assert "k on mp_22 (128 lanes): equal-assumed; emulated; 3 seeds, 1 schedule; compared: y (1000 varying" in text
    assert "again: musify-ai verify a b" in text


def test_check_has_a_line_a_place_and_one_for_the_whole() -> None:
    src = "\tint 核 = warpSize;\n".encode()
    start = src.index(b"warpSize")
    finding = Finding("MUS301", "warning", start, start + 8, "wider", line=1, column=10)
    edit = Edit(1, 4, b"int", b"tni", "names.x", "seen", line=1, column=2)
    file = FileResult("a.cu", None, "unchanged", edits=(edit,), findings=(finding,))
    made = Run(Tool("musify-ai", "0", ""), "check", Options(), (file,))
    assert render(made, {}) == (
        "a.cu:1:10: MUS301 warning: wider\n"
        "\n"
        "a.cu: 1 edit pending (`fix` makes them)\n"
        "\n"
        "1 file checked, 1 finding (1 warning), 1 edit pending\n"
    )
    full = render(made, {"a.cu": (src, src)}, full=True)
    assert "        int 核 = warpSize;\n                ^^^^^^^^\n" in full
    assert "a.cu:1:2: pending names.x: int -> tni\n" in full


def test_without_the_text_of_a_file_there_are_no_marks(run: Run) -> None:
    assert "^" not in render(run, {file.path: (b"", b"") for file in run.files}, full=True)


def test_a_run_over_nothing_says_so() -> None:
    none = Run(Tool("musify-ai", "0", ""), "migrate", Options(), ())
    plain = none._replace(files=(FileResult("a.cpp", "a.cpp", "copied"),))
    assert "there is no file here; is it the right folder?" in render(none, {})
    assert "nothing of CUDA was found here; is it the right folder?" in render(plain, {})
    assert render(plain._replace(command="check"), {}).endswith("0 edits pending, nothing of CUDA was found here\n")
    left = FileResult("a.cpp", None, "unchanged", residue_pattern=((0, 10, "cudaFooBar"),))
    said = render(none._replace(command="check", files=(left,)), {})
    assert "1 name in 1 place only looks like CUDA's (cudaFooBar (a.cpp))" in said
    often = left._replace(residue_pattern=((0, 10, "cudaFooBar"), (20, 30, "cudaFooBar")))
    assert "1 name in 2 places only looks" in render(none._replace(command="check", files=(often,)), {})
    assert "nothing of CUDA" not in said


def test_why_is_told_whole_and_a_long_message_is_cut_at_a_word(run: Run, texts: Texts) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    long = run.verdicts[1]._replace(reason=words)
    file = run.files[0]._replace(findings=(run.files[0].findings[0]._replace(message=words),))
    lines = render(run._replace(files=(file,), verdicts=(long,)), texts).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("<k>"))
    column = lines[at].index("word0")
    assert " ".join(line[column:] for line in lines[at : at + 3]) == words
    assert all(not line[:column].strip() for line in lines[at + 1 : at + 3])
    at = next(number for number, line in enumerate(lines) if line.startswith("MUS301"))
    assert lines[at + 1].endswith(" …")
    assert "explain CODE" in lines[at + 2]
    assert "--format full" in lines[at + 2]


def test_a_note_that_is_the_reason_is_told_once(run: Run) -> None:
    both = run.verdicts[0]._replace(reason="seen twice", notes=("seen twice", "and more"))
    assert why(both) == "seen twice; and more"
    assert why(both._replace(reason=None, notes=())) == ""


def test_findings_are_counted_from_the_worst_on() -> None:
    found = tuple(Finding("MUS301", severity, 0, 1, "m") for severity in ("note", "warning", "error", "warning"))
    file = FileResult("a.cu", None, "unchanged", findings=found)
    text = render(Run(Tool("musify-ai", "0", ""), "check", Options(), (file,)), {})
    assert "4 findings (1 error, 2 warnings, 1 note)" in text


def test_programs_have_a_row_an_arch(run: Run) -> None:
    row = run.verdicts[0].evidence[0]._replace(method="emulated-program", outcome="differs", detail="line 3 <differs>")
    whole = run._replace(command="verify", programs=(Program("main.cu", (row,)),))
    assert "main.cu  mp_22  differs  line 3 <differs>" in render(whole, {})
    assert "line 3 &lt;differs&gt;" in html.render(whole, {})


def test_nothing_to_say_is_one_line() -> None:
    made = Run(Tool("musify-ai", "0", ""), "check", Options(), ())
    assert render(made, {}) == "0 files checked, 0 findings, 0 edits pending, there is no file here\n"


def test_control_characters_of_a_source_do_not_reach_the_terminal() -> None:
    src = b"\x1b[31m warpSize\n"
    finding = Finding("MUS301", "warning", 6, 14, "m", line=1, column=7)
    made = Run(
        Tool("musify-ai", "0", ""), "check", Options(), (FileResult("a", None, "unchanged", findings=(finding,)),)
    )
    assert "\x1b" not in render(made, {"a": (src, src)}, full=True)


def test_full_says_whether_the_check_would_have_noticed(run: Run, texts: Texts) -> None:
    mutants = Mutants(13, 9, 1, 1, ("a",), (), ("b",))
    verdict = run.verdicts[0]
    evidence = (verdict.evidence[0]._replace(mutants=mutants),)
    shown = render(run._replace(verdicts=(verdict._replace(evidence=evidence),)), texts, full=True)
    assert "mutants: 13 made, 10 rejected, 1 the same code, 1 excused, 1 left" in shown
    assert "        not noticed: b\n" in shown
    assert "13 made, 10 rejected, 2 the same code or excused, 1 not noticed" in shown


def test_a_real_backend_that_ran_nothing_is_told_and_why(run: Run, texts: Texts) -> None:
    verdict = run.verdicts[0]
    row = verdict.evidence[0]._replace(
        method="device", backend=("cuda emulated", "musa mcc"), outcome="unchecked", detail="no mcc was found"
    )
    for command in ("verify", "migrate"):
        made = run._replace(command=command, verdicts=(verdict._replace(evidence=(*verdict.evidence, row, row)),))
        assert "cuda emulated against musa mcc, 2 times: no mcc was found" in render(made, texts)
        assert "not run by" not in render(run._replace(command=command), texts)


def test_a_check_of_nothing_says_what_was_missing(run: Run) -> None:
    empty = run._replace(command="verify", files=(), verdicts=(), failed=())
    assert render(empty, {}) == "0 kernels: the original has none to check\n"
