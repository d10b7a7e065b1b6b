"""``check --since REV``: what the files did not have in a git revision, and only that."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
BEFORE = '__global__ void k(int* p) {\n  p[0] = warpSize;\n  asm("exotic.op %0;" : "=r"(p[1]));\n}\n'

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="comparing with a revision needs git")


def git(where: Path, *arguments: str) -> None:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *named, *arguments], cwd=where, check=True, capture_output=True)


@pytest.fixture
def repository(musify: Command, tmp_path: Path) -> Path:
    git(tmp_path, "init")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(BEFORE)
    (tmp_path / "src" / "ä b.cu").write_text(BEFORE)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "begin")
    return tmp_path


def lines(ended: Any) -> list[tuple[str, int]]:
    return [(each["path"], each["line"]) for each in json.loads(ended.out)["findings"]]


def test_what_was_there_does_not_fail(musify: Command, repository: Path) -> None:
    assert musify("check", "src").status == 1
    ended = musify("check", "--since", "HEAD", "src")
    assert ended.status == 0
    assert "4 findings were there in HEAD" in ended.err


def test_a_change_counts_by_what_it_adds(musify: Command, repository: Path) -> None:
    for name in ("a.cu", "ä b.cu"):
        text = (repository / "src" / name).read_text()
        (repository / "src" / name).write_text("\n\n" + text.replace("warpSize;", "warpSize;\n  p[2] = 2 * warpSize;"))
    ended = musify("check", "--since", "HEAD", "--format", "json", "src/ä b.cu")
    assert ended.status == 1
    assert lines(ended) == [("src/ä b.cu", 5)]
    (repository / "src" / "new.cu").write_text(BEFORE)
    found = lines(musify("check", "--since", "HEAD", "--format", "json", "src"))
    assert found == [("src/a.cu", 5), ("src/new.cu", 2), ("src/new.cu", 3), ("src/ä b.cu", 5)]


@pytest.mark.parametrize("staged", [True, False])
def test_a_renamed_file_is_known_by_its_old_name(musify: Command, repository: Path, staged: bool) -> None:
    git(repository, "mv", "src/a.cu", "src/c.cu")
    if not staged:
        git(repository, "reset", "-q")
        git(repository, "add", "-N", "src/c.cu")
    assert musify("check", "--since", "HEAD", "src/c.cu").status == 0


def test_it_may_stand_below_the_root_and_reach_out_of_it(
    musify: Command, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "lib").mkdir()
    monkeypatch.chdir(repository / "lib")
    assert musify("check", "--since", "HEAD", "../src").status == 0
    assert musify("check", "--since", "HEAD", repository / "src" / "a.cu").status == 0
    monkeypatch.chdir(repository / "src")
    assert musify("check", "--since", "HEAD", "a.cu", ".").status == 0


def test_what_a_header_holds_is_known_in_the_revision_too(musify: Command, repository: Path) -> None:
    header = '__device__ inline void odd(int* p) { asm("exotic.op %0;" : "=r"(p[1])); }\n'
    use = '#include "own.h"\n__global__ void k(int* p) {\n#if __CUDA_ARCH__ >= 900\n  odd(p);\n#endif\n}\n'
    (repository / "src" / "own.h").write_text(header)
    (repository / "src" / "use.cu").write_text(use)
    git(repository, "add", ".")
    git(repository, "commit", "-m", "more")
    given = ("--select", "MUS2", "src/own.h", "src/use.cu")
    assert musify("check", *given).status == 1, "the guard is not switched over what the header holds"
    (repository / "src" / "use.cu").write_text("int x;\n" + use)
    assert musify("check", "--since", "HEAD", *given).status == 0


def test_before_the_first_commit_everything_is_new(musify: Command, tmp_path: Path) -> None:
    git(tmp_path, "init")
    (tmp_path / "a.cu").write_text(BEFORE)
    assert musify("check", "--since", "HEAD", "a.cu").status == 1


def test_settings_may_name_it_and_a_baseline_on_the_command_line_wins(musify: Command, repository: Path) -> None:
    (repository / "musify-ai.toml").write_text('since = "HEAD"\nfail-on = ["new"]\n')
    assert musify("check", "src").status == 0
    (repository / "empty.json").write_text('{"format": 2, "findings": []}')
    assert musify("check", "--baseline", "empty.json", "src").status == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "no-such"), "git knows no revision 'no-such'"),
        (("--since", "--all"), "git knows no revision '--all'"),
        (("--since", "HEAD", "--baseline", "x.json"), "give one of them"),
    ],
)
def test_what_cannot_be_compared_with_is_refused(
    musify: Command, repository: Path, arguments: tuple[str, ...], said: str
) -> None:
    ended = musify("check", *arguments, "src")
    assert ended.status == 2
    assert said in ended.err
    assert not ended.out


def test_outside_a_repository_it_says_so(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(BEFORE)
    ended = musify("check", "--since", "HEAD", "a.cu")
    assert (ended.status, ended.out) == (2, "")
    assert "in no git repository" in ended.err


def test_git_is_not_asked_where_nothing_is_found(
    musify: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cu").write_text("int x;\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert musify("check", "--since", "HEAD", "a.cu").status == 0
