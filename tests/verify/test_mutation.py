"""Mutants: where they are, that without a chosen one the text means the same, what a check is told that it misses."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from musify_ai.backends.emulated import Unit
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Mutants, Options, Verdict
from musify_ai.verify import verify
from musify_ai.verify.mutation.teeth import weak_because
from musify_ai.verify.mutation.writing import find, write

needs_compiler = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler")


def sites(body: str, before: str = "") -> list[tuple[str, str]]:
    """Kind and text of each site of a kernel with this body, the empty body apart."""
    src = f"{before}\n__global__ void k(float* a, const float* b, int n, int i) {{\n{body}\n}}\n".encode()
    unit = Unit({"k.cu": src}, "")
    found = find(unit, {b"k"}, {b"k"})
    write(unit, found)
    return [(n.site.kind, src[n.site.start : n.site.end].decode()) for n in found if n.site.kind != "body"]


def mutated(body: str) -> str:
    unit = Unit({"k.cu": f"__global__ void k(float* a, int n, int i) {{ {body} }}".encode()}, "")
    text = write(unit, find(unit, {b"k"}, {b"k"})).sources["k.cu"].decode().replace("::musify_mutant::", "")
    return text.split("return; ", 1)[1].rsplit(" }", 1)[0].strip()


# ---------------------------------------------------------------- what is left alone


@pytest.mark.parametrize(
    "body",
    [
        "foo<(1 + 2)>();",
        'asm volatile("add.u32 %0, %1, 1;" : "=r"(i) : "r"(n));',
        'const char* text = "a + b";',
        "// a + b",
        "static_assert(sizeof(float) == 4);",
        "int x = 0;",
    ],
)
def test_these_have_no_operator_or_constant_to_change(body: str) -> None:
    assert [kind for kind, _ in sites(body) if kind not in ("narrow",)] == []


def test_macros_and_other_functions_are_left_alone() -> None:
    before = (
        "#define ADD(x) ((x) + 1)\nvoid host(int* p) { p[0] = 1 + 2; }\n__device__ int other(int x) { return x + 1; }"
    )
    assert sites("", before) == []


def test_what_calls_on_both_sides_keeps_its_order() -> None:
    assert ("operator", "f(i) + g(i)") not in sites("n = f(i) + g(i);")
    assert ("operator", "f(i) + n") in sites("n = f(i) + n;")


def test_the_boundary_of_a_choice_between_what_is_compared_is_none() -> None:
    assert not [each for each in sites("n = i < n ? n : i;") if each[0] == "operator"]
    assert not [each for each in sites("n = i < 0 ? 0 : (i >= n ? 7 : i);") if each == ("operator", "i < 0")]
    assert ("operator", "i < n") in sites("n = i < n ? i : n + 1;")
    assert not [each for each in sites("n = i < n ? n - i : i - n;") if each == ("operator", "i < n")]
    assert ("operator", "i < n") in sites("n = i < n ? n - i : n - i;")
    assert ("operator", "i < n") in sites("n = i < n ? n - i : i + n;")


def test_the_head_of_a_loop_that_leads_a_butterfly_is_mutated_as_a_whole() -> None:
    ladder = "for (int s = 16; s > 0; s /= 2) n += __shfl_xor_sync(m, n, s, 32);"
    found = sites(ladder)
    assert ("condition", "s > 0") in found and ("lane", "s") in found and ("width", "32") in found
    assert ("operator", "s > 0") not in found and ("constant", "16") not in found
    assert ("constant", "2") in found  # steps that are left out are noticed
    assert "none<" in mutated(ladder) and "next<" in mutated(ladder.replace("_xor_", "_down_"))
    for other in (ladder.replace("_xor_", "_down_"), ladder.replace("n += ", "n += s + ")):
        assert {("operator", "s > 0"), ("constant", "16")} <= set(sites(other))
    assert ("width", "32") not in sites("n = __shfl_xor_sync(m, n, 8, 32);")
    assert ("width", "32") in sites("n = __shfl_xor_sync(m, n, 16, 32);")


# ---------------------------------------------------------------- what is changed


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (i < n) a[i] = 1.5f;", ("condition", "i < n")),
        ("if (i < n) a[i] = 1.5f;", ("operator", "i < n")),
        ("if (i < n) a[i] = 1.5f;", ("index", "i")),
        ("if (i < n) a[i] = 1.5f;", ("constant", "1.5f")),
        ("if (i < n) a[i] = 1.5f;", ("store", "a[i] = 1.5f")),
        ("if (i == 0) a[i] = 1.5f;", ("condition", "i == 0")),
        ("if (i < n && n > 2) return;", ("condition", "n > 2")),
        ("__syncthreads();", ("barrier", "__syncthreads()")),
        ("block.sync();", ("barrier", "block.sync()")),
        ("atomicAdd(&a[0], 2.f);", ("atomic", "atomicAdd(&a[0], 2.f)")),
        ("float v = __shfl_down_sync(m, x, 16, 32);", ("lane", "16")),
        ("float v = __shfl_down_sync(m, x, 16, 32);", ("width", "32")),
        ("float v = __shfl_down_sync(m, x, 16, 32);", ("mask", "m")),
        ("double d = x * 3;", ("narrow", "x * 3")),
        ("a[i] += x;", ("operator", "x")),
        ("*a = 2;", ("store", "*a = 2")),
    ],
)
def test_a_site(body: str, expected: tuple[str, str]) -> None:
    assert expected in sites(body)


def test_nested_sites_nest() -> None:
    assert mutated("a[i + 1] = n;") == (
        "(void)(on<2>() || (a[next<4>(plus<5>(i , next<6>(1)))] = narrow<3>(n), true));"
    )


def test_lines_stay_where_they_are() -> None:
    src = b"__global__ void k(int* a, int n) {\n    a[0] = n +\n        2;\n    if (n <\n 3)\n  __syncthreads();\n}\n"
    unit = Unit({"k.cu": src}, "")
    text = write(unit, find(unit, {b"k"}, {b"k"})).sources["k.cu"]
    assert [line.split(b"//")[0].count(b"\n") for line in text.splitlines(True)] == [1] * src.count(b"\n")


# ---------------------------------------------------------------- run

Project = Callable[[Mapping[str, str]], Path]
OLD = """#include <cuda_runtime.h>
__device__ int twice(int x) { return x * 2; }
__device__ int unused(int x) { return x * 3; }
__global__ void good(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = twice(x[i]) + 1;
}
__global__ void blind(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1;
        if (x[i] * 77777u == 123456789u) y[i] = 7;
    }
}
__global__ void shared(const float* x, float* y) {
    __shared__ float tile[2][64];
    tile[0][threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = tile[0][63 - threadIdx.x];
}
void launch(const int* x, int* y, const float* f, float* g, int n) {
    good<<<(n + 127) / 128, 128>>>(x, y, n);
    blind<<<(n + 127) / 128, 128>>>(x, y, n);
    shared<<<4, 64>>>(f, g);
}
"""


@needs_compiler
def test_equal_is_weak_where_the_check_would_not_have_noticed(tmp_path: Path) -> None:
    for side, text in (("old", OLD), ("new", OLD.replace("cuda_runtime", "musa_runtime"))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "k.cu").write_text(text)
    options = Options(archs=("mp_31",), mutants=True)
    done = verify(tmp_path / "old", tmp_path / "new", files={"k.cu": "k.cu"}, options=options)
    assert done.failures == ()
    found = {each.name: each for each in done.verdicts}

    good = found["good"]
    assert (good.headline, good.reason) == ("equal-emulated", None)
    assert teeth(good).killed == teeth(good).made >= 12
    assert not any("unused" in text or "3" in text for text in teeth(good).survivors + teeth(good).unreached)

    blind = found["blind"]
    assert blind.headline == "equal-weak"
    assert "k.cu:12" in (blind.reason or "")
    assert any(text.startswith("k.cu:12: store (y[i] = 7)") for text in teeth(blind).unreached)

    shared = found["shared"]
    assert shared.headline == "equal-emulated", "an index past an array in shared memory is seen"

    excused = options._replace(excused=tuple(("blind", text.split(": ", 1)[1], "why not") for text in blinded(blind)))
    (again,) = verify(
        tmp_path / "old", tmp_path / "new", files={"k.cu": "k.cu"}, options=excused, kernels=("blind",)
    ).verdicts
    assert again.headline == "equal-emulated"
    assert len(teeth(again).excused) == len(blinded(blind))


def teeth(verdict: Verdict) -> Mutants:
    (found,) = [each.mutants for each in verdict.evidence]
    assert found is not None
    return found


def blinded(verdict: Verdict) -> tuple[str, ...]:
    return teeth(verdict).survivors + teeth(verdict).unreached


def test_why_a_verdict_is_weak_is_said_in_short() -> None:
    mutants = Mutants(9, 4, 0, 0, (), ("a:1: x",), ("b:1: u", "b:2: v", "b:3: w", "b:4: x"))
    assert weak_because(mutants) == (
        "4 of 9 mutants survive (b:1: u, b:2: v, b:3: w, ...); 1 of 9 places are not reached (a:1: x)"
    )
    assert weak_because(mutants._replace(survivors=(), unreached=())) == ""


# ---------------------------------------------------------------- barriers moved, prints left out


def test_a_barrier_moves_over_what_uses_shared_memory_only() -> None:
    body = "__shared__ float t[8]; int j = n; t[i] = 1; __syncthreads(); a[i] = t[0]; __syncthreads(); a[j] = 2;"
    src = f"__global__ void k(float* a, int n, int i) {{ {body} }}".encode()
    moved = [each.site for each in find(Unit({"k.cu": src}, ""), {b"k"}, {b"k"}) if each.site.kind == "moved"]
    first, second = src.index(b"__syncthreads"), src.rindex(b"__syncthreads")
    assert [(site.start, site.moved) for site in moved] == [
        (first, src.index(b" __syncthreads(); a[j]")),  # behind the read
        (first, src.index(b"t[i] = 1")),  # before the write
        (second, src.index(b"a[i] = t[0]")),
    ]


def test_a_moved_barrier_stands_there_only_if_chosen() -> None:
    text = mutated("__shared__ float t[8]; t[i] = n; __syncthreads(); a[i] = t[i];")
    assert text.count("__syncthreads()") == 3  # in its place, behind the read, before the write
    assert ") { __syncthreads(); } " in text


def test_what_is_printed_can_be_left_out() -> None:
    assert ("print", 'printf("%d", n)') in sites('printf("%d", n);')
