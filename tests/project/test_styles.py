"""The styles that leave names to aliases, over trees and files: what is written where, and what a second run does."""

import subprocess
from pathlib import Path

import pytest

from musify_ai.project import Refused, check, fix, migrate
from musify_ai.project.running import Outcome
from musify_ai.records import Options
from musify_ai.report.patch import render
from musify_ai.report.text import render as as_text

ALIAS = Options(style="alias", verify=False)
FREE = "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"
HEADER = "musify_compat/musify_compat.h"


def tree(place: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def contents(place: Path) -> dict[str, bytes]:
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and not {".musify-ai.json", ".musify-ai", ".git"}.intersection(path.parts)
    }


def changed(outcome: Outcome) -> list[str]:
    return [file.path for file in outcome.run.files if file.status == "changed"]


@pytest.mark.parametrize("style", ["alias", "dual"])
def test_a_tree_gets_the_folder_and_a_second_run_changes_nothing(tmp_path: Path, style: str) -> None:
    options = ALIAS._replace(style=style)
    src = tree(tmp_path / "src", {"a/k.cu": FREE, "b.cuh": "#if __CUDA_ARCH__ >= 800\n#endif\ncudaMalloc(&p, 1);\n"})
    first = migrate(src, tmp_path / "one", options)
    assert first.run.failed == ()
    out = contents(tmp_path / "one")
    assert out["a/k.cu"] == FREE.encode()
    assert set(out) == {"a/k.cu", "b.cuh", HEADER, "musify_compat/cuda_runtime.h"}
    assert b"#define cudaFree musaFree\n#define cudaMalloc musaMalloc\n" in out[HEADER]
    assert f"{style}: generated; a build for MUSA needs -Imusify_compat" in as_text(first.run, first.texts)
    second = migrate(tmp_path / "one", tmp_path / "two", options)
    assert changed(second) == []
    assert contents(tmp_path / "two") == out
    # In place over its own output nothing is left to do either.
    assert changed(migrate(tmp_path / "two", None, options, way="in-place", allow_dirty=True)) == []
    assert contents(tmp_path / "two") == out


def test_semantic_writes_no_folder(tmp_path: Path) -> None:
    src = tree(tmp_path / "src", {"k.cu": FREE})
    migrate(src, tmp_path / "out", ALIAS._replace(style="semantic"))
    assert contents(tmp_path / "out") == {"k.cu": FREE.encode()}


def test_a_name_that_the_project_defines_is_renamed_where_it_is_the_apis(tmp_path: Path) -> None:
    files = {
        "own.cu": "static int cudaFree(void* p) { return 0; }\n",
        "api.cu": "int g(void* p) { return cudaFree(p); }\n",
    }
    src = tree(tmp_path / "src", files)
    migrate(src, tmp_path / "one", ALIAS)
    out = contents(tmp_path / "one")
    assert out["own.cu"] == files["own.cu"].encode()
    assert out["api.cu"] == b"int g(void* p) { return musaFree(p); }\n"
    assert HEADER not in out
    assert changed(migrate(tmp_path / "one", tmp_path / "two", ALIAS)) == []


def test_the_patch_makes_what_in_place_makes(tmp_path: Path) -> None:
    files = {"k.cu": FREE + "#if __CUDA_ARCH__ >= 800\n#endif\n"}
    outcome = migrate(tree(tmp_path / "src", files), None, ALIAS._replace(style="dual"), way="diff")
    patched, inside = tree(tmp_path / "patched", files), tree(tmp_path / "inside", files)
    patch = render(outcome.run, outcome.texts)
    subprocess.run(["git", "apply", "-"], cwd=patched, input=patch, check=True)
    migrate(inside, None, ALIAS._replace(style="dual"), way="in-place")
    assert contents(patched) == contents(inside)
    assert HEADER in contents(patched)


def test_a_single_file_has_the_folder_beside_it(tmp_path: Path) -> None:
    src = tree(tmp_path / "src", {"k.cu": FREE})
    migrate(src / "k.cu", tmp_path / "out" / "k.mu", ALIAS)
    assert set(contents(tmp_path / "out")) == {"k.mu", HEADER, "musify_compat/cuda_runtime.h"}


def test_check_is_pending_until_fix_has_added_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, {".git/HEAD": "", "a.cu": FREE, "d/b.cu": "void g(void* p) { cudaMalloc(&p, 1); }\n"})
    monkeypatch.chdir(root)
    fix([Path("a.cu")], ALIAS)
    assert b"cudaMalloc" not in (root / HEADER).read_bytes()
    pending = check([Path("d/b.cu")], ALIAS)
    assert [file.path for file in pending.run.files if file.edits] == [HEADER]
    assert changed(fix([Path("d/b.cu")], ALIAS)) == [HEADER]
    assert b"#define cudaFree musaFree\n#define cudaMalloc musaMalloc\n" in (root / HEADER).read_bytes()
    assert not any(file.edits for file in check([Path("a.cu"), Path("d")], ALIAS).run.files)


def test_what_is_not_ours_is_not_written_over(tmp_path: Path) -> None:
    src = tree(tmp_path / "src", {"k.cu": FREE, HEADER: "int mine;\n"})
    with pytest.raises(Refused, match="is not ours"):
        migrate(src, tmp_path / "out", ALIAS)
    assert not (tmp_path / "out").exists()
    with pytest.raises(Refused, match="mapping compiler"):
        migrate(src, tmp_path / "out", Options(style="semantic", sdk="4.3"))


