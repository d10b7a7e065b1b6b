"""MUS301: the built-in variable `warpSize`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import is_member
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.scopes import covers, own_scopes

CODE = "MUS301"
TITLE = "Built-in warpSize in device code"
WHY = """
`warpSize` is 128 on mp_21 and mp_22 and 32 on mp_31. Code that divides thread indices by it, sizes shared arrays with
it or steps through a reduction with it was written, and tested, with 32: on a wider warp the parts of the block
change, arrays are indexed differently, and results change without an error.
"""
EXAMPLE = """
const int lane = threadIdx.x % warpSize;
"""
INSTEAD = """
The constant 32, where groups of 32 lanes are meant (with shuffles of explicit width 32); a size that follows the
hardware, where the whole warp is meant, with every array and mask sized for it.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/ops/musa/TensorModeKernel.mu",
    "llama.cpp pull request 12445",
)
TRIGGERS = frozenset((b"warpSize",))
VALID = (
    "// warpSize\n",
    "int f(cudaDeviceProp p) { return p.warpSize; }\n",
    "#define warpSize 32\n__global__ void k(int* x) { x[0] = warpSize; }\n",
    "__global__ void k(int* x, int n) {\n  const int warpSize = 32; x[0] = warpSize;\n}\n",
    "constexpr int warpSize = 32;\n__global__ void k(int* x) { x[0] = warpSize; }\n",
    "__device__ int f(int warpSize) { return warpSize; }\n",
    "template <int warpSize> __device__ int f() { return warpSize; }\n",
    "struct A { int warpSize; };\n",
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  int lane = threadIdx.x % warpSize;\n}\n",
        findings=("warpSize",),
        fixed="__global__ void k(int* x, int n) {\n  int lane = threadIdx.x % 32;\n}\n",
    ),
    Case(
        "__global__ void k(int* x, int n) {\n  for (int o = warpSize / 2; o; o /= 2) f(o);\n}\n",
        findings=("warpSize",),
        fixed="__global__ void k(int* x, int n) {\n  for (int o = 32 / 2; o; o /= 2) f(o);\n}\n",
    ),
    Case(
        "void h(P p) { int warpSize = p.warpSize; use(warpSize); }\n__global__ void k(int* x) {\n  *x = warpSize;\n}\n",
        findings=("warpSize",),
        fixed="void h(P p) { int warpSize = p.warpSize; use(warpSize); }\n__global__ void k(int* x) {\n  *x = 32;\n}\n",
    ),
    Case(
        "namespace a {\ntemplate <int warpSize> __device__ int f() { return warpSize; }\n"
        "__global__ void k(int* x) { *x = warpSize; }\n}\n",
        findings=("warpSize",),
        fixed="namespace a {\ntemplate <int warpSize> __device__ int f() { return warpSize; }\n"
        "__global__ void k(int* x) { *x = 32; }\n}\n",
    ),
    Case("#define LANES warpSize\n", findings=("warpSize",), fixed="#define LANES 32\n"),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use of the built-in, with 32 as the suggestion."""
    if not unit.wide_archs:
        return
    if b"warpSize" in unit.macros:
        return
    toks = unit.tokens
    scopes = own_scopes(unit, b"warpSize")
    for start, end, name, _ in unit.occurrences(TRIGGERS):
        index = unit.token_index(start)
        if index < 0 or is_member(toks, index) or covers(scopes, start):
            continue
        # Outside a body that is known to be device code it may be the project's own, declared in another file.
        certain = unit.in_device_code(start) or unit.directive_at(start) is not None
        yield Finding(
            CODE,
            "warning" if certain else "note",
            start,
            end,
            ("" if certain else "if this is the built-in, ")
            + f"warpSize is 128 on {', '.join(unit.wide_archs)}, where the original had 32. Write 32 where groups of "
            "32 lanes are meant; where the whole warp is meant, size arrays, masks and loops for 128 lanes too.",
            edit=Edit(start, end, name, b"32", CODE, "rule", "unsafe", "32 on every NVIDIA GPU"),
            name="warpSize",
        )
