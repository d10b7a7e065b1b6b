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
An acquire load, a release store, a scoped atomic or a volatile cache-bypassing load is there for what other threads
do at the same time. Written as a plain access it still passes a single-threaded test. Shared-memory addresses as
32-bit numbers do not exist on MUSA either.
"""
EXAMPLE = """
asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(p), "r"(v) : "memory");
"""
INSTEAD = """
Ports use a volatile access with `__threadfence_system()` before a release and after an acquire, `atomicAdd` with
fences for red and atom, the pointer itself for a shared address. Keep the scope at least as wide as it was.
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
)
INVALID = marked(
    'asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");',
    'asm volatile("st.global.cs.u32 [%0], %1;" :: "l"(p), "r"(a));',
    'asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(d) : "l"(p));',
    'asm volatile("red.global.add.u32 [%0], %1;" :: "l"(p), "r"(a));',
)

_ADVICE = "Say first what the access orders, then write it with a volatile access and fences of the same scope."


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
