"""What a project's build says of include folders and macros."""

import json
import shutil
from pathlib import Path

import pytest

from musify_ai.backends import sandbox
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Options
from musify_ai.verify import verify
from musify_ai.verify.flags import Flags, flags_in, flags_of, from_database, in_recipes

ROOT = Path("/project")


def test_options_in_their_spellings() -> None:
    text = (
        "nvcc -c -Iinclude -I /project/deep/x -isystem ../project/sys -DA -D B=2 --define-macro=C=3 -O2"
        " -I/usr/include --include-path=inc -Xcompiler -fPIC src/a.cu -o a.o"
    )
    words = text.split()
    assert flags_in(words, ROOT, ROOT) == Flags(("include", "deep/x", "sys", "inc"), ("A", "B=2", "C=3"))


def test_a_database_with_commands_and_with_arguments() -> None:
    text = json.dumps(
        [
            {
                "directory": "/project/build",
                "file": "../src/a.cu",
                "command": "nvcc -I../include '-DNAME=\"a b\"' -c ../src/a.cu",
            },
            {"directory": "/project/build", "file": "/project/src/b.cu", "arguments": ["nvcc", "-I.", "-DX", "b.cu"]},
            {"directory": "/elsewhere", "file": "c.cu", "command": "nvcc c.cu"},
            {"file": 3},
            "no row",
        ]
    ).encode()
    assert from_database(text, ROOT) == {
        "src/a.cu": Flags(("include",), ('NAME="a b"',)),
        "src/b.cu": Flags(("build",), ("X",)),
    }


@pytest.mark.parametrize(
    "text", [b"", b"{", b"{}", b"[1, 2]", b'[{"directory": 1, "file": "a.cu", "command": "nvcc \'"}]']
)
def test_a_broken_database_is_no_end(text: bytes) -> None:
    assert set(from_database(text, ROOT)) <= {"a.cu"}


def test_recipes() -> None:
    text = (
        "make: Entering directory\n"
        "mkdir -p obj\n"
        "/usr/local/cuda/bin/nvcc -DFAST \\\n  -Iinc -c main.cu -o obj/main.o\n"
        "cd sub && g++ -I.. -c deep.cpp; echo done\n"
        "ccache nvcc -DWITH other.cu\n"
        "echo nvcc -DNOT fake.cu\n"
    )
    assert in_recipes(text, ROOT) == {
        "main.cu": Flags(("inc",), ("FAST",)),
        "sub/deep.cpp": Flags((".",), ()),
        "other.cu": Flags((), ("WITH",)),
        "fake.cu": Flags((), ("NOT",)),
    }


def test_by_hand_comes_first_and_paths_move_along(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    rows = [{"directory": str(tmp_path), "file": "a.cu", "command": "nvcc -Ilate -DX=2 a.cu"}]
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(rows))
    known = flags_of(tmp_path, ("early",), ("X=1",))
    assert known.source == "build/compile_commands.json"
    assert known.of("a.cu") == Flags(("early", "late"), ("X=1", "X=2"))
    assert known.of("other.cu") == Flags(("early",), ("X=1",))
    assert known.moved({"a.cu": "a.mu"}).of("a.mu").include_dirs == ("early", "late")


@pytest.mark.skipif(shutil.which("make") is None or sandbox.detect() is None, reason="needs make and a sandbox")
def test_a_dry_run_of_make_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "FLAGS := -DSIZE=7 -Iinc $(shell touch ran-in-source; echo -DSHELL)\n"
        "app: a.o\n\tnvcc a.o -o app\na.o: a.cu\n\ttouch ran\n\tnvcc $(FLAGS) -c a.cu\n"
    )
    (tmp_path / "a.cu").write_text("")
    assert flags_of(tmp_path).of("a.cu") == Flags(("inc",), ("SIZE=7", "SHELL"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Makefile", "a.cu"]


@pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler")
def test_a_kernel_builds_with_the_projects_own_flags(tmp_path: Path) -> None:
    kernel = """#include <%s_runtime.h>
#include <sizes.h>
#ifndef FACTOR
#error FACTOR is the build's to say
#endif
__global__ void scale(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] * FACTOR + SIZE;
}
"""
    for side, name in (("old", "cuda"), ("new", "musa")):
        (tmp_path / side / "odd" / "place").mkdir(parents=True)
        (tmp_path / side / "k.cu").write_text(kernel % name)
        (tmp_path / side / "odd" / "place" / "sizes.h").write_text("#define SIZE 3\n")
        (tmp_path / side / "sizes.h").write_text("#error the wrong one\n")
    files = {"k.cu": "k.cu"}
    rows = [{"directory": str(tmp_path / "old"), "file": "k.cu", "command": "nvcc -Iodd/place -DFACTOR=5 -c k.cu"}]
    (tmp_path / "old" / "compile_commands.json").write_text(json.dumps(rows))
    (verdict,) = verify(tmp_path / "old", tmp_path / "new", files=files, options=Options(archs=("mp_31",))).verdicts
    assert (verdict.headline, verdict.reason, verdict.notes) == ("equal-emulated", None, ())
