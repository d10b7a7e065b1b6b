"""MUS709: pointer arrays of batched products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset(
    (
        b"cublasGemmBatchedEx",
        b"cublasSgemmBatched",
        b"cublasHgemmBatched",
        b"cublasDgemmBatched",
        b"cublasCgemmBatched",
        b"cublasZgemmBatched",
    )
)
VALID = (
    "// cublasGemmBatchedEx\n",
    "void f() { cublasGemmStridedBatchedEx(h); }\n",
)
INVALID = (Case("void f() { cublasGemmBatchedEx(h); }\n", findings=("cublasGemmBatchedEx",)),)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each use."""
    for index in mentions(unit, TRIGGERS):
        token = unit.tokens[index]
        yield Finding(
            CODE,
            "note",
            token.start,
            token.end,
            "muBLAS crashed here on pointer arrays from a memory pool: allocate them with musaMalloc.",
            effort=EFFORT,
            name=token.text.decode("ascii"),
        )
