"""MUS407: bar and barrier in PTX, other than barrier 0 of the whole block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS407"
TITLE = "Named barrier in PTX"
WHY = """
MUSA has no named barriers. `__syncthreads()` in their place waits for the whole block: threads that never come to it
make it hang, and a barrier taken out leaves a race that small tests do not show.
"""
EXAMPLE = """
asm volatile("bar.sync 1, 64;" ::: "memory");
"""
INSTEAD = """
Restructure so that every thread of the block reaches `__syncthreads()`, or, for a single 32-lane group,
`__threadfence_block()` with `__syncwarp()`.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh",
    "MooreThreads/MT-DeepEP: csrc/kernels (a named barrier commented out)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm volatile("bar.sync 0;" ::: "memory");'),
    in_device("__syncthreads();"),
)
INVALID = marked(
    'asm volatile("bar.sync 1, 64;" ::: "memory");',
    'asm volatile("bar.arrive %0, %1;" :: "r"(a), "r"(b));',
    'asm volatile("barrier.sync 0;");',
)

_ADVICE = "Make every thread of the block reach __syncthreads(), or split the kernel."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
