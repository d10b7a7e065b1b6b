"""What git says of a tree: ignored files, submodules, attributes; and what a run makes of it."""

import os
import subprocess
from pathlib import Path

import pytest

from musify_ai.project import migrate
from musify_ai.project.discovery import walk
from musify_ai.project.git_listing import Others, ignored_files
from musify_ai.project.running import check
from musify_ai.records import Options

QUIET = Options(verify=False)
CUDA = b"#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n"
NAMES = ["a b.cu", "é.cu", os.fsdecode(b"\xff.cu"), "build/gen.cu"]


def _git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a submodule, ignored files in both, blanks and other letters in names."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "k.cu").write_bytes(CUDA)
    (library / ".gitignore").write_text("made.cu\n")
    _git(library, "init", "-q")
    _git(library, "add", "-A")
    _git(library, "commit", "-qm", "a")
    root = tmp_path / "my project é"
    for name in (*NAMES, "deep/b.cu"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(CUDA)
    (root / ".gitignore").write_text("build/\n*b.cu\n!a b.cu\n")
    (root / ".gitattributes").write_text("*.gen.cu linguist-generated\ncopied/** linguist-vendored=true\n")
    (root / "copied" / "x").mkdir(parents=True)
    (root / "copied" / "x" / "c.cu").write_bytes(CUDA)
    (root / "m.gen.cu").write_bytes(CUDA)
    _git(root, "init", "-q")
    _git(root, "submodule", "-q", "add", str(library), "libs/sub module")
    (root / "libs" / "sub module" / "made.cu").write_bytes(CUDA)
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "a")
    return root


def test_ignored_files_of_the_tree_and_of_its_submodules(repository: Path) -> None:
    entries = walk(repository)
    assert [e.path for e in entries if e.repository] == ["libs/sub module"]
    assert ignored_files(repository, entries) == {"build/gen.cu", "deep/b.cu", "libs/sub module/made.cu"}
    assert ignored_files(repository / "deep") == {"b.cu"}


def test_what_the_tree_calls_other_peoples(repository: Path, tmp_path: Path) -> None:
    others = Others(repository, walk(repository))
    assert others.reason("libs/sub module/k.cu") == "in a submodule"
    assert others.reason("copied/x/c.cu") == "marked as other people's in .gitattributes"
    assert others.reason("m.gen.cu") == "marked as generated in .gitattributes"
    assert others.reason("a b.cu") is None
    assert not Others(tmp_path / "library", walk(tmp_path / "library"))


def test_a_new_tree_copies_what_is_ignored_and_translates_the_rest(repository: Path, tmp_path: Path) -> None:
    outcome = migrate(repository, tmp_path / "out", QUIET)
    reasons = {f.path: f.reason for f in outcome.run.files if f.path.endswith(".cu") and f.status != "changed"}
    assert reasons == dict.fromkeys(("build/gen.cu", "deep/b.cu", "libs/sub module/made.cu"), "ignored by git")
    assert (tmp_path / "out" / "build" / "gen.cu").read_bytes() == CUDA
    for name in ("a b.cu", "é.cu", NAMES[2], "libs/sub module/k.cu", "copied/x/c.cu"):
        assert b"musaFree" in (tmp_path / "out" / name).read_bytes()


def test_in_place_leaves_other_peoples_files(repository: Path) -> None:
    outcome = migrate(repository, None, QUIET, way="in-place", allow_dirty=True)
    changed = {f.path for f in outcome.run.files if f.status == "changed"}
    assert changed == {"a b.cu", "é.cu", NAMES[2]}
    outcome = migrate(repository, None, QUIET, way="in-place", allow_dirty=True, everything=True)
    assert {f.path for f in outcome.run.files if f.status == "changed"} >= {"build/gen.cu", "libs/sub module/k.cu"}


def test_check_looks_at_what_git_knows(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert not any("gen.cu" in f.path and "build" in f.path for f in check([Path()], QUIET).run.files)
    named = check([Path("build/gen.cu"), Path("deep/../build/gen.cu")], QUIET).run.files
    assert [f.path for f in named] == ["build/gen.cu"]


def test_outside_git_nothing_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "a.cu").write_bytes(CUDA)
    assert ignored_files(tmp_path) == frozenset()
