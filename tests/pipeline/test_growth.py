"""A file's whole way takes time in proportion to its size, whatever the file holds."""

import pytest

from musify_ai.pipeline import process
from musify_ai.records import Options
from tests.growth import assert_in_proportion

_ELIF = b"#elif CUDA_VERSION >= 11000\nint a;\n"


@pytest.mark.parametrize(
    ("head", "piece", "tail"),
    [
        (b"__device__ void f() {\n", b'asm("add.u32 %0, %1, 1;" : "=r"(x) : "r"(y));\n', b"}\n"),
        (b"", b"x = cudaSuccess; ", b""),  # one line
        (b"#if CUDA_VERSION\n", _ELIF, b"#endif\n"),
        (b"", b"x = cudaFree; // musify: ignore\n", b""),
        (b"", b'#if __CUDA_ARCH__ >= 800\nasm("cp.async.wait_all;");\n#endif\n', b""),
        (
            b"#define M0 1\n",
            b"#define M M M\n",
            b'#define M asm("cp.async.wait_all;")\n#if __CUDA_ARCH__ < 800\n#endif',
        ),
        (b"", b"struct S { void f(); enum { a }; };\n", b"cudaFree(p);"),
        (b"", b"# /**/ if X\n/**/ #endif\n%:include <cuda.h>\n", b""),
        (b"", b"CAT(cuda, Free)\n", b"#define CAT(a, b) a##b\n"),
    ],
)
def test_time_grows_with_size_and_no_faster(head: bytes, piece: bytes, tail: bytes) -> None:
    assert_in_proportion(lambda repeats: process(head + piece * repeats + tail, "a.cu", Options()), 800, slack=0.1)
