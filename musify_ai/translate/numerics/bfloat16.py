"""MUS604: bfloat16 on an arch without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, first_use

CODE = "MUS604"
TITLE = "bfloat16 on an arch without it"
WHY = """
mp_21 has no bfloat16 at all, and its vendor will not add it. mp_22 has it in part, mp_31 whole.
"""
EXAMPLE = """
__nv_bfloat16 y = __float2bfloat16(x);
"""
INSTEAD = """
half or float on mp_21: a guard with `__MUSA_ARCH__ >= 220` and a run-time choice on the host.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "torch_musa issue 122",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (which archs have it)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __nv_bfloat16\n",
    "struct __nv_bfloat16 {};\n__nv_bfloat16 x;\n",
    "float f(A a) { return a.__float2bfloat16(1); }\n",
)
INVALID = (
    Case(
        "__device__ float f() { return g(__nv_bfloat16(1)); }\n", findings=("__nv_bfloat16",), archs=("mp_21", "mp_31")
    ),
    Case("#include <cuda_bf16.h>\nnv_bfloat162 x;\n", findings=("nv_bfloat162",), archs=("mp_21",)),
    Case("__device__ __nv_bfloat16 f(const __nv_bfloat16* x);\n", findings=("__nv_bfloat16",)),
    Case("__device__ float f(unsigned short x) { return __bfloat162float(g(x)); }\n", findings=("__bfloat162float",)),
)

_NONE = first_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "there is no bfloat16 on {archs}: use half or float there, or leave this out of the build.",
        below=220,
        types=True,
    ),
    TRIGGERS,
)
_IN_PART = first_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "bfloat16 is there in part only on {archs}: storage and conversions, while sources disagree about its matrix "
        "units and arithmetic is in software. Measure it, or use half or float there.",
        below=310,
        types=True,
    ),
    TRIGGERS,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file: where a target arch has none, else where one has it in part."""
    found = list(_NONE(unit))
    yield from found or _IN_PART(unit)
