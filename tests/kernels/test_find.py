import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.kernels import enclosing_functions, find_kernels, find_launches
from musify_ai.kernels.callgraph import CallGraph
from musify_ai.kernels.closure import closure
from musify_ai.kernels.parameters import TemplateParameter, read_template_parameter
from musify_ai.source import occurrences
from musify_ai.syntax import tree as syntax

HARD = {
    "plain": b"__global__ void k(int *a) { a[0] = 1; }",
    "static first": b"static __global__ void k(int *a) { }",
    "static inline last": b"__global__ static inline void k(int *a) { }",
    "linkage": b'extern "C" __global__ void k(int *a) { }',
    "linkage block": b'extern "C" { __global__ void k(int *a) { } }',
    "bounds after void": b"__global__ void __launch_bounds__(256, 2) k(int *a) { }",
    "bounds before void": b"__global__ __launch_bounds__(256) void k(int *a) { }",
    "bounds in front": b"__launch_bounds__(32) __global__ void k(int *a) { }",
    "attribute": b"__global__ void __attribute__((noinline)) k(int *a) { }",
    "standard attribute": b"[[maybe_unused]] __global__ void k(int *a) { }",
    "template": b"template <typename T, int N = 4>\n__global__ void k(T *a) { }",
    "template, shifted default": b"template <int N = (8 >> 1), bool B = (N > 2)> __global__ void k(int *a) { }",
    "template of template": b"template <template <class, int> class C, class... Ts> __global__ void k(int *a) { }",
    "nested brackets": b"template <class T = A<B<C<int>>>> __global__ void k(int *a) { }",
    "trailing return": b"__global__ auto k(int *a) -> void { }",
    "namespaces": b"namespace x::y { namespace { __global__ void k(int *a) { } } }",
    "static member": b"struct S { int x; __global__ static void k(int *a) { } };",
    "over lines": b"__global__\nvoid\nk\n(\n  int *a\n)\n{\n}\n",
    "comment in the head": b"__global__ /* {;} */ void // k2(\nk(int *a /* ) { */) { }",
    "braces in a string": b"__global__ void k(int *a) { printf(\"}}{\"); char c = '}'; }",
    "raw string": b'__global__ void k(int *a) { f(R"x(}})x"); }',
    "carriage returns": b"__global__ void k(int *a)\r\n{\r\n}\r\n",
    "byte order mark": b"\xef\xbb\xbf__global__ void k(int *a) { }",
    "function pointer": b"__global__ void k(void (*f)(int, int)) { }",
    "after a class": b"struct A { int x; } one;\n__global__ void k(int *a) { }",
    "after an initialiser": b"int t[] = { 1, 2 };\nauto f = [](int x) { return x; };\n__global__ void k(int *a) { }",
    "after a constructor": b"struct A { A(int x) : a(x), b{x} { } int a, b; };\n__global__ void k(int *a) { }",
    "after an operator": b"bool operator<(A a, A b) { return false; }\n__global__ void k(int *a) { }",
    "local lambda": b"__global__ void k(int *a) { auto f = [=](int i) { return a[i]; }; f(0); }",
}

# What a grammar does not see, or sees wrongly: macros in the head, later C++, braces split by conditionals.
HARDER = {
    "bounds macro": b"C10_LAUNCH_BOUNDS_1(512)\n__global__ void k(int *a) { }",
    "bounds macro inside": b"__global__ void C10_LAUNCH_BOUNDS_1(512) k(int *a) { }",
    "bounds macro last": b"__global__ void k(int *a) MY_BOUNDS(512) { }",
    "own decorator": b"#define KERNEL static __global__\nKERNEL void k(int *a) { }",
    "own decorator with a blank body": b"#define FAST\n__global__ FAST void k(int *a) { }",
    "requires in front": b"template <class T> requires (sizeof(T) > 2) && C<T> __global__ void k(T *a) { }",
    "requires behind": b"template <class T> __global__ void k(T *a) requires requires (T t) { t + 1; } { }",
    "call without a semicolon": b"REGISTER(thing)\n__global__ void k(int *a) { }",
    "a broken neighbour": b"int f( { ;\n}\n__global__ void k(int *a) { }\n",
    "an unclosed neighbour": b"void f() { if (x) {\n}\n\n__global__ void k(int *a) { }\n",
    "a split brace": b"void f() {\n#ifdef A\n if (a) {\n#else\n if (b) {\n#endif\n }\n}\n__global__ void k(int *a) { }",
    "a linkage block under a condition": (
        b'#ifdef __cplusplus\nextern "C" {\n#endif\n__global__ void k(int *a) { }\n#ifdef __cplusplus\n}\n#endif\n'
    ),
    "in an else branch": b"#ifdef A\nint x;\n#else\n__global__ void k(int *a) { }\n#endif\n",
}


