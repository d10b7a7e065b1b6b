"""MUS405: cp.async, bulk copies, mbarrier, clusters and launch control in PTX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS405"
TITLE = "Inline PTX for asynchronous copies and clusters"
WHY = """
mp_21 and mp_22 have no asynchronous copy to shared memory. mp_31 has one, with its own builtins, barriers by number
instead of by shared address, and tensor copies that take box and swizzle at the instruction. Clusters and
programmatic launch have no counterpart.
"""
EXAMPLE = """
asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(dst), "l"(src));
"""
INSTEAD = """
A plain copy followed by `__syncthreads()` where the wait stood (the same result, without the overlap); on mp_31
`__musa_memcpy_g2s*`, `__musa_async_*` and `__musa_tme_*`.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/tilelang_musa: src/tl_templates/musa/copy.h, barrier.h, copy_mp31.h",
    "kvcache-ai/Mooncake: mooncake-ep/include/elastic/mooncake_ep_elastic_ptx.cuh",
    "SYCLomatic pull request 2672 (a synchronous copy, labelled as slower)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device("memcpy_like(&d, p);"),
)
INVALID = marked(
    'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\\n" :: "r"(a), "l"(p));',
    'asm volatile("cp.async.wait_group %0;" :: "n"(0));',
    'asm volatile("fence.proxy.async;");',
    'asm volatile("griddepcontrol.wait;" ::: "memory");',
    'asm volatile("barrier.cluster.arrive.aligned;");',
)

_ADVICE = "Replace copy, commit and wait together: a plain copy and a barrier is right everywhere, slower by design."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
