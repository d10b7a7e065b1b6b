"""MUS203: ``__CUDA_ARCH__`` asked for only to tell the device pass from the host pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.directives import Directive
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.arch import arch_chains, carried_over, set_in_file
from musify_ai.translate.guards.conditions import expression_span
from musify_ai.translate.unit import Unit

CODE = "MUS203"
TITLE = "Device-pass test"
WHY = """
`__CUDA_ARCH__` is defined in nvcc's device pass only, and code asks for it to tell the two passes apart. mcc never
defines it, so the device code would be compiled as if it were host code. `__MUSA_ARCH__` is defined in mcc's device
pass only, and so answers the same question.
"""
EXAMPLE = """
#ifdef __CUDA_ARCH__
"""
INSTEAD = "`#ifdef __MUSA_ARCH__`."
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md (dump of mcc's macros)",
    "llama.cpp pull request 25776",
    "MooreThreads/mutlass",
)
TRIGGERS = frozenset((b"__CUDA_ARCH__",))
# A line that a comment keeps out holds back its whole block.
VALID = (
    "// #ifdef __CUDA_ARCH__\n",
    "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n",
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600\nint a;\n#endif\n",
    "#ifdef MY__CUDA_ARCH__\nint a;\n#endif\n",
    "#ifdef __CUDA_ARCH__ // MUSIFY_EXCL_LINE\nint a;\n#endif\n",
)
INVALID = (
    Case(
        "#ifdef __CUDA_ARCH__ // MUSIFY_EXCL_LINE\nint a;\n#elif !defined(__CUDA_ARCH__)\nint b;\n#endif\n",
        findings=("!defined(__CUDA_ARCH__)",),
    ),
    Case("#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 800 // MUSIFY_EXCL_LINE\n#endif\n", findings=("__CUDA_ARCH__",)),
    Case("#ifdef __CUDA_ARCH__\nint a;\n#endif\n", output="#ifdef __MUSA_ARCH__\nint a;\n#endif\n"),
    Case("#ifndef __CUDA_ARCH__\r\nint a;\r\n#endif\r\n", output="#ifndef __MUSA_ARCH__\r\nint a;\r\n#endif\r\n"),
    Case(
        "#if !defined( __CUDA_ARCH__ ) || defined __CUDA_ARCH__\nint a;\n#endif\n",
        output="#if !defined( __MUSA_ARCH__ ) || defined __MUSA_ARCH__\nint a;\n#endif\n",
    ),
    Case("#if __CUDA_ARCH__\nint a;\n#endif\n", output="#if __MUSA_ARCH__\nint a;\n#endif\n"),
    Case("#if __CUDA_ARCH__ > 0\nint a;\n#endif\n", output="#if __MUSA_ARCH__ > 0\nint a;\n#endif\n"),
    Case("#if (!__CUDA_ARCH__)\nint a;\n#endif\n", output="#if (!__MUSA_ARCH__)\nint a;\n#endif\n"),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Edits for chains that ask for nothing but the pass."""
    ours = set_in_file(unit)
    for chain in arch_chains(unit):
        if chain.settlement != "device-pass":
            continue
        if ours:
            yield from (_left(unit, line, "the project sets __CUDA_ARCH__ itself") for line, _ in chain.uses)
            continue
        if any(unit.excluded(line.start, line.end, CODE) for line, _ in chain.uses):
            yield from (_left(unit, line, _HELD_BACK) for line, _ in chain.uses)
            continue
        for _, found in chain.uses:
            for use in found:
                edit = carried_over(unit, use)
                if edit is not None:
                    yield edit._replace(rule=CODE, source="defined in the device pass only, on both")


_HELD_BACK = "a comment keeps another line of this block out: half a block is never renamed"


def _left(unit: Unit, line: Directive, why: str) -> Finding:
    return Finding(
        CODE,
        "warning",
        *expression_span(unit, line),
        f"this test of the device pass was left as it was, because {why}.",
        name="__CUDA_ARCH__",
    )
