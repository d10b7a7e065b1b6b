"""MUS830: settings of Triton kernels that MUSA's compiler treats otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import ARCHS, Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS830"
TITLE = "Triton setting beyond what MUSA's compiler takes"
WHY = """
A warp has 128 threads on mp_21 and mp_22, and MUSA's Triton takes at most 8 warps there (1,024 threads). Pipelines of
three stages and more gave wrong results for some shapes on mp_31, which no error shows.
"""
EXAMPLE = """
@triton.autotune([triton.Config({"BLOCK": 128}, num_warps=16, num_stages=4)], key=["n"])
"""
INSTEAD = """
`num_warps` of 8 or fewer on mp_21 and mp_22, and a search for the best one anew. `num_stages=1`, or a comparison of
each configuration's results with those of one stage, before autotuning may choose it.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "github.com/sgl-project/sglang/pull/10023 (num_warps)",
    "github.com/flagos-ai/FlagTree/issues/1222 (num_stages)",
)
TRIGGERS = frozenset((b"num_warps", b"num_stages"))
VALID = (
    "import triton\nc = triton.Config({}, num_warps=8, num_stages=2)\n",
    "f(num_warps=32)\n",
)
INVALID = (
    Case("import triton\nc = triton.Config({}, num_warps=16)\n", findings=("num_warps=16",), path="case.py"),
    Case("import triton\nk[grid](x, num_stages=4)\n", findings=("num_stages=4",), path="case.py"),
    Case("import triton\nk[grid](x, num_warps=16, num_stages=3)\n", findings=("num_stages=3",), path="case.py",
         archs=("mp_31",)),
)  # fmt: skip
_MOST_WARPS = 8
_FEWEST_STAGES = 3


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Keywords with such numbers, in files that use Triton."""
    seen = view(unit)
    if not any(name == "triton" or name.startswith("triton.") for name in seen.scopes.imported):
        return
    wide = any(ARCHS[arch].lanes > 32 for arch in unit.options.archs)
    for node in seen.nodes:
        if not isinstance(node, ast.keyword) or not isinstance(node.value, ast.Constant):
            continue
        number = node.value.value
        if not isinstance(number, int) or isinstance(number, bool):
            continue
        if node.arg == "num_warps" and number > _MOST_WARPS and wide:
            text = f"num_warps={number}: MUSA's Triton takes 8 warps of 128 threads at most on mp_21 and mp_22."
            yield Finding(CODE, "warning", *seen.span(node), text, effort="hours", name="num_warps")
        elif node.arg == "num_stages" and number >= _FEWEST_STAGES:
            text = (
                f"num_stages={number}: pipelines of three stages and more gave wrong results for some shapes on mp_31."
            )
            yield Finding(CODE, "warning", *seen.span(node), text, effort="hours", name="num_stages")
