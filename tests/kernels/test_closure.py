import shutil
import subprocess
from pathlib import Path

import pytest

from musify_ai.kernels import find_kernels
from musify_ai.kernels.closure import closure

UNIT = b"""#include <cuda_runtime.h>
#include <torch/extension.h>
#include "inc/use.h"
#include "gone.h"
#include <vector>
namespace cg = cooperative_groups;
using namespace at;
using namespace std;
namespace n { namespace inner { } }
using namespace n::inner;
#define TILE 16
#define SQUARE(x) ((x) * (x))
#define UNUSED 3
struct Big { int x; };
typedef struct { float a; } Small;
static const int LIMIT = TILE * 2, OTHER = 3;
__constant__ float coef[LIMIT];
enum { RED, GREEN = LIMIT };
#define DEFINE_OP(name, op) __device__ float op_##name(float a, float b) { return a op b; }
DEFINE_OP(plus, +)
DEFINE_OP(divide, /)
namespace n {
template <class T> __device__ T twice(T x) { return helper(x) * 2; } // of k
void host() { Big b; }
#ifdef FAST
__device__ int pick(int x) { return 1; }
#else
__device__ int pick(int x) { return GREEN; }
#endif
template <class F> struct Wrap { F f; __device__ float operator()(float x) const { return f(x); } };
__global__ void k(float *p) {
  p[0] = twice(p[1]) + coef[0] + pick(3) + SQUARE(p[2]) + op_plus(p[0], 1);
  p[1] = (V4(1) + V4(2)).x;
}
}
__global__ void j(Small *s) { s->a = 1; }
int main() { at::Tensor t; n::k<<<1, 2>>>(0); }
"""
HEADERS = {
    "inc/use.h": b"""#pragma once
#include "v.h"
__device__ float helper(float x) { return x; }
void noise(at::Tensor);
""",
    "inc/v.h": b"""#ifndef V_H
#define V_H
struct V4 { float x; __device__ V4(float); };
__device__ V4 operator+(V4 a, V4 b);
__device__ V4::V4(float v) : x(v) { }
__device__ V4 operator%(V4 a, V4 b);
#endif
""",
    "inc/never.h": b"int never;\n",
}


def reduced(name: str, src: bytes = UNIT, headers: dict[str, bytes] = HEADERS, path: str = "a.cu") -> str:
    kernel = next(k for k in find_kernels(src, path) if k.name == name)
    return closure(src, kernel, headers).decode()


KEPT = """#include <cuda_runtime.h>|#include <vector>|#define TILE 16|SQUARE|LIMIT = TILE * 2|coef[LIMIT]|GREEN = LIMIT
DEFINE_OP(plus, +)|T twice(T x)|return GREEN|#ifdef FAST|return 1;|float helper|struct V4|operator+(V4|V4::V4(float v)
__global__ void k|namespace std;|namespace n::inner;""".replace("\n", "|").split("|")
GONE = """torch|gone.h|namespace at|UNUSED|Big|Small|divide, /|host|noise|void j|main|operator%|never
cooperative|Wrap""".replace("\n", "|").split("|")


def test_what_is_needed_stays_and_nothing_else() -> None:
    text = reduced("n::k")
    assert [each for each in KEPT if each not in text] == []
    assert [each for each in GONE if each in text] == []


def test_another_kernel_needs_other_things() -> None:
    text = reduced("j")
    assert "typedef struct { float a; } Small;" in text
    for gone in ("struct V4", "twice", "LIMIT", "void k", "helper"):
        assert gone not in text


def lines_of(text: str) -> dict[str, tuple[str, int]]:
    """Each line of a closure with the file and line a compiler would report for it."""
    path, number, found = "a.cu", 1, {}
    for line in text.split("\n"):
        if line.startswith("#line "):
            _, count, quoted = line.split(" ", 2)
            path, number = quoted.strip('"'), int(count)
            continue
        found[line.strip()] = (path, number)
        number += 1
    return found


def test_lines_keep_their_numbers() -> None:
    seen = lines_of(reduced("n::k"))
    for path, src in {"a.cu": UNIT, **HEADERS}.items():
        for number, line in enumerate(src.decode().split("\n"), 1):
            if line.strip() and line in seen and path != "inc/never.h" and "pragma" not in line and line != "}":
                assert seen[line] == (path, number) or line in ("#endif", "#else")
    assert seen["__global__ void k(float *p) {"][0] == "a.cu"
    assert seen["struct V4 { float x; __device__ V4(float); };"] == ("inc/v.h", 3)


