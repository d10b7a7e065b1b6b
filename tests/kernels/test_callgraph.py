from musify_ai.kernels.callgraph import CallGraph
from musify_ai.records import Instantiation

UNIT = b"""#include "h.cuh"
#define CALL(x) leaf(x)
__device__ int lone() { return 0; }
__device__ int two(int x) { return CALL(x); }
__device__ V operator+(V a, V b) { return a; }
__global__ void by_macro(int *p) { p[0] = two(1); }
__global__ void by_operator(V *p) { p[0] = p[1] + p[2]; }
__global__ void by_pointer(int *p) { apply(lone, p); }
__global__ void by_member(int *p) { M m; p[0] = m.get(1); }
template <class F> __global__ void by_functor(F f) { f(1); }
__global__ void alone(int lone) { lone++; }
void host() { by_functor<Fn><<<1, 2>>>(Fn()); }
"""
HEADER = b"""__device__ int leaf(int x) { return x; }
struct M { __device__ int get(int x) { return leaf(x); } };
struct Fn { __device__ int operator()(int x) const { return far(x); } };
__device__ int far(int x) { return x; }
template <class F> __device__ void apply(F f, int *p) { p[0] = f(); }
int spare;
"""


def reaching(path: str, text: bytes) -> set[str]:
    files = {"a.cu": UNIT, "h.cuh": HEADER}
    offset = files[path].index(text)
    return {kernel.name for kernel in CallGraph(files).kernels_reaching(path, offset)}


def test_kernels_by_the_functions_they_reach() -> None:
    assert reaching("h.cuh", b"return x; }\nstruct M") == {"by_macro", "by_member"}
    assert reaching("a.cu", b"return a;") == {"by_operator"}
    assert reaching("a.cu", b"return 0;") == {"by_pointer"}
    assert reaching("h.cuh", b"return leaf(x)") == {"by_member"}
    assert "by_functor" in reaching("h.cuh", b"return far(x)")
    assert "by_functor" in reaching("h.cuh", b"return x; }\ntemplate")
    assert reaching("a.cu", b"lone++") == {"alone"}
    assert reaching("a.cu", b"by_functor<Fn>") == set()


def test_names_that_macros_paste() -> None:
    src = b"""#define OP(n) __device__ int op_##n(int x) { return leaf(x); }
OP(one)
#define USE(n) use_##n(1)
__device__ int leaf(int x) { return x; }
__device__ int use_two(int x) { return x; }
__global__ void k(int *p) { p[0] = op_one(1); }
__global__ void j(int *p) { p[0] = USE(two); }
"""
    graph = CallGraph({"a.cu": src})
    assert [k.name for k in graph.kernels_reaching("a.cu", src.index(b"return x; }\n__device__"))] == ["k"]
    assert [k.name for k in graph.kernels_reaching("a.cu", src.index(b"return x; }\n__global__"))] == ["j"]


def test_what_stands_outside_functions_matters_to_all() -> None:
    assert len(reaching("h.cuh", b"spare")) == 6


def test_a_kernel_reaches_itself() -> None:
    graph = CallGraph({"a.cu": UNIT, "h.cuh": HEADER})
    alone = next(kernel for kernel in graph.kernels if kernel.name == "alone")
    assert [f.name for f in graph.reached(alone)] == ["alone"]
    member = next(kernel for kernel in graph.kernels if kernel.name == "by_member")
    assert sorted(f.name for f in graph.reached(member)) == ["M::get", "by_member", "leaf"]


LAUNCHED = b"""template <int (*F)(int)> __global__ void apply(int *p) { p[0] = F(p[0]); }
__device__ int doubled(int x) { return 2 * x; }
__device__ int other(int x) { return x; }
#define LAUNCH(KERNEL, ...) KERNEL<<<1, 32>>>(__VA_ARGS__)
template <class F> __global__ void call(F f, int *p) { p[0] = f(p[0]); }
struct Add { int by; __device__ int operator()(int x) const { return added(x, by); } };
__device__ int added(int x, int y) { return x + y; }
void host(int *p, void **arguments) {
  LAUNCH(apply<doubled>, p);
  auto kernel = &call<Add>;
  cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, nullptr);
}
"""


def test_functions_handed_over_are_reached() -> None:
    graph = CallGraph({"a.cu": LAUNCHED})
    kernels = {kernel.name: kernel for kernel in graph.kernels}
    assert graph.reaches(kernels["apply"], "a.cu", LAUNCHED.index(b"2 * x"))
    assert not graph.reaches(kernels["apply"], "a.cu", LAUNCHED.index(b"return x; }"))
    assert graph.reaches(kernels["call"], "a.cu", LAUNCHED.index(b"x + y"))


def test_what_libclang_says_of_instantiations_is_reached() -> None:
    graph = CallGraph({"a.cu": LAUNCHED})
    (kernel,) = (each for each in graph.kernels if each.name == "apply")
    told = kernel._replace(instantiations=(Instantiation(("&other",), 9, "function-pointer"),))
    assert graph.reaches(told, "a.cu", LAUNCHED.index(b"return x; }"))
