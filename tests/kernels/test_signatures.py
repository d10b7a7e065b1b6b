from pathlib import Path

import pytest

from musify_ai.kernels import find_kernels
from musify_ai.kernels.signatures import resolve
from musify_ai.records import Kernel
from musify_ai.syntax.clang import LibclangMissing


@pytest.fixture(autouse=True)
def _libclang() -> None:
    pytest.importorskip("clang.cindex", reason="libclang is not installed: install musify-ai[verify]")


def resolved(folder: Path, files: dict[str, str], unit: str = "a.cu") -> dict[str, Kernel]:
    kernels: list[Kernel] = []
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        kernels += find_kernels(text.encode(), name)
    found = resolve(kernels, unit=folder / unit, include_dirs=[])
    assert [kernel[:8] for kernel in found if not kernel.parameters] == [k[:8] for k in kernels if not k.parameters]
    return {kernel.name: kernel for kernel in found}


def arguments(kernel: Kernel) -> list[tuple[str, ...]]:
    return [each.arguments for each in kernel.instantiations]


def test_canonical_types(tmp_path: Path) -> None:
    text = """typedef float real;
using index = unsigned long long;
struct Box { int x; };
__global__ void k(const real *__restrict__ in, uint8_t *out, index n, Box b, int a[4], void (*f)(int), const half *h,
                  real *const *rows, int &r) { cudaUnknown(); }
"""
    kernel = resolved(tmp_path, {"a.cu": text})["k"]
    assert [(p.name, p.canonical.replace("__restrict", "").strip(), p.pointee, p.const) for p in kernel.parameters] == [
        ("in", "const float *", "float", True),
        ("out", "unsigned char *", "unsigned char", False),
        ("n", "unsigned long long", "", False),
        ("b", "Box", "", False),
        ("a", "int *", "int", False),
        ("f", "void (*)(int)", "", False),
        ("h", "const __half *", "__half", True),
        ("rows", "float *const *", "float *const", True),
        ("r", "int &", "", False),
    ]


def test_a_templates_dependent_types_stay_as_written(tmp_path: Path) -> None:
    text = "template <class T> __global__ void k(const T *p, int n) { }\n"
    text += "template __global__ void k<int>(const int *, int);"
    kernel = resolved(tmp_path, {"a.cu": text})["k"]
    assert [(p.type, p.canonical, p.pointee) for p in kernel.parameters] == [("const T *", "", "T"), ("int", "int", "")]
    assert [(i.arguments, i.how, i.line) for i in kernel.instantiations] == [(("int",), "explicit", 2)]


def test_instantiations_by_every_way(tmp_path: Path) -> None:
    text = """#include <vector>
template <class T> struct Pair { T a, b; };
enum class Mode { A, B };
template <class T, int N = 4, Mode M = Mode::A> __global__ void k(T *p, int n) { }
template <class T> void run(T *p) { k<T, sizeof(T) * 2><<<1, 2>>>(p, 3); }
#define LAUNCH(K, ...) K<<<1, \\
    2>>>(__VA_ARGS__)
int main() {
  float *f = 0;
  const int B = 7;
  cudaMystery(&f);
  k<<<1, 2>>>(f, 1);
  k<double, B, Mode::B><<<1, 2>>>(nullptr, 1);
  run<char>(nullptr);
  run((long *)0);
  LAUNCH(k, (Pair<Pair<int>> *)0, 1);
  cudaLaunchKernel((void *)k<unsigned>, 1, 2);
  void (*p)(short *, int) = &k<short, 9>;
  auto nameless = [] { };
  k<<<1, 2>>>(&nameless, 1);
}
"""
    found = {i.arguments: (i.how, i.line) for i in resolved(tmp_path, {"a.cu": text})["k"].instantiations}
    assert found == {
        ("float", "4", "Mode::A"): ("launch", 12),
        ("double", "7", "Mode::B"): ("launch", 13),
        ("char", "2", "Mode::A"): ("launch", 5),
        ("long", "16", "Mode::A"): ("launch", 5),
        ("Pair<Pair<int>>", "4", "Mode::A"): ("launch", 16),
        ("unsigned int", "4", "Mode::A"): ("function-pointer", 17),
        ("short", "9", "Mode::A"): ("function-pointer", 18),
    }


def test_kernels_in_headers_are_resolved_through_the_unit(tmp_path: Path) -> None:
    files = {
        "src/a.cu": '#include "../inc/k.cuh"\nvoid f() { ns::k<<<1, 2>>>((float *)0); }\n',
        "inc/k.cuh": "#pragma once\nnamespace ns { template <class T> __global__ void k(T *p) { } }\n"
        "template <class T> void go(T *p) { ns::k<<<1, 2>>>(p); }\ninline void all() { go((int *)0); }\n",
    }
    assert arguments(resolved(tmp_path, files, "src/a.cu")["ns::k"]) == [("int",), ("float",)]


def test_value_and_pack_parameters_and_specialisations(tmp_path: Path) -> None:
    text = """template <int N> __global__ void v(int *p) { }
template <class... Ts> __global__ void pack(Ts... ts) { }
template <template <class> class C, class T> __global__ void t(C<T> *p) { }
template <class T> struct A { };
template <> __global__ void v<3>(int *p) { }
void f() { v<3><<<1, 2>>>(0); v<4><<<1, 2>>>(0); pack<<<1, 2>>>(1, 2.0f); t<<<1, 2>>>((A<int> *)0); }
"""
    found = resolved(tmp_path, {"a.cu": text})
    assert arguments(found["v"]) == [("4",)]
    assert arguments(found["pack"]) == [("int", "float")]
    assert arguments(found["t"]) == [("A", "int")]
    assert found["v<3>"].parameters[0].canonical == "int *"


def test_what_the_unit_does_not_compile_keeps_what_it_had(tmp_path: Path) -> None:
    text = "#ifdef NEVER\n__global__ void k(size_t n) { }\n#endif\ntemplate <class T> __global__ void j(T *p) { }\n"
    found = resolved(tmp_path, {"a.cu": text})
    assert found["k"].parameters[0].canonical == ""
    assert found["j"].instantiations == ()


def test_a_missing_header_and_gbk_comments_do_not_stop_it(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    text = '#include "gone.h"\n// 注释\ntemplate <class T> __global__ void k(T *p) { }\n'
    text += "/* 字 */ void f() { k<<<1, 2>>>((int *)0); }\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode("gbk"))
    (kernel,) = resolve(find_kernels(path.read_bytes(), "a.cu"), unit=path, include_dirs=[])
    assert arguments(kernel) == [("int",)]


def test_given_headers_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "gpu.h").write_text(
        "#define __global__\n#ifdef WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
    )
    path = tmp_path / "a.cu"
    path.write_text("__global__ void k(real *p) { }\n")
    kernels = find_kernels(path.read_bytes(), "a.cu")
    (kernel,) = resolve(kernels, unit=path, include_dirs=[tmp_path / "inc"], arguments=["-include", "gpu.h", "-DWIDE"])
    assert kernel.parameters[0].pointee == "double"


def test_without_libclang_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise LibclangMissing("libclang is not available: install musify-ai[verify]")

    monkeypatch.setattr("musify_ai.syntax.clang.binding", missing)
    with pytest.raises(LibclangMissing, match="musify-ai"):
        resolve((), unit=tmp_path / "a.cu", include_dirs=[])
