"""The program that compares the emulated device with a GPU: its answers, its comparison, and that nvcc takes it."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import gpu_check

WANTED = gpu_check.EXPECTED.read_text("ascii")


def made(i: int) -> int:
    return (i * 2654435761 + 12345) % 2**32


def test_the_emulated_device_gives_the_expected_answers() -> None:
    pytest.importorskip("click")
    assert gpu_check.differing(gpu_check.emulated(), WANTED) == []
    assert len(gpu_check.table(WANTED)) == 40


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("votes", lambda t: sum(1 << u % 32 for u in range(64) if u // 32 == t // 32 and u % 3 == 0) + 1 + (t >= 32)),
        ("reduced", lambda t: sum(map(made, range(64))) + t),
        ("grid_barrier", lambda t: 3 * (63 - t)),
        ("constants", lambda t: (t ^ 5) ** 2 - 7 + (t * 7 % 64) ** 2 - 7),
        ("locked", lambda t: sum(3 + b for b in range(4)) if t == 0 else 0),
        ("shuffle_up", lambda t: made(t - 3 if t % 16 >= 3 else t) + (t - 31 if t % 32 == 31 else t)),
    ],
)  # fmt: skip
def test_answers_in_closed_form(name: str, answer: Callable[[int], int]) -> None:
    assert gpu_check.table(WANTED)[name] == [f"{answer(t) % 2**32:08x}" for t in range(64)]


def test_a_word_that_differs_is_noticed() -> None:
    exact = re.sub(r"(?m)^(tiles \w+ )\w+", r"\g<1>00000000", WANTED)
    assert gpu_check.differing(exact, WANTED) == ["tiles"]
    far = re.sub(r"(?m)^(~functions )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.0001}", WANTED)
    assert gpu_check.differing(far, WANTED) == ["~functions"]
    near = re.sub(r"(?m)^(~functions )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.000001}", WANTED)
    assert gpu_check.differing(near, WANTED) == []
    assert gpu_check.differing(WANTED.replace("atomics ", "atomic "), WANTED) == ["atomics", "atomic"]


def test_nvcc_takes_the_program(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("no nvcc: that it takes benchmarks/gpu_check/kernels.cu is not tested")
    assert gpu_check.compiled(tmp_path, "sm_80", None).is_file()


def test_without_nvcc_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr(gpu_check.shutil, "which", lambda _: None)
    monkeypatch.setattr(gpu_check.sys, "argv", ["gpu_check.py"])
    assert gpu_check.main() == 2
    assert "no nvcc" in capsys.readouterr().err
