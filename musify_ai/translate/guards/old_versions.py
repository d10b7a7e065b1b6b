"""MUS213: comparisons with a version of CUDA that every toolkit of today has passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.directives import Branch, Conditional, Directive
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import Use, chain_span, directive_tokens, expression_span, uses
from musify_ai.translate.guards.obstacles import obstacle
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS213"
TITLE = "Version guard that CUDA answers one way since 2020"
WHY = """
`CUDA_VERSION >= 9000` holds, and `CUDART_VERSION < 4000` does not, under every toolkit from CUDA 11 on. On MUSA the
macros are undefined and read as 0, so the guard would take the branch for toolkits of long ago: warp functions without
a mask, no `__syncwarp`, an `#error`, or a `main` that only says that it needs a newer CUDA.
"""
EXAMPLE = """
#if CUDART_VERSION >= 9000
"""
INSTEAD = """
The same answer where MUSA's header of the same kind is there: `MUSART_VERSION` is the run time's macro, `MUSA_VERSION`
the driver's. Never compare these with a CUDA number. This is done unless a branch holds something unsettled.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "ggml-org/ggml: src/ggml-cuda/common.cuh (CUDART_VERSION >= 11010 || defined(GGML_USE_MUSA); MUSART_VERSION 40300)",
    "torchada pull request 100 (MUSA_VERSION is 50200)",
    "MooreThreads/muAlg: cub/util_type.cuh (the branch of CUDA_VERSION >= 9000 is the one MUSA takes)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// CUDART_VERSION >= 9000\n",
    # Not settled by age: MUS204 speaks of these.
    "#if CUDA_VERSION >= 11000\nint a;\n#endif\n",
    "#if CUDART_VERSION >= 12000 || CUDART_VERSION < 9000\nint a;\n#endif\n",
    "#ifdef CUDART_VERSION\nint a;\n#endif\n",
    "#if defined(CUDA_VERSION) && CUDA_VERSION >= 9000\nint a;\n#endif\n",
    "#define OLD (CUDA_VERSION < 9000)\n",
    "#define CUDA_VERSION 9000\n#if CUDA_VERSION >= 9000\nint a;\n#endif\n",
    "#if CUDA_VERSION >= LEAST\nint a;\n#endif\n",
    "#if CUDA_VERSION / 1000 >= 9\nint a;\n#endif\n",
    # The answer at 0 is CUDA's own.
    "#if CUDART_VERSION == 3000\nint a;\n#endif\n",
    # It has been answered.
    "#if CUDART_VERSION >= 9000 || defined(MUSART_VERSION)\nint a;\n#endif\n",
    "#if CUDA_VERSION >= 9000 || defined(__MUSACC__)\nint a;\n#endif\n",
)
INVALID = (
    Case(
        "#if CUDART_VERSION >= 9000\nint a;\n#else\nint b;\n#endif\n",
        output="#if CUDART_VERSION >= 9000 || defined(MUSART_VERSION)\nint a;\n#else\nint b;\n#endif\n",
    ),
    Case(
        "#if (CUDART_VERSION < 9000)\nint a;\n#endif\n",
        output="#if (CUDART_VERSION < 9000 && !defined(MUSART_VERSION))\nint a;\n#endif\n",
    ),
    Case(
        '#if CUDA_VERSION < 8000\n#error "CUDA 8 is required"\n#endif\n',
        output='#if CUDA_VERSION < 8000 && !defined(MUSA_VERSION)\n#error "CUDA 8 is required"\n#endif\n',
    ),
    Case(
        "#if defined(__HIP__) || 9000 <= CUDA_VERSION\nint a;\n#elif !(CUDA_VERSION > 7050)\nint b;\n#endif\n",
        output="#if defined(__HIP__) || (9000 <= CUDA_VERSION || defined(MUSA_VERSION))\nint a;\n"
        "#elif !(CUDA_VERSION > 7050 || defined(MUSA_VERSION))\nint b;\n#endif\n",
    ),
    # What goes away with the answer may hold anything.
    Case(
        '#if CUDART_VERSION >= 2020\nint a;\n#else\nvoid f() { printf("%d", CUDART_VERSION / 1000); }\n#endif\n',
        output="#if CUDART_VERSION >= 2020 || defined(MUSART_VERSION)\nint a;\n#else\n"
        'void f() { printf("%d", CUDART_VERSION / 1000); }\n#endif\n',
    ),
    Case(
        '#if CUDA_VERSION >= 9000\n__device__ void f() { asm volatile("cp.async.wait_all;"); }\n#else\n'
        "int g() { return CUDA_VERSION; }\n#endif\n",
        findings=("CUDA_VERSION >= 9000", "CUDA_VERSION"),
        fixed="#if CUDA_VERSION >= 9000 || defined(MUSA_VERSION)\n"
        '__device__ void f() { asm volatile("cp.async.wait_all;"); }\n#else\n'
        "int g() { return CUDA_VERSION; }\n#endif\n",
    ),
    # The branch that would come alive cannot be built as it stands.
    Case(
        "__device__ void f() {\n#if CUDA_VERSION >= 9000\n"
        '  asm volatile("cp.async.wait_all;");\n#else\n  g();\n#endif\n}\n',
        findings=("CUDA_VERSION >= 9000",),
        fixed="__device__ void f() {\n#if CUDA_VERSION >= 9000 || defined(MUSA_VERSION)\n"
        '  asm volatile("cp.async.wait_all;");\n#else\n  g();\n#endif\n}\n',
    ),
)

