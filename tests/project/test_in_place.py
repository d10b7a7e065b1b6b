"""In place: only a tree that can be taken back, and each file whole."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from musify_ai.project.git_listing import ignored_files
from musify_ai.project.in_place import refuse_dirty_tree, replace_file, write_whole
from musify_ai.project.refusals import Refused


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.cu").write_bytes(b"x\n")
    (tmp_path / "other.txt").write_bytes(b"x\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_a_clean_tree_and_one_outside_git_are_taken(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    refuse_dirty_tree(repository)
    refuse_dirty_tree(repository / "sub" / "a.cu")
    refuse_dirty_tree(tmp_path_factory.mktemp("plain"))


def test_changes_under_the_source_are_refused_and_named(repository: Path) -> None:
    (repository / "sub" / "a.cu").write_bytes(b"y\n")
    with pytest.raises(Refused, match=r"sub/a\.cu.*--allow-dirty"):
        refuse_dirty_tree(repository)
    with pytest.raises(Refused):
        refuse_dirty_tree(repository / "sub" / "a.cu")


def test_a_setting_that_hides_untracked_files_hides_none_here(repository: Path) -> None:
    subprocess.run(["git", "-C", str(repository), "config", "status.showUntrackedFiles", "no"], check=True)
    (repository / "new.cu").touch()
    with pytest.raises(Refused, match=r"new\.cu"):
        refuse_dirty_tree(repository)


def test_no_program_that_the_repository_names_is_run(repository: Path) -> None:
    hook = repository.parent / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {repository.parent / 'was-run'}\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(hook))
    refuse_dirty_tree(repository)
    ignored_files(repository)
    assert not (repository.parent / "was-run").exists()


def test_changes_elsewhere_are_no_concern(repository: Path) -> None:
    (repository / "other.txt").write_bytes(b"y\n")
    refuse_dirty_tree(repository / "sub")


def test_without_git_the_question_cannot_be_answered(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Refused, match="cannot ask git"):
        refuse_dirty_tree(repository)


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    place = tmp_path / "a.cu"
    place.write_bytes(b"old")
    place.chmod(0o751)
    replace_file(place, b"new")
    assert place.read_bytes() == b"new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o751
    assert os.listdir(tmp_path) == ["a.cu"]


def test_what_cannot_be_replaced_stays_and_leaves_no_litter(tmp_path: Path) -> None:
    (tmp_path / "a.cu").mkdir()
    with pytest.raises(OSError):
        replace_file(tmp_path / "a.cu", b"new")
    assert os.listdir(tmp_path) == ["a.cu"]


def test_own_files_are_as_readable_as_new_files_are(tmp_path: Path) -> None:
    write_whole(tmp_path / "report.json", b"{}")
    (tmp_path / "usual").touch()
    assert (tmp_path / "report.json").stat().st_mode == (tmp_path / "usual").stat().st_mode
