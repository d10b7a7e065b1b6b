"""What preparing does to the text, piece by piece."""

import pytest

from musify_ai.emulator.prepare import prepare, specifier_aliases


def text(src: str) -> str:
    return prepare(src.encode(), "cuda").text.decode()


@pytest.mark.parametrize(
    "src",
    [
        "int main() { return 1 << 2 >> 1; }\n",
        "// k<<<1, 2>>>(x); __shared__ int a;\n",
        'const char* s = "k<<<1, 2>>>(x)"; auto r = R"(__shared__ int a[3];)";\n',
        "std::ostream& operator<<<int>(std::ostream&, int);\n",
        "std::vector<std::vector<std::vector<int>>> v; a >>>= 3;\n",
        "<<<<<<< HEAD\nint x;\n=======\nint y;\n>>>>>>> branch\n",
        "__attribute__((__noinline__)) void f();\n#ifdef __noinline__\n#endif\n",
        "#pragma unroll 4\nfor (;;) { break; }\n",
        "while (next()) { work(); }\ndo { work(); } while (next());\n",
        "#ifdef __CUDACC_RTC__\n#endif\n",
    ],
)
def test_what_needs_nothing_stays(src: str) -> None:
    assert text(src) == src


@pytest.mark.parametrize("side", ["cuda", "musa"])
def test_both_sides_launch_alike(side: str) -> None:
    prepared = prepare(b"void f() { k<<<g, b>>>(x); }", "cuda" if side == "cuda" else "musa")
    assert prepared.text == (
        b'void f() { ::emu::Launcher("k", __FILE__, __LINE__, ::emu::Config(g, b))'
        b".call([&](auto... emu_a) { k(emu_a...); },"
        b" [&](auto emu_k) -> decltype(emu_k(k)) { return emu_k(k); })(x); }"
    )


def test_a_launch_in_a_macro_spells_out_the_kernel_it_was_given() -> None:
    out = text("#define L(k, T) k<T, 4><<<1, 2>>>(0, p)\n")
    assert '::emu::Launcher(#k "<" #T ",4>", __FILE__' in out


def test_a_named_file_calls_itself_by_that_name() -> None:
    src = b"#define F __FILE__\nvoid f() { puts(__FILE__); k<<<1, 1>>>(); }\n"
    out = prepare(src, "cuda", path="src/a.cu").text
    assert out.startswith(b'#define F __FILE__\nvoid f() { puts("src/a.cu"); ')
    assert b'Launcher("k", "src/a.cu", __LINE__' in out


@pytest.mark.parametrize(
    "declaration",
    [
        "__shared__ int a = 3;",
        "__shared__ int a(3);",
        "__shared__ int a{3};",
        "__shared__ int;",
        "__shared__;",
        "DECLARE(__shared__ float, a, 32);",
        "DECLARE(a, f(x), __shared__ float);",
    ],
)
def test_a_declaration_not_understood_cannot_compile(declaration: str) -> None:
    prepared = prepare(f"void k() {{\n{declaration}\n}}".encode(), "cuda")
    assert [(p.line, p.code) for p in prepared.problems] == [(2, "shared-memory")]
    assert b"__shared__" not in prepared.text
    assert b"emu_shared_declaration_not_understood" in prepared.text


def test_qualifiers_of_parameters_and_casts_go() -> None:
    src = "void f(int n, __shared__ float* p) { g((__shared__ int*)p); auto l = [](__shared__ int* q) {}; }"
    assert text(src) == src.replace("__shared__", "")


def test_namespace_scope_is_told_from_block_scope() -> None:
    out = text(
        'namespace n { extern "C" {\nextern __shared__ int a[];\n} }\nstruct S { __device__ void f() const {\n'
        "extern __shared__ int b[];\n} };\n#if X\nvoid g() {\n#else\nvoid g(int) {\n#endif\n}\n__shared__ int c[3];\n"
    ).split("\n")
    assert out[1] == "typedef int  a__emu; static ::emu::DynamicArray<a__emu> a;"
    assert out[4] == 'typedef int  b__emu; b__emu* const b = (b__emu*)::emu::dynamic_shared("b");'
    assert out[12].endswith("static ::emu::SharedVariable<c__emu, c__tag> c;")


def test_macros_that_stand_for_shared_are_found_and_their_own_body_cannot_be_used_unprepared() -> None:
    src = b"#define SM __shared__\n#  define DYN extern __shared__ // launch's\n#define ARR(n) __shared__ int n[3]\n"
    assert specifier_aliases(src) == {b"SM": (b"__shared__",), b"DYN": (b"extern", b"__shared__")}
    assert b"#define SM emu_shared_declaration_not_understood\n" in prepare(src, "cuda").text
    used = prepare(b"void f() { SM int a; }", "cuda", aliases={b"SM": (b"__shared__",)})
    assert b"a__emu& a = ::emu::shared<a__emu, a__tag>();" in used.text


def test_launch_by_pointer_shows_the_kernel_itself() -> None:
    out = text("cudaLaunchKernel((const void*)k<int>, g, b, args); cudaLaunchCooperativeKernel((void *)k, g, b, args);")
    assert out == "cudaLaunchKernel(k<int>, g, b, args); cudaLaunchCooperativeKernel(k, g, b, args);"


def test_waiting_loops_call_the_scheduler() -> None:
    assert text("void f() { while (*flag == 0); while (busy()) {} }") == (
        "void f() { while (::emu::spin(), *flag == 0); while (::emu::spin(), busy()) {} }"
    )


def test_a_kernel_that_goes_by_its_address_keeps_its_parameters() -> None:
    src = b"""void f() {
  p.func = (void*)k<int, 4>; q = (const void *) ns::k; r = (void*)data[1]; s = g((void*)x + 1);
  cudaGraphAddKernelNode(&n, g, 0, 0, (cudaKernelNodeParams*)p); return (void*)k;
}
"""
    out = prepare(src, "cuda").text
    assert b"p.func = ::emu::kernel_pointer(k<int, 4>);" in out
    assert b"q = ::emu::kernel_pointer( ns::k);" in out
    assert b"(void*)data[1]" in out
    assert b"(void*)x + 1" in out
    assert b"return ::emu::kernel_pointer(k);" in out
    # without any launch by pointer in the file nothing is touched
    assert prepare(b"void f() { k<<<1, 2>>>((void*)x); }", "cuda").text.count(b"kernel_pointer") == 0


def test_a_kernel_with_a_plain_name_is_known_by_it() -> None:
    src = (
        b'extern "C" __global__ void __launch_bounds__(64) k(int* p) { *p = 1; }\nextern "C" __global__ void d(int);\n'
    )
    out = prepare(src, "cuda").text
    assert b'{ *p = 1; } namespace { const int emu_named_k = ::emu::register_kernel("k", &k); }\n' in out
    assert out.count(b"register_kernel") == 1
