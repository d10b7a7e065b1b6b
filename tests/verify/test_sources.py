"""Which files a unit takes in, its device variables, and what is taken out of it."""

from pathlib import Path

import pytest

from musify_ai.verify.closures import Sources, includes, mentions_arch
from musify_ai.verify.patches import FileParts, Mentions, Patch, Reason, apply, refuse_asm
from musify_ai.verify.variables import device_variables


def tree(root: Path, **files: str) -> Sources:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_cuh", ".cuh").replace("_cu", ".cu")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Sources(root, sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()))


def test_closure_finds_headers_beside_and_elsewhere(tmp_path: Path) -> None:
    sources = tree(
        tmp_path,
        src__a_cu='#include "b.cuh"\n#include <deep/c.cuh>\n#include <vector>\n#include "../gone.cuh"\n',
        src__b_cuh="",
        lib__inner__deep__c_cuh='#include "d.cuh"\n',
        lib__inner__deep__d_cuh='#include "c.cuh"\n',
        lib__other_cuh="",
    )
    got = sources.closure("src/a.cu")
    assert got.files[0] == "src/a.cu"
    assert set(got.files) == {"src/a.cu", "src/b.cuh", "lib/inner/deep/c.cuh", "lib/inner/deep/d.cuh"}
    assert got.include_dirs == ("lib/inner",)


def test_include_cannot_leave_the_root(tmp_path: Path) -> None:
    (tmp_path / "outside.cuh").write_text("")
    sources = tree(tmp_path / "in", a_cu='#include "../outside.cuh"\n#include "../../etc/passwd"\n')
    assert sources.closure("a.cu").files == ("a.cu",)


def test_includes_are_read_in_order() -> None:
    found = includes(b'#include <a>\n// #include <no>\n#  include "b.h" // x\n#if 0\n#include <c>\n#endif\n')
    assert [(each.name, each.quoted) for each in found] == [("a", False), ("b.h", True), ("c", False)]


def test_arch_is_mentioned() -> None:
    assert mentions_arch({"a": b"#if __CUDA_ARCH__ >= 800"})
    assert not mentions_arch({"a": b"int x;"})


def test_device_variables() -> None:
    src = b"""
    __constant__ float taps[9];
    static __constant__ int table[2] = {1, 2};
    namespace ns { __device__ unsigned counter; namespace { __device__ float4 grid[4][4]; } }
    __device__ const int fixed = 3;
    __device__ constexpr int also = 3;
    extern __constant__ float elsewhere[4];
    __device__ float f(float x);
    __device__ float g(float x) { __shared__ float s[4]; static __device__ int no; return s[0]; }
    __global__ void k(float* x) { x[0] = taps[0]; }
    template <class T> __device__ T v;
    int host;
    extern "C" { __device__ int linked{4}; }
    #define M __device__ int inside;
    """
    got = {v.name: (v.constant, v.initialized) for v in device_variables(src)}
    assert got == {
        "taps": (True, False),
        "table": (True, True),
        "ns::counter": (False, False),
        "ns::grid": (False, False),
        "linked": (False, True),
        "v": (False, False),
    }
    assert [v.parameters for v in device_variables(src) if v.name == "v"] == [1]


SOURCE = b"""int before;
__device__ int helper(int x) {
    return lost(x);
}
// helper2 is spoken of here, and so is helper
__device__ int helper2(int x) { return x; }
#define CALL(x) helper(x)
__global__ void k(int* p) {
    p[0] = CALL(1);
}
__global__ void other(int* p) { p[0] = helper2(2); /* helper */ }
"""


def test_lines_stay_where_they_are() -> None:
    parts = FileParts("a.cu", SOURCE)
    helper = parts.functions[0]
    stub = Patch(helper.body_start, helper.body_end, "stub", Reason("", 'a.cu:3: "lost" \\ ??/'))
    blank = Patch(helper.start, helper.end, "blank", Reason("MUS101"))
    for patch in (stub, blank):
        out = apply(SOURCE, {(patch.start, patch.end): patch})
        assert out.count(b"\n") == SOURCE.count(b"\n")
        assert out.split(b"\n")[7:] == SOURCE.split(b"\n")[7:]
        assert b"lost(x)" not in out
    assert b'::emu::stub("build-failed: a.cu:3: ' in apply(SOURCE, {(stub.start, stub.end): stub})
    both = apply(SOURCE, {(stub.start, stub.end): stub, (blank.start, blank.end): blank})
    assert b"stub" not in both


def test_what_is_reached() -> None:
    mentions = Mentions({"a.cu": FileParts("a.cu", SOURCE)})
    assert mentions.reached(b"k") == {b"k", b"CALL", b"helper"}
    assert mentions.reached(b"other") == {b"other", b"helper2"}


def test_places_by_line() -> None:
    parts = FileParts("a.cu", SOURCE)
    function = parts.function_at_line(3)
    assert function is not None
    assert function.name == "helper"
    assert parts.function_at_line(1) is None
    assert parts.declaration_at_line(1) == (0, len(b"int before;"))


def test_assembly_of_device_code_is_refused() -> None:
    src = b"""void host() { asm volatile("pause"); }
__device__ void d() { if (0) asm volatile("x;"); __asm__("y;"); } // asm
const char* text = "asm";
"""
    got = refuse_asm(FileParts("a.cu", src), src)
    assert got.count(b"asm_is_not_taken_by_MUSA") == 2
    assert b'asm volatile("pause")' in got
    assert b"// asm\n" in got
    assert b'"asm"' in got


@pytest.mark.parametrize(
    "barrier",
    [
        b'asm volatile("" ::: "memory");',
        b'asm("" : "+r"(x));',
        b'__asm__ __volatile__ ( "" : : : "memory" );',
        b'asm volatile("" "");',
    ],
)
def test_a_compilers_barrier_is_no_assembly(barrier: bytes) -> None:
    src = b"__device__ void d(int x) { " + barrier + b" }\n"
    assert refuse_asm(FileParts("a.cu", src), src) == src


@pytest.mark.parametrize("text", [b'asm volatile("" "x;");', b'asm(TEXT "");', b'asm("%%" : : );'])
def test_no_text_that_holds_something_passes_for_a_barrier(text: bytes) -> None:
    src = b"__device__ void d(int x) { " + text + b" }\n"
    assert b"asm_is_not_taken_by_MUSA" in refuse_asm(FileParts("a.cu", src), src)
