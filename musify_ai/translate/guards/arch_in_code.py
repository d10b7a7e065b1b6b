"""MUS208: `__CUDA_ARCH__` in code, in a macro's body, or defined by the project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.arch import carried_over
from musify_ai.translate.guards.conditions import CONDITIONS, compared
from musify_ai.translate.unit import Unit

CODE = "MUS208"
TITLE = "Architecture macro outside a condition"
WHY = """
In code the undefined macro does not build. In a macro's body it reads as 0 wherever the macro is used in a condition,
and the places that use it decide what is built. A project that defines the macro itself switches NVIDIA's branches
on, PTX included.
"""
EXAMPLE = """
#define HAS_BF16 (__CUDA_ARCH__ >= 800)
"""
INSTEAD = """
State the condition with `__MUSA_ARCH__` and a MUSA number (800: 220, 900: 310), after looking at every place that it
governs.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/cuda_arch.py",
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md (never define CUDA macros globally)",
)
TRIGGERS = frozenset((b"__CUDA_ARCH__",))
VALID = (
    "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n",
    "// if (__CUDA_ARCH__ >= 800)\n",
    "#error __CUDA_ARCH__ is too old\n",
)
INVALID = (
    Case(
        "#define HAS_BF16 (__CUDA_ARCH__ >= 800)\n",
        findings=("__CUDA_ARCH__",),
        fixed="#define HAS_BF16 (__MUSA_ARCH__ >= 220)\n",
    ),
    Case(
        "constexpr bool bf16 = __CUDA_ARCH__ >= 800;\n",
        findings=("__CUDA_ARCH__",),
        fixed="constexpr bool bf16 = __MUSA_ARCH__ >= 220;\n",
    ),
    Case("int arch = __CUDA_ARCH__;\n", findings=("__CUDA_ARCH__",)),
    Case("void f() { if (__CUDA_ARCH__ >= 750) g(); }\n", findings=("__CUDA_ARCH__",)),
    Case("#define __CUDA_ARCH__ 800\n", findings=("__CUDA_ARCH__",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place, with a suggestion where it compares with a threshold that has a counterpart."""
    for start, end, name, _ in unit.occurrences(TRIGGERS):
        directive = unit.directive_at(start)
        if directive is not None and directive.keyword in CONDITIONS:
            continue
        use = compared(unit, start)
        edit = None if use is None else carried_over(unit, use)
        if directive is None:
            what = "__CUDA_ARCH__ is not defined on MUSA, so this does not build as it stands."
        elif (
            directive.keyword in (b"define", b"undef")
            and name == unit.src[directive.argument_start : directive.end].strip()[: len(name)]
        ):
            what = "this file sets __CUDA_ARCH__ itself, which switches NVIDIA's branches on under mcc, PTX included."
        else:
            what = "__CUDA_ARCH__ is not defined on MUSA: this macro means 0 in a condition and fails in code."
        yield Finding(
            CODE,
            "error" if directive is None else "warning",
            start,
            end,
            what
            + " Look at every place that it governs, then write the condition with __MUSA_ARCH__ and a MUSA number "
            "(220 for what sm_80 brought, 310 for sm_90).",
            edit=None if edit is None else edit._replace(rule=CODE, safety="unsafe"),
            settled=directive is not None,
            name="__CUDA_ARCH__",
        )
