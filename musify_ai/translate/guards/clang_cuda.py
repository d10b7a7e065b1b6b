"""MUS206: `__CUDA__`, which mcc defines too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import CONDITIONS, expression_span
from musify_ai.translate.unit import Unit

CODE = "MUS206"
TITLE = "Test for clang's CUDA mode"
WHY = """
mcc is clang and defines `__CUDA__` beside `__MUSA__`, so what was meant for clang compiling CUDA is pulled in on MUSA
as well: NVIDIA builtins, PTX, headers that are not there.
"""
EXAMPLE = """
#if defined(__clang__) && defined(__CUDA__)
"""
INSTEAD = """
Compile with `-U__CUDA__`, as torch_musa does, or add `&& !defined(__MUSA__)`.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md",
    "MooreThreads/torch_musa: torch_musa/csrc/CMakeLists.txt (-U__CUDA__)",
)
TRIGGERS = frozenset((b"__CUDA__",))
VALID = (
    "// __CUDA__\n",
    "#ifdef __CUDA_ARCH__\nint a;\n#endif\n",
    "#define USES__CUDA__ 1\n",
)
INVALID = (
    Case(
        "#if defined(__clang__) && defined(__CUDA__)\nint a;\n#endif\n",
        findings=("defined(__clang__) && defined(__CUDA__)",),
    ),
    Case("#ifdef __CUDA__\nint a;\n#endif\n", findings=("__CUDA__",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each condition or other place that names the macro."""
    seen: set[int] = set()
    for start, end, _, _ in unit.occurrences(TRIGGERS):
        directive = unit.directive_at(start)
        span = (start, end)
        if directive is not None and directive.keyword in CONDITIONS:
            if directive.start in seen:
                continue
            seen.add(directive.start)
            span = expression_span(unit, directive)
        yield Finding(
            CODE,
            "warning",
            *span,
            "mcc defines __CUDA__ as well as __MUSA__, so this holds on MUSA too and brings in what was meant for "
            "clang on NVIDIA. Kept as it was: build with -U__CUDA__, or add `&& !defined(__MUSA__)`.",
            name="__CUDA__",
        )
