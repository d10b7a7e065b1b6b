"""``--direction m2c`` on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


def test_a_tree_goes_back_without_being_checked(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "port").mkdir()
    kernel = "__global__ void k(int *x) { x[0] = 1; }\n"
    (tmp_path / "port" / "a.mu").write_text("#include <musa_runtime.h>\nvoid f() { musaFree(0); }\n" + kernel)
    ended = musify("migrate", "--direction", "m2c", "port", "--out", "cuda")
    assert ended.status == 0
    text = (tmp_path / "cuda" / "a.mu").read_text()
    assert text == "#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n" + kernel
    assert "1 unchecked (the way back to CUDA is not checked" in ended.out


def test_another_direction_is_wrong_use(musify: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mu").write_text("int x;\n")
    assert musify("check", "--direction", "sideways", "a.mu").status == 2
