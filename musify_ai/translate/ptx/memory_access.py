"""MUS406: loads, stores, atomics and fences in PTX that are more than a plain access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS406"
TITLE = "Inline PTX that accesses or orders memory"
WHY = """
An atomic of the whole system is not known to work on MUSA (in SDK 4.3.3 the compiler never comes back from one), local
and cluster addresses are numbers that no pointer is known for, and proxies have no counterpart. A plain access in
their place still passes a single-threaded test.
"""
EXAMPLE = """
asm volatile("red.release.sys.global.add.u32 [%0], %1;" :: "l"(counter), "r"(1));
"""
INSTEAD = """
A volatile access with fences around it, and an atomic of the device where all who take part are on it. Keep the
scope at least as wide as it was.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh",
    "MooreThreads/MT-DeepEP: csrc/kernels/utils.cuh",
    "MooreThreads/amgx-musa: base/include/memory_intrinsics.h (cache hints)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm("ld.global.nc.s32 %0, [%1];" : "=r"(d) : "l"(p));'),
    in_device('asm volatile("membar.gl;" ::: "memory");'),
    in_device('asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(d) : "l"(p));'),
    in_device('asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(d), "=r"(b) : "l"(p));'),
    in_device('asm volatile("st.shared.u32 [%0], %1;" :: "r"(a), "r"(b));'),
    in_device('asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");'),
)
INVALID = marked(
    'asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(d) : "r"(a));',
    'asm volatile("red.release.sys.global.add.u32 [%0], %1;" :: "l"(p), "r"(a));',
    'asm("cvta.to.local.u64 %0, %1;" : "=r"(d) : "l"(p));',
)

_ADVICE = "Say first what the access orders, then write it with a volatile access and fences of the same scope."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
