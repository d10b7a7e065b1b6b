"""Every exit status, and every kind of bad input: a sentence on stderr, and nothing on stdout where the status is 2."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends import toolchain
from musify_ai.cli.ending import status_of
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

Command = Callable[..., Any]  # the fixture of conftest.py: status, out, err

CLEAN = b"int main() { return 0; }\n"
CUDA = b"#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }\n"
ASKS = b"#include <cuda_runtime.h>\nvoid f() { cudaLogsDumpToFile(0, 0, 0); }\n"


def refused(ended: tuple[int, str, str], *words: str) -> None:
    status, out, err = ended
    assert (status, out) == (2, "")
    assert all(word in err for word in words), err


# check


def test_check_of_clean_and_of_pending_is_0(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(CLEAN)
    (tmp_path / "b.cu").write_bytes(CUDA)
    assert musify("check", "a.cu").status == 0
    ended = musify("check", "b.cu")
    assert ended.status == 0
    assert "2 edits pending" in ended.out


def test_check_of_pending_is_1_when_asked(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_bytes(CUDA)
    assert musify("check", "b.cu", "--fail-on", "pending").status == 1


def test_check_with_a_finding_is_1_and_ignored_it_is_0(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(ASKS)
    ended = musify("check", "a.cu")
    assert ended.status == 1
    assert "a.cu:2:12: MUS101" in ended.out
    assert musify("check", "--ignore", "MUS1", "a.cu").status == 0


def test_check_of_a_path_that_is_not(musify: Command) -> None:
    refused(musify("check", "nothing.cu"), "nothing.cu", "no such file")


def test_check_without_files(musify: Command) -> None:
    refused(musify("check"), "FILES")


@pytest.mark.parametrize("kind", ["link", "pipe", "utf16"])
def test_a_file_that_cannot_be_read_is_1_and_the_others_are_checked(musify: Command, tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad.cu"
    if kind == "link":
        bad.symlink_to("nowhere")
    elif kind == "pipe":
        os.mkfifo(bad)
    else:
        bad.write_bytes("int x;".encode("utf-16"))
    (tmp_path / "good.cu").write_bytes(CUDA)
    ended = musify("check", "--format", "json", "bad.cu", "good.cu")
    assert ended.status == 1
    found = json.loads(ended.out)
    assert [(f["path"], f["stage"]) for f in found["failed"]] == [("bad.cu", "read")]
    assert found["summary"]["pending"] == 2
    assert "bad.cu: failed to read" in musify("check", "bad.cu").out


@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 100, b"\xff\xfe\xfd", b"\x80abc", os.urandom(500)],
    ids=["empty", "nul", "fffe", "8bit", "any"],
)
def test_odd_bytes_are_no_fault(musify: Command, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.cu").write_bytes(data)
    assert musify("check", "a.cu").status in (0, 1)
    assert (tmp_path / "a.cu").read_bytes() == data


def test_a_directory_named_as_a_source_is_walked(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "x.cu").mkdir()
    assert musify("check", "x.cu").status == 0


# fix


def test_fix_is_1_when_it_changed_a_file_and_0_when_not(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_bytes(CUDA)
    ended = musify("fix", "b.cu")
    assert ended.status == 1
    assert "b.cu: 2 edits made" in ended.out
    assert (tmp_path / "b.cu").read_bytes() == CUDA.replace(b"cuda", b"musa")
    assert musify("fix", "b.cu").status == 0


# migrate


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(CUDA)
    return tmp_path / "src"


def test_migrate_is_0_when_it_finished(musify: Command, project: Path) -> None:
    (project / "ask.cu").write_bytes(ASKS)
    assert musify("migrate", "src", "--out", "dst").status == 0
    assert musify("migrate", "src", "--out", "dst").status == 0


@pytest.mark.parametrize(
    ("what", "status"), [("findings", 1), ("pending", 0), ("unsafe", 0), ("unchecked", 0), ("differs", 0)]
)
def test_migrate_fails_on_what_it_is_told_to(musify: Command, project: Path, what: str, status: int) -> None:
    (project / "ask.cu").write_bytes(ASKS)
    assert musify("migrate", "src", "--out", "dst", "--fail-on", what).status == status
    assert (project.parent / "dst" / "a.cu").exists()


def test_migrate_with_a_failed_file_is_1_and_the_rest_is_there(musify: Command, project: Path) -> None:
    os.mkfifo(project / "pipe.cu")
    ended = musify("migrate", "src", "--out", "dst")
    assert ended.status == 1
    assert "pipe.cu: failed to read" in ended.out
    assert (project.parent / "dst" / "a.cu").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing", "--out", "dst"], ["nothing", "no such file"]),
        (["src"], ["--out", "--in-place", "--diff"]),
        (["src", "--out", "dst", "--diff"], ["give one of"]),
        (["src", "--in-place", "--diff"], ["give one of"]),
        (["src", "--out", "src"], ["the source itself"]),
        (["src", "--out", "src/inside"], ["inside the source"]),
        (["src", "--out", "."], ["holds the source"]),
        (["src", "--out", "full"], ["full", "mine.txt"]),
        (["src", "--out", "full/mine.txt"], ["no directory"]),
        (["src", "--out", "full/mine.txt/x"], ["full/mine.txt"]),
        (["src", "--out", "dst", "--style", "dual", "--direction", "m2c"], ["dual", "nothing to take back", "alias"]),
        (["src", "--out", "dst", "--style", "tokns"], ["tokns", "did you mean 'tokens'"]),
        (["src", "--out", "dst", "--sdk", "9.9"], ["9.9", "5.2"]),
        (["src", "--out", "dst", "--arch", "mp_99"], ["mp_99"]),
        (["src", "--out", "dst", "--format", "sarf"], ["did you mean 'sarif'"]),
        (["src", "--out", "dst", "--format", "jsn"], ["did you mean 'json'"]),
        (["src", "--out", "dst", "--fail-on", "new"], ["--fail-on new", "--baseline FILE"]),
        (["src", "--out", "dst", "--fail-on", "finding"], ["did you mean 'findings'"]),
        (["src", "--out", "dst", "--select", "XYZ"], ["XYZ", "MUS301"]),
        (["src", "--out", "dst", "--select", "MUS299"], ["no code MUS299", "explain"]),
        (["src", "--out", "dst", "--ignore", "MUS97"], ["no code MUS97"]),
        (["src", "--diff", "--fail-on", "findings,differs"], ["--fail-on differs", "no kernel is run"]),
        (["src", "--out", "dst", "--seeds", "0"], ["--seeds"]),
        (["src", "--out", "dst", "-j", "-1"], ["-1"]),
        (["src", "--out", "dst", "--llm", "gpt"], ["--llm gpt", "openai:URL#MODEL"]),
        (["src", "--out", "dst", "--redact"], ["--llm SPEC"]),
        (["src", "--out", "dst", "--resume", "--fresh"], ["--resume", "--fresh"]),
        (["src", "--out", "dst", "--colour"], ["--colour"]),
        (["src", "--diff", "--format", "json"], ["--report"]),
        (["src", "--out", "dst", "--report", "dst/report"], ["inside dst"]),
        (["src", "--out", "dst", "--report", "full"], ["mine.txt"]),
        (["src", "--out", "dst", "--report", "full/mine.txt"], ["no directory"]),
        (["src", "--out", "dst", "--report", "full/mine.txt/deeper"], ["mine.txt, which is no directory"]),
        (["src", "--in-place", "--report", "src/report"], ["inside src"]),
        (["src", "--out", "dst", "--report", "src/report"], ["inside src"]),
    ],
    ids=lambda value: " ".join(value) if value and value[0] in ("src", "nothing") else "",
)
def test_migrate_refuses_and_writes_nothing(
    musify: Command, project: Path, arguments: list[str], words: list[str]
) -> None:
    full = project.parent / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    before = {p: p.read_bytes() if p.is_file() else b"" for p in project.parent.rglob("*")}
    refused(musify("migrate", *arguments), *words)
    assert {p: p.read_bytes() if p.is_file() else b"" for p in project.parent.rglob("*")} == before


def test_a_destination_that_was_edited_is_merged_and_a_conflict_is_1(musify: Command, project: Path) -> None:
    musify("migrate", "src", "--out", "dst")
    place = project.parent / "dst" / "a.cu"
    place.write_bytes(place.read_bytes().replace(b"void f", b"int f"))
    assert musify("migrate", "src", "--out", "dst").status == 0
    assert b"int f" in place.read_bytes()
    (project / "a.cu").write_bytes(CUDA.replace(b"void f", b"char f"))
    ended = musify("migrate", "src", "--out", "dst")
    assert ended.status == 1 and "failed to merge: 1 conflict with what was edited by hand (line 2)" in ended.out
    assert b"<<<<<<< edited by hand\nint f" in place.read_bytes()
    found = json.loads(musify("migrate", "src", "--out", "dst", "--format", "json").out)
    assert [(each["path"], each["stage"]) for each in found["failed"]] == [("a.cu", "merge")]


def test_a_dirty_tree_is_refused_in_place(musify: Command, project: Path) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    refused(musify("migrate", "src", "--in-place"), "--allow-dirty")
    assert (project / "a.cu").read_bytes() == CUDA
    assert musify("migrate", "src", "--in-place", "--allow-dirty").status == 0
    assert (project / "a.cu").read_bytes() == CUDA.replace(b"cuda", b"musa")


def test_a_diff_is_a_patch_on_stdout_and_nothing_else(musify: Command, project: Path) -> None:
    ended = musify("migrate", "src", "--diff")
    assert ended.status == 0
    assert ended.out.startswith("--- a/a.cu\n+++ b/a.cu\n")
    done = subprocess.run(["git", "apply", "-"], cwd=project, input=ended.out.encode(), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (project / "a.cu").read_bytes() == CUDA.replace(b"cuda", b"musa")


def test_the_report_is_written_and_said(musify: Command, project: Path) -> None:
    ended = musify("migrate", "src", "--out", "dst", "--report", "report")
    assert "report: report/report.html" in ended.out
    assert json.loads((project.parent / "report" / "report.json").read_bytes())["summary"]["changed"] == 1
    assert musify("migrate", "src", "--out", "dst", "--report", "report").status == 0


# explain, query, doctor, and the command itself


def test_explain_and_its_unknown_codes(musify: Command) -> None:
    assert musify("explain", "mus201").out.startswith("# MUS201")
    refused(musify("explain", "MUS299"), "MUS299", "MUS201")
    refused(musify("explain", "nonsense"), "nonsense", "lists the codes")
    listed = musify("explain")
    assert listed.status == 0
    assert "MUS302  Shuffle with the default width\n" in listed.out


def test_query_of_known_and_unknown_names(musify: Command) -> None:
    assert "musaMalloc" in musify("query", "cudaMalloc").out
    assert "stands for cudaMalloc" in musify("query", "musaMalloc").out
    assert "musa_fp16.h" in musify("query", "cuda_fp16.h").out
    assert "torch.musa.Stream" in musify("query", "torch.cuda.Stream").out
    assert "another scale" in musify("query", "torch.cuda.get_device_capability").out
    assert "MUSA_VISIBLE_DEVICES" in musify("query", "CUDA_VISIBLE_DEVICES").out
    assert "mthreads-gmi" in musify("query", "nvidia-smi").out
    assert "did you mean torch.cuda.Stream" in musify("query", "torch.cuda.Streem").err
    assert "seen nowhere" in musify("query", "CUDA_SEPARABLE_COMPILATION").out
    assert "musa_quick_start" in musify("query", "CMAKE_CUDA_FLAGS").out
    assert "-ffast-math" in musify("query", "--use_fast_math").out
    assert "left out" in musify("query", "--", "-lineinfo").out
    assert "__launch_bounds__" in musify("query", "--", "-maxrregcount=64").out
    assert "mublas" in musify("query", "cublas").out
    ended = musify("query", "notAName")
    assert (ended.status, ended.out) == (1, "")
    assert "notAName" in ended.err
    assert "did you mean" not in ended.err
    assert "did you mean cudaMalloc" in musify("query", "cudaMaloc").err
    assert "musify-ai explain MUS301" in musify("query", "mus301").err


def test_doctor_is_0_with_and_without_anything(musify: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert musify("doctor").status == 0
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("musify_ai.backends.zig.wheel", lambda: None)  # the tests' own environment has one
    toolchain._detect.cache_clear()
    ended = musify("doctor")
    toolchain._detect.cache_clear()
    assert ended.status == 0
    assert "cannot be checked here: no C++ compiler" in ended.out


@pytest.mark.parametrize("command", ["migrate", "check", "fix", "verify", "explain", "query", "doctor"])
def test_every_command_has_help_with_an_example(musify: Command, command: str) -> None:
    ended = musify(command, "--help")
    assert ended.status == 0
    assert f"musify-ai {command}" in ended.out.split("Example", 1)[1]


def test_no_command_and_an_unknown_one(musify: Command) -> None:
    refused(musify(), "migrate")
    refused(musify("mgrate"), "mgrate", "did you mean 'migrate'?")
    assert musify("--version").out.startswith("musify-ai")


def test_a_fault_of_our_own_is_2_with_a_sentence(
    musify: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of our own")

    monkeypatch.setattr("musify_ai.project.styling.treat_all", fault)
    ended = musify("check", "src")
    refused(ended, "internal error: ZeroDivisionError: of our own", "report it", "MUSIFY_AI_TRACEBACK")
    assert "Traceback" not in ended.err
    monkeypatch.setenv("MUSIFY_AI_TRACEBACK", "1")
    assert "Traceback" in musify("check", "src").err


def test_an_interrupted_run_is_130_and_leaves_no_half_tree(
    musify: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("musify_ai.project.writing.write_manifest", interrupt)
    ended = musify("migrate", "src", "--out", "dst")
    assert (ended.status, ended.out) == (130, "")
    assert sorted(os.listdir(project.parent)) == ["src"]


def test_a_reader_that_goes_away_is_no_error(project: Path) -> None:
    for number in range(400):
        (project / f"{number}.cu").write_bytes(CUDA)
    process = subprocess.Popen(
        [sys.executable, "-m", "musify_ai", "check", "--format", "json", str(project)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


def test_progress_stays_off_a_stderr_that_is_no_terminal(musify: Command, project: Path) -> None:
    assert musify("check", "src").err == ""


# What decides the status, from records alone


def made(command: str, **parts: object) -> Run:
    return Run(Tool("musify-ai", "0", ""), command, Options(), (), **parts)


def verdict(headline: str) -> Verdict:
    return Verdict("a.cu", "k", 1, None, headline, None, (), {}, ())


@pytest.mark.parametrize(
    ("headlines", "status"),
    [
        ([], 1),
        (["unchecked"], 1),
        (["not-checkable"], 1),
        (["build-failed"], 1),
        (["equal-emulated"], 0),
        (["equal-assumed", "unchecked"], 0),
        (["equal-emulated", "differs"], 1),
        (["equal-emulated", "build-failed"], 1),
        (["arch-dependent"], 0),
        (["original-schedule-dependent"], 0),
    ],
)
def test_verify_fails_on_difference_and_when_nothing_ran(headlines: list[str], status: int) -> None:
    assert status_of(made("verify", verdicts=tuple(map(verdict, headlines))), ()) == status


@pytest.mark.parametrize(("outcomes", "status"), [(["not-checkable", "equal-emulated"], 0), (["not-checkable"], 1)])
def test_a_program_that_was_asked_for_has_to_run(outcomes: list[Headline], status: int) -> None:
    rows = tuple(
        Evidence("emulated-program", ("cuda", "musa"), "mp_22", 128, (), (), (), (), 0.0, (), outcome, "", "")
        for outcome in outcomes
    )
    run = made("verify", verdicts=(verdict("equal-emulated"),), programs=(Program("main.cu", rows),))
    assert status_of(run, ()) == status


@pytest.mark.parametrize(
    ("command", "what"), [("check", "differs"), ("check", "unchecked"), ("fix", "differs"), ("verify", "pending")]
)
def test_a_gate_that_could_never_close_is_refused(musify: Command, project: Path, command: str, what: str) -> None:
    sources = ["src", "src"] if command == "verify" else ["src"]
    refused(musify(command, *sources, "--fail-on", what), f"--fail-on {what} would never fail here")
    assert (project / "a.cu").read_bytes() == CUDA


def test_settings_for_every_command_may_hold_such_a_gate(musify: Command, project: Path) -> None:
    (project / "musify-ai.toml").write_text('fail-on = ["differs"]\n')
    assert musify("check", "src").status == 0


def test_any_failure_is_1_in_every_command() -> None:
    failed = (Failure("a", "read", "e", "h"),)
    for command in ("check", "fix", "migrate", "verify"):
        assert status_of(made(command, failed=failed, verdicts=(verdict("equal-emulated"),)), ()) == 1


def test_fail_on_looks_at_its_own_matter() -> None:
    edit = Edit(0, 1, b"a", b"b", "names.runtime", "prefix", "unsafe")
    note = Finding("MUS102", "note", 0, 1, "m")
    run = made("migrate")._replace(files=(FileResult("a", None, "unchanged", edits=(edit,), findings=(note,)),))
    assert [status_of(run, (what,)) for what in ("findings", "pending", "unsafe", "unchecked", "differs")] == [
        0,
        0,
        1,
        0,
        0,
    ]
    assert status_of(made("migrate", verdicts=(verdict("unchecked"),)), ("unchecked",)) == 1
    assert status_of(made("migrate", verdicts=(verdict("build-failed"),)), ("differs",)) == 1


@pytest.mark.parametrize("command", [["check"], ["fix"], ["migrate", "--diff"], ["verify", "a.cu"]])
def test_an_empty_name_is_refused(musify: Command, tmp_path: Path, command: list[str]) -> None:
    refused(musify(*command, ""), "empty")


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_result_that_cannot_be_written_is_said(redirection: str) -> None:
    if redirection.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = f"{sys.executable} -m musify_ai query cudaMalloc {redirection}"
    ended = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert "cannot write the result" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "internal error" not in ended.stderr


def test_run_wants_a_file(musify: Command, project: Path) -> None:
    refused(musify("run", "src"), "src is a folder", "--with")
    refused(musify("run", "src/none.cu"), "no such file")
    refused(musify("run", "src/a.cu", "--side", "cuda", "--arch", "mp_22"), "CUDA file", "sm_80")


def test_a_closed_stderr_changes_no_status(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int x;\n")
    command = f"{sys.executable} -m musify_ai check {tmp_path}/a.cu 2>&-"
    assert subprocess.run(["bash", "-c", command], capture_output=True, check=False).returncode == 0
