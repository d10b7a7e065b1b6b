"""The walk: fixed order, links not followed, `.git` left out."""

import os
from pathlib import Path

from musify_ai.project.discovery import look, walk


def test_everything_is_listed_in_order_of_path(tmp_path: Path) -> None:
    (tmp_path / "b" / ".git").mkdir(parents=True)
    (tmp_path / "b" / ".git" / "config").touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.cu").touch()
    (tmp_path / "b" / "z.cu").write_bytes(b"12")
    (tmp_path / "a.txt").touch()
    (tmp_path / "CMakeLists.txt").touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.cu").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.cu")
    found = walk(tmp_path)
    assert [(e.path, e.kind, e.role) for e in found] == [
        ("CMakeLists.txt", "file", "build"),
        ("a.txt", "file", "other"),
        ("b", "directory", "other"),
        ("b/z.cu", "file", "source"),
        ("gone.cu", "link", "source"),
        ("loop", "link", "other"),
        ("pipe.cu", "special", "source"),
    ]
    assert {e.path: e.size for e in found}["b/z.cu"] == 2
    assert [e.path for e in found if e.dangling] == ["gone.cu"]


def test_a_submodules_git_file_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".git").write_text("gitdir: ../.git/modules/sub")
    assert [e.path for e in walk(tmp_path)] == ["sub"]


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.cu")).touch()
    assert os.fsencode(walk(tmp_path)[0].path) == b"\xff.cu"


def test_what_is_not_there_is_special(tmp_path: Path) -> None:
    assert look(tmp_path / "x.cu", "x.cu").kind == "special"


KERNEL = b"template <int N>\n__global__ void k(float* x) {\n  x[0] = N;\n}\n"


def test_source_is_known_by_what_it_holds(tmp_path: Path) -> None:
    for name, text in {
        "a.cuinc": KERNEL,
        "k.def": b"X(a)\n",
        "kernel": KERNEL,
        "gen.cu.jinja": b"{% for n in ns %}\n" + KERNEL,
        "m.rs": b'const K: &str = "' + KERNEL + b'";\n',
        "notes.md": KERNEL,
        "t.jinja": b"__global__ is a word here\n",
        "big.cuinc": KERNEL + b" " * 1_000_001,
        "run": b"#!/bin/sh\n" + KERNEL,
    }.items():
        (tmp_path / name).write_bytes(text)
    assert {e.path: e.role for e in walk(tmp_path)} == {
        "a.cuinc": "source",
        "k.def": "other",
        "kernel": "source",
        "gen.cu.jinja": "embedding",
        "m.rs": "embedding",
        "notes.md": "other",
        "t.jinja": "other",
        "big.cuinc": "other",
        "run": "embedding",
    }


def test_a_template_is_reported_and_left(tmp_path: Path) -> None:
    from musify_ai.project import migrate
    from musify_ai.records import Options

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "g.cu.j2").write_bytes(KERNEL)
    run = migrate(tmp_path / "in", tmp_path / "out", Options(verify=False)).run
    assert [(f.path, f.status, [x.code for x in f.findings]) for f in run.files] == [("g.cu.j2", "copied", ["MUS813"])]
    assert (tmp_path / "out" / "g.cu.j2").read_bytes() == KERNEL
