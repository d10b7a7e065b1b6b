"""MUS211: comparisons with a macro that stands for `__CUDA_ARCH__`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import CONDITIONS, Use, compared, uses
from musify_ai.translate.unit import Unit

CODE = "MUS211"
TITLE = "Guard on a macro that stands for the architecture"
WHY = """
A macro such as CUB's `CUB_PTX_ARCH` hands on `__CUDA_ARCH__`, and its users compare it with NVIDIA's numbers. On MUSA
it is 0 throughout, or counts 210, 220 and 310 where a port has renamed the macro under it: either way the comparison no
longer says what it was written for, often far from the definition.
"""
EXAMPLE = """
#if CUB_PTX_ARCH >= 350
"""
INSTEAD = """
Say what the branch needs: 220 for what sm_80 brought, 310 for what sm_90 brought, `> 0` for device code of any kind.
muAlg writes `CUB_PTX_ARCH > 0` where CUB asked for 200.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/muAlg: cub/util_debug.cuh, cub/util_arch.cuh",)
TRIGGERS = frozenset((b"__CUDA_ARCH__", b"CUB_PTX_ARCH"))
VALID = (
    "#define MY_ARCH __CUDA_ARCH__\n#if MY_ARCH > 0\nint a;\n#endif\n",  # device code of any kind
    "#if CUB_PTX_ARCH == 0\nint a;\n#endif\n",
    "// CUB_PTX_ARCH >= 200\n",
    "#define MY_ARCH 700\nint x = __CUDA_ARCH__;\n#if MY_ARCH >= 700\nint a;\n#endif\n",
    "#define CUB_PTX_ARCH 220\n#if CUB_PTX_ARCH >= 200\nint a;\n#endif\n",
)
INVALID = (
    Case("#if (CUB_PTX_ARCH >= 200)\nint a;\n#endif\n", findings=("CUB_PTX_ARCH >= 200",)),
    Case(
        "#define MY_ARCH (__CUDA_ARCH__)\n#if !defined(X) && MY_ARCH >= 700\nint a;\n#elif 600 > MY_ARCH\n#endif\n",
        findings=("MY_ARCH >= 700", "600 > MY_ARCH"),
    ),
    Case(
        "#define MY_ARCH __CUDA_ARCH__\n__device__ int f() { return MY_ARCH >= 350 ? 1 : 2; }\n",
        findings=("MY_ARCH >= 350",),
    ),
)

_WELL_KNOWN = frozenset((b"CUB_PTX_ARCH",))
_LEAST = 100  # smaller numbers ask whether device code is compiled at all


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each comparison of such a macro with an architecture's number, in a condition or in code."""
    aliases, others = _aliases(unit)
    for found in unit.occurrences(aliases | (_WELL_KNOWN - others)):
        line = unit.directive_at(found.start)
        use: Use | None
        if line is not None and line.keyword in CONDITIONS:
            use = next((u for u in uses(unit, line, found.name) if u.name_start == found.start), None)
        else:
            use = compared(unit, found.start)
        if use is None or use.kind != "compare" or use.value < _LEAST:
            continue
        name = found.name.decode("utf-8", "replace")
        yield Finding(
            CODE,
            "warning",
            use.start,
            use.end,
            f"{name} stands for __CUDA_ARCH__ and is compared with an NVIDIA architecture's number. On MUSA it is 0, "
            "or 210, 220 or 310 once it stands for __MUSA_ARCH__. Say what the branch needs: 220 for what sm_80 "
            "brought, 310 for sm_90, > 0 for device code.",
            effort=EFFORT,
            name=name,
        )


def _aliases(unit: Unit) -> tuple[set[bytes], set[bytes]]:
    """The macros that a file defines as the architecture, and those that it defines otherwise only."""
    aliases: set[bytes] = set()
    others: set[bytes] = set()
    for line in unit.directives:
        if line.keyword == b"define":
            parts = unit.src[line.argument_start : line.end].split(None, 1)
            body = parts[1].strip(b" \t()") if len(parts) == 2 else b""
            (aliases if body == b"__CUDA_ARCH__" else others).update(parts[:1])
    return aliases, others - aliases