@pytest.mark.parametrize("case", [*HARD, *HARDER])
def test_every_spelling_is_found_once(case: str) -> None:
    src = {**HARD, **HARDER}[case]
    kernels = find_kernels(src, "a.cu")
    assert [kernel.name.rsplit("::", 1)[-1] for kernel in kernels] == ["k"]
    (kernel,) = kernels
    assert len(kernel.parameters) == 1
    assert src[kernel.body_start : kernel.body_start + 1] == b"{"
    assert src[kernel.body_end - 1 : kernel.body_end] == b"}"
    assert kernel.end == kernel.body_end
    assert b"__global__" in src[kernel.start : kernel.body_start] or b"KERNEL" in src[kernel.start : kernel.body_start]
    spans = [(f.start, f.end, f.body_start, f.body_end) for f in enclosing_functions(src) if f.kind == "kernel"]
    assert spans == [(kernel.start, kernel.end, kernel.body_start, kernel.body_end)]


@pytest.mark.parametrize("case", HARD)
def test_a_grammar_agrees_where_it_understands_the_file(case: str) -> None:
    src = HARD[case]
    tree = syntax.parse(src)
    (mark,) = occurrences(src.replace(b"\xef\xbb\xbf", b"   "), {b"__global__"})
    function = syntax.climb(syntax.node_at(tree, mark.start, mark.end), {"function_definition"})
    assert function is not None
    assert syntax.sound(function)
    whole = function
    while whole.parent is not None and whole.parent.type == "template_declaration":
        whole = whole.parent
    if whole.parent is not None and whole.parent.type == "linkage_specification":
        body = whole.parent.child_by_field_name("body")
        whole = whole.parent if body == whole else whole
    body = function.child_by_field_name("body")
    assert body is not None
    (kernel,) = find_kernels(src, "a.cu")
    assert (kernel.start, kernel.end) == (whole.start_byte, whole.end_byte)
    assert (kernel.body_start, kernel.body_end) == (body.start_byte, body.end_byte)


@pytest.mark.parametrize(
    "src",
    [
        b"__global__ void k(int *a);",
        b"template <class T> __global__ void k(T *a);",
        b"// __global__ void k(int *a) { }",
        b'const char *s = "__global__ void k(int *a) { }";',
        b'auto s = R"(__global__ void k(int *a) { })";',
        b"#if 0\n__global__ void k(int *a) { }\n#endif",
        b"#if 1\nint x;\n#else\n__global__ void k(int *a) { }\n#endif",
        b"#if 0 && X\n#ifdef Y\n#else\n__global__ void k(int *a) { }\n#endif\n#endif",
        b"#define K(T) __global__ void k_##T(T *a) { }\nK(int)",
        b"#define DECLARE(name) __global__ void name(int *a)\nDECLARE(f);",
        b"template __global__ void k<float>(float *);",
        b"struct S { friend __global__ void k(int *a); };",
        b"#ifndef __global__\n#define __global__\n#endif\nvoid f() { }",
    ],
)
def test_what_is_no_kernel(src: bytes) -> None:
    assert find_kernels(src, "a.cu") == ()


def test_parameters_are_kept_as_written() -> None:
    src = b"""__global__ void k(const float *__restrict__ in, T (&a)[N], int, unsigned, void (*f)(int, T),
        int n = g(1, 2), std::array<float, 4> v, float out[16], const typename A<T>::type *p, struct S s,
        at::Acc<float, 2> acc, decltype(x) y, Ts... rest, const int64_t m, float4 const *q, int *const *r) { }"""
    (kernel,) = find_kernels(src, "a.cu")
    assert [(p.name, p.type, p.pointee, p.const) for p in kernel.parameters] == [
        ("in", "const float *__restrict__", "float", True),
        ("a", "T (&)[N]", "", False),
        ("", "int", "", False),
        ("", "unsigned", "", False),
        ("f", "void (*)(int, T)", "", False),
        ("n", "int", "", False),
        ("v", "std::array<float, 4>", "", False),
        ("out", "float [16]", "float", False),
        ("p", "const typename A<T>::type *", "typename A<T>::type", True),
        ("s", "struct S", "", False),
        ("acc", "at::Acc<float, 2>", "", False),
        ("y", "decltype(x)", "", False),
        ("rest", "Ts...", "", False),
        ("m", "const int64_t", "", True),
        ("q", "float4 const *", "float4", True),
        ("r", "int *const *", "int *", True),
    ]


