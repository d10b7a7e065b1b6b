"""MUS711: sparse products of cuSPARSE."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS711"
TITLE = "Sparse product"
WHY = """
muSPARSE is used thinly in public: a port of AMGX leaves its units for the generic products out of its build. The
names are there, whether the operation, its algorithms and its buffer sizes behave alike is not known.
"""
EXAMPLE = """
cusparseSpGEMM_compute(h, opA, opB, &alpha, A, B, &beta, C, t, alg, d, &n, buffer);
"""
INSTEAD = """
Check the call against your SDK's headers and results against the host's; AMGX's port uses kernels of its own.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/amgx-musa: CMakeLists.txt (amgx_cusparse.cpp and csr_multiply_* left out)",)
TRIGGERS = triggers(CODE)
VALID = (
    "// cusparseSpMM(h)\n",
    "void f() { cusparseCreate(&h); cusparseDestroySpMat(a); }\n",
    "struct S { int cusparseSpMM; };\nint f(S s) { return s.cusparseSpMM; }\n",
)
INVALID = (
    Case("void f() { cusparseSpMM(h); }\n", findings=("cusparseSpMM",)),
    Case("void f() { CHECK(cusparseSpGEMM_copy(h)); }\n", findings=("cusparseSpGEMM_copy",)),
)

find = each_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "{name}: muSPARSE's products are hardly used in public, and a port left them out. Compare results on the "
        "target before relying on them.",
    ),
    TRIGGERS,
)
