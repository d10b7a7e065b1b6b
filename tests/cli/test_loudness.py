"""``-q`` and ``-v``, colour, progress, completion: what is said besides the result."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.cli.colours import coloured, takes_colour
from musify_ai.cli.main import COMMANDS
from musify_ai.cli.progress import Pace

Command = Callable[..., Any]
WARP = "__global__ void k(int* p) {\n  p[0] = warpSize;\n}\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(musify: Command, tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(WARP + "int x = cudaSuccess;\n")
    return tmp_path / "a.cu"


def test_quiet_leaves_findings_and_nothing_else(musify: Command, file: Path) -> None:
    loud, quiet = musify("check", "a.cu"), musify("check", "-q", "a.cu")
    assert quiet.status == loud.status == 1
    assert "1 file checked" in loud.out
    assert quiet.out.splitlines() == [line for line in loud.out.splitlines() if "MUS301" in line]
    assert not quiet.err


def test_quiet_about_a_clean_file_is_silent(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_text("int x;\n")
    ended = musify("check", "-q", "b.cu")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_quiet_keeps_the_word_about_the_baseline_back(musify: Command, file: Path) -> None:
    musify("check", "--write-baseline", "known.json", "a.cu")
    assert "in the baseline" in musify("check", "--baseline", "known.json", "a.cu").err
    assert not musify("check", "-q", "--baseline", "known.json", "a.cu").err


def test_a_failure_is_never_kept_back(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").symlink_to("nowhere.cu")
    ended = musify("check", "-q", "a.cu")
    assert ended.status != 0
    assert "a.cu" in ended.out + ended.err


def test_verbose_says_on_stderr_which_settings_hold_and_the_time(musify: Command, file: Path) -> None:
    (file.parent / "musify-ai.toml").write_text('arch = ["mp_31"]\n')
    plain, ended = musify("check", "a.cu"), musify("check", "-v", "a.cu")
    assert ended.out == plain.out
    assert f"settings: {file.parent / 'musify-ai.toml'}" in ended.err
    assert "archs mp_31" in ended.err
    assert re.search(r"1 file in \d+\.\d\d s", ended.err)


def test_verbose_names_what_is_passed_over(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "src" / "third_party").mkdir(parents=True)
    (tmp_path / "src" / "third_party" / "a.cu").write_text("int x = cudaSuccess;\n")
    ended = musify("migrate", "src", "--in-place", "--no-verify", "-v")
    assert re.search(r"third_party/a\.cu: skipped: \w", ended.err)


def test_both_at_once_are_refused(musify: Command, file: Path) -> None:
    assert "give one of them" in musify("check", "-q", "-v", "a.cu").err


@pytest.mark.parametrize(
    ("environment", "terminal", "colour"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_is_for_terminals_that_can(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, colour: bool
) -> None:
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert takes_colour(sys.stdout) is colour


def test_colour_changes_no_character(musify: Command, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = musify("check", "--format", "full", "a.cu").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = musify("check", "--format", "full", "a.cu").out
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[\d*m", "", painted) == plain
    assert "\x1b[" not in musify("check", "--format", "json", "a.cu").out
    table = "k  a.cu:1  equal-emulated  differs  differs  in `not-differs-here`\n"
    assert coloured(table).count("\x1b[31m") == 2


def test_the_pace_says_rate_and_time_left_once_it_can() -> None:
    pace = Pace()
    assert pace.told("translating 1/100 a.cu", 10.0) == "translating 1/100 a.cu"
    assert pace.told("translating 2/100 b.cu", 11.0) == "translating 2/100 b.cu"
    assert pace.told("translating 41/100 b.cu", 14.0) == "translating 41/100 b.cu  (10/s, 6 s left)"
    assert pace.told("looking", 15.0) == "looking"
    assert pace.told("checking 1/40 a.cu", 20.0) == "checking 1/40 a.cu"
    assert pace.told("checking 3/40 a.cu", 24.0) == "checking 3/40 a.cu  (2.0 s each, 1 min 14 s left)"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(musify: Command, shell: str) -> None:
    ended = musify("completion", shell)
    assert ended.status == 0
    assert f"{shell}_complete" in ended.out
    assert "musify-ai" in ended.out


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ch",), {"check"}),
        (("check", "--style", ""), {"tokens", "rebrand", "alias", "dual", "semantic"}),
        (("check", "--select", "MUS1,mus30"), {f"MUS1,MUS30{n}" for n in range(1, 9)}),
        (("check", "--fail-on", "pend"), {"pending"}),
        (("explain", "MUS30"), {f"MUS30{n}" for n in range(1, 9)}),
        (("query", "cudaMemcpyTo"), {"cudaMemcpyToArray", "cudaMemcpyToSymbol"}),
    ],
)
def test_what_a_shell_is_offered(words: tuple[str, ...], offered: set[str]) -> None:
    environment = {
        **os.environ,
        "COMP_WORDS": " ".join(("musify-ai", *words)),
        "COMP_CWORD": str(len(words)),
        "_MUSIFY_AI_COMPLETE": "bash_complete",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'musify-ai'; from musify_ai.cli.main import run; run()"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = {line.partition(",")[2] for line in done.stdout.splitlines()}
    assert offered <= found
    assert all(word.lower().startswith(words[-1].lower()) for word in found)


def test_every_help_has_an_example(musify: Command) -> None:
    for name in COMMANDS:
        ended = musify(name, "--help")
        assert ended.status == 0
        # A group's examples are those of its commands.
        assert "Example" in ended.out or "Commands:" in ended.out, name


@pytest.mark.parametrize("code", ["MUS301", "mus301", "301"])
def test_a_code_may_be_given_short(musify: Command, code: str) -> None:
    assert musify("explain", code).out.startswith("# MUS301")
