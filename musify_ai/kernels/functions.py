"""Function definitions of a file: what is replaced by a stub where one of them holds a construct nobody settled."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from musify_ai.kernels.outline import Item, Outline


class FunctionSpan(NamedTuple):
    """A function definition: bytes ``[start, end)`` with its template headers, ``[body_start, body_end)`` the braces.

    ``name`` is qualified. ``kind`` is ``kernel``, ``device``, ``host-device`` or ``host``, by its decorators (and the
    file's own macros for them); an unmarked function is ``host``. Lambdas and local classes belong to the function
    that holds them.
    """

    name: str
    start: int
    end: int
    body_start: int
    body_end: int
    kind: str


def enclosing_functions(src: bytes, outline: Outline | None = None) -> list[FunctionSpan]:
    """All function definitions by start, under any live condition; none under ``#if 0``.

    Two spans overlap only where the branches of a conditional each open a function that is closed once, after it.
    """
    known = Outline(src) if outline is None else outline
    found = []
    for item in known.functions:
        kind = _kind(known.decorators(item))
        found.append(FunctionSpan(qualified(item), item.start, item.end, *item.body, kind))
    return found


def function_at(functions: Sequence[FunctionSpan], offset: int) -> FunctionSpan | None:
    """The function of a list (as `enclosing_functions` gives it) whose span holds an offset; the innermost one."""
    best: FunctionSpan | None = None
    for span in functions[: bisect_right(functions, offset, key=lambda each: each.start)]:
        if offset < span.end and (best is None or span.start >= best.start):
            best = span
    return best


def qualified(item: Item) -> str:
    """A function's name with its namespaces and classes, template arguments of a specialisation included."""
    declaration = item.declaration
    toks = item.view.tokens[declaration.name : declaration.name_end]
    parts = []
    for index, token in enumerate(toks):
        # `operator bool` keeps the blank that makes it two words.
        glue = b" " if index and token.kind == "identifier" and toks[index - 1].kind == "identifier" else b""
        parts.append(glue + token.text)
    name = b"".join(parts).decode("utf-8", "replace")
    return "::".join((*declaration.scope, name.removeprefix("::")))


def _kind(words: set[bytes]) -> str:
    if b"__global__" in words:
        return "kernel"
    if b"__device__" in words:
        return "host-device" if b"__host__" in words else "device"
    return "host"
