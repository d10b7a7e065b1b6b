"""Reads beside buffers: what two runs with other bytes around them show, and what an unsteady program does not."""

from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.toolchain import Toolchain
from musify_ai.verify.single import Asked, run_program
from musify_ai.verify.stray_reads import Told, stray_reads

TEXT = """#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void inside(int* to, const int* from, int n) { to[threadIdx.x] = from[threadIdx.x % n]; }
__global__ void blur(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x] + from[threadIdx.x + 1]; }
int main(int argc, char** argv) {
  int *a, *b;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  cudaMemset(a, 1, 64 * sizeof(int));
  inside<<<1, 64>>>(b, a, 64);
  if (argc > 1) blur<<<1, 64>>>(b, a);
  cudaDeviceSynchronize();
  printf("done\\n");
}
"""


def row(kernel: str, value: str) -> dict[str, Any]:
    return {"kernel": kernel, "file": "a.cu", "line": 3, "arguments": [{"hash": value}, {"hash": "7"}]}


def told(*values: str, output: bytes = b"", status: int = 0) -> Told:
    return Told([row(f"k{place}", value) for place, value in enumerate(values)], output, status)


def test_equal_runs_tell_nothing() -> None:
    assert stray_reads(told("1", "2"), told("1", "2"), told("1", "2")) is None


def test_the_first_kernel_that_gives_something_else_is_named() -> None:
    found = stray_reads(told("1", "2", "3"), told("1", "5", "6"), told("1", "2", "3"))
    assert found is not None
    assert (found["kind"], found["kernel"], found["line"]) == ("stray-read", "k1", 3)
    assert "argument 1 depends on bytes beside a buffer" in found["message"]


@pytest.mark.parametrize("other", [told("1", output=b"x"), told("1", status=3), told("1", "2")])
def test_what_only_the_host_gives_names_no_kernel(other: Told) -> None:
    found = stray_reads(told("1"), other, told("1"))
    assert found is not None
    assert found["kind"] == "stray-read"
    assert "kernel" not in found


def test_a_program_that_does_not_repeat_itself_tells_nothing_of_buffers() -> None:
    found = stray_reads(told("1"), told("2"), told("3"))
    assert found is not None
    assert found["kind"] == "not-repeatable"


@pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++): nothing can be run")
def test_a_kernel_that_reads_one_element_too_many(build_cache: Any, tmp_path: Path, capfd: Any) -> None:
    file = tmp_path / "blur.cu"
    file.write_text(TEXT)
    asked = Asked((file,), "cuda", "sm_80", stray_reads=True)
    assert run_program(asked, (), cache=build_cache).findings == ()
    assert run_program(asked._replace(stray_reads=False), ("x",), cache=build_cache).findings == ()
    (found,) = run_program(asked, ("x",), cache=build_cache).findings
    assert (found["kind"], found["kernel"], found["line"]) == ("stray-read", "blur", 12)
    assert "argument 1" in found["message"]
    assert capfd.readouterr().out == "done\n" * 3  # the runs that compare are silent
