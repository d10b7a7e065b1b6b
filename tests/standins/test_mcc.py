"""The stand-in for MUSA's compiler: what it takes, what it refuses, and that what it builds runs on the CPU device."""

import subprocess
from pathlib import Path

import pytest

from musify_ai.backends.toolchain import Toolchain
from tests.standins.mcc import Refused, install, parsed

needs_compiler = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++)")

KERNEL = """#include <musa_runtime.h>
#include <cstdio>
#include "twice.h"
__global__ void k(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = twice(i) + warpSize;
}
int host_part(int);
int main() {
    int *d, h[64];
    musaMalloc(&d, sizeof h);
    k<<<2, 32>>>(d, 64);
    musaMemcpy(h, d, sizeof h, musaMemcpyDeviceToHost);
    musaDeviceProp p;
    musaGetDeviceProperties(&p, 0);
    printf("%d %d %s\\n", h[3], host_part(h[63]), p.name);
}
"""
HOST = "#include <musa_runtime.h>\nint host_part(int x) { int n = 0; musaGetDeviceCount(&n); return x + n; }\n"
BAD = """#include <musa_runtime.h>
void f() {
    musaFoo();
}
"""


@pytest.fixture(scope="module")
def mcc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("musa") / "home") / "bin" / "mcc"


@pytest.mark.parametrize(
    "line",
    [
        "-x musa --offload-arch=mp_22 -c a.cu -o a.o",
        "--cuda-gpu-arch=mp_31 -mtgpu -Od3 -O2 -ffast-math -fmusa-flush-denormals-to-zero -fPIC -c a.mu",
        "-mathx-disable-fp64 -U__CUDA__ -mllvm -mtgpu-if-convert -std=c++17 -Iinclude -DNDEBUG -c a.mu",
        "a.mu -lmusart -lmublas -L/usr/local/musa/lib -Wl,-rpath,/usr/local/musa/lib -o main",
        "-MD -MT a.o -MF a.d -Wall -Wno-unused -c a.mu",
    ],
)
def test_flags_of_mcc(line: str) -> None:
    assert parsed(line.split()).inputs


@pytest.mark.parametrize(
    "flag",
    ["-gencode", "-arch=sm_80", "--expt-relaxed-constexpr", "-Xcompiler", "-Xptxas", "--use_fast_math", "-lineinfo",
     "--offload-arch=sm_80", "-ccbin", "--generate-code=arch=compute_80,code=sm_80", "-dc", "--extended-lambda"],
)  # fmt: skip
def test_flags_of_others(flag: str) -> None:
    with pytest.raises(Refused, match=r"unknown argument|unsupported MUSA gpu architecture"):
        parsed([flag, "-c", "a.mu"])


@needs_compiler
def test_a_program_of_two_files(mcc: Path, tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "twice.h").write_text("__device__ inline int twice(int x) { return 2 * x; }\n")
    (tmp_path / "k.mu").write_text(KERNEL)
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "bad.mu").write_text(BAD)
    (tmp_path / "host.cpp").write_text(HOST)

    def run(*words: str | Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*map(str, words)], cwd=tmp_path, capture_output=True, text=True, timeout=300)

    one = run(mcc, "-Iinclude", "k.mu", "host.cpp", "-lmusart", "-o", "main")
    assert one.returncode == 0, one.stderr
    assert run("./main").stdout == "134 255 emulated mp_22\n", "one arch where none is given, on the CPU device"
    for words in (
        ("-MD", "-MF", "k.d", "-x", "musa", "--offload-arch=mp_31", "-Iinclude", "-c", "k.cu"),
        ("-c", "host.cpp"),
    ):
        done = run(mcc, *words)
        assert done.returncode == 0, done.stderr
    assert "twice.h" in (tmp_path / "k.d").read_text()
    without = run(mcc, "k.o", "host.o", "-o", "two")
    assert without.returncode == 1
    assert "undefined reference" in without.stderr, "the runtime has to be asked for"
    assert run(mcc, "k.o", "host.o", "-lmusart", "-o", "two").returncode == 0
    assert run("./two").stdout == "38 159 emulated mp_31\n"
    refused = run(mcc, "-c", "bad.mu")
    assert refused.returncode == 1
    assert "bad.mu:3:5: error: use of undeclared identifier 'musaFoo'\n" in refused.stderr
    assert run(mcc, "-c", "k.cu").returncode == 1, "CUDA source, without -x musa"
