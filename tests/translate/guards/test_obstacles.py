"""A guard is not switched where its branch leads to something unsettled, by whatever name."""

import pytest

from musify_ai.translate import translate

_ASM = 'asm volatile("cp.async.wait_all;");'


def _guarded(before: str, branch: str) -> str:
    src = f"{before}\n__device__ void f() {{\n#if __CUDA_ARCH__ >= 800\n{branch}\n#endif\n}}\n"
    edits = translate(src.encode(), "a.cu").edits
    return next(edit.safety for edit in edits if edit.rule == "MUS201")


@pytest.mark.parametrize(
    ("before", "branch"),
    [
        (f"DEVICE_INLINE void g() {{ {_ASM} }}", "g();"),  # a macro hides what it is
        (f"__device__ void g() {{\n#define Z 1\n{_ASM} }}", "g();"),
        (f"struct S {{ __device__ void operator()(int a) const {{ {_ASM} }} }};", "S s; s(1);"),
        (f"struct S {{ int z; DEVICE S(int q) : z(q) {{ {_ASM} }} }};", "S s(1);"),
        (f"namespace n {{ template <class T> __device__ auto g(T t) -> decltype(t + 1) {{ {_ASM} }} }}", "n::g(1);"),
        (f"auto g = [] __device__ (int a) {{ {_ASM} }};", "g(1);"),
        (f"__device__ void a() {{ {_ASM} }}\n__device__ void b() {{ a(); }}\n__device__ void g() {{ b(); }}", "g();"),
        ("".join(f"#define M{i} M{i - 1}\n" for i in range(1, 40)) + f"#define M0 {_ASM}", "M39"),
    ],
)
def test_a_way_to_something_unsettled(before: str, branch: str) -> None:
    assert _guarded(before, branch) == "unsafe"


@pytest.mark.parametrize(
    ("before", "branch"),
    [
        (f"__device__ void g() {{ {_ASM} }}\n__device__ void other() {{}}", "other();"),
        (f"int a[] = {{ 1, h(2) }};\n__global__ void __launch_bounds__(8) g() {{ {_ASM} }}", "a[0] = h(2);"),
        (f"struct S {{ __device__ void g() {{ {_ASM} }} }};\n__device__ void other() {{}}", "other();"),
    ],
)
def test_no_way(before: str, branch: str) -> None:
    assert _guarded(before, branch) == "safe"


@pytest.mark.parametrize(
    "chosen",
    [
        f"#ifdef FAST\n__device__ void h() {{ {_ASM} }}\n#endif",
        f"#if !defined(OFF) && FAST > 1\n__device__ void h() {{ {_ASM} }}\n#endif",
        f"#if FAST\n#define ASYNC\n#endif\n#ifndef ASYNC\nint slow;\n#else\n__device__ void h() {{ {_ASM} }}\n#endif",
        f"__device__ void g() {{ {_ASM} }}\n__device__ void h() {{\n#ifdef FAST\ng();\n#endif\n}}",
    ],
)
def test_a_definition_that_chooses_something_unsettled(chosen: str) -> None:
    src = f"#if __CUDA_ARCH__ >= 800\n#define FAST 1\n#endif\n{chosen}\n"
    assert [edit.safety for edit in translate(src.encode(), "a.cu").edits if edit.rule == "MUS201"] == ["unsafe"]


def test_a_definition_that_chooses_what_is_settled() -> None:
    src = "#if __CUDA_ARCH__ >= 800\n#define FAST 1\n#endif\n#ifdef FAST\nint a;\n#endif\n"
    src += f"__device__ void g() {{ {_ASM} }}\n"
    assert [edit.safety for edit in translate(src.encode(), "a.cu").edits if edit.rule == "MUS201"] == ["safe"]