def test_a_kernel_in_a_header_and_template_arguments() -> None:
    header = b"#pragma once\ntemplate <class F> __global__ void k(F f) { f(1); }\n"
    unit = b'__device__ void dev() { }\nstruct Rest { };\n#include "k.cuh"\n'
    unit += b"struct Op { __device__ void operator()(int) const { dev(); } };\nvoid host() { k<Op><<<1, 2>>>(Op()); }\n"
    (kernel,) = find_kernels(header, "k.cuh")
    launched = kernel._replace(instantiations=find_kernels(header + unit, "k.cuh")[0].instantiations)
    text = closure(unit, launched, {"k.cuh": header}).decode()
    for kept in ("void k(F f)", "struct Op", "void dev()"):
        assert kept in text
    assert "Rest" not in text
    assert "host" not in text


def test_a_kernel_whose_header_the_unit_does_not_reach_stands_alone() -> None:
    (kernel,) = find_kernels(b"int n = 3;\n__global__ void k() { n; }\n", "k.cuh")
    text = closure(b"int main() { }", kernel, {"k.cuh": b"int n = 3;\n__global__ void k() { n; }\n"})
    assert text == b"int n = 3;\n__global__ void k() { n; }\n"


def test_static_members_keep_their_class_and_specialisations_their_template() -> None:
    src = b"struct S { int x; static __global__ void k() { } };\n"
    assert "int x" in reduced("S::k", src)
    src = b"template <class T> struct Tr { };\ntemplate <> struct Tr<float> { static const int n = 4; };\n"
    src += b"template <class T> __global__ void k() { Tr<T>::n; }\ntemplate <> __global__ void k<int>() { }\nint z;\n"
    text = reduced("k<int>", src)
    assert "template <class T> __global__ void k()" in text
    assert "Tr<float>" in text
    assert "int z" not in text


def test_a_macro_may_bear_a_parameters_name() -> None:
    src = b"#define img(x, y) img[(x) + (y)]\n#define n 3\nint m;\n"
    src += b"__global__ void k(float *img, int m) { img(1, m) = n; }\n"
    text = reduced("k", src)
    assert "#define img" in text
    assert "#define n" in text
    assert "int m;" not in text


def test_pasted_names_are_followed() -> None:
    src = b"""#define TYPES(T, t) struct v2##t { T x, y; }; struct v3##t { T x, y, z; };
TYPES(int, i);
TYPES(float, f)
#define OTHERS(t) struct w##t { };
OTHERS(j)
#define COUNT_SLOW() slow()
#define COUNT(how) COUNT_##how()
__device__ int slow() { return 0; }
__device__ int other() { return 0; }
__global__ void k(v2i v) { v.x = COUNT(SLOW); }
"""
    text = reduced("k", src)
    for kept in ("TYPES(int, i)", "#define TYPES", "COUNT_SLOW()", "int slow()"):
        assert kept in text
    for gone in ("OTHERS", "other()"):
        assert gone not in text


def test_includes_that_go_round_end() -> None:
    headers = {"a.h": b'#include "b.h"\nint a;\n', "b.h": b'#include "a.h"\nint b;\n'}
    text = reduced("k", b'#include "a.h"\n#include "a.h"\n__global__ void k() { a + b; }\n', headers)
    assert text.count("int a;") == 1
    assert text.count("int b;") == 1


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_the_closure_compiles_where_the_unit_does_not(tmp_path: Path) -> None:
    decorators = b"#define __global__\n#define __device__\n#define __constant__\n"
    path = tmp_path / "a.cpp"
    path.write_bytes(decorators + b"#line 1\n" + reduced("n::k").encode())
    (tmp_path / "cuda_runtime.h").write_bytes(b"")
    command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{tmp_path}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_header_first_included_under_a_condition_stands_at_later_includes_too() -> None:
    headers = {
        "sizes.h": b'#pragma once\n#include "more.h"\nconstexpr int WIDTH = 4;\n',
        "more.h": b"constexpr int MORE = 2;\n",
    }
    unit = (
        b'#ifdef ELSEWHERE\n#include "sizes.h"\n#else\n#include <stdio.h>\n#include "sizes.h"\n#endif\n'
        b'#include "more.h"\n'
        b"__global__ void k(int* p) { p[0] = WIDTH + MORE; }\n"
    )
    (kernel,) = find_kernels(unit, "unit.cu")
    text = closure(unit, kernel, headers)
    assert text.count(b"constexpr int WIDTH = 4;") == 2 and text.count(b"#ifndef MUSIFY_PLACED_") >= 2
    for flags in ([], ["-DELSEWHERE"]):
        done = subprocess.run(
            ["cc", "-x", "c++", "-E", "-P", *flags, "-"], input=text, capture_output=True, check=True
        ).stdout
        assert done.count(b"WIDTH = 4") == done.count(b"MORE = 2") == 1, flags
