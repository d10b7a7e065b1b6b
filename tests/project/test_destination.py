"""Where a new tree may go, and that it is there whole or not at all."""

import json
import shutil
from pathlib import Path

import pytest

from musify_ai.project.destination import (
    MANIFEST,
    check_destination,
    digest_of,
    opened_tree,
    remember_file,
    write_manifest,
)
from musify_ai.project.ledger import FOLDER
from musify_ai.project.refusals import Refused


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.cu").write_bytes(b"x")
    return tmp_path / "src"


def own_tree(out: Path) -> None:
    """A tree of ours that has lost its ledger, as in a clone."""
    with opened_tree(out) as tree:
        (tree.root / "d").mkdir()
        (tree.root / "d" / "a.cu").write_bytes(b"x")
        (tree.root / "link").symlink_to("d/a.cu")
        write_manifest(tree.root, {name: digest_of(tree.root / name) for name in ("d/a.cu", "link")})
        tree.publish()
    shutil.rmtree(out / FOLDER)


def test_places_that_meet_the_source_are_refused(source: Path, tmp_path: Path) -> None:
    for out in (source, source / "deep", source / "new", tmp_path, source / ".." / "src"):
        with pytest.raises(Refused):
            check_destination(source, out)


def test_a_link_into_the_source_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(Refused):
        check_destination(source, tmp_path / "link")


def test_new_empty_and_own_places_are_taken(source: Path, tmp_path: Path) -> None:
    check_destination(source, tmp_path / "out")
    (tmp_path / "empty").mkdir()
    check_destination(source, tmp_path / "empty")
    own_tree(tmp_path / "out")
    check_destination(source, tmp_path / "out")


def test_other_things_are_named_in_the_refusal(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    own_tree(out)
    (out / "d" / "mine.txt").touch()
    with pytest.raises(Refused, match=r"d/mine\.txt, which musify-ai did not write"):
        check_destination(source, out)


def test_a_changed_file_or_link_is_named_in_the_refusal(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    own_tree(out)
    (out / "d" / "a.cu").write_bytes(b"edited by hand")
    with pytest.raises(Refused, match=r"d/a\.cu, which was changed"):
        check_destination(source, out)
    shutil.rmtree(out)
    own_tree(out)
    (out / "link").unlink()
    (out / "link").symlink_to("elsewhere")
    with pytest.raises(Refused, match="link, which was changed"):
        check_destination(source, out)


def test_a_missing_file_of_ours_is_no_concern(source: Path, tmp_path: Path) -> None:
    own_tree(tmp_path / "out")
    (tmp_path / "out" / "link").unlink()
    check_destination(source, tmp_path / "out")


@pytest.mark.parametrize("text", ["", "[]", '{"files": 1}', "{}"])
def test_a_manifest_that_is_none_is_refused(source: Path, tmp_path: Path, text: str) -> None:
    out = tmp_path / "out"
    own_tree(out)
    (out / MANIFEST).write_text(text)
    with pytest.raises(Refused):
        check_destination(source, out)


def test_a_file_and_a_git_repository_are_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    for name in ("file", "repo"):
        with pytest.raises(Refused):
            check_destination(source, tmp_path / name)


def test_a_single_file_replaces_its_own_output_and_nothing_else(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "b.cu"
    check_destination(source / "a.cu", out)
    out.touch()
    with pytest.raises(Refused, match="no unchanged output"):
        check_destination(source / "a.cu", out)
    out.write_bytes(b"ours")
    remember_file(out)
    check_destination(source / "a.cu", out)
    out.write_bytes(b"changed since")
    with pytest.raises(Refused, match="no unchanged output"):
        check_destination(source / "a.cu", out)
    with pytest.raises(Refused, match="name the new file itself"):
        check_destination(source / "a.cu", tmp_path / "cache")


def test_a_tree_replaces_our_last_one_and_nothing_is_left_over(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    own_tree(out)
    with opened_tree(out) as tree:
        (tree.root / "b.cu").write_bytes(b"second")
        tree.publish()
    assert sorted(p.name for p in out.iterdir()) == [FOLDER, "b.cu"]
    assert [p.name for p in out.parent.iterdir()] == ["out"]


def test_what_a_person_put_there_meanwhile_or_into_git_is_not_swept_away(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(Refused, match="mine, which musify-ai did not write"), opened_tree(out) as tree:
        out.mkdir()
        (out / "mine").write_bytes(b"precious")
        tree.publish()
    assert (out / "mine").read_bytes() == b"precious"
    (out / "mine").unlink()
    own_tree(out)
    (out / "d" / ".git").mkdir()
    with pytest.raises(Refused, match="a git repository in d"):
        check_destination(source, out)


def test_a_run_that_ends_badly_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    own_tree(out)
    with pytest.raises(KeyboardInterrupt), opened_tree(out) as tree:
        (tree.root / "half").touch()
        raise KeyboardInterrupt
    assert sorted(p.name for p in out.iterdir()) == [MANIFEST, "d", "link"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_the_manifest_is_stable(tmp_path: Path) -> None:
    own_tree(tmp_path / "a")
    own_tree(tmp_path / "b")
    assert (tmp_path / "a" / MANIFEST).read_bytes() == (tmp_path / "b" / MANIFEST).read_bytes()
    assert set(json.loads((tmp_path / "a" / MANIFEST).read_bytes())["files"]) == {"d/a.cu", "link"}
