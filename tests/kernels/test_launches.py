import pytest

from musify_ai.kernels import find_kernels, find_launches
from musify_ai.kernels.launches import callee_name


def test_a_launch_in_full() -> None:
    src = b"void f() {\n  ns::k<float, 3><<<dim3(g, 1), 256, n * sizeof(float), s>>>(p, q + 1, max(a, b));\n}\n"
    (launch,) = find_launches(src, "a.cu")
    assert launch.path == "a.cu"
    assert launch.line == 2
    assert src[launch.start : launch.end] == src[src.index(b"ns::k") : src.index(b";\n}")]
    assert launch.callee == "ns::k<float, 3>"
    assert (launch.grid, launch.block, launch.shared, launch.stream) == ("dim3(g, 1)", "256", "n * sizeof(float)", "s")
    assert launch.arguments == ("p", "q + 1", "max(a, b)")
    assert callee_name(launch) == "k"


@pytest.mark.parametrize(
    ("code", "callee", "grid"),
    [
        (b"k<<<1, 2>>>();", "k", "1"),
        (b"k <<< 1, 2 >>> ();", "k", "1"),
        (b"return k<<<1, 2>>>(a);", "k", "1"),
        (b"::k<<<1, 2>>>(a);", "::k", "1"),
        (b"k<A<B<1>>><<<g, b>>>(a);", "k<A<B<1>>>", "g"),
        (b"k<(4 >> 1)><<<g, b>>>(a);", "k<(4 >> 1)>", "g"),
        (b"M::template k<int><<<g, b>>>(a);", "M::template k<int>", "g"),
        (b"this->k<<<g, b>>>(a);", "this->k", "g"),
        (b"o.k<<<g, b>>>(a);", "o.k", "g"),
        (b"(*fp)<<<g, b>>>(a);", "(*fp)", "g"),
        (b"table[i]<<<g, b>>>(a);", "table[i]", "g"),
        (b"k<<<dim3(n >> 2), f<A<B<int>>>(3)>>>(a);", "k", "dim3(n >> 2)"),
        (b"k<<<(n < m ? n : m), b>>>(a);", "k", "(n < m ? n : m)"),
        (b"k<<<[&] { return dim3(1); }(), b>>>(a);", "k", "[&] { return dim3(1); }()"),
        (b"k // why\n  <<<\n  g, b\n  >>>\n  (a);", "k", "g"),
        (b"k<<<g, b\n#ifdef S\n, 4\n#endif\n>>>(a\n#ifdef S\n, 4\n#endif\n);", "k", "g"),
    ],
)
def test_spellings(code: bytes, callee: str, grid: str) -> None:
    src = b"void f() { " + code + b" }"
    (launch,) = find_launches(src, "a.cu")
    assert (launch.callee, launch.grid) == (callee, grid)
    assert src[launch.end - 1 : launch.end] == b")"


@pytest.mark.parametrize(
    "src",
    [
        b"// k<<<1, 2>>>();",
        b'const char *s = "k<<<1, 2>>>()";',
        b"#if 0\nvoid f() { k<<<1, 2>>>(); }\n#endif",
        b"int x = a <<< b;",
        b"<<<<<<< ours\n",
        b"k<<<1, 2>>>;",
        b"k<<<1, 2",
        b"<<<1, 2>>>(a)",
    ],
)
def test_what_is_no_launch(src: bytes) -> None:
    assert find_launches(src, "a.cu") == ()


def test_launches_in_macro_bodies_and_other_branches_are_seen() -> None:
    src = b"#define L(K, ...) \\\n  K<<<1, \\\n  2>>>(__VA_ARGS__)\n"
    src += b"#ifdef A\nvoid f() { a<<<1, 2>>>(); }\n#else\nvoid f() { b<<<3, 4>>>(); }\n#endif\n"
    assert [(x.callee, x.grid, x.block, x.line) for x in find_launches(src, "a.cu")] == [
        ("K", "1", "2", 2),
        ("a", "1", "2", 5),
        ("b", "3", "4", 7),
    ]


def test_a_kernel_knows_its_launches() -> None:
    src = b"__global__ void k(int a) { }\n__global__ void j(int a) { }\n"
    src += b"void f() { k<<<1, 2>>>(3); x::k<<<4, 5>>>(6); j<<<7, 8>>>(9); }"
    k, j = find_kernels(src, "a.cu")
    assert [launch.grid for launch in k.launches] == ["1", "4"]
    assert [launch.grid for launch in j.launches] == ["7"]


def test_written_instantiations() -> None:
    src = b"""template <typename T, int N = 4> __global__ void k(T *p) { }
template __global__ void k<short>(short *);
template <typename T> void run(T *p) { k<T, 8><<<1, 2>>>(p); k<float, N><<<1, 2>>>(p); }
void f() {
  const int B = 32;
  k<float><<<1, 2>>>(p);
  k<float><<<3, 2>>>(p);
  k<double, B><<<1, 2>>>(p);
  k<double, WIDTH><<<1, 2>>>(p);
  cudaLaunchKernel((void *)k<int, 2>, 1, 2, args, 0, 0);
  k<<<1, 2>>>(p);
}
#if 0
void g() { k<long><<<1, 2>>>(p); }
#endif
#define L(X) k<X><<<1, 2>>>(p)
"""
    (kernel,) = find_kernels(src, "a.cu")
    assert [(i.arguments, i.line, i.how) for i in kernel.instantiations] == [
        (("short",), 2, "explicit"),
        (("float", "N"), 3, "launch"),
        (("float",), 6, "launch"),
        (("double", "WIDTH"), 9, "launch"),
        (("int", "2"), 10, "function-pointer"),
    ]


def test_arguments_left_to_deduction_are_no_instantiation() -> None:
    src = b"template <typename T, int N> __global__ void k(T (&p)[N]) { }\nvoid f() { k<float><<<1, 2>>>(a); }"
    assert find_kernels(src, "a.cu")[0].instantiations == ()