_MACROS = {b"CUDART_VERSION": b"MUSART_VERSION", b"CUDA_VERSION": b"MUSA_VERSION"}
_FIRST_OF_TODAY = 11000
_MUSA_MACROS = (b"MUSA_VERSION", b"MUSART_VERSION", b"__MUSACC__", b"__MUSA__")
_OPERATORS = frozenset((b"||", b"&&", b"!", b"?"))
_PLAIN = frozenset((b"(", b")", b"<", b">", b"<=", b">="))
_MUSA_WORDS = (b"MUSA", b"musa")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """CUDA's answer for MUSA's headers, as an edit; a suggestion where a branch that comes alive is not settled."""
    for conditional in unit.conditionals:
        for branch in conditional.branches:
            edits = answered(unit, branch.directive)
            if not edits:
                continue
            held = next((each for span in _alive(unit, conditional, branch) if (each := obstacle(unit, *span))), None)
            if held is None:
                yield from edits
                continue
            begin, stop = expression_span(unit, branch.directive)
            why = (
                "every CUDA of today answers this one way and MUSA the other, since the macro is undefined there; left "
                f"as it is, because a branch holds {held[1]} (line {unit.lines.line_of(held[0])})."
            )
            whole = _whole(unit, begin, stop, edits)
            name = next(name for name in _MACROS if unit.src.find(name, begin, stop) >= 0).decode("ascii")
            yield Finding(CODE, "warning", begin, stop, why, effort=EFFORT, edit=whole, name=name)
            for start, end in _killed(unit, conditional, branch):
                for place in unit.occurrences(_MACROS):
                    if start <= place.start < end and unit.directive_at(place.start) is None:
                        shown = place.name.decode("ascii")
                        text = (
                            f"{shown} is not defined on MUSA, and this branch is built there while its guard is left."
                        )
                        yield Finding(
                            CODE, "error", place.start, place.end, text, effort=EFFORT, settled=False, name=shown
                        )


def killed_spans(unit: Unit) -> list[tuple[int, int]]:
    """The branches that no CUDA of today builds, and MUSA will not where this rule can answer for it."""
    return [
        span
        for conditional in unit.conditionals
        for branch in conditional.branches
        for span in _killed(unit, conditional, branch)
    ]


def _holds(unit: Unit, directive: Directive) -> bool | None:
    """Whether MUSA will take a branch: by this rule's answer to a condition that is one comparison with an old version,
    or because the condition asks for MUSA; None where it says more."""
    toks = directive_tokens(unit, directive)
    texts = [token.text for token in toks]
    if asks_for_musa(unit, directive):
        signs = {text for text in texts if text in _OPERATORS}
        asked = [texts[index - 1] == b"(" and texts[index - 3 : index - 2] == [b"!"] for index in _musa(texts)]
        if signs == {b"||"} and not all(asked):
            return True
        return False if signs == {b"&&", b"!"} and any(asked) else None
    if not answered(unit, directive) or not _PLAIN.issuperset(t.text for t in toks if t.kind == "punct"):
        return None
    return any(use.operator in (b">=", b">") for name in _MACROS for use in uses(unit, directive, name))


