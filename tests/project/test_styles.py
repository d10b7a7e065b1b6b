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
        if path.is_file() and path.name != ".musify-ai.json" and ".git/" not in path.as_posix()
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
