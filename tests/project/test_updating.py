"""A tree that was migrated before: what upstream and persons did since comes together, and nothing is lost."""

import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from musify_ai.project import Outcome, migrate, running, scheduling, updating, writing
from musify_ai.project.burning import burned
from musify_ai.project.ledger import FOLDER, Ledger
from musify_ai.project.refusals import Refused
from musify_ai.records import Options

OPTIONS = Options(verify=False, jobs=1)
KERNEL = "__global__ void k(float *p) {\n  p[0] = 1;\n}\nvoid f() {\n  cudaDeviceSynchronize();\n}\n"


@pytest.fixture(autouse=True)
def with_bytes_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a run over many files."""
    monkeypatch.setattr(scheduling, "ASIDE_FROM", 1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(KERNEL)
    (tmp_path / "src" / "b.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "src" / "c.bin").write_bytes(b"\0\1\2")
    return tmp_path / "src"


@pytest.fixture
def out(source: Path, tmp_path: Path) -> Path:
    migrate(source, tmp_path / "out", OPTIONS)
    return tmp_path / "out"


def change(place: Path, old: str, new: str) -> None:
    text = place.read_text()
    assert old in text
    place.write_text(text.replace(old, new))


def told(outcome: Outcome) -> dict[str, str | None]:
    return {file.path: file.reason for file in outcome.run.files if file.reason}


def failed(outcome: Outcome) -> list[tuple[str, str]]:
    return [(failure.path, failure.stage) for failure in outcome.run.failed]


def settles(source: Path, out: Path) -> Outcome:
    """Another run changes nothing any more."""
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and FOLDER not in path.parts}
    outcome = migrate(source, out, OPTIONS)
    after = {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and FOLDER not in path.parts}
    assert before == after
    return outcome


def test_edits_are_kept_and_merged_with_what_is_new(source: Path, out: Path) -> None:
    change(out / "a.cu", "p[0] = 1;", "p[0] = 1;  // by hand")
    change(out / "b.txt", "two", "2")
    (out / "own").mkdir()
    (out / "own" / "x.cu").write_text("mine\n")
    change(source / "a.cu", "void f", "void g() { cudaDeviceReset(); }\nvoid f")
    outcome = migrate(source, out, OPTIONS)
    assert outcome.run.failed == ()
    assert told(outcome) == {"a.cu": "merged with what was edited by hand", "b.txt": "edited by hand"}
    text = (out / "a.cu").read_text()
    assert "// by hand" in text and "musaDeviceReset" in text and "cuda" not in text
    assert (out / "b.txt").read_text() == "one\n2\nthree\n" and (out / "own" / "x.cu").read_text() == "mine\n"
    assert settles(source, out).run.failed == ()


def test_a_conflict_is_marked_told_until_it_is_resolved_and_then_forgotten(source: Path, out: Path) -> None:
    change(out / "a.cu", "p[0] = 1;", "p[0] = 2;")
    change(source / "a.cu", "p[0] = 1;", "p[0] = 3;")
    outcome = migrate(source, out, OPTIONS)
    assert failed(outcome) == [("a.cu", "merge")] and "(line 2)" in outcome.run.failed[0].error
    marked = (out / "a.cu").read_text()
    assert "<<<<<<< edited by hand\n  p[0] = 2;\n=======\n  p[0] = 3;\n>>>>>>> migrated anew\n" in marked
    assert failed(settles(source, out)) == [("a.cu", "merge")]
    change(source / "a.cu", "p[0] = 3;", "p[0] = 4;")  # nothing is merged into a conflict
    assert failed(settles(source, out)) == [("a.cu", "merge")]
    (out / "a.cu").write_text(KERNEL.replace("cuda", "musa").replace("= 1", "= 3"))  # theirs of then is taken
    assert failed(migrate(source, out, OPTIONS)) == []
    assert "p[0] = 4;" in (out / "a.cu").read_text()
    assert settles(source, out).run.failed == ()


def test_what_is_no_text_stays_as_it_was_edited(source: Path, out: Path) -> None:
    (out / "c.bin").write_bytes(b"\0mine")
    (source / "c.bin").write_bytes(b"\0theirs")
    assert failed(migrate(source, out, OPTIONS)) == [("c.bin", "merge")]
    assert (out / "c.bin").read_bytes() == b"\0mine"
    assert failed(settles(source, out)) == []


def test_what_was_deleted_by_hand_stays_deleted_and_a_change_of_it_is_told(source: Path, out: Path) -> None:
    (out / "a.cu").unlink()
    (out / "b.txt").unlink()
    change(source / "b.txt", "two", "2")
    outcome = migrate(source, out, OPTIONS)
    assert failed(outcome) == [("b.txt", "merge")] and told(outcome)["a.cu"] == "deleted by hand"
    assert not (out / "a.cu").exists() and not (out / "b.txt").exists()
    assert failed(settles(source, out)) == []


def test_what_upstream_removed_goes_unless_it_was_edited(source: Path, out: Path) -> None:
    change(out / "a.cu", "p[0] = 1;", "p[0] = 2;")
    (source / "a.cu").unlink()
    (source / "b.txt").unlink()
    outcome = migrate(source, out, OPTIONS)
    assert failed(outcome) == [("a.cu", "merge")]
    assert "p[0] = 2;" in (out / "a.cu").read_text() and not (out / "b.txt").exists()
    assert failed(settles(source, out)) == []


def test_files_and_folders_in_the_way_are_never_written_over(source: Path, out: Path) -> None:
    (out / "new.txt").write_text("mine\n")
    (out / "dir.txt").mkdir()
    (source / "new.txt").write_text("theirs\n")
    (source / "dir.txt").write_text("theirs\n")
    assert failed(migrate(source, out, OPTIONS)) == [("dir.txt", "merge"), ("new.txt", "merge")]
    assert "mine\n=======\ntheirs\n" in (out / "new.txt").read_text() and (out / "dir.txt").is_dir()


def test_random_edits_of_many_files_all_survive(source: Path, tmp_path: Path) -> None:
    draw = random.Random(7)
    names = [f"f{number}.cu" for number in range(25)]
    for name in names:
        (source / name).write_text("".join(f"void f{n}() {{ cudaDeviceSynchronize(); }}\n" for n in range(12)))
    out = tmp_path / "out"
    migrate(source, out, OPTIONS)
    mine: dict[str, list[str]] = {name: [] for name in names}
    for tree, word in ((source, "theirs"), (out, "mine")):
        for name in names:
            lines = (tree / name).read_text().splitlines(True)
            for number in range(draw.randrange(4)):
                at = draw.randrange(len(lines))
                lines[at : at + draw.randrange(3)] = [f"// {word} {name} {number}\n"]
            (tree / name).write_text("".join(lines))
            if word == "mine":
                mine[name] = [line for line in lines if "mine" in line]
    outcome = migrate(source, out, OPTIONS)
    conflicts = {path for path, stage in failed(outcome) if stage == "merge"}
    for name in names:
        text = (out / name).read_text()
        assert all(line in text for line in mine[name]), name
        assert ("<<<<<<< " in text) == (name in conflicts)
    assert 0 < len(conflicts) < len(names)
    assert {path for path, _ in failed(settles(source, out))} == conflicts


def test_a_conflict_stands_as_long_as_one_of_its_marks_does(source: Path, out: Path) -> None:
    change(out / "b.txt", "two", "2")
    change(source / "b.txt", "two", "zwei")
    assert failed(migrate(source, out, OPTIONS)) == [("b.txt", "merge")]
    for taken, line in (("<<<<<<< edited by hand\n", 5), ("=======\n", 4)):
        change(out / "b.txt", taken, "")
        assert f"(line {line})" in migrate(source, out, OPTIONS).run.failed[0].error
    (out / "b.txt").write_bytes((out / "b.txt").read_bytes().replace(b"\n", b" \r\n"))  # as some editor saves it
    assert failed(settles(source, out)) == [("b.txt", "merge")]
    change(out / "b.txt", ">>>>>>> migrated anew", "")
    assert failed(settles(source, out)) == []


def test_a_source_with_an_unfinished_merge_is_told_and_copied(source: Path, tmp_path: Path) -> None:
    def merging(ours: str, theirs: str = "") -> str:
        return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"

    texts = {
        "a.cu": merging("void g() { cudaFree(0); }\n") + KERNEL,
        "CMakeLists.txt": merging("enable_language(CUDA)\n", "find_package(CUDAToolkit)\n"),
        "Makefile": "all:\n" + merging("\tnvcc -o a a.cu\n"),
        "setup.py": "from torch.utils.cpp_extension import CUDAExtension\n" + merging("x = 1\n"),
        "t.py": "import torch\n" + merging("x = torch.zeros(3, device='cuda')\n"),
        "Dockerfile": merging("FROM nvidia/cuda:12.1.0-devel\n"),
        "ported.cu": "#include <musa_runtime.h>\n" + merging("void h() { musaFree(0); }\n"),
    }
    for name, text in texts.items():
        (source / name).write_text(text)
    (source / "b.cu").write_text("// <<<<<<< HEAD\n// =======\n// >>>>>>> x\n" + KERNEL)
    for _ in range(2):
        outcome = migrate(source, tmp_path / "out", OPTIONS)
        assert failed(outcome) == [(name, "read") for name in sorted(texts)]
        assert "line 1" in outcome.run.failed[-1].error or "line 2" in outcome.run.failed[-1].error
        for name, text in texts.items():
            assert (tmp_path / "out" / name).read_text() == text, name
        assert "musa" in (tmp_path / "out" / "b.cu").read_text()
    assert [day.failed for day in burned(tmp_path / "out")] == [len(texts)]
    for name in texts:
        (source / name).write_text(KERNEL if name.endswith(".cu") else "\n")
    assert failed(migrate(source, tmp_path / "out", OPTIONS)) == []
    assert [day.failed for day in burned(tmp_path / "out")] == [len(texts), 0]


def test_conflicts_are_open_work_until_the_last_mark_is_gone(source: Path, out: Path) -> None:
    by_git = "<<<<<<< HEAD\n2\n=======\nII\n>>>>>>> their branch"  # in the new tree, which is in git
    change(out / "b.txt", "two", by_git)
    assert failed(migrate(source, out, OPTIONS)) == [("b.txt", "merge")]
    change(out / "a.cu", "p[0] = 1;", "p[0] = 2;")
    change(source / "a.cu", "p[0] = 1;", "p[0] = 3;")
    change(source / "b.txt", "three", "3")
    assert failed(migrate(source, out, OPTIONS)) == [("a.cu", "merge"), ("b.txt", "merge")]
    assert "three" in (out / "b.txt").read_text()
    conflicts = [day.conflicts for day in burned(out)]
    assert conflicts == [0, 1, 2] and burned(out)[-1].open == burned(out)[0].open + 2
    (out / "b.txt").write_text("own\n\none\ntwo\nthree\n")
    (out / "a.cu").write_text((source / "a.cu").read_text().replace("cuda", "musa"))
    assert failed(migrate(source, out, OPTIONS)) == []
    assert (out / "b.txt").read_text() == "own\n\none\ntwo\n3\n"
    assert burned(out)[-1].conflicts == 0


def test_nothing_is_written_through_a_link_that_a_person_put_for_a_folder(source: Path, tmp_path: Path) -> None:
    (source / "deep").mkdir()
    (source / "deep" / "d.cu").write_text(KERNEL)
    (source / "deep" / "e.cu").write_text(KERNEL)
    migrate(source, tmp_path / "out", OPTIONS)
    shutil.move(tmp_path / "out" / "deep", tmp_path / "kept")
    (tmp_path / "out" / "deep").symlink_to(tmp_path / "kept")
    before = {place.name: place.read_bytes() for place in (tmp_path / "kept").iterdir()}
    change(source / "deep" / "d.cu", "p[0] = 1;", "p[0] = 2;")
    (source / "deep" / "e.cu").unlink()
    assert failed(migrate(source, tmp_path / "out", OPTIONS)) == [("deep/d.cu", "merge")]
    assert {place.name: place.read_bytes() for place in (tmp_path / "kept").iterdir()} == before


def test_permissions_follow_upstream_but_not_over_a_persons(source: Path, out: Path) -> None:
    def modes() -> list[int]:
        return [(out / name).stat().st_mode & 0o777 for name in ("a.cu", "b.txt", "c.bin")]

    (out / "a.cu").chmod(0o700)
    change(source / "a.cu", "p[0] = 1;", "p[0] = 2;")
    (source / "b.txt").chmod(0o755)
    migrate(source, out, OPTIONS)
    assert modes() == [0o700, 0o755, 0o644]
    (source / "a.cu").chmod(0o755)
    (source / "b.txt").chmod(0o644)
    change(source / "b.txt", "one", "eins")
    migrate(source, out, OPTIONS)
    assert modes() == [0o700, 0o644, 0o644]


def test_a_source_without_any_of_the_trees_files_is_refused(source: Path, out: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "z.cu").write_text(KERNEL)
    with pytest.raises(Refused, match="none of its files"):
        migrate(tmp_path / "other", out, OPTIONS)
    source.rename(tmp_path / "moved")
    assert failed(settles(tmp_path / "moved", out)) == []
    shutil.rmtree(tmp_path / "moved")
    (tmp_path / "moved").mkdir()
    with pytest.raises(Refused, match="none of its files"):
        migrate(tmp_path / "moved", out, OPTIONS)
    assert (out / "a.cu").exists()


def test_what_cannot_be_looked_into_is_not_taken_for_removed(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "deep").mkdir()
    (source / "deep" / "d.cu").write_text(KERNEL)
    migrate(source, tmp_path / "out", OPTIONS)
    scan = os.scandir

    def closed(place: Path) -> Iterator[os.DirEntry[str]]:
        if Path(place) == source / "deep":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scan(place)

    monkeypatch.setattr("musify_ai.project.discovery.os.scandir", closed)
    assert [path for path, _ in failed(migrate(source, tmp_path / "out", OPTIONS))] == ["deep"]
    assert (tmp_path / "out" / "deep" / "d.cu").exists()
    monkeypatch.undo()
    assert failed(settles(source, tmp_path / "out")) == []


def test_a_damaged_ledger_gives_no_wrong_translation(source: Path, out: Path) -> None:
    change(out / "b.txt", "two", "2")
    change(source / "b.txt", "three\n", "three\nfour\n")
    before = (out / "a.cu").read_bytes()
    for damage in (
        "UPDATE files SET first = replace(first, 'musaDeviceSynchronize', 'musaDeviceSynchronizf')",
        "UPDATE files SET first = '{'",
        "UPDATE files SET first = '{}' WHERE first != ''",
        "UPDATE objects SET body = x'0011'",
    ):
        with sqlite3.connect(out / FOLDER / "ledger.sqlite") as connection:
            connection.execute(damage)
        connection.close()
        outcome = migrate(source, out, OPTIONS)
        assert (out / "a.cu").read_bytes() == before and "2\n" in (out / "b.txt").read_text()
    assert told(outcome)["b.txt"] == "edited by hand"


def test_two_runs_at_once_are_refused(source: Path, out: Path, tmp_path: Path) -> None:
    with Ledger(out / FOLDER), pytest.raises(Refused, match="another run of musify-ai is writing there"):
        migrate(source, out, OPTIONS)
    stage = tmp_path / ".fresh.musify-ai"
    with Ledger(stage / FOLDER), pytest.raises(Refused, match="another run"):
        migrate(source, tmp_path / "fresh", OPTIONS)
    migrate(source, tmp_path / "fresh", OPTIONS)


def test_a_full_disk_and_a_broken_ledger_leave_the_tree_as_it_was(
    source: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(source / "b.txt", "two", "2")
    before = (out / "b.txt").read_bytes()

    def full(source: Path, place: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing, "copy_as_is", full)
    with pytest.raises(Refused, match="No space left"):
        migrate(source, out, OPTIONS)
    assert (out / "b.txt").read_bytes() == before and not (out / FOLDER / updating.NEW).exists()
    monkeypatch.undo()
    ledger = (out / FOLDER / "ledger.sqlite").read_bytes()
    (out / FOLDER / "ledger.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(Refused, match="is no ledger"):
        migrate(source, out, OPTIONS)
    assert (out / "b.txt").read_bytes() == before
    (out / FOLDER / "ledger.sqlite").write_bytes(ledger)
    migrate(source, out, OPTIONS)
    assert (out / "b.txt").read_text() == "one\n2\nthree\n"


def test_a_ledger_that_may_fill_the_disk_says_so(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Ledger._open

    def small(self: Ledger) -> None:
        opened(self)
        assert self._connection is not None
        self._connection.execute("PRAGMA max_page_count=20")

    (source / "large.txt").write_text("".join(f"{random.Random(n).random()}\n" for n in range(20_000)))
    monkeypatch.setattr(Ledger, "_open", small)
    with pytest.raises(Refused, match="no space left; free some and run again"):
        migrate(source, tmp_path / "fresh", OPTIONS)
    assert [path.name for path in tmp_path.iterdir()] == ["src"]


def test_a_file_that_changes_while_the_run_goes_on_is_told(
    source: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(source / "a.cu", "= 1", "= 5")
    planned = Ledger.plan

    def meanwhile(self: Ledger, *what: object) -> None:
        planned(self, *what)
        change(source / "a.cu", "= 5", "= 6")
        change(out / "b.txt", "one", "1")
        change(out / "a.cu", "= 1", "= 7")

    monkeypatch.setattr(Ledger, "plan", meanwhile)
    outcome = migrate(source, out, OPTIONS)
    assert failed(outcome) == [("a.cu", "write")]
    assert "= 7" in (out / "a.cu").read_text()
    monkeypatch.undo()
    assert failed(migrate(source, out, OPTIONS)) == [("a.cu", "merge")]
    fresh = out.parent / "fresh"
    monkeypatch.setattr(writing, "write_manifest", lambda *_: change(source / "b.txt", "three", "3"))
    outcome = migrate(source, fresh, OPTIONS)
    assert failed(outcome) == [("b.txt", "read")]
    assert "changed while the run was going on" in outcome.run.failed[0].error


def test_a_tree_without_its_ledger_is_refused_where_it_was_edited(source: Path, out: Path) -> None:
    shutil.rmtree(out / FOLDER)
    migrate(source, out, OPTIONS)
    shutil.rmtree(out / FOLDER)
    change(out / "b.txt", "two", "2")
    with pytest.raises(Refused, match=r"b\.txt, which was changed"):
        migrate(source, out, OPTIONS)


@pytest.mark.parametrize(("style", "path"), [("rebrand", "a.cu"), ("alias", "musify_compat/musify_compat.h")])
def test_what_changes_before_it_is_written_in_place_is_left_alone(
    source: Path, monkeypatch: pytest.MonkeyPatch, style: str, path: str
) -> None:
    checked = running._checked

    def edit(*given: Any) -> Any:
        (source / path).parent.mkdir(exist_ok=True)
        (source / path).write_text("by hand")
        return checked(*given)

    monkeypatch.setattr(running, "_checked", edit)
    outcome = migrate(source, None, OPTIONS._replace(style=style), way="in-place", allow_dirty=True)
    assert (path, "write") in failed(outcome) and (source / path).read_text() == "by hand"
