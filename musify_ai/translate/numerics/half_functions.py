"""MUS606: half's transcendental functions."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, first_use

CODE = "MUS606"
TITLE = "Function of half that an SDK may lack"
WHY = """
Older MUSA SDKs lack `hexp`, `hlog`, `hsqrt`, `hsin`, `hcos`, `htanh` and their pairs (`h2exp`): llama.cpp routed them
through float, and TileLang's MUSA target still does. Where one is missing the file does not build; through float the
result is rounded once more, which may differ in the last bit.
"""
EXAMPLE = """
y = h2exp(x);
"""
INSTEAD = """
`__float2half(expf(__half2float(x)))`, one for each half of a pair; or try the function on the target SDK.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "llama.cpp at 0cbec770: vendors/musa.h",
    "MooreThreads/tilelang_musa: src/tl_templates/musa/common.h",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// h2exp(x)\n",
    "__device__ half hexp(half x) { return x; }\n__global__ void k(half* x) {\n  x[0] = hexp(x[1]);\n}\n",
    "__global__ void k(half* x) {\n  x[0] = __hadd(x[1], x[2]);\n}\n",
)
INVALID = (
    Case("__global__ void k(half* x) {\n  x[0] = hexp(x[1]);\n}\n", findings=("hexp",)),
    Case("__device__ half2 f(half2 x) { return h2rsqrt(h2exp(x)); }\n", findings=("h2rsqrt",)),
)

find = first_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "{name}: older MUSA SDKs lack half's functions of this kind, and a current port still goes through float. "
        "Try it on the target SDK, or write it through float (rounded once more).",
    ),
    TRIGGERS,
)
