"""The type gate: what does not fit MUSA's declarations is named by file, line and kind, and nothing else is."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.toolchain import Toolchain
from musify_ai.project import migrate, verify_port
from musify_ai.records import Options
from musify_ai.verify.gating import METHOD
from musify_ai.verify.typegate import Typed, check_types

pytest.importorskip("clang", reason="libclang (the extra verify) is not installed: no type gate")

RIGHT = b"""#include <musa_runtime.h>
#include "scale.h"
template <typename T>
__global__ void scale(T* data, int n) {
  __shared__ T tile[32];
  extern __shared__ float more[];
  tile[threadIdx.x % 32] = data[threadIdx.x];
  __syncthreads();
  more[0] = __shfl_down_sync(0xffffffff, (float)tile[0], 1, 32);
  data[threadIdx.x] = twice(tile[threadIdx.x % 32]) + T(more[0]);
}
void run(float* data, int n) {
  scale<<<dim3(n / 32), 32, 128>>>(data, n);
  musaDeviceSynchronize();
}
"""
HEADER = b"template <typename T> __device__ T twice(T x) { return x + x; }\n"
WRONG = {
    b"__shfl_down_sync(0xffffffff, (float)tile[0], 1, 32)": (b"__shfl_downwards(tile[0])", 9, "undeclared"),
    b"data[threadIdx.x] = twice": (b"data[threadIdx.x] = T::wide + twice", 10, "other"),
    b"musaDeviceSynchronize();": (b"cudaDeviceSynchronize();", 14, "undeclared"),
    b"scale<<<dim3(n / 32), 32, 128>>>(data, n);": (b"scale<<<dim3(n / 32), 32>>>(data);", 13, "arguments"),
    b"more[0] = __shfl": (b"more = __shfl", 9, "type"),
    b"__syncthreads();": (b'asm volatile("bar.sync 0;");', 8, "undeclared"),
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


def gate(source: bytes, cache: Cache, header: bytes = HEADER) -> Typed:
    return check_types(
        {"a/scale.mu": source, "a/scale.h": header}, "a/scale.mu", kernels=("scale<float>",), cache=cache
    )


def test_right_code_passes(cache: Cache) -> None:
    assert gate(RIGHT, cache) == Typed()


@pytest.mark.parametrize("right", WRONG, ids=lambda text: text[:20].decode())
def test_a_mistake_is_named_by_line_and_kind(right: bytes, cache: Cache) -> None:
    wrong, line, kind = WRONG[right]
    assert RIGHT.count(right) == 1
    found = gate(RIGHT.replace(right, wrong), cache)
    assert not found.passes
    # A template with a mistake in it is no template for those that call it: more may follow.
    assert found.mistakes[0][:3] == ("a/scale.mu", line, kind)
    assert {each.path for each in found.mistakes} == {"a/scale.mu"}


def test_a_mistake_in_a_template_stands_where_it_is_written(cache: Cache) -> None:
    found = gate(RIGHT, cache, HEADER.replace(b"x + x", b"x.value"))
    assert [(each.path, each.line) for each in found.mistakes] == [("a/scale.h", 1)]
    assert str(found.mistakes[0]).startswith("a/scale.h:1: member reference base type 'float'")


def test_a_verdict_has_a_row_for_what_is_wrong(tmp_path: Path) -> None:
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++): kernels are not run")
    project, port = tmp_path / "project", tmp_path / "port"
    project.mkdir()
    kernels = (
        (
            '#include <cuda_runtime.h>\n#include "absent.h"\n'
            "__global__ void first(float* p) { p[threadIdx.x] *= 2; }\n"
            "__global__ void second(float* p) { p[threadIdx.x] = __expf(p[threadIdx.x]); }\n"
            "__global__ void lacking(float* p) { p[threadIdx.x] = of_absent(p[threadIdx.x]); }\n"
            "int main() { cudaDeviceSynchronize(); }\n"
        )
        .replace("\\\n", "\n")
        .replace('\\"', '"')
    )
    (project / "k.cu").write_text(kernels)
    options = Options(verify=False, archs=("mp_22",), seeds=2)
    migrate(project, port, options)
    ported = (port / "k.cu").read_text()
    (port / "k.cu").write_text(ported.replace("__expf(p", "__exponential(p"))
    verdicts = {each.name: each for each in verify_port(project, port, options).run.verdicts}
    said = {name: [row.detail for row in each.evidence if row.method == METHOD] for name, each in verdicts.items()}
    assert said["first"] == []
    assert verdicts["first"].headline == "equal-emulated"
    assert said["second"] == ["undeclared: k.cu:4: use of undeclared identifier '__exponential'"]
    assert verdicts["second"].headline == "build-failed"
    # What the original lacks as well is no mistake of the translation.
    assert said["lacking"] == []
    assert verdicts["lacking"].headline == "not-checkable"
