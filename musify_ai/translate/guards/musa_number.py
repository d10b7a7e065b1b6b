"""MUS210: a MUSA macro compared with a number from NVIDIA's scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import chains, expression_span
from musify_ai.translate.unit import Unit

CODE = "MUS210"
TITLE = "NVIDIA number beside a MUSA macro"
WHY = """
`__MUSA_ARCH__` is 210, 220 or 310 and `MUSA_VERSION` is 50200 for SDK 5.2. A port that renamed the macro and kept the
number, `__MUSA_ARCH__ < 800` or `MUSA_VERSION >= 12080`, has a guard that is always true or never, and builds without
a message. More than twenty such lines have shipped in one project.
"""
EXAMPLE = """
#if __MUSA_ARCH__ >= 800
"""
INSTEAD = """
`__MUSA_ARCH__ >= 220` for what sm_80 brought, `>= 310` for sm_90; for versions, what the guard is for in MUSA's own
numbers.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/vllm_musa: csrc_musa (26 lines in 13 files)",
    "MooreThreads/CV-CUDA_musa: src/cvcuda/include/cvcuda/cuda_tools_musa/Compat.hpp",
    "MooreThreads/muAlg (MUSA_VERSION >= 9000)",
)
TRIGGERS = frozenset(
    (
        b"__MUSA_ARCH__",
        b"MUSA_VERSION",
        b"MUSART_VERSION",
    )
)
VALID = (
    "#if __MUSA_ARCH__ >= 220\nint a;\n#endif\n",
    "#if defined(__MUSA_ARCH__)\nint a;\n#endif\n",
    "#if MUSA_VERSION >= 40300\nint a;\n#endif\n",
    "#if __MUSA_ARCH__ > 0\nint a;\n#endif\n",
)
INVALID = (
    Case("#if __MUSA_ARCH__ < 800\nint a;\n#endif\n", findings=("__MUSA_ARCH__ < 800",)),
    Case("#if MUSA_VERSION >= 12080\nint a;\n#endif\n", findings=("MUSA_VERSION >= 12080",)),
)


# The least number that is NVIDIA's and no MUSA arch, and the span of CUDA's version numbers.
_SCALES = {b"__MUSA_ARCH__": (350, 2000), b"MUSA_VERSION": (7000, 14000), b"MUSART_VERSION": (7000, 14000)}


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each condition that compares a MUSA macro with a number from NVIDIA's scale."""
    for name, (least, most) in _SCALES.items():
        if name not in unit.words:
            continue
        shown = name.decode("ascii")
        for _, held in chains(unit, name):
            for directive, found in held:
                number = next((use.value for use in found if use.kind == "compare" and least <= use.value < most), None)
                if number is not None:
                    yield Finding(
                        CODE,
                        "error",
                        *expression_span(unit, directive),
                        f"{number} is a number of NVIDIA's, but {shown} counts on MUSA's scale (archs 210, 220, "
                        "310; SDK 5.2 is 50200), so this has one answer on every MUSA device. Change the number too.",
                        name=shown,
                    )
