"""A unit of a larger program: what it calls and does not define is left open, and the harness starts all the same."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import Built, Emulated, Unit
from musify_ai.backends.toolchain import Toolchain

UNIT = b"""
extern "C" bool elsewhere(int);
template <class T> __global__ void twice(T* x) { x[threadIdx.x] *= 2; }
template <class T> void run(T* x, int n) { if (elsewhere(n) || elsewhere(2 * n)) twice<<<1, n>>>(x); }
template void run<float>(float*, int);
"""


@pytest.mark.long
def test_the_program_starts_without_them(tmp_path: Path) -> None:
    toolchain = Toolchain.detect()
    if toolchain is None:
        pytest.skip("no C++ compiler (g++ or clang++) on this machine: nothing can be built")
    backend = Emulated(toolchain, Cache(tmp_path / "cache"))
    built = backend.build(Unit({"k.cu": UNIT}, '#include "k.cu"\n'), "cuda", 800)
    assert isinstance(built, Built)
    assert built.undefined == ("elsewhere",)
    done = backend.run(built, ["describe", "out"], cwd=tmp_path)
    assert done.code != 127, done.stderr
