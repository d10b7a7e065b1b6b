"""MUS607: comparisons of half pairs that give a mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_use

CODE = "MUS607"
TITLE = "Half comparison to a mask"
WHY = """
`__hgt2_mask` and its kin came with SDK rc4.3 (MUSART_VERSION 40300). With an older SDK ggml builds the mask from two
comparisons.
"""
EXAMPLE = """
unsigned m = __hgt2_mask(a, b);
"""
INSTEAD = """
Two comparisons of the halves, each giving 0xFFFF or 0, put together; or SDK 4.3 and later.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("ggml-org/ggml: src/ggml-cuda/common.cuh (MUSART_HMASK)",)
TRIGGERS = triggers(CODE)
VALID = (
    "// __hgt2_mask(a, b)\n",
    "__device__ unsigned f(half2 a, half2 b) { return __hgt2_mask(a, b); }\n",
)
INVALID = (
    Case("__device__ unsigned f(half2 a) { return __hgt2_mask(a, a); }\n", findings=("__hgt2_mask",), sdk="4.2"),
)

_USES = each_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name} came with SDK 4.3: build the mask from two comparisons for an older one.",
    ),
    TRIGGERS,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use where the target SDK is older than 4.3."""
    if unit.sdk < (4, 3):
        yield from _USES(unit)
