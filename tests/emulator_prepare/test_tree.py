"""Whole trees: the mirror, its atomic writes, what cannot be read."""

from pathlib import Path

from musify_ai.emulator.prepare import prepare_tree


def test_a_tree_is_mirrored_and_rewritten_only_where_it_changed(tmp_path: Path) -> None:
    root, out = tmp_path / "src", tmp_path / "out"
    (root / "inc").mkdir(parents=True)
    (root / "inc" / "defs.cuh").write_bytes(b"#define SM __shared__\r\n")
    (root / "a.cu").write_bytes(b'#include "inc/defs.cuh"\nvoid k() { SM int x; }\n')
    files = ["a.cu", "inc/defs.cuh"]
    assert prepare_tree(root, files, out, "cuda") == {"a.cu": (), "inc/defs.cuh": ()}
    assert b"::emu::shared<" in (out / "a.cu").read_bytes()
    assert (out / "inc" / "defs.cuh").read_bytes().endswith(b"\r\n")
    stamps = {name: (out / name).stat().st_mtime_ns for name in files}
    prepare_tree(root, files, out, "cuda", {"a.cu": b"int other;\n"})
    assert (out / "a.cu").read_bytes() == b"int other;\n"
    assert (out / "inc" / "defs.cuh").stat().st_mtime_ns == stamps["inc/defs.cuh"]
    assert sorted(p.name for p in out.rglob("*") if p.is_file()) == ["a.cu", "defs.cuh"]


def test_a_path_out_of_the_tree_or_not_there_is_a_problem(tmp_path: Path) -> None:
    problems = prepare_tree(tmp_path, ["../x.cu", "/etc/hostname", "gone.cu"], tmp_path / "out", "musa")
    assert [problems[name][0].code for name in ("../x.cu", "/etc/hostname", "gone.cu")] == ["path", "path", "read"]
    assert not (tmp_path / "out").exists()