@pytest.mark.parametrize("src", [b"__global__ void k() { }", b"__global__ void k(void) { }"])
def test_no_parameters(src: bytes) -> None:
    assert find_kernels(src, "a.cu")[0].parameters == ()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("typename T", TemplateParameter("type", "T", "", False)),
        ("class", TemplateParameter("type", "", "", False)),
        ("class... Ts", TemplateParameter("type", "Ts", "", True)),
        ("typename T = A<int, 3>", TemplateParameter("type", "T", "A<int, 3>", False)),
        ("int N = (4 > 2)", TemplateParameter("value", "N", "(4 > 2)", False)),
        ("unsigned", TemplateParameter("value", "", "", False)),
        ("typename T::type N", TemplateParameter("value", "N", "", False)),
        ("template <class> class C", TemplateParameter("template", "C", "", False)),
        ("auto V", TemplateParameter("value", "V", "", False)),
        ("", TemplateParameter("value", "", "", False)),
    ],
)
def test_template_parameters(written: str, read: TemplateParameter) -> None:
    assert read_template_parameter(written) == read


def test_names_scopes_calls_and_lines() -> None:
    src = b"""namespace a {
template <class T>
struct S {
  __global__ static void member(T *p) { helper(p); }
};
}
template <class T, int N>
__global__ void k(T *p) { ns::f<T>(p); g(h(1)); if (N) { for (;;) { } } __syncthreads(); }
template <>
__global__ void k<float, 4>(float *p) { }
"""
    member, plain, special = find_kernels(src, "x/a.cu")
    assert (member.name, member.line, member.calls) == ("a::S::member", 4, ("helper",))
    assert (plain.name, plain.line, plain.template) == ("k", 8, ("class T", "int N"))
    assert plain.calls == ("ns::f", "g", "h", "__syncthreads")
    assert (special.name, special.template, special.path) == ("k<float,4>", (), "x/a.cu")


def test_both_heads_over_one_body_are_kernels() -> None:
    heads = b"#ifdef H\n__global__ void k(half *a) {\n#else\n__global__ void k(float *a) {\n#endif\n"
    src = heads + b"  a[0] = 1;\n}\nint x;\n"
    first, second = find_kernels(src, "a.cu")
    assert (first.parameters[0].pointee, second.parameters[0].pointee) == ("half", "float")
    assert first.end == second.end == src.index(b"\nint x")


def test_functions_are_told_apart() -> None:
    src = b"""#define HD __host__ __device__
HD int a(int x) { return x; }
__device__ __forceinline__ float b() { return 0; }
struct S { S() : x(0) { } ~S() { } bool operator()(int i) const { return i; } int x; HD int c() const { return x; } };
S operator+(S a, S b) { return a; }
S::operator bool() const { return true; }
void old() try { } catch (...) { }
int main(int argc, char **argv) { struct Local { void no() { } }; auto l = [] { }; return 0; }
__global__ void k(S s) { }
int declared(int);
#ifdef A
void left() { }
#else
void right() { }
#endif
"""
    spans = enclosing_functions(src)
    assert [(f.name, f.kind) for f in spans] == [
        ("a", "host-device"),
        ("b", "device"),
        ("S::S", "host"),
        ("S::~S", "host"),
        ("S::operator()", "host"),
        ("S::c", "host-device"),
        ("operator+", "host"),
        ("S::operator bool", "host"),
        ("old", "host"),
        ("main", "host"),
        ("k", "kernel"),
        ("left", "host"),
        ("right", "host"),
    ]
    for f in spans:
        assert src[f.body_start : f.body_start + 1] == b"{"
        assert src[f.body_end - 1 : f.body_end] == b"}"
    assert src[spans[8].start : spans[8].end] == b"void old() try { } catch (...) { }"


WORDS = (
    b"__global__ void~ k ( ) { } < > <<< >>> ; , template int~ class~ struct~S~ namespace~n~ :: = : operator requires~"
)
PIECES = st.sampled_from(
    [
        *(word.replace(b"~", b" ") for word in WORDS.split()),
        *(b"enum ", b'"', b"'", b"/*", b"*/", b"//", b"[", b"]", b"\xe9", b"*", b"typename "),
        *(b"\n#if X\n", b"\n#else\n", b"\n#endif\n", b"\n#if 0\n"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=60).map(b"".join)))
def test_any_bytes_give_ordered_spans_inside_the_file(src: bytes) -> None:
    kernels = find_kernels(src, "a.cu")
    assert [kernel.start for kernel in kernels] == sorted(kernel.start for kernel in kernels)
    for kernel in kernels:
        assert 0 <= kernel.start < kernel.body_start < kernel.body_end <= kernel.end <= len(src)
    for function in enclosing_functions(src):
        assert 0 <= function.start < function.body_start < function.body_end <= function.end <= len(src)
    for launch in find_launches(src, "a.cu"):
        assert 0 <= launch.start < launch.end <= len(src)
    graph = CallGraph({"a.cu": src})
    for kernel in kernels:
        assert closure(src, kernel, {}).count(b"\n") == src.count(b"\n")
        assert graph.reached(kernel)
