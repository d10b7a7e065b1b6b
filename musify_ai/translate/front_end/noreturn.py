"""MUS621: functions that must not return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS621"
TITLE = "Function that ends in a trap"
WHY = """
clang does not know that `__trap()` never returns: a device function marked as not returning that ends in it is
rejected, or warned of, until the end is said to be unreachable. ggml adds that for MUSA.
"""
EXAMPLE = """
[[noreturn]] __device__ void fail() { __trap(); }
"""
INSTEAD = """
`__trap(); __builtin_unreachable();`
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("ggml-org/ggml: src/ggml-cuda/common.cuh",)
TRIGGERS = triggers(CODE)
VALID = (
    "// [[noreturn]] void f() { __trap(); }\n",
    "__device__ void f() { __trap(); }\n",
    "[[noreturn]] __device__ void f() {\n  __trap();\n  __builtin_unreachable();\n}\n",
    "[[noreturn]] __device__ void f();\n__device__ void g() { __trap(); }\n",
)
INVALID = (
    Case(
        "[[noreturn]] __device__ void f() {\n  __trap();\n}\n",
        findings=("__trap();",),
        fixed="[[noreturn]] __device__ void f() {\n  __trap(); __builtin_unreachable();\n}\n",
    ),
    Case(
        '__device__ __attribute__((noreturn)) void f(int n) {\n  printf("x");\n  __trap();\n}\n',
        findings=("__trap();",),
        fixed='__device__ __attribute__((noreturn)) void f(int n) {\n  printf("x");\n'
        "  __trap(); __builtin_unreachable();\n}\n",
    ),
)

_MARKS = frozenset((b"noreturn", b"__noreturn__", b"_Noreturn"))
_ENDS = frozenset((b";", b"{", b"}"))
_REACH = 60


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each trap at the end of such a function, with the end said to be unreachable as the suggestion."""
    if unit.words.isdisjoint(_MARKS) or b"__builtin_unreachable" in unit.words:
        return
    toks, partners = unit.tokens, unit.partners
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        body = unit.device_body(each.start)
        if (
            index < 0
            or body is None
            or [token.text for token in toks[index + 1 : index + 5]] != [b"(", b")", b";", b"}"]
        ):
            continue
        opener = partners.get(index + 4, -1)
        if opener < 0 or toks[opener].start != body[0] or not _marked(unit, opener):
            continue
        last = toks[index + 3]
        yield Finding(
            CODE,
            "note",
            each.start,
            last.end,
            "clang does not know that __trap() never returns: say that the end of this function is unreachable.",
            effort=EFFORT,
            edit=Edit(
                last.start, last.end, b";", b"; __builtin_unreachable();", CODE, "rule", "unsafe", "as ggml does"
            ),
            name="__trap",
        )


def _marked(unit: Unit, opener: int) -> bool:
    """Whether the function whose body opens at a token is marked as not returning."""
    toks = unit.tokens
    position = opener
    while position > 0 and opener - position < _REACH:
        position -= 1
        if toks[position].text in _MARKS:
            return True
        if toks[position].text in _ENDS:
            return False
    return False
