"""MUS507: `CUtensorMap` and its encoders."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS507"
TITLE = "Tensor map for bulk copies"
WHY = """
MUSA's descriptor (mp_31) does not hold box and swizzle: they are given at each copy instruction. A renamed encoder
call has other arguments, and the kernel's side has to change with it.
"""
EXAMPLE = """
cuTensorMapEncodeTiled(&map, type, rank, ptr, dims, strides, box, steps, ...);
"""
INSTEAD = """
`muTensorDescriptorEncode` with `__musa_tme_ld_tile_*` and `__musa_tme_st_*`, or plain loads.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/mate: csrc/mate_utils.hpp",
    "MooreThreads/tilelang_musa: src/tl_templates/musa/copy_mp31.h",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// CUtensorMap\n",
    "int tensor_map = 0;\n",
    "typedef struct { int a; } CUtensorMap;\nCUtensorMap map;\n",
)
INVALID = (
    Case("CUtensorMap map;\n", findings=("CUtensorMap",)),
    Case("static constexpr CUtensorMapSwizzle s = A;\n", findings=("CUtensorMapSwizzle",)),
    Case(
        "void f() { cuTensorMapEncodeTiled(&m, t, 2, p, d, s, b, e, i, w, l, o); }\n",
        findings=("cuTensorMapEncodeTiled",),
    ),
)

find = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: MUSA's descriptor is built differently: box and swizzle go to the copy instruction (mp_31). Rewrite "
        "host and kernel together.",
        settled=False,
        types=True,
    ),
    TRIGGERS,
)
