"""A migration in place as commits: one a kind of change, the last of them the plain migration."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from musify_ai.cli.migrate import uncommitted
from musify_ai.project import migrate
from musify_ai.project.ledger import Ledger
from musify_ai.project.refusals import Refused
from musify_ai.project.splitting import Splitter
from musify_ai.records import Options

OPTIONS = Options(verify=False, jobs=1)
FILES = {
    "a b.cu": "#include <cuda_runtime.h>\nint f() {\n#if __CUDA_ARCH__ >= 800\n  cudaFree(0);\n#endif\n}\n",
    "sub/b.cu": "#include <cuda_runtime.h>\nvoid g() { cudaDeviceSynchronize(); }\n",
    "Makefile": "all:\n\tnvcc -o a sub/b.cu\n",
    "t.py": "import torch\nx = torch.zeros(3, device='cuda')\n",
    "README.md": "cudaFree\n",
}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode()


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project that is a folder of a repository."""
    top = tmp_path / "top"
    for name, text in FILES.items():
        (top / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (top / "project" / name).write_text(text)
    (top / "other.cu").write_text("void f() { cudaFree(0); }\n")
    git(top, "init", "-q")
    git(top, "config", "user.name", "Ann")
    git(top, "config", "user.email", "ann@example.org")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "original")
    return top


