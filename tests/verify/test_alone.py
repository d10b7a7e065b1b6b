from pathlib import Path
from typing import cast

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import Emulated
from musify_ai.backends.toolchain import Toolchain
from musify_ai.kernels import find_kernels
from musify_ai.verify.alone import build_alone
from musify_ai.verify.building import Registration, SideBuild, SideSource, Unsettled, build_side
from musify_ai.verify.pairing import Pair
from musify_ai.verify.patches import FileParts, Reason
from musify_ai.verify.running import describe
from musify_ai.verify.units import UnitCheck

DATA = Path(__file__).parents[1] / "data" / "verify" / "cuda"


def alone(cache: Cache, unit: str, name: str, unsettled: list[Unsettled] | None = None) -> SideBuild:
    toolchain = Toolchain.detect()
    assert toolchain is not None
    files = {path: FileParts(path, (DATA / path).read_bytes()) for path in (unit, "pieces.cuh")}
    kernel = next(k for k in find_kernels(files[unit].src, unit) if k.name == name)
    source = SideSource(unit, files, ())
    registration = Registration("k0", name, f"&{name}")
    return build_alone(
        Emulated(toolchain, cache), "cuda", 800, source, kernel, [registration], {unit: unsettled} if unsettled else {}
    )


def test_kernel_with_a_callee_in_a_header(build_cache: Cache) -> None:
    got = alone(build_cache, "plain.cu", "plane")
    assert got.built is not None
    assert got.built.program.is_file()


def test_what_it_does_not_need_may_be_broken(build_cache: Cache) -> None:
    assert alone(build_cache, "nowhere.cu", "beside").built is not None


def test_what_it_needs_may_not(build_cache: Cache) -> None:
    got = alone(build_cache, "nowhere.cu", "calls_library")
    assert got.built is None
    assert "nowhere_device" in got.failure
    assert "nowhere_device" in got.dropped["k0"].message


def test_unsettled_callee(build_cache: Cache) -> None:
    at = (DATA / "broken.cu").read_bytes().index(b"asm(")
    got = alone(build_cache, "broken.cu", "with_asm", [Unsettled(at, at + 3, "MUS401")])
    assert got.built is None
    assert got.stubbed[b"with_asm"].code == "MUS401"


def test_what_is_unsettled_is_no_failed_build() -> None:
    (kernel,) = find_kernels(b"__global__ void with_asm(int* x) { }", "broken.cu")
    build = SideBuild(None, "MUS401", stubbed={b"with_asm": Reason("MUS401")})
    pair = Pair("k0", kernel, kernel, None)
    assert UnitCheck._reason(cast(UnitCheck, None), pair, 1, build) == Reason("MUS401")


def test_an_include_from_above_is_left_out_where_it_stands(build_cache: Cache) -> None:
    toolchain = Toolchain.detect()
    assert toolchain is not None
    texts = {
        "a/unit.cu": b'#include "../common.h"\n__global__ void k(float* p) { p[threadIdx.x] = kept(p[0]); }\n',
        "common.h": b"#pragma once\n#include <library/that/is/not/here.h>\n"
        b"__device__ float kept(float x) { return x; }\n"
        b"namespace outer { template <class T> struct Sum { T value; }; }\n"
        b"using namespace outer;\nstruct Traits { Sum<float> first; using Sum = outer::Sum<float>; };\n",
    }
    source = SideSource("a/unit.cu", {path: FileParts(path, text) for path, text in texts.items()}, ())
    got = build_side(Emulated(toolchain, build_cache), "cuda", 800, source, [Registration("k0", "k", "&k")])
    assert got.built is not None, got.failure
    assert got.left_out_headers == {("common.h", 0)}
    assert not got.stubbed
    assert not got.erased


def test_all_instantiations_in_one_build_and_classes_with_bases_taken_apart(build_cache: Cache) -> None:
    toolchain = Toolchain.detect()
    assert toolchain is not None
    text = b"""struct Base { Base() : rows(1), x(nullptr) {} int rows; const float* x; };
namespace inner {
  struct Params : public Base { int cols = 2; float* y; static int unused; int area() { return rows; } };
}
template <class T> __global__ void scaled(inner::Params params, T by) {
  static_assert(sizeof(T) < 8, "too wide");
  if (threadIdx.x < params.rows) params.y[threadIdx.x] = params.x[threadIdx.x] * by;
}
"""
    files = {"unit.cu": FileParts("unit.cu", text)}
    (kernel,) = find_kernels(text, "unit.cu")
    asked = [
        Registration(f"k{number}", "scaled", f"&scaled<{name}>", (name,), name, ("inner::Params", name))
        for number, name in enumerate(("float", "double", "int"))
    ]
    backend = Emulated(toolchain, build_cache)
    got = build_alone(backend, "cuda", 800, SideSource("unit.cu", files, ()), kernel, asked, {})
    assert got.built is not None, got.failure
    assert list(got.dropped) == ["k1"] and "too wide" in got.dropped["k1"].message
    described = describe(backend, got.built).kernels
    assert sorted(described) == ["k0", "k2"]
    slots = described["k0"].slots
    assert [(each.member, each.offset, each.pointer) for each in slots] == [
        ("rows", 0, False), ("x", 8, True), ("cols", 16, False), ("y", 24, True), ("", 0, False),
    ]  # fmt: skip
