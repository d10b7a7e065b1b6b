"""Kernels whose outputs vary only under inputs that random words hardly ever are, or that go together."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.records import Options
from musify_ai.verify import verify

VOTES = """
__global__ void any_of(const unsigned int* x, unsigned int* y) {
    y[threadIdx.x] = __any_sync(0xffffffff, x[threadIdx.x]);
}
__global__ void all_of(const int* x, int* y) { y[threadIdx.x] = __all_sync(0xffffffff, x[threadIdx.x] != 0); }
void run(const unsigned int* x, unsigned int* y, const int* z, int* w) {
    any_of<<<1, 96>>>(x, y);
    all_of<<<1, 96>>>(z, w);
}
"""
BINS = """
__global__ void within(const float* x, int* bins, int n, float minvalue, float maxvalue) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || x[i] < minvalue || x[i] > maxvalue) return;
    atomicAdd(&bins[int((x[i] - minvalue) / (maxvalue - minvalue) * 15)], 1);
}
void run(const float* x, int* bins, int n) { within<<<(n + 127) / 128, 128>>>(x, bins, n, 0.f, 1.f); }
"""
TOGETHER = """
constexpr int most = 33;  // with more pointers than a driver reports on
struct Args {
    float *from[most], *to[most];
    int rows_list[most], padded_rows_list[most], block_range[most + 1], num_tensors;
};
__global__ void pad(Args args) {
    int tensor = 0;
    while (args.block_range[tensor + 1] <= blockIdx.x) ++tensor;
    const int first = (blockIdx.x - args.block_range[tensor]) * blockDim.x;
    for (int i = first + threadIdx.x; i < args.padded_rows_list[tensor]; i += blockDim.x)
        args.to[tensor][i] = i < args.rows_list[tensor] ? args.from[tensor][i] : 0.f;
}
enum class Kind { bytes, words = 5 };
__global__ void as_kind(const int* x, int* y, Kind kind) {
    assert(kind == Kind::words);
    y[threadIdx.x] = x[threadIdx.x];
}
template <class T> __device__ T twice(T x);
template <> __device__ inline __half twice(__half x) { return __hadd(x, x); }
template <class T, class acc_t> __global__ void doubled(T* y, const T* x) {
    y[threadIdx.x] = twice(x[threadIdx.x]);
}
"""


@pytest.mark.parametrize("text", [VOTES + TOGETHER, BINS], ids=["votes and lists", "range"])
def test_the_output_varies(tmp_path: Path, build_cache: Cache, text: str) -> None:
    for side in ("cuda", "musa"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "k.cu").write_text(f"#include <{side}_runtime.h>\n#include <{side}_fp16.h>\n{text}")
    options = Options(archs=("mp_31",))
    checked = verify(tmp_path / "cuda", tmp_path / "musa", files={"k.cu": "k.cu"}, options=options, cache=build_cache)
    assert {verdict.headline for verdict in checked.verdicts} == {"equal-emulated"}
    assert [verdict.instantiation for verdict in checked.verdicts if verdict.name == "doubled"] in (
        [],
        ["__half, float"],
    )
