"""zig as the compiler of a machine that has no other: found, told of, and as good as one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from musify_ai.backends import zig
from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import BuildFailure, Built, Emulated, Unit
from musify_ai.backends.modes import ModeMissing, sanitized
from musify_ai.backends.toolchain import Toolchain

needs_zig = pytest.mark.skipif(
    zig.wheel() is None, reason="the ziglang wheel is not installed (extra: zig): zig is not tried as a compiler"
)

PROGRAM = """#include <@_runtime.h>
#include <cstdio>
#include <iostream>
#include <vector>
template <class T> __global__ void swap(T* p, int by) {
  __shared__ T line[64];
  line[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = line[(threadIdx.x + by) % 64] + rsqrtf(4.0f);
}
int main(int argc, char** argv) {
  std::vector<float> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i;
  float* p;
  @Malloc(&p, 64 * sizeof(float));
  @Memcpy(p, host.data(), 64 * sizeof(float), @MemcpyHostToDevice);
  swap<float><<<1, 64>>>(p, argc);
  @Memcpy(host.data(), p, 64 * sizeof(float), @MemcpyDeviceToHost);
  std::cout << host[0] << ' ' << host[63] << std::endl;
  return argc;
}
"""
OPEN = b"""
namespace far { int elsewhere(int); }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
void run(int* x, int n) { if (far::elsewhere(n)) twice<<<1, n>>>(x); }
void (*volatile kept)(int*, int);
__attribute__((constructor)) void keep() { kept = run; }
__device__ int table[4];
__global__ void past(int* x) { x[0] = table[x[1]]; }
"""
VERBOSE = """ar rcs /c/libc++.a /c/a.o
ld.lld -shared -o /c/libm.so.6 /c/m.o
ld.lld -O2 --entry _start -s -no-pie -o /w/first /c/crt1.o --dynamic-linker /lib64/ld.so first.o --as-needed /c/libc++.a
"""


def test_the_linkers_call_is_taken_apart() -> None:
    assert zig.parsed(VERBOSE, "/w/first") == zig.Link(
        ("-O2", "--entry", "_start", "-no-pie", "/c/crt1.o", "--dynamic-linker", "/lib64/ld.so"),
        ("--as-needed", "/c/libc++.a"),
    )
    assert zig.parsed("ld.lld: error: undefined symbol: first.o /w/first\n", "/w/first") is None


def test_flags_for_linking_are_the_linkers_own_words() -> None:
    assert zig.plain(["-Wl,--wrap=memcpy,--wrap=memset", "-no-pie"]) == ["--wrap=memcpy", "--wrap=memset", "-no-pie"]


@needs_zig
def test_it_is_found_where_no_other_is_and_where_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = Toolchain.detect()
    assert found is not None and (found.family, found.is_clang, found.is_zig) == ("zig c++", True, True)
    monkeypatch.setenv("CXX", f"{sys.executable} -m ziglang c++ -DMINE")
    named = Toolchain.detect()
    assert named is not None and named.command == (*found.command, "-DMINE")
    # A compiler that somebody named is not replaced by another in silence.
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert Toolchain.detect() is None
    with pytest.raises(ModeMissing, match=r"g\+\+ or clang\+\+"):
        sanitized(found)


def bare_path(tmp_path: Path) -> str:
    """A PATH on which there is a sandbox, if there is one, and nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    bwrap = shutil.which("bwrap")
    if bwrap is not None:
        (folder / "bwrap").symlink_to(bwrap)
    return str(folder)


# One test, since zig's library and the device take a minute of building together; no usual run has it.
@pytest.mark.long
@needs_zig
def test_programs_run_and_kernels_are_checked_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", bare_path(tmp_path))
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(cache))
    original, port = tmp_path / "original", tmp_path / "port"
    for tree, side in ((original, "cuda"), (port, "musa")):
        tree.mkdir()
        (tree / "swap.cu").write_text(PROGRAM.replace("@", side))

    def musify(*words: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "musify_ai", *map(str, words)]
        return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=1800)

    ran = musify("run", original / "swap.cu", "--", "5")
    assert (ran.returncode, ran.stdout) == (2, "2.5 1.5\n"), ran.stderr
    assert "builds its C++ library first, once" in ran.stderr
    again = musify("run", "--races", original / "swap.cu")
    assert (again.returncode, again.stdout, again.stderr) == (1, "1.5 0.5\n", "")

    checked = musify("verify", original, port, "--arch", "mp_31")
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert "equal-emulated" in checked.stdout
    text = (port / "swap.cu").read_text()
    (port / "swap.cu").write_text(text.replace("+ by", "- by"))
    assert "differs" in musify("verify", original, port, "--arch", "mp_31").stdout

    toolchain = Toolchain.detect()
    assert toolchain is not None and toolchain.is_zig
    backend = Emulated(toolchain, Cache(cache))
    unit = Unit({"k.cu": OPEN}, '#include "k.cu"\n')
    built = backend.build(unit, "cuda", 800)
    assert isinstance(built, Built) and built.undefined == ("far::elsewhere(int)",)
    assert backend.run(built, ["describe", "out"], cwd=tmp_path).code != 127
    assert isinstance(backend.build_strict(unit, "cuda", 800), Built)
    whole = backend.build_program([unit], "cuda", 800)
    assert isinstance(whole, BuildFailure)
    assert {each.message for each in whole.diagnostics} == {
        "undefined reference to far::elsewhere(int)", "undefined reference to main",
    }  # fmt: skip
