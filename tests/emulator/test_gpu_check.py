"""The program that compares the emulated device with a GPU: its answers, its comparison, and that nvcc takes it."""

import re
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
    assert len(gpu_check.table(WANTED)) == 51


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


def test_answers_of_warps_matrices_in_closed_form() -> None:
    answers = {
        name: [int(word, 16) for word in words] for name, words in gpu_check.table(WANTED).items() if name[0] != "~"
    }
    assert answers["numbered_barriers"] == [3200 if t < 32 else 801 for t in range(64)]
    handed = [0] * 64
    for turn in range(4):
        for t in range(32, 64):
            handed[t] = (handed[t] * 3 + made(turn * 32 + 63 - t)) % 2**32
    assert answers["handed_over"] == handed

    def byte(i: int) -> int:
        return (made(i) >> 24 ^ 0x80) - 0x80

    # A by columns, B by rows, C by columns, as the kernel has them; 5 before the product and 2 after it.
    c = [7 + sum(byte(k * 16 + i % 16) * byte(900 + k * 16 + i // 16) for k in range(16)) for i in range(256)]
    assert answers["wmma_bytes"] == [
        (c[t] + c[t + 64] * 3 + c[t + 128] * 5 + c[t + 192] * 7) % 2**32 for t in range(64)
    ]
    # Lane l of a warp holds A(l / 4, l mod 4), B(l mod 4, l / 4) and C(l / 4, 2 (l mod 4)) and the next.
    for t in range(64):
        warp, row, column = t - t % 32, t % 32 // 4, t % 4 * 2

        def small(lane: int, i: int) -> int:
            return made(lane * 131 + i) % 2**32 // 2**24 % 7 - 3

        words = []
        for j, start in ((0, t), (1, 100_000)):
            lanes = [(warp + row * 4 + k, warp + (column + j) * 4 + k) for k in range(4)]
            words.append(start + sum(1000 * small(a, 0) * (1000 * small(b, 1) + b) for a, b in lanes))
        assert answers["mma_doubles"][t] == words[0] % 2**32 ^ words[1] % 2**32 * 31 % 2**32


def test_a_word_that_differs_is_noticed() -> None:
    exact = re.sub(r"(?m)^(tiles \w+ )\w+", r"\g<1>00000000", WANTED)
    assert gpu_check.differing(exact, WANTED) == ["tiles"]
    far = re.sub(r"(?m)^(~functions )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.0001}", WANTED)
    assert gpu_check.differing(far, WANTED) == ["~functions"]
    near = re.sub(r"(?m)^(~functions )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.000001}", WANTED)
    assert gpu_check.differing(near, WANTED) == []
    assert gpu_check.differing(WANTED.replace("atomics ", "atomic "), WANTED) == ["atomics", "atomic"]


def test_nvcc_takes_the_program(tmp_path: Path) -> None:
    if gpu_check.Nvcc.detect() is None:
        pytest.skip("no nvcc: that it takes benchmarks/gpu_check/kernels.cu is not tested")
    assert gpu_check.compiled(tmp_path, "sm_80", None).is_file()


def test_without_nvcc_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr(gpu_check.Nvcc, "detect", lambda: None)
    monkeypatch.setattr(gpu_check.sys, "argv", ["gpu_check.py"])
    assert gpu_check.main() == 2
    assert "no nvcc" in capsys.readouterr().err
