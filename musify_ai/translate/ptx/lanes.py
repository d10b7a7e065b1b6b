"""MUS403: shuffles, votes and lane registers in PTX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS403"
TITLE = "Inline PTX over the lanes of a warp"
WHY = """
These instructions see a warp of 32 lanes. On mp_21 and mp_22 a warp has 128, so the result of a vote, a match or a
reduction does not mean the same, quite apart from the spelling. Shuffles, lane numbers and lane masks are lowered
within groups of 32 threads.
"""
EXAMPLE = """
asm volatile("vote.sync.ballot.b32 %0, %1, 0xffffffff;" : "=r"(set) : "r"(mine));
"""
INSTEAD = """
Votes, matches and reductions by shuffles of an explicit width of 32, or over shared memory, where mp_22 is a target.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-ep/include/elastic/mooncake_ep_elastic_ptx.cuh",
    "MooreThreads/muAlg: cub/util_ptx.cuh (shuffles with packed clamp flags)",
    "MooreThreads/tilelang_musa: src/tl_templates/musa/intrin.h",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm("mov.u32 %0, %%tid.x;" : "=r"(d));'),
    in_device('asm("mov.u32 %0, %%laneid;" : "=r"(d));'),
    in_device('asm("mov.u32 %0, %%lanemask_lt;" : "=r"(d));'),
    in_device('asm volatile("shfl.sync.up.b32 %0, %1, 1, %2, 0xffffffff;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(d) : "r"(a));'),
    in_device("d = __shfl_sync(0xffffffff, a, b, 32);"),
)
INVALID = marked(
    'asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(d) : "r"(a));',
    'asm volatile("vote.sync.ballot.b32 %0, %1, 0xffffffff;" : "=r"(d) : "r"(a));',
    'asm volatile("activemask.b32 %0;" : "=r"(d));',
    'asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(d) : "r"(a));',
)

_ADVICE = "Write it with the warp intrinsics and an explicit width of 32, and check it on 128 lanes."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
