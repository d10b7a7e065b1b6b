"""MUS205: `__CUDACC__` and `__NVCC__`, which ask whether the GPU compiler is at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.directives import Conditional, Directive
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.by_compiler import CLANG, parted
from musify_ai.translate.guards.conditions import CONDITIONS, Use, uses
from musify_ai.translate.unit import Unit

CODE = "MUS205"
TITLE = "Compiler test"
WHY = """
mcc defines neither, so code between such guards would silently be left out of the build. `__MUSACC__` is what mcc
defines in their place. mcc is also clang, and says so with `__clang__`: a conditional that tells nvcc from clang takes
another branch with mcc than with nvcc over gcc.
"""
EXAMPLE = """
#ifdef __CUDACC__
"""
INSTEAD = """
`#ifdef __MUSACC__`. In a macro's body or in code the name is reported, not renamed: there it may be stringised or
pasted.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md, MUSA_5.2_SUPPORT.md",
    "MooreThreads/torch_musa: docs/markdown/source/06_third_party_lib_extension.md (mmcv recipe)",
)
TRIGGERS = frozenset(
    (
        b"__CUDACC__",
        b"__NVCC__",
    )
)
VALID = (
    "// __CUDACC__\n",
    "#ifdef __CUDACC_RTC__\nint a;\n#endif\n",
    "#ifdef MY__NVCC__\nint a;\n#endif\n",
    "#ifdef __CUDACC__ // musify: ignore\nint a;\n#endif\n",
    # clang is asked for where no question about nvcc stands.
    "#ifdef __clang__\nint a;\n#else\nint b;\n#endif\n",
)
INVALID = (
    Case(
        "#ifdef __CUDACC__\nint a;\n#endif // __CUDACC__\n", output="#ifdef __MUSACC__\nint a;\n#endif // __CUDACC__\n"
    ),
    Case(
        "#if defined(__CUDACC__) || defined __HIPCC__\nint a;\n#elif !defined( __NVCC__ )\nint b;\n#endif\n",
        output="#if defined(__MUSACC__) || defined __HIPCC__\nint a;\n#elif !defined( __MUSACC__ )\nint b;\n#endif\n",
    ),
    # nvcc on host code: what would become `__MUSACC__ && !__MUSACC__` is left as the question about nvcc that it is.
    Case(
        "#if __NVCC__ && !__CUDACC__\nint a;\n#endif\n",
        output="#if __NVCC__ && !__MUSACC__\nint a;\n#endif\n",
        findings=("__NVCC__",),
    ),
    Case(
        "#ifndef __CUDACC__\n#ifdef __NVCC__\nint a;\n#endif\n#endif\n",
        output="#ifndef __MUSACC__\n#ifdef __NVCC__\nint a;\n#endif\n#endif\n",
        findings=("__NVCC__",),
    ),
    Case(
        "#ifdef __CUDACC__\nint a;\n#elif defined(__NVCC__)\nint b;\n#endif\n",
        output="#ifdef __MUSACC__\nint a;\n#elif defined(__NVCC__)\nint b;\n#endif\n",
        findings=("__NVCC__",),
    ),
    Case(
        "#ifdef __CUDACC__\n#ifdef __NVCC__\nint a;\n#endif\n#endif\n",
        output="#ifdef __MUSACC__\n#ifdef __MUSACC__\nint a;\n#endif\n#endif\n",
    ),
    # mcc is clang: what was nvcc's branch is not mcc's.
    Case(
        "#if defined(__CUDACC__) && !defined(__clang__)\nint a;\n#else\nint b;\n#endif\n",
        output="#if defined(__MUSACC__) && !defined(__clang__)\nint a;\n#else\nint b;\n#endif\n",
        findings=("__clang__",),
    ),
    Case(
        "#if defined(__clang__)\nint a;\n#elif defined(__NVCC__) || X\nint b;\n#endif\n",
        output="#if defined(__clang__)\nint a;\n#elif defined(__MUSACC__) || X\nint b;\n#endif\n",
        findings=("__clang__",),
    ),
    Case(
        "#ifdef __CUDACC__\n#ifndef __clang__\nint a;\n#endif\n#endif\n",
        output="#ifdef __MUSACC__\n#ifndef __clang__\nint a;\n#endif\n#endif\n",
        findings=("__clang__",),
    ),
    Case(
        "#if defined(__clang__) && !defined(__CUDACC__)\nint a;\n#endif\n",
        output="#if defined(__clang__) && !defined(__MUSACC__)\nint a;\n#endif\n",
    ),
    Case(
        "#ifndef __CUDACC__\n#ifdef __clang__\nint a;\n#endif\n#endif\n",
        output="#ifndef __MUSACC__\n#ifdef __clang__\nint a;\n#endif\n#endif\n",
    ),
    Case(
        "#if defined(__NVCC__) || defined(__clang__)\nint a;\n#endif\n",
        output="#if defined(__MUSACC__) || defined(__clang__)\nint a;\n#endif\n",
    ),
    Case("#define __CUDACC__\n", findings=("__CUDACC__",)),
    Case("int on = __CUDACC__;\n", findings=("__CUDACC__",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """An edit for each test in a condition; a finding for any other place, and where clang is asked for beside it."""
    kept: set[int] = set()
    for start, end, name, _ in unit.occurrences(TRIGGERS):
        directive = unit.directive_at(start)
        if directive is not None and directive.keyword in CONDITIONS:
            use = next((use for use in uses(unit, directive, name) if use.name_start == start), None)
            if (
                use is not None
                and use.kind in ("defined", "truth")
                and not (name == b"__NVCC__" and _apart(unit, directive, use))
            ):
                yield Edit(start, end, name, b"__MUSACC__", CODE, "rule", source="mcc's macro dump in sppark-musa")
                continue
        kept.add(start)
        shown = name.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"{shown} is not defined by mcc, which defines __MUSACC__; here it is no plain test, or one that tells "
            "nvcc from __CUDACC__, so it was left. Write what it is to mean on MUSA.",
            settled=directive is not None,
            name=shown,
        )
    for place in parted(unit, kept):
        was = f"the branch of line {place.with_nvcc}" if place.with_nvcc else "no branch"
        now = f"that of line {place.with_mcc}" if place.with_mcc else "none"
        yield Finding(
            CODE,
            "warning",
            place.start,
            place.end,
            f"mcc is clang and defines __clang__: nvcc over gcc takes {was} here, and mcc {now}. Where mcc is to go "
            "with nvcc, ask for __MUSACC__ before clang is asked for.",
            name=CLANG.decode("ascii"),
        )


def _apart(unit: Unit, directive: Directive, asked: Use) -> bool:
    """Whether a test of ``__NVCC__`` is made where ``__CUDACC__`` is known to be the opposite: one name for both would
    make it true never, or always."""
    positive = _is_positive(unit, directive, asked)
    tests = [(directive, False), *_known_before(unit, directive)]
    return any(
        (_is_positive(unit, line, use) != turned) != positive
        for line, turned in tests
        for use in uses(unit, line, b"__CUDACC__")
    )


def _is_positive(unit: Unit, directive: Directive, use: Use) -> bool:
    if directive.keyword in (b"ifndef", b"elifndef"):
        return False
    return not unit.src[directive.argument_start : use.start].rstrip().endswith(b"!")


def _known_before(unit: Unit, directive: Directive) -> Iterator[tuple[Directive, bool]]:
    """The conditions that hold where a directive is reached, and whether each holds turned round: those of the
    branches before it, and of the conditionals around it."""
    place = directive.start
    if "conditional of line" not in unit.memo:
        unit.memo["conditional of line"] = {b.directive.start: c for c in unit.conditionals for b in c.branches}
    conditional: Conditional | None = unit.memo["conditional of line"].get(place)
    while conditional is not None:
        for branch in conditional.branches:
            if branch.directive.start >= place:
                break
            yield branch.directive, not branch.body_start <= place < branch.body_end
        place = conditional.branches[0].directive.start
        conditional = unit.conditionals[conditional.parent] if conditional.parent >= 0 else None
