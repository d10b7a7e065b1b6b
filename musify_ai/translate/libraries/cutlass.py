"""MUS707: the parts of CUTLASS 2 that MUTLASS does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS707"
TITLE = "CUTLASS 2 header"
WHY = """
MUTLASS follows CUTLASS 3.5 and its layout algebra; it is not compatible with most of the 2.x templates. What includes
their headers does not become MUSA code by renaming.
"""
EXAMPLE = """
#include <cutlass/gemm/device/gemm.h>
"""
INSTEAD = """
The 3.x builders over mutlass and mute, or muBLAS where the operation is a plain product; plain fused multiply-adds
are right on every arch and give up the matrix units (slower by design: 32x32x16 products become 16,384 of them).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/mutlass: README.md",)
TRIGGERS = frozenset((b"cutlass",))
VALID = (
    "#include <cutlass/cutlass.h>\n",
    "// #include <cutlass/gemm/device/gemm.h>\n",
    "#include <cute/tensor.hpp>\n",
)
INVALID = (
    Case("#include <cutlass/gemm/device/gemm.h>\n", findings=("<cutlass/gemm/device/gemm.h>",)),
    Case(
        '#include "cutlass/conv/kernel/default_conv2d_fprop.h"\n',
        findings=('"cutlass/conv/kernel/default_conv2d_fprop.h"',),
    ),
)


_HEADER = late_pattern(
    rb"[<\"]cutlass/(?:gemm/(?:device/gemm(?!_universal_adapter)|kernel/(?:default_|gemm_(?:grouped|batched|splitk|streamk))|"
    rb"threadblock/|warp/|thread/)|conv/|epilogue/(?:threadblock|warp|thread)/|transform/threadblock/|"
    rb"reduction/)[\w/.]*[>\"]"
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each such include."""
    for region in unit.regions:
        if region.kind != "include":
            continue
        path = _HEADER.search(unit.src, region.start, region.end)
        if path is not None:
            yield Finding(
                CODE,
                "warning",
                path.start(),
                path.end(),
                "MUTLASS has the 3.x half of CUTLASS: what this header declares has no counterpart there.",
                effort=EFFORT,
                name=path[0].decode("latin-1")[1:-1],
            )
