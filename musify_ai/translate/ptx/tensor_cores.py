"""MUS404: mma, ldmatrix and their kin in PTX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS404"
TITLE = "Inline PTX for tensor cores"
WHY = """
MUSA's matrix units are reached through other instructions, with other tile shapes and another distribution of the
fragments over the lanes (m32n32k16 on mp_22, SQMMA on mp_31, none on mp_21). There is no translation statement by
statement.
"""
EXAMPLE = """
asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, ...");
"""
INSTEAD = """
Rewrite the loop over mutlass and mute atoms or the `__musa_*mma*` builtins, or over plain fused multiply-adds (right
on every arch, slower by design).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/mutlass: include/mute/arch/mma_mp22.hpp",
    "MooreThreads/tilelang_musa: src/tl_templates/musa/gemm_mp31.h",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (which archs have which)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    "// mma.sync and ldmatrix, in a comment about asm\n",
)
INVALID = marked(
    'asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(a));',
    'asm volatile("wgmma.fence.sync.aligned;" ::: "memory");',
)

_ADVICE = "Rewrite the enclosing loop over mutlass or the __musa_ matrix builtins, or as fused multiply-adds."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
