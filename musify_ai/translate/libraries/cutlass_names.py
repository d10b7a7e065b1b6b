"""MUS710: CUTLASS and CuTe by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import is_member
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, once

CODE = "MUS710"
TITLE = "CUTLASS or CuTe"
WHY = """
Both are libraries of headers whose MUSA counterpart, MUTLASS, has other namespaces (`mutlass`, `mute`), other macros
and other atoms: what names an `SM80_` or `SM90_` operation has no counterpart by renaming, and only the 3.x half is
there. The matrix units take other tiles (32x32x16 and the like on mp_22).
"""
EXAMPLE = """
using Atom = cute::MMA_Atom<cute::SM80_16x8x16_F32F16F16F32_TN>;
"""
INSTEAD = """
MUTLASS's namespaces for what it has (layouts, tensors, builders of 3.x), its atoms of mp_22 and mp_31 for the
operations. Plain fused multiply-adds are right on every arch and slower by design: a 16x8x16 product is 2,048 of
them.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/mutlass: README.md, include/mute/arch/mma_mp22.hpp",)
TRIGGERS = triggers(CODE)
VALID = (
    "// cutlass::half_t\n",
    "int cutlass = 3, cute = 4;\n",
    "namespace my::cute { int f(); }\nint x = my::cute::f();\n",
    "#include <cutlass/cutlass.h>\n",
)
INVALID = (
    Case("cutlass::half_t f(cutlass::half_t x);\n", findings=("cutlass",)),
    Case("using namespace cute;\nint x;\n", findings=("cute",)),
    Case("CUTLASS_DEVICE void f() {}\n", findings=("CUTLASS_DEVICE",)),
    Case("void f() { CUTE_STATIC_ASSERT_V(a); }\n", findings=("CUTE_STATIC_ASSERT_V",)),
)

_MACRO = late_pattern(rb"CUT(?:LASS|E)_\w+\Z")
_ITSELF = late_pattern(r"include/(?:cutlass|cute)/")

_SAYS = Says(
    CODE,
    "warning",
    EFFORT,
    "this file uses CUTLASS or CuTe ({count} places): MUSA has the 3.x half as MUTLASS, with other namespaces, "
    "macros and atoms. Rewrite it over mutlass and mute, or as fused multiply-adds (slower by design).",
    settled=False,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file, at its first use, with the lines of the others; none in the libraries' own headers."""
    if _ITSELF.search(unit.path) is not None:
        return
    toks = unit.tokens
    macros = [word for word in unit.words if _MACRO.match(word)]
    found = []
    for each in unit.occurrences((b"cutlass", b"cute", *macros)):
        index = unit.token_index(each.start)
        if index >= 0 and not is_member(toks, index) and each.name not in unit.macros and _is_theirs(toks, index):
            found.append((each.start, each.end))
    yield from once(unit, _SAYS, found)


def _is_theirs(toks: list[Token], index: int) -> bool:
    """Whether a word is the global namespace ``cutlass`` or ``cute`` in use, or one of their macros."""
    if _MACRO.match(toks[index].text):
        return True
    before = toks[index - 1].text if index else b""
    after = toks[index + 1].text if index + 1 < len(toks) else b""
    if before == b"::" and index > 1 and toks[index - 2].kind == "identifier":
        return False
    return after == b"::" or (after == b";" and before in (b"namespace", b"=", b"::"))