def test_each_commit_has_one_kind_and_the_last_is_the_plain_migration(repository: Path, tmp_path: Path) -> None:
    project = repository / "project"
    plain = migrate(project, tmp_path / "out", OPTIONS)
    outcome = migrate(project, None, OPTIONS, way="in-place", split=True)
    log = git(repository, "log", "--reverse", "--format=%H %an <%ae> %s", "HEAD~5..HEAD").splitlines()
    assert [line.split(" ", 1)[1] for line in log] == [
        "Ann <ann@example.org> Include MUSA's headers",
        "Ann <ann@example.org> Use MUSA's names",
        "Ann <ann@example.org> Ask for MUSA's archs and versions in guards",
        "Ann <ann@example.org> Build with MUSA",
        "Ann <ann@example.org> Run Python on MUSA",
    ]
    assert [commit.hash for commit in outcome.commits] == [line.split(" ", 1)[0] for line in log]
    assert git(repository, "status", "--porcelain") == ""
    for name in FILES:
        assert (project / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name
        assert git(repository, "show", f"HEAD:project/{name}") == (project / name).read_text()
    first, second = (git(repository, "show", f"HEAD~{back}:project/a b.cu") for back in (4, 3))
    assert "musa_runtime.h" in first and "cudaFree" in first
    assert "musaFree" in second and "__CUDA_ARCH__" in second
    assert [commit.edits for commit in outcome.commits] == [
        int(git(repository, "log", "-1", "--format=%b", commit.hash).split()[0]) for commit in outcome.commits
    ]
    assert sum(commit.edits for commit in outcome.commits) == sum(
        edit.applied for file in plain.run.files for edit in file.edits
    )
    assert "cudaFree" in (repository / "other.cu").read_text()
    again = migrate(project, None, OPTIONS, way="in-place", split=True)
    assert again.commits == () and git(repository, "rev-list", "--count", "HEAD") == "6\n"


def test_a_run_that_was_killed_before_its_commits_makes_them(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = repository / "project"

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Splitter, "commit", killed)
        migrate(project, None, OPTIONS, way="in-place", split=True)
    assert "musaFree" in (project / "a b.cu").read_text() and git(repository, "rev-list", "--count", "HEAD") == "1\n"
    migrate(project, None, OPTIONS, way="in-place", split=True)
    assert git(repository, "rev-list", "--count", "HEAD") == "6\n" and git(repository, "status", "--porcelain") == ""


def test_what_cannot_be_committed_is_refused_and_nothing_is_written(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = repository / "project"
    with pytest.raises(Refused, match="is in no git repository"):
        migrate(tmp_path, None, OPTIONS, way="in-place", split=True)
    git(repository, "config", "user.useConfigOnly", "true")
    git(repository, "config", "--unset", "user.email")
    with pytest.raises(Refused, match="who commits"):
        migrate(project, None, OPTIONS, way="in-place", split=True)
    git(repository, "config", "user.email", "ann@example.org")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    with pytest.raises(Refused, match="who commits"):
        migrate(project, None, OPTIONS, way="in-place", split=True)
    assert "cudaFree" in (project / "a b.cu").read_text()
    monkeypatch.undo()


def test_commits_that_fail_are_made_by_the_next_run_and_the_index_keeps_the_rest(repository: Path) -> None:
    git(repository, "update-index", "--skip-worktree", "other.cu")
    git(repository, "config", "commit.gpgsign", "true")
    git(repository, "config", "gpg.program", "false")
    with pytest.raises(Refused, match="changed and not committed: run again"):
        migrate(repository / "project", None, OPTIONS, way="in-place", split=True)
    git(repository, "config", "commit.gpgsign", "false")
    assert migrate(repository / "project", None, OPTIONS, way="in-place", split=True).commits
    assert git(repository, "status", "--porcelain") == "" and "S other.cu" in git(repository, "ls-files", "-v")


@pytest.mark.parametrize("before", ["update-ref", "update-index", "finish"])
def test_a_run_that_was_killed_around_the_branchs_move_commits_nothing_twice(
    repository: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    project, run = repository / "project", Splitter._git
    moved = False

    def dying(self: Splitter, *words: str, **named: Any) -> bytes:
        nonlocal moved
        if words[0] == before and (before != "update-index" or moved):
            raise KeyboardInterrupt
        moved = moved or words[0] == "update-ref"
        return run(self, *words, **named)

    def ending(self: Ledger) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Splitter, "_git", dying)
        if before == "finish":
            patched.setattr(Ledger, "finish_in_place", ending)
        migrate(project, None, OPTIONS, way="in-place", split=True)
    assert git(repository, "rev-list", "--count", "HEAD") == ("1\n" if before == "update-ref" else "6\n")
    git(repository, "commit", "-q", "--allow-empty", "--only", "-m", "a person's own, meanwhile")
    commits = migrate(project, None, OPTIONS, way="in-place", split=True).commits
    assert [commit.subject for commit in commits] == [
        line for line in git(repository, "log", "--reverse", "--format=%s").splitlines() if "MUSA" in line
    ]
    assert git(repository, "rev-list", "--count", "HEAD") == "7\n" and git(repository, "status", "--porcelain") == ""
    first = git(repository, "show", f"{commits[0].hash}:project/a b.cu")
    assert "musa_runtime.h" in first and "cudaFree" in first
    assert migrate(project, None, OPTIONS, way="in-place", split=True).commits == ()


def test_what_git_does_not_keep_is_in_no_commit_and_named(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, project = tmp_path / "inner", repository / "project"
    inner.mkdir()
    (inner / "s.cu").write_text(FILES["sub/b.cu"])
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=B", "-c", "user.email=b@c", "commit", "-qm", "one"]):
        git(inner, *words)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "project/modül")
    (repository / ".gitignore").write_text("made.cu\n")
    (project / "made.cu").write_text(FILES["sub/b.cu"])
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "more")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Splitter, "commit", killed)
        migrate(project, None, OPTIONS, way="in-place", split=True, everything=True)
    outcome = migrate(project, None, OPTIONS, way="in-place", split=True, everything=True)
    assert {file.path: file.reason for file in outcome.run.files if file.reason} == {
        "made.cu": "changed, but in no commit: git ignores it",
        "modül/s.cu": "changed, but in no commit: it is another repository's (project/modül): commit it there",
    }
    assert [line.split(": ", 1)[0] for line in uncommitted(outcome.run)] == ["made.cu", "modül/s.cu"]
    assert len(outcome.commits) == 5 and git(repository, "status", "--porcelain") == ' M "project/mod\\303\\274l"\n'
    (project / "modül" / "own.txt").write_text("a person's")
    with pytest.raises(Refused, match="not committed"):
        migrate(project, None, OPTIONS, way="in-place", split=True, everything=True)
