"""Functions by their braces: which one is around an offset, its name and its parameters."""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.translate.unit import Unit

# What may stand between a function's parameters and its body.
_QUALIFIERS = frozenset((b"const", b"noexcept", b"override", b"final", b"mutable", b"volatile", b"&", b"&&"))
_NO_FUNCTION = frozenset((b"if", b"else", b"for", b"while", b"switch", b"catch", b"namespace", b"extern"))


class Function(NamedTuple):
    """A function body, and whether it is a kernel's own."""

    body: int
    is_kernel: bool


def enclosing_function(unit: Unit, offset: int) -> Function | None:
    """The outermost function body around an offset, by what stands before its brace."""
    toks, openers = unit.tokens, unit.openers
    index = unit.token_index(offset)
    found: Function | None = None
    while index >= 0 and (index := openers[index]) >= 0:
        if toks[index].text != b"{":
            continue
        head = _head(unit, index)
        if heads_function(head):
            # A lambda in a kernel is a function of its own, from which `return` leads back to the kernel.
            found = Function(toks[index].end, b"__global__" in head and found is None)
    return found


def _head(unit: Unit, index: int) -> list[bytes]:
    """The words before a brace, back to the end of what stands before; brackets keep theirs out."""
    toks = unit.tokens
    begin = index
    while begin > 0 and toks[begin - 1].text not in (b";", b"{", b"}", b":"):
        begin -= 1
        if toks[begin].text == b")" and begin in unit.partners:
            begin = unit.partners[begin]
    return [token.text for token in toks[begin:index]]


def heads_function(head: list[bytes]) -> bool:
    """Whether what stands before a brace ends as the head of a function does: a class ends with its name."""
    last = len(head) - 1
    while last >= 0 and head[last] in _QUALIFIERS:
        last -= 1
    if last < 0 or head[0] in _NO_FUNCTION:
        return False
    return head[last] == b")" or b"->" in head


def opening(unit: Unit, body: int) -> int:
    """The token of the brace that a body begins behind."""
    return unit.token_index(body - 1)


def parameters(unit: Unit, brace: int) -> int:
    """The token that opens a function's parameters, by the brace of its body; -1 where there is none."""
    toks = unit.tokens
    last = brace - 1
    while last >= 0 and toks[last].text in _QUALIFIERS:
        last -= 1
    return unit.partners.get(last, -1) if last >= 0 and toks[last].text == b")" else -1


def function_name(unit: Unit, brace: int) -> bytes:
    """The name of the function whose body a brace opens; empty for other braces and for what has no plain name."""
    toks = unit.tokens
    at = parameters(unit, brace) - 1
    if (
        at < 0
        or toks[at].kind != "identifier"
        or toks[at].text in _NO_FUNCTION
        or not heads_function(_head(unit, brace))
    ):
        return b""
    return toks[at].text
