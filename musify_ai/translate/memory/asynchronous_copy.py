"""MUS505: the `__pipeline_*` intrinsics, `memcpy_async` and `cuda::pipeline`."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS505"
TITLE = "Asynchronous copy to shared memory"
WHY = """
mp_21 and mp_22 have no asynchronous copy; on mp_31 it goes through other builtins. Header names exist in a table, but
no public MUSA code uses the pipeline classes.
"""
EXAMPLE = """
__pipeline_memcpy_async(dst, src, 16);
"""
INSTEAD = """
A plain copy, with `__syncthreads()` where the wait stood (the same result, without the overlap); `__musa_memcpy_g2s*`
on mp_31.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/tilelang_musa: src/tl_templates/musa/copy.h",
    "MooreThreads/torch_musa: torch_musa/utils/mapping/include.json (header names only)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __pipeline_commit()\n",
    "__global__ void k(int* x, int n) {\n  memcpy(x, x, n);\n}\n",
    "void f(Q q) { q.memcpy_async(1); }\n",
    "void memcpy_async(int* a);\n",
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  __pipeline_memcpy_async(x, x, 16);\n}\n",
        findings=("__pipeline_memcpy_async",),
    ),
    Case("__global__ void k(int* x, int n) {\n  cg::memcpy_async(b, x, x, n);\n}\n", findings=("memcpy_async",)),
)

find = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: MUSA has no counterpart before mp_31, and another one there. Replace copy, commit and wait together "
        "by a plain copy and __syncthreads(): the same result, slower by design (each 16 bytes pass through "
        "registers, and nothing overlaps).",
        settled=False,
    ),
    TRIGGERS,
)
