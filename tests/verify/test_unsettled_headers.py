"""A header that MUSA lacks, left in under a finding, costs the kernels that need it and no others."""

from pathlib import Path

import pytest

from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Options
from musify_ai.verify import Unsettled, verify

OLD = """#include <cuda_runtime.h>
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void plain(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1;
}
__global__ void tensor(float* c) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
"""
NEW = OLD.replace("cuda_runtime", "musa_runtime").replace("cuda_fp16", "musa_fp16")


@pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler")
def test_the_others_are_checked(tmp_path: Path) -> None:
    for side, text in (("old", OLD), ("new", NEW)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "k.cu").write_text(text)

    def headlines(*unsettled: str) -> dict[str, tuple[str, str | None]]:
        spans = [Unsettled(NEW.index(word), NEW.index(word) + len(word), "MUS504") for word in unsettled]
        done = verify(
            tmp_path / "old", tmp_path / "new", files={"k.cu": "k.cu"}, unsettled={"k.cu": spans},
            options=Options(archs=("mp_31",)),
        )  # fmt: skip
        return {each.name: (each.headline, each.reason) for each in done.verdicts}

    assert headlines("mma.h", "nvcuda", "wmma::fragment") == {
        "plain": ("equal-emulated", None),
        "tensor": ("unchecked", "MUS504"),
    }
    # Nobody reported it: then the translation does not build, and that is said of every kernel.
    assert {headline for headline, _ in headlines().values()} == {"build-failed"}
