"""MUS408: PTX that was lowered to C++ which is not the same in every respect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.families import opcodes
from musify_ai.translate.ptx.lowering import judged_statements
from musify_ai.translate.unit import Unit

CODE = "MUS408"
TITLE = "Inline PTX lowered with a difference to know"
WHY = """
PTX leaves some results open, and the C++ that takes its place settles them: an approximation becomes the exact
function (slower by design: one instruction becomes a library call of some ten to forty), an acquire or a release
becomes a volatile access and a fence, a volatile access of 16 bytes becomes two of 8, a shared address as a number
becomes a pointer that the compiler may not know to be shared, a directed rounding or a half without its type is
computed by hand, a prefetch or a sleep becomes nothing. A program may rely on none of this, but who tunes it or
compares results to the last bit has to know.
"""
EXAMPLE = """
asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
"""
INSTEAD = """
Keep the C++ where its speed and its last bits do not matter; else use what the target has (`__expf`, a builtin).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/flashinfer.py (the exact functions for the approximations)",
    "kvcache-ai/Mooncake: mooncake-transfer-engine/include/transport/device/musa/musa_ops.cuh (acquire, release)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm volatile("wgmma.fence.sync.aligned;" ::: "memory");'),
    '// asm("ex2.approx.f32 %0, %1;")\n',
)
INVALID = marked(
    'asm("ex2.approx.f32 %0, %1;" : "=r"(d) : "r"(a));',
    'asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");',
    'asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");',
    'asm volatile("prefetch.global.L2 [%0];" :: "l"(p));',
    'asm volatile("nanosleep.u32 %0;" :: "r"(a));',
    'asm("mov.u32 %0, %%laneid;" : "=r"(d));',
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note over each statement whose C++ differs in a way to know of."""
    for judged in judged_statements(unit):
        if judged.lowered is None or not judged.notes:
            continue
        statement = judged.statement
        yield Finding(
            CODE,
            "note",
            statement.start,
            statement.end,
            f"inline PTX was written as C++: {'; '.join(judged.notes)}.",
            effort=EFFORT,
            name=opcodes(judged.instructions),
        )
