"""MUS504: `nvcuda::wmma`."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, first_use

CODE = "MUS504"
TITLE = "Tensor cores through wmma"
WHY = """
Tables give a MUSA namespace for it, but no public MUSA code uses it: TileLang's generator leaves mma.h out. The
matrix units of mp_22 and mp_31 take other tile shapes, and mp_21 has none.
"""
EXAMPLE = """
nvcuda::wmma::mma_sync(c, a, b, c);
"""
INSTEAD = """
mutlass and mute atoms, or plain fused multiply-adds (right on every arch, slower by design).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/mutlass: include/mute/arch/mma_mp22.hpp",
    "MooreThreads/tilelang_musa: src/target/codegen_musa.cc",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// nvcuda::wmma\n",
    "#include <mma.h>\n",
    "int wmma = 3;\n",
    "void f(A a) { a.wmma(); }\n",
)
INVALID = (
    Case(
        "__global__ void k() {\n  wmma::fragment<A> a;\n  wmma::fill_fragment(a, 0);\n}\n",
        findings=("wmma",),
    ),
    Case("__global__ void k(int* x, int n) {\n  wmma::fill_fragment(c, 0.0f);\n}\n", findings=("wmma",)),
    Case("using namespace nvcuda;\n", findings=("nvcuda",)),
    Case("using A = nvcuda::wmma::fragment<B>;\n", findings=("nvcuda",)),
)


def _begins(unit: Unit, index: int) -> bool:
    """Whether a name begins what it is part of: ``nvcuda::wmma::fragment`` is one place."""
    toks = unit.tokens
    return index < 2 or toks[index - 1].text != b"::" or toks[index - 2].text != b"nvcuda"


find = first_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: no public MUSA code has a counterpart of wmma, and the matrix units take other tiles. Rewrite the "
        "loop over mutlass, or as fused multiply-adds: right on every arch, slower by design (a 16x16x16 product is "
        "4,096 of them).",
        settled=False,
    ),
    TRIGGERS,
    of="body",
    where=_begins,
)
