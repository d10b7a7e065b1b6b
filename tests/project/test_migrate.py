"""Whole trees through `migrate`, `fix` and `check`, on disk."""

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest

from musify_ai.pipeline import Processed
from musify_ai.project import Refused, check, fix, migrate, scheduling
from musify_ai.project.treating import Way
from musify_ai.records import Failure, FileResult, Options

CUDA = b"#include <cuda_runtime.h>\r\nvoid f(void *p) { cudaFree(p); } // cudaFree stays here"
MUSA = b"#include <musa_runtime.h>\r\nvoid f(void *p) { musaFree(p); } // cudaFree stays here"
QUIET = Options(verify=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    src = tmp_path / "src"
    (src / "deep" / "empty").mkdir(parents=True)
    (src / "deep" / "a.cu").write_bytes(CUDA)
    (src / "deep" / "a.cu").chmod(0o640)
    (src / "run.sh").write_bytes(b"#!/bin/sh\necho cudaFree\n")
    (src / "run.sh").chmod(0o755)
    (src / "data.bin").write_bytes(bytes(range(256)) * 10)
    (src / "blob.h").write_bytes(b"\x7fELF" + bytes(range(8)) * 40 + b"cudaFree")
    (src / "link.cu").symlink_to("deep/a.cu")
    (src / "empty.cu").touch()
    (src / "gbk.cu").write_bytes("// 显存\nint x = cudaSuccess;\n".encode("gbk"))
    return src


def statuses(run_files: tuple[FileResult, ...]) -> dict[str, str]:
    return {f.path: f.status for f in run_files}


def test_a_tree_is_translated_and_the_rest_copied_with_modes_and_links(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome = migrate(tree, out, QUIET)
    assert statuses(outcome.run.files) == {
        "blob.h": "copied",
        "data.bin": "copied",
        "deep/a.cu": "changed",
        "empty.cu": "unchanged",
        "gbk.cu": "changed",
        "link.cu": "copied",
        "run.sh": "copied",
    }
    assert outcome.run.failed == ()
    assert (out / "deep" / "a.cu").read_bytes() == MUSA
    assert stat.S_IMODE((out / "deep" / "a.cu").stat().st_mode) == 0o640
    assert (out / "gbk.cu").read_bytes() == "// 显存\nint x = musaSuccess;\n".encode("gbk")
    for name in ("run.sh", "data.bin", "blob.h", "empty.cu"):
        assert (out / name).read_bytes() == (tree / name).read_bytes()
    assert os.access(out / "run.sh", os.X_OK)
    assert (out / "link.cu").readlink() == Path("deep/a.cu")
    assert (out / "deep" / "empty").is_dir()
    assert (tree / "deep" / "a.cu").read_bytes() == CUDA


def test_hashes_tell_what_was_read_and_written(tree: Path, tmp_path: Path) -> None:
    from hashlib import sha256

    for file in migrate(tree, tmp_path / "out", QUIET).run.files:
        if file.path != "link.cu":
            assert file.sha256_before == sha256((tree / file.path).read_bytes()).hexdigest()
            assert file.output is not None
            assert file.sha256_after == sha256((tmp_path / "out" / file.output).read_bytes()).hexdigest()


def test_a_second_run_takes_its_own_output_and_gives_the_same(tree: Path, tmp_path: Path) -> None:
    first = migrate(tree, tmp_path / "out", QUIET)
    manifest = (tmp_path / "out" / ".musify-ai.json").read_bytes()
    second = migrate(tree, tmp_path / "out", QUIET)
    assert first.run == second.run
    assert (tmp_path / "out" / ".musify-ai.json").read_bytes() == manifest


def test_migrating_the_output_changes_nothing(tree: Path, tmp_path: Path) -> None:
    migrate(tree, tmp_path / "out", QUIET)
    again = migrate(tmp_path / "out", tmp_path / "again", QUIET)
    assert "changed" not in statuses(again.run.files).values()
    assert (tmp_path / "again" / "deep" / "a.cu").read_bytes() == MUSA


def test_bad_files_are_entries_and_end_nothing(tree: Path, tmp_path: Path) -> None:
    os.mkfifo(tree / "pipe.cu")
    (tree / "gone.cu").symlink_to("nowhere.cu")
    (tree / "wide.cu").write_bytes("int x;".encode("utf-16"))
    (tree / "folder.cu").mkdir()
    outcome = migrate(tree, tmp_path / "out", QUIET)
    assert [(f.path, f.stage) for f in outcome.run.failed] == [
        ("gone.cu", "read"),
        ("pipe.cu", "read"),
        ("wide.cu", "read"),
    ]
    assert all(f.error and f.hint for f in outcome.run.failed)
    assert (tmp_path / "out" / "deep" / "a.cu").read_bytes() == MUSA
    assert (tmp_path / "out" / "gone.cu").is_symlink()
    assert (tmp_path / "out" / "wide.cu").read_bytes() == (tree / "wide.cu").read_bytes()
    assert not os.path.lexists(tmp_path / "out" / "pipe.cu")
    assert (tmp_path / "out" / "folder.cu").is_dir()


def test_a_file_that_cannot_be_translated_is_copied_as_it_is(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(src: bytes, path: str, options: Options, *, write: bool) -> Processed:
        failure = Failure(path, "translate", "internal error", "report it")
        return Processed(FileResult(path, None, "failed", "internal error"), None, (), failure)

    monkeypatch.setattr("musify_ai.project.treating.process", broken)
    outcome = migrate(tree, tmp_path / "out", QUIET)
    assert {f.path for f in outcome.run.failed} == {"deep/a.cu", "empty.cu", "gbk.cu"}
    assert (tmp_path / "out" / "deep" / "a.cu").read_bytes() == CUDA


@pytest.mark.parametrize("stage", ["read", "write"])
def test_a_file_that_cannot_be_copied_is_an_entry(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def fail(source: Path, place: Path) -> None:
        raise PermissionError(13, "Permission denied", str(source if stage == "read" else place))

    monkeypatch.setattr("musify_ai.project.writing.copy_as_is", fail)
    (tree / "deep" / "a.cu").write_bytes(CUDA)
    outcome = migrate(tree, tmp_path / "out", QUIET)
    assert ("run.sh", stage) in [(f.path, f.stage) for f in outcome.run.failed]
    assert (tmp_path / "out" / "deep" / "a.cu").read_bytes() == MUSA
    assert not (tmp_path / "out" / "run.sh").exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_ends_the_run_and_leaves_nothing(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(source: Path, place: Path) -> None:
        raise OSError(number, "No space left on device", str(place))

    monkeypatch.setattr("musify_ai.project.writing.copy_as_is", fail)
    with pytest.raises(Refused, match="No space left"):
        migrate(tree, tmp_path / "out", QUIET)
    assert os.listdir(tmp_path) == ["src"]


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no such file"):
        migrate(tmp_path / "nothing", tmp_path / "out", QUIET)
    assert os.listdir(tmp_path) == []


def test_a_single_file(tree: Path, tmp_path: Path) -> None:
    outcome = migrate(tree / "deep" / "a.cu", tmp_path / "b.cu", QUIET)
    assert (tmp_path / "b.cu").read_bytes() == MUSA
    assert [(f.path, f.output, f.status) for f in outcome.run.files] == [("a.cu", "b.cu", "changed")]
    assert sorted(os.listdir(tmp_path)) == ["b.cu", "src"]


def test_a_single_file_that_cannot_be_read_writes_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    outcome = migrate(tmp_path / "pipe.cu", tmp_path / "b.cu", QUIET)
    assert [f.stage for f in outcome.run.failed] == ["read"]
    assert not (tmp_path / "b.cu").exists()


def test_in_place_leaves_other_peoples_files_and_musa_files_alone(tree: Path) -> None:
    (tree / "third_party").mkdir()
    (tree / "third_party" / "t.cu").write_bytes(CUDA)
    (tree / "g.cu").write_bytes(b"// @generated\n" + CUDA)
    (tree / "m.cu").write_bytes(MUSA)
    outcome = migrate(tree, None, QUIET, way="in-place")
    reasons = {f.path: f.reason for f in outcome.run.files if f.status == "skipped" and f.reason}
    assert reasons == {
        "blob.h": "binary",
        "g.cu": "says that it is generated",
        "link.cu": "symbolic link",
        "m.cu": "already MUSA",
        "third_party/t.cu": "in a third-party folder",
    }
    assert (tree / "deep" / "a.cu").read_bytes() == MUSA
    assert (tree / "third_party" / "t.cu").read_bytes() == CUDA
    migrate(tree, None, QUIET, way="in-place", everything=True)
    assert (tree / "third_party" / "t.cu").read_bytes() == MUSA


def test_in_place_refuses_a_dirty_tree_unless_told(tree: Path) -> None:
    subprocess.run(["git", "init", "-q", tree], check=True)
    with pytest.raises(Refused, match="--allow-dirty"):
        migrate(tree, None, QUIET, way="in-place")
    assert (tree / "deep" / "a.cu").read_bytes() == CUDA
    migrate(tree, None, QUIET, way="in-place", allow_dirty=True)
    assert (tree / "deep" / "a.cu").read_bytes() == MUSA


def test_a_file_that_cannot_be_written_stays_and_its_edits_are_not_applied(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(place: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("musify_ai.project.resuming.replace_file", full)
    outcome = migrate(tree, None, QUIET, way="in-place")
    assert [(f.path, f.stage) for f in outcome.run.failed] == [("deep/a.cu", "write"), ("gbk.cu", "write")]
    assert (tree / "deep" / "a.cu").read_bytes() == CUDA
    assert not any(e.applied for f in outcome.run.files for e in f.edits)


def test_a_diff_writes_nothing(tree: Path) -> None:
    outcome = migrate(tree, None, QUIET, way="diff")
    assert outcome.texts["deep/a.cu"] == (CUDA, MUSA)
    assert (tree / "deep" / "a.cu").read_bytes() == CUDA


def test_check_writes_nothing_and_applies_nothing(tree: Path) -> None:
    before = {p: p.read_bytes() for p in tree.rglob("*") if p.is_file()}
    outcome = check([tree], QUIET)
    assert {p: p.read_bytes() for p in tree.rglob("*") if p.is_file()} == before
    edits = [e for f in outcome.run.files for e in f.edits]
    assert edits
    assert not any(e.applied for e in edits)
    assert all(f.output is None and f.sha256_after is None for f in outcome.run.files)


def test_fix_changes_files_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [f.path for f in fix([Path("deep/a.cu")], QUIET).run.files if f.status == "changed"] == ["deep/a.cu"]
    assert (tree / "deep" / "a.cu").read_bytes() == MUSA
    assert [f.path for f in fix([Path("deep/a.cu")], QUIET).run.files if f.status == "changed"] == []


def test_a_link_that_is_named_outright_stands_for_its_file(tree: Path, tmp_path: Path) -> None:
    migrate(tree / "link.cu", tmp_path / "b.cu", QUIET)
    assert (tmp_path / "b.cu").read_bytes() == MUSA
    assert not (tmp_path / "b.cu").is_symlink()
    assert [f.status for f in fix([tree / "link.cu"], QUIET).run.files] == ["changed"]
    assert (tree / "link.cu").readlink() == Path("deep/a.cu")
    assert (tree / "deep" / "a.cu").read_bytes() == MUSA


def test_a_link_to_a_directory_is_walked_when_named(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "also").symlink_to(tree / "deep")
    assert [f.path for f in check([tmp_path / "also"], QUIET).run.files] == [f"{tmp_path}/also/a.cu"]


def test_paths_are_relative_to_where_we_stand(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [f.path for f in check([Path("deep"), Path("deep/a.cu"), Path("gbk.cu")], QUIET).run.files] == [
        "deep/a.cu",
        "gbk.cu",
    ]
    assert "deep/a.cu" in [f.path for f in check([Path()], QUIET).run.files]


def test_over_processes_the_result_is_the_same(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = migrate(tree, tmp_path / "one", QUIET)
    monkeypatch.setattr(scheduling, "PARALLEL_FROM", 0)
    together = migrate(tree, tmp_path / "two", Options(verify=False, jobs=2))
    assert together.run.files == alone.run.files


def die(root: Path, entry: object, manner: object) -> object:
    if getattr(entry, "path", "") == "deep/a.cu":
        os._exit(11)
    return real_treat(root, entry, manner)


real_treat = scheduling.treat


def test_a_file_that_takes_its_process_down_is_one_failure(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "PARALLEL_FROM", 0)
    monkeypatch.setattr(scheduling, "treat", die)
    outcome = migrate(tree, tmp_path / "out", Options(verify=False, jobs=2))
    assert [(f.path, f.stage) for f in outcome.run.failed] == [("deep/a.cu", "translate")]
    assert (tmp_path / "out" / "deep" / "a.cu").read_bytes() == CUDA
    assert (tmp_path / "out" / "gbk.cu").read_bytes().endswith(b"musaSuccess;\n")


def test_what_git_ignores_is_left_alone_in_place(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("scratch.cu\n.gitignore\n")
    (tmp_path / "scratch.cu").write_bytes(CUDA)
    outcome = migrate(tmp_path, None, QUIET, way="in-place")
    assert [(f.path, f.status, f.reason) for f in outcome.run.files] == [("scratch.cu", "skipped", "ignored by git")]
    assert (tmp_path / "scratch.cu").read_bytes() == CUDA
    migrate(tmp_path, None, QUIET, way="in-place", everything=True)
    assert (tmp_path / "scratch.cu").read_bytes() != CUDA


def test_python_that_drives_a_gpu_is_translated(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.py").write_bytes(b"import torch\nx = torch.zeros(3).cuda()  # cuda\n")
    (tmp_path / "in" / "b.py").write_bytes(b"cuda_name = 1\n")
    run = migrate(tmp_path / "in", tmp_path / "out", QUIET).run
    assert {f.path: f.status for f in run.files} == {"a.py": "changed", "b.py": "unchanged"}
    assert b".musa()  # cuda" in (tmp_path / "out" / "a.py").read_bytes()
    dual = migrate(tmp_path / "in", tmp_path / "dual", QUIET._replace(style="dual")).run
    assert {f.path: f.status for f in dual.files} == {"a.py": "copied", "b.py": "copied"}


@pytest.mark.parametrize("way", ["out", "in-place", "diff"])
def test_what_a_file_that_is_musa_already_needs_is_told_whichever_way_it_goes(tmp_path: Path, way: Way) -> None:
    source = (
        b"#include <musa_runtime.h>\n"
        b"__device__ float f(float v) { return __shfl_down_sync(0xffffffff, v, 16); }\n"
        b"void g(void *p) { cudaFree(p); }\n"
    )
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.cu").write_bytes(source)
    expected = check([tree], QUIET).run.files[0]
    outcome = migrate(tree, tmp_path / "out" if way == "out" else None, QUIET, way=way)
    (file,) = outcome.run.files
    assert (file.reason, file.edits, (tree / "a.cu").read_bytes()) == ("already MUSA", (), source)
    assert {f.code for f in file.findings} == {"MUS001", "MUS302"}
    assert [f.code for f in file.findings] == [f.code for f in expected.findings]
    if way == "out":
        assert (tmp_path / "out" / "a.cu").read_bytes() == source
        again = migrate(tree, tmp_path / "out", QUIET)
        assert again.run.files[0].findings == file.findings
