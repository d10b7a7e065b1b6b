"""Cutting functions that share kernels into parts that can be asked."""

from musify_ai.rewrite.parting import Part, parted
from tests.rewrite.projects import project


def test_parts_are_what_small_kernels_run_and_no_function_is_in_two():
    kernels = [("a", "big"), ("a", "big"), ("b", "big"), ("b", "c"), ("c", "big")]
    assert parted(kernels, [1] * 5, 2, 9) == [Part((0, 1), ("a",)), Part((2, 3), ("b",))]
    assert parted(kernels, [1] * 5, 4, 9) == [Part((0, 1), ("a",)), Part((2, 3), ("b",))]
    assert parted(kernels, [5, 5, 1, 1, 1], 4, 9) == [Part((2, 3), ("b",))]
    assert parted([("a",), ("a", "b")], [1, 1], 2, 9) == [Part((1,), ("b",))]


def test_a_part_is_checked_through_every_kernel_that_it_makes_whole():
    assert parted([("a", "b"), ("a", "b", "c"), ("c",)], [1] * 3, 2, 9) == [Part((0, 1), ("a", "b"))]


def test_a_header_that_everything_includes_is_asked_about_in_parts(tmp_path):
    barriers = "\n".join(
        f'__device__ inline unsigned f{n}() {{ unsigned d; asm volatile("mov.u32 %0, %%smid;" : "=r"(d)); return d; }}'
        for n in range(12)
    )
    kernels = "".join(f"__global__ void k{n}(unsigned* p) {{ *p = f{2 * n}() + f{2 * n + 1}(); }}\n" for n in range(6))
    calls = " + ".join(f"f{n}()" for n in range(12))
    every = f"__global__ void every(unsigned* p) {{ *p = {calls}; }}\n"
    found, _ = project(tmp_path, {"all.cuh": barriers, "a.cu": f'#include "all.cuh"\n{kernels}{every}'})
    assert found.left == ()
    assert [unit.names for unit in found.units] == [f"f{2 * n}, f{2 * n + 1}" for n in range(6)]
    assert [unit.kernels for unit in found.units] == [(f"k{n}",) for n in range(6)]
