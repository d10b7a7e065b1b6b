"""Work grows with the size of the input, not with its square: measured against itself, four times as much for four
times the input, on input made to be bad."""

import pytest

from musify_ai.kernels import enclosing_functions, find_kernels, find_launches
from tests.growth import assert_in_proportion

KERNEL = b"__global__ void k(int *a) { a[0] = 1; }\n"
HOSTILE = {
    "kernels": (b"", KERNEL, b""),
    "kernels in else branches": (b"", b"#ifdef A\nint x;\n#else\n" + KERNEL + b"#endif\n", b""),
    "unclosed in else branches": (KERNEL, b"#ifdef A\nint x;\n#else\nvoid f() {\n#endif\n", b""),
    "broken device functions": (KERNEL, b"__device__ int f( { ;\n}\n", b""),
    "prototypes": (KERNEL, b"__device__ int f(int x);\n", b""),
    "words alone": (b"", b"__global__ ", b""),
    "open parentheses": (KERNEL, b"(", b""),
    "open angles": (KERNEL + b"template ", b"a<", b""),
    "open launches": (KERNEL, b"k<<<", b""),
    "template headers": (b"", b"template <class T> ", KERNEL),
}


def read(case: str, times: int) -> None:
    head, middle, tail = HOSTILE[case]
    src = head + middle * times + tail
    find_kernels(src, "a.cu")
    enclosing_functions(src)
    find_launches(src, "a.cu")


@pytest.mark.parametrize("case", HOSTILE)
def test_no_input_makes_it_quadratic(case: str) -> None:
    assert_in_proportion(lambda times: read(case, times), 120)