REBRAND = Options(style="rebrand", verify=False)
PROJECT = {
    "include/my_cuda/cuda_util.cuh": "#pragma once\nint cuda_helper(void*);\n",
    "src/cuda_util.cu": '#include "my_cuda/cuda_util.cuh"\nint cuda_helper(void* p) { return cudaFree(p); }\n',
    "src/CMakeLists.txt": "add_library(x cuda_util.cu)\n",
    "docs_cuda/README.md": "cuda_util.cu\n",
    "third_party/cuda_x/cuda_y.cuh": "int cuda_other;\n",
}
REBRANDED = {
    "include/my_musa/musa_util.muh": "#pragma once\nint musa_helper(void*);\n",
    "src/musa_util.mu": '#include "my_musa/musa_util.muh"\nint musa_helper(void* p) { return musaFree(p); }\n',
    "src/CMakeLists.txt": "musa_add_library(x cuda_util.cu)\n",
    "docs_cuda/README.md": "cuda_util.cu\n",
    "third_party/cuda_x/cuda_y.cuh": "int cuda_other;\n",
}


def test_a_rebranded_tree_and_a_second_run(tmp_path: Path) -> None:
    src = tree(tmp_path / "src", PROJECT)
    outcome = migrate(src, tmp_path / "one", REBRAND)
    assert outcome.run.failed == ()
    assert contents(tmp_path / "one") == {path: text.encode() for path, text in REBRANDED.items()}
    assert {file.path: file.output for file in outcome.run.files}["src/cuda_util.cu"] == "src/musa_util.mu"
    assert not (tmp_path / "one" / "include" / "my_cuda").exists()
    assert "rebrand: 2 files have another name or place" in as_text(outcome.run, outcome.texts)
    named = [finding for file in outcome.run.files for finding in file.findings if finding.code == "MUS122"]
    assert ["cuda_util.cu (now musa_util.mu)" in finding.message for finding in named] == [True]
    again = migrate(tmp_path / "one", tmp_path / "two", REBRAND)
    assert changed(again) == []
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def test_rebranding_in_place_and_by_patch(tmp_path: Path) -> None:
    inside, patched = tree(tmp_path / "inside", PROJECT), tree(tmp_path / "patched", PROJECT)
    (inside / "src" / "cuda_util.cu").chmod(0o755)
    outcome = migrate(patched, None, REBRAND, way="diff")
    assert contents(patched) == {path: text.encode() for path, text in PROJECT.items()}
    subprocess.run(["git", "apply", "-"], cwd=patched, input=render(outcome.run, outcome.texts), check=True)
    migrate(inside, None, REBRAND, way="in-place")
    assert contents(inside) == contents(patched) == {path: text.encode() for path, text in REBRANDED.items()}
    assert (inside / "src" / "musa_util.mu").stat().st_mode & 0o777 == 0o755
    assert not (inside / "include" / "my_cuda").exists()


def test_an_empty_file_keeps_its_name_in_a_patch(tmp_path: Path) -> None:
    files = {"cuda_empty.cuh": "", "a.cu": '#include "cuda_empty.cuh"\n'}
    patched = tree(tmp_path, files)
    outcome = migrate(patched, None, REBRAND, way="diff")
    subprocess.run(["git", "apply", "-"], cwd=patched, input=render(outcome.run, outcome.texts), check=True)
    assert contents(patched) == {"cuda_empty.cuh": b"", "a.mu": b'#include "cuda_empty.cuh"\n'}


def test_rebranding_is_shown_by_check_and_refused_by_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree(tmp_path, PROJECT))
    files = {file.path: file for file in check([Path("src"), Path("include")], REBRAND).run.files}
    assert files["src/cuda_util.cu"].reason == "becomes src/musa_util.mu"
    assert [edit.new for edit in files["src/cuda_util.cu"].edits] == [
        b"my_musa/musa_util.muh",
        b"musa_helper",
        b"musaFree",
    ]
    with pytest.raises(Refused, match="use `migrate`"):
        fix([Path("src")], REBRAND)
    # The folders above what was given are not the project's to rename, however they are named.
    tree(tmp_path / "a_cuda", {"b_cuda/cuda_k.cu": "int a;\n", "b_cuda/x.h": "int b;\n"})
    for given in (Path("a_cuda/b_cuda"), tmp_path / "a_cuda" / "b_cuda"):
        reasons = [file.reason for file in check([given], REBRAND).run.files]
        assert reasons == [f"becomes {given.as_posix()}/musa_k.mu", None]


def test_a_link_and_what_it_leads_to_stay(tmp_path: Path) -> None:
    src = tree(tmp_path / "src", {"cuda_a.cuh": "int a;\n", "cuda_b.cuh": "int b;\n"})
    (src / "link.cuh").symlink_to("cuda_a.cuh")
    migrate(src, tmp_path / "out", REBRAND)
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["cuda_a.cuh", "link.cuh", "musa_b.muh"]
    assert (tmp_path / "out" / "link.cuh").read_text() == "int a;\n"