def _musa(texts: list[bytes]) -> list[int]:
    """Where a condition asks whether one of MUSA's macros is defined."""
    return [
        index
        for index, text in enumerate(texts)
        if text in _MUSA_MACROS and texts[index - 2 : index] == [b"defined", b"("]
    ]


def _killed(unit: Unit, conditional: Conditional, branch: Branch) -> list[tuple[int, int]]:
    holds = _holds(unit, branch.directive)
    if holds is None:
        return []
    index = conditional.branches.index(branch)
    gone = conditional.branches[index + 1 :] if holds else conditional.branches[index : index + 1]
    return [(each.body_start, each.body_end) for each in gone]


def _alive(unit: Unit, conditional: Conditional, branch: Branch) -> list[tuple[int, int]]:
    """The branches that the answer brings to life; all of them where the condition says more."""
    holds = _holds(unit, branch.directive)
    if holds is None:
        return [chain_span(unit, conditional)]
    index = conditional.branches.index(branch)
    alive = conditional.branches[index : index + 1] if holds else conditional.branches[index + 1 :]
    return [(each.body_start, each.body_end) for each in alive]


def answered(unit: Unit, directive: Directive) -> list[Edit]:
    """The edits by which a condition gives CUDA's answer on MUSA; none where it asks for anything else of the version,
    or for MUSA already."""
    span = (directive.argument_start, directive.end)
    if any(unit.src.find(word, *span) >= 0 for word in _MUSA_WORDS):
        return []
    edits = []
    for name, musa in _MACROS.items():
        found = uses(unit, directive, name)
        if not found:
            continue
        if name in unit.macros:
            return []
        for use in found:
            if use.threshold is None or not 0 < use.threshold < _FIRST_OF_TODAY:
                return []
            edits.append(_answer(unit, directive, use, musa))
    return edits


def asks_for_musa(unit: Unit, directive: Directive) -> bool:
    """Whether a condition asks for MUSA beside the version, as this rule and people write it."""
    return any(unit.src.find(word, directive.argument_start, directive.end) >= 0 for word in _MUSA_MACROS)


def same_as_undefined(unit: Unit, directive: Directive) -> bool:
    """Whether a condition asks for versions of long ago only by name: ``CUDART_VERSION == 3000``, which no toolkit of
    today and no undefined macro is."""
    found = [use for name in _MACROS if name not in unit.macros for use in uses(unit, directive, name)]
    return bool(found) and all(
        use.kind == "compare" and use.operator == b"==" and 0 < use.value < _FIRST_OF_TODAY for use in found
    )


def _answer(unit: Unit, directive: Directive, use: Use, musa: bytes) -> Edit:
    more = b" || defined(" + musa + b")" if use.operator in (b">=", b">") else b" && !defined(" + musa + b")"
    text = unit.src[use.start : use.end]
    toks = directive_tokens(unit, directive)
    first = next(index for index, token in enumerate(toks) if token.start == use.start)
    last = next(index for index, token in enumerate(toks) if token.end == use.end)
    alone = first == 0 and last == len(toks) - 1
    enclosed = first > 0 and last + 1 < len(toks) and toks[first - 1].text == b"(" and toks[last + 1].text == b")"
    new = text + more if alone or enclosed else b"(" + text + more + b")"
    return Edit(use.start, use.end, text, new, CODE, "rule", source="CUDA's answer since version 11")


def _whole(unit: Unit, start: int, end: int, edits: list[Edit]) -> Edit:
    """The edits of a condition as one suggestion."""
    new, position = b"", start
    for edit in sorted(edits):
        new += unit.src[position : edit.start] + edit.new
        position = edit.end
    return Edit(start, end, unit.src[start:end], new + unit.src[position:end], CODE, "rule", "unsafe")
