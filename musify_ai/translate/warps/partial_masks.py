"""MUS308: a mask that names a part of the warp."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import calls
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS308"
TITLE = "Mask of a part of the warp"
WHY = """
A mask has 32 bits. Every port keeps the full one, `0xffffffff`, on all archs, 128-lane warps included; no public code
shows which lanes of such a warp a mask of fewer bits names, nor that the others may stay away from the call.
"""
EXAMPLE = """
v += __shfl_down_sync(0xff, v, 4);
"""
INSTEAD = """
The full mask with the width that the part has (`__shfl_down_sync(0xffffffff, v, 4, 8)`), and all 32 threads of the
group at the call. Where only mp_31 is a target it means what it meant.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/vllm_musa: csrc_musa/musa_compat.h (the full mask)",
    "MooreThreads/tilelang_musa: src/tl_templates/musa/intrin.h (the full mask)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __shfl_sync(0xff, v, 0)\n",
    "__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0, 32) + __shfl_sync(-1, v, 0, 32); }\n",
    "__device__ int f(int v) { return __shfl_xor_sync(~0u, v, 1, 32) + __any_sync(FULL_MASK, v); }\n",
    "__device__ int f(int v) { return __shfl_sync(0xFFFFFFFFu, v, 0, 32); }\n",
    "__device__ void f() { __syncwarp(); }\n",
    "__device__ int f(unsigned m, int v) { return __shfl_sync(m, v, 0xf, 32); }\n",
    "__device__ int __shfl_sync(int mask = 0xff) { return 0; }\n",
)
INVALID = (
    Case("__device__ int f(int v) { return __shfl_down_sync(0xff, v, 4); }\n", findings=("0xff",)),
    Case("__device__ void f() { __syncwarp(0x0000FFFFu); }\n", findings=("0x0000FFFFu",)),
    Case(
        "__device__ int f(int v, int l) { return __shfl_sync(0xFU << (l / 4 * 4), v, 0, 4); }\n",
        findings=("0xFU << (l / 4 * 4)",),
    ),
    Case("__device__ int f(int v, int n) { return __any_sync((1 << n) - 1, v); }\n", findings=("(1 << n) - 1",)),
    Case(
        "__device__ int f(int v, int n) { return __ballot_sync(0xffffffffu >> n, v); }\n",
        findings=("0xffffffffu >> n",),
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding at each mask that begins with a number and is not the full one."""
    if not unit.wide_archs:
        return
    toks = unit.tokens
    for index, _, given in calls(unit, TRIGGERS):
        start, end = given[0] if given else (0, 0)
        if not _is_part(toks[start:end]):
            continue
        shown = toks[index].text.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            toks[start].start,
            toks[end - 1].end,
            f"this mask of {shown} names a part of the warp. Nothing public says which lanes of the 128 on "
            f"{', '.join(unit.wide_archs)} it means. Pass the full mask and a width, with all 32 threads at the call.",
            effort=EFFORT,
            name=shown,
        )


def _is_part(mask: list[Token]) -> bool:
    """Whether an argument begins with a number, in brackets or not, and is other than all 32 bits."""
    first = 0
    while first < len(mask) and mask[first].text == b"(":
        first += 1
    if first == len(mask) or mask[first].kind != "number":
        return False
    try:
        value = int(mask[first].text.rstrip(b"uUlL").replace(b"'", b""), 0)
    except ValueError:
        return False
    return value & 0xFFFFFFFF != 0xFFFFFFFF or len(mask) > 2 * first + 1
