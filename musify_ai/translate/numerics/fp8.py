"""MUS601: fp8 types and conversions, which only mp_31 has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import ARCHS, Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset(
    (
        b"__nv_fp8_e4m3",
        b"__nv_fp8_e5m2",
        b"__nv_fp8x2_e4m3",
        b"__nv_fp8x2_e5m2",
        b"__nv_fp8x4_e4m3",
        b"__nv_fp8x4_e5m2",
        b"__nv_fp8_storage_t",
        b"__nv_fp8x2_storage_t",
        b"__nv_fp8_interpretation_t",
        b"__nv_cvt_float_to_fp8",
        b"__nv_cvt_float2_to_fp8x2",
        b"__nv_cvt_halfraw_to_fp8",
        b"__nv_cvt_fp8_to_halfraw",
        b"__nv_cvt_fp8x2_to_halfraw2",
    )
)
VALID = (
    "// __nv_fp8_e4m3\n",
    "float fp8 = 1;\n",
)
INVALID = (Case("__device__ __nv_fp8_e4m3 f(__nv_fp8_e4m3 x);\n", findings=("__nv_fp8_e4m3",)),)


_FIRST_ARCH = 310


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file, at its first use, where a target arch has no fp8."""
    without = [name for name in unit.options.archs if name in ARCHS and ARCHS[name].macro < _FIRST_ARCH]
    first = next(mentions(unit, TRIGGERS), None)
    if not without or first is None:
        return
    token = unit.tokens[first]
    yield Finding(
        CODE,
        "warning",
        token.start,
        token.end,
        f"fp8 is there from mp_31 on, and not on {', '.join(without)}: leave what uses it out of the build there.",
        effort=EFFORT,
        name=token.text.decode("ascii"),
    )
