"""MUS604: bfloat16 on an arch without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import ARCHS, Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset((b"__nv_bfloat16", b"__nv_bfloat162", b"nv_bfloat16", b"nv_bfloat162"))
VALID = (
    "// __nv_bfloat16\n",
    "__device__ __nv_bfloat16 f(__nv_bfloat16 x);\n",
)
INVALID = (
    Case(
        "__device__ float f() { return g(__nv_bfloat16(1)); }\n", findings=("__nv_bfloat16",), archs=("mp_21", "mp_31")
    ),
    Case("#include <cuda_bf16.h>\nnv_bfloat162 x;\n", findings=("nv_bfloat162",), archs=("mp_21",)),
)


_FIRST_ARCH = 220


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file, at its first use, where a target arch has none."""
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
        f"there is no bfloat16 on {', '.join(without)}: use half or float there, or leave this out of the build.",
        effort=EFFORT,
        name=token.text.decode("ascii"),
    )
