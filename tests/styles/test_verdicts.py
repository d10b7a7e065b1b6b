"""Kernels come out the same in every style that leaves names to aliases: the checker builds with that run's headers."""

from pathlib import Path

import pytest

from musify_ai.project import migrate, verify_port
from musify_ai.records import Options
from musify_ai.verify.both_builds import cuda_sides

SOURCE = """\
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__device__ unsigned mad(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__global__ void mix(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 800
  if (i < n) out[i] = mad(in[i], 3u, 7u);
#else
  if (i < n) out[i] = mad(in[i], 3u, 7u) + 0u;
#endif
}

int main() {
  unsigned *a, *b;
  struct cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess) return 1;
  cudaMalloc(&a, 256 * sizeof(unsigned));
  cudaMalloc(&b, 256 * sizeof(unsigned));
  mix<<<2, 128>>>(a, b, 200);
  cudaDeviceSynchronize();
  return cudaFree(a) + cudaFree(b);
}
"""


@pytest.mark.parametrize("style", ["alias", "dual", "semantic"])
def test_the_translation_is_equal_and_verify_knows_the_style_again(tmp_path: Path, style: str) -> None:
    options = Options(style=style, archs=("mp_31",), seeds=2, jobs=1)
    src = tmp_path / "src"
    src.mkdir()
    (src / "mix.cu").write_text(SOURCE)
    done = migrate(src, tmp_path / "out", options)
    assert [(v.name, v.headline) for v in done.run.verdicts] == [("mix", "equal-emulated")], done.run.failed
    assert done.run.failed == ()
    text = (tmp_path / "out" / "mix.cu").read_text()
    assert "cudaMalloc(&a" in text
    assert "musa" not in text
    # The folder says what style the tree is in; for `semantic` it has to be told.
    told = options if style == "semantic" else options._replace(style="tokens")
    again = verify_port(src, tmp_path / "out", told)
    assert [v.headline for v in again.run.verdicts] == ["equal-emulated"]
    if style == "dual":
        assert cuda_sides(src, tmp_path / "out", {"mix.cu": "mix.cu"}, options) == (1, ())
        ported = tmp_path / "out" / "mix.cu"
        ported.write_text(text.replace('  asm("mad.lo', '  d = 1; asm("mad.lo'))
        compared, failures = cuda_sides(src, tmp_path / "out", {"mix.cu": "mix.cu"}, options)
        assert (compared, [failure.path for failure in failures]) == (1, ["mix.cu"])
        ported.write_text(text)
    if style != "semantic":
        header = tmp_path / "out" / "musify_compat" / "musify_compat.h"
        header.write_text(header.read_text().replace("musaGetDeviceProperties", "musaGetDevicePropertiesOf"))
        wrong = verify_port(src, tmp_path / "out", told)
        assert wrong.run.failed
        assert "musaGetDevicePropertiesOf" in wrong.run.failed[0].error
