"""The value of a preprocessor condition as far as it is known: which branch MUSA takes where a macro is undefined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from musify_ai.source.directives import Directive
from musify_ai.source.tokens import Token
from musify_ai.translate.guards.conditions import directive_tokens, integer
from musify_ai.translate.unit import Unit

_NOTHING: Mapping[bytes, int] = {}
_DEEPEST = 40
_LONGEST = 400
_LEVELS: tuple[tuple[bytes, ...], ...] = (
    (b"||",),
    (b"&&",),
    (b"|",),
    (b"^",),
    (b"&",),
    (b"==", b"!="),
    (b"<", b">", b"<=", b">="),
    (b"<<", b">>"),
    (b"+", b"-"),
    (b"*", b"/", b"%"),
)
_OPERATIONS: dict[bytes, Callable[[int, int], int]] = {
    b"|": lambda x, y: x | y,
    b"^": lambda x, y: x ^ y,
    b"&": lambda x, y: x & y,
    b"==": lambda x, y: int(x == y),
    b"!=": lambda x, y: int(x != y),
    b"<": lambda x, y: int(x < y),
    b">": lambda x, y: int(x > y),
    b"<=": lambda x, y: int(x <= y),
    b">=": lambda x, y: int(x >= y),
    b"+": lambda x, y: x + y,
    b"-": lambda x, y: x - y,
    b"*": lambda x, y: x * y,
}


class _Unreadable(Exception):
    pass


def condition_value(
    unit: Unit,
    directive: Directive,
    undefined: Collection[bytes],
    *,
    known: Mapping[bytes, int] = _NOTHING,
    others: int | None = None,
) -> bool | None:
    """Whether a condition holds where some macros are undefined, some have ``known`` values and all ``others`` have
    one value (0 is undefined), by default none that is known; ``None`` where the answer depends on them, or the
    condition cannot be read."""
    toks = directive_tokens(unit, directive)
    if directive.keyword in (b"ifdef", b"ifndef", b"elifdef", b"elifndef"):
        if len(toks) != 1:
            return None
        name = toks[0].text
        value = 0 if name in undefined else 1 if name in known else others
        return None if value is None else (value == 0) == directive.keyword.endswith(b"ndef")
    if len(toks) > _LONGEST:
        return None
    reader = _Reader(toks, undefined, known, others)
    try:
        answer = reader.ternary(0)
    except _Unreadable:
        return None
    if reader.position != len(toks) or answer is None:
        return None
    return answer != 0


class _Reader:
    """Precedence climbing over the tokens; a value is ``None`` where it is not known."""

    def __init__(
        self, toks: list[Token], undefined: Collection[bytes], known: Mapping[bytes, int], others: int | None
    ) -> None:
        self.toks = toks
        self.undefined = undefined
        self.known = known
        self.others = others
        self.position = 0

    def peek(self) -> bytes:
        return self.toks[self.position].text if self.position < len(self.toks) else b""

    def ternary(self, depth: int) -> int | None:
        if depth > _DEEPEST:
            raise _Unreadable
        condition = self.binary(0, depth)
        if self.peek() != b"?":
            return condition
        self.position += 1
        chosen = self.ternary(depth + 1)
        if self.peek() != b":":
            raise _Unreadable
        self.position += 1
        other = self.ternary(depth + 1)
        if condition is None:
            return chosen if chosen == other else None
        return chosen if condition else other

    def binary(self, level: int, depth: int) -> int | None:
        if level == len(_LEVELS):
            return self.unary(depth)
        left = self.binary(level + 1, depth)
        while (sign := self.peek()) in _LEVELS[level]:
            self.position += 1
            left = _combine(sign, left, self.binary(level + 1, depth))
        return left

    def unary(self, depth: int) -> int | None:
        if depth > _DEEPEST or self.position >= len(self.toks):
            raise _Unreadable
        token = self.toks[self.position]
        self.position += 1
        if token.text in (b"!", b"-", b"+", b"~"):
            value = self.unary(depth + 1)
            if value is None:
                return None
            return {b"!": int(not value), b"-": -value, b"+": value, b"~": ~value}[token.text]
        if token.text == b"(":
            value = self.ternary(depth + 1)
            if self.peek() != b")":
                raise _Unreadable
            self.position += 1
            return value
        if token.kind == "number":
            return integer(token.text)
        if token.kind != "identifier":
            raise _Unreadable
        if token.text == b"defined":
            return self.defined()
        if self.peek() == b"(":
            raise _Unreadable
        return 0 if token.text in self.undefined else self.known.get(token.text, self.others)

    def defined(self) -> int | None:
        bracketed = self.peek() == b"("
        self.position += bracketed
        name = self.peek()
        self.position += 1
        if bracketed:
            if self.peek() != b")":
                raise _Unreadable
            self.position += 1
        return 0 if name in self.undefined else 1 if name in self.known else self.others


def _combine(sign: bytes, left: int | None, right: int | None) -> int | None:
    if sign == b"&&":
        if left == 0 or right == 0:
            return 0
        return None if left is None or right is None else 1
    if sign == b"||":
        if left or right:
            return 1
        return None if left is None or right is None else 0
    if left is None or right is None or sign not in _OPERATIONS or abs(left) + abs(right) > 1 << 64:
        return None
    return _OPERATIONS[sign](left, right)
