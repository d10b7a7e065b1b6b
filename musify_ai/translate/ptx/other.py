"""MUS402: arithmetic and other PTX that has no exact C++ here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import in_device, marked
from musify_ai.translate.ptx.handing_on import handed_on
from musify_ai.translate.unit import Unit

CODE = "MUS402"
TITLE = "Inline PTX without plain C++"
WHY = """
MUSA does not assemble PTX. A statement is lowered only where plain C++ means the same; jumps, 8-bit and smaller
floats, directed rounding of quotients and doubles, and text that macros of other files build are not. Such a statement
stays as it is, so that the build fails where the work is: a tool that turned it into dead code shipped garbage.
"""
EXAMPLE = """
asm("rcp.rz.f32 %0, %1;" : "=f"(z) : "f"(x));
"""
INSTEAD = """
Write what the instruction computes: the half intrinsics for packed halves, 64-bit C++ for a carry that crosses
functions, a call for each form of a macro.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "torchada: _mappings/flashinfer.py (replacements of the approximations)",
    "torchada pull request 87 (asm turned into dead code)",
    "MooreThreads/sppark-musa: ff/gl64_t.musa (carry chains in C++)",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    in_device('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));'),
    in_device('asm volatile("" ::: "memory");'),
    'int cycles() {\n  unsigned lo;\n  asm volatile("rdtsc" : "=a"(lo));\n  return lo;\n}\n',
    '// asm("ex2.approx.f32 %0, %1;")\n',
    'const char* asm_text = "asm";\n',
)
INVALID = marked(
    'asm volatile("add" SUFFIX ".u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
    'asm("ex2.approx.ftz.f16x2 %0, %1;" : "=r"(d) : "r"(a));',
    'asm("rcp.rz.f32 %0, %1;" : "=r"(d) : "r"(a));',
    'asm("addc.u32 %0, %1, 0;" : "=r"(d) : "r"(a));',
    'asm volatile(OPCODE " %0, %1;" : "=r"(d) : "r"(a));',
    'asm("mov.u32 %0, %%smid;" : "=r"(d));',
)

_ADVICE = (
    "Write what it computes in C++, or hand it to the rewriting stage; the checker runs the original PTX "
    "to compare with."
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each such statement."""
    yield from handed_on(unit, CODE, _ADVICE, EFFORT)
