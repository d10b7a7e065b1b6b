"""MUS505: the `__pipeline_*` intrinsics, `memcpy_async` and `cuda::pipeline`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset(
    (
        b"__pipeline_memcpy_async",
        b"__pipeline_commit",
        b"__pipeline_wait_prior",
        b"__pipeline_arrive_on",
        b"memcpy_async",
        b"make_pipeline",
        b"pipeline_shared_state",
    )
)
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


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    toks = unit.tokens
    for index in mentions(unit, TRIGGERS):
        name = toks[index].text.decode("ascii")
        yield Finding(
            CODE,
            "error",
            toks[index].start,
            toks[index].end,
            f"{name}: MUSA has no counterpart before mp_31, and another one there. Replace copy, commit and wait "
            "together by a plain copy and __syncthreads().",
            effort=EFFORT,
            settled=False,
            name=name,
        )
