"""MUS709: pointer arrays of batched products."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS709"
TITLE = "Pointer array of a batched product"
WHY = """
muBLAS crashed on arrays of pointers that came from a memory pool (`cudaMallocAsync`, a caching allocator); with an
array from `musaMalloc` it did not.
"""
EXAMPLE = """
cublasGemmBatchedEx(h, ta, tb, m, n, k, &alpha, a_pointers, ...);
"""
INSTEAD = """
Allocate the three arrays of pointers with `musaMalloc`, or use the strided form, which has none.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("llama.cpp pull request 13887",)
TRIGGERS = triggers(CODE)
VALID = (
    "// cublasGemmBatchedEx\n",
    "void f() { cublasGemmStridedBatchedEx(h); }\n",
)
INVALID = (Case("void f() { cublasGemmBatchedEx(h); }\n", findings=("cublasGemmBatchedEx",)),)

find = each_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "muBLAS crashed here on pointer arrays from a memory pool: allocate them with musaMalloc.",
    ),
    TRIGGERS,
)
