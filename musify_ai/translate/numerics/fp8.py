"""MUS601: fp8 types and conversions, which only mp_31 has."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, first_use

CODE = "MUS601"
TITLE = "8-bit floats on an arch without them"
WHY = """
fp8 is there from mp_31 on. On mp_21 and mp_22 ports leave such kernels out of the build.
"""
EXAMPLE = """
__nv_fp8_e4m3 q = __nv_fp8_e4m3(x);
"""
INSTEAD = """
A guard with `__MUSA_ARCH__ >= 310` in device code and a run-time choice on the host; or `--arch mp_31` alone.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "sgl-project/sglang: sgl-kernel/setup_musa.py (fp8 for mp_31 only)",
    "MooreThreads/torch_musa: tests/unittest/operator/test_mm.py",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __nv_fp8_e4m3\n",
    "float fp8 = 1;\n",
)
INVALID = (
    Case("__device__ __nv_fp8_e4m3 f(__nv_fp8_e4m3 x);\n", findings=("__nv_fp8_e4m3",)),
    Case("__device__ auto f(float x) { return __nv_cvt_float_to_fp4(x, A); }\n", findings=("__nv_cvt_float_to_fp4",)),
)

find = first_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name}: floats of 8 bits are there from mp_31 on, and not on {archs} (those of 4 and 6 bits nowhere): leave "
        "what uses them out of the build there.",
        below=310,
        types=True,
    ),
    TRIGGERS,
)
