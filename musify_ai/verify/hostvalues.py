"""Values of host expressions, as far as the text tells: launch shapes, sizes, arguments of kernels.

No compiler and no types: integers, ``dim3`` and what is defined nearby in plain sight (macros, constants, locals,
one-line functions). What cannot be told raises `Unknown`; a wrong guess costs a better choice of inputs, no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from musify_ai.source import Token, closing, directives, split_arguments, tokens

Dim = tuple[int, int, int]
Value = int | Dim

_CASTS = frozenset(b"int unsigned long short char size_t float double uint dim3 uint32_t int64_t const auto".split())
_LEVELS: tuple[tuple[bytes, ...], ...] = (
    (b"||",), (b"&&",), (b"|",), (b"^",), (b"&",), (b"==", b"!="), (b"<", b">", b"<=", b">="), (b"<<", b">>"),
    (b"+", b"-"), (b"*", b"/", b"%"),
)  # fmt: skip
_SIZES = {b"float": 4, b"int": 4, b"double": 8, b"half": 2, b"__half": 2, b"char": 1, b"short": 2, b"long": 8}
_MOST = 200
_MOST_NAMES = 2000
"""Names looked up for one value: a chain of macros that use one another ten times each has no end to speak of."""


class Unknown(Exception):
    """The text does not tell this value."""


def _near(toks: list[Token], opener: int) -> int:
    """The token that closes a bracket, -1 where none does within `_MOST` tokens: brackets may stay open for ever."""
    close = closing(toks[opener : opener + _MOST], 0)
    return opener + close if close >= 0 else -1


class Definitions:
    """Names that a text gives a value to: macros, constants, locals, and functions that return one expression."""

    def __init__(self) -> None:
        self.values: dict[bytes, list[tuple[int, list[Token]]]] = {}
        self.functions: dict[bytes, tuple[list[bytes], list[Token]]] = {}

    def read(self, src: bytes, base: int = 0) -> None:
        """Take in a file. ``base`` orders files: a use takes the last definition before it, else the first after."""
        for directive in directives(src):
            if directive.keyword == b"define":
                self._macro(tokens(src, directive.argument_start, directive.end), base + directive.start)
        toks = tokens(src)
        for i, token in enumerate(toks[:-2]):
            if token.kind != "identifier":
                continue
            following = toks[i + 1].text
            before = toks[i - 1] if i else token
            declared = before.kind == "identifier" or before.text in (b">", b",", b"*", b"&")
            if following == b"=" and toks[i + 2].text != b"=":
                self._value(token, toks, i + 2, base)
            elif following in (b"(", b"{") and declared and before.text not in (b"return", b"else", b"new"):
                self._called(token, toks, i, base, is_dim=before.text == b"dim3" or self._in_dim3(toks, i))

    def _in_dim3(self, toks: Sequence[Token], i: int) -> bool:
        """Whether this declarator follows ``dim3 a(..),``."""
        for token in reversed(toks[max(0, i - 40) : i]):
            if token.text == b"dim3":
                return True
            if token.text in (b";", b"{", b"}"):
                return False
        return False

    def _macro(self, toks: list[Token], at: int) -> None:
        if not toks or toks[0].kind != "identifier":
            return
        name = toks[0].text
        if len(toks) > 2 and toks[1].text == b"(" and toks[1].start == toks[0].end:
            close = closing(toks, 1)
            if close > 0:
                names = [toks[a].text for a, b in split_arguments(toks, 1, close) if b - a == 1]
                self.functions.setdefault(name, (names, toks[close + 1 :]))
        elif len(toks) > 1:
            self.values.setdefault(name, []).append((at, toks[1:]))

    def _value(self, token: Token, toks: list[Token], first: int, base: int) -> None:
        last, depth = first, 0
        while last < len(toks) and last - first < _MOST:
            text = toks[last].text
            if text in (b"(", b"[", b"{"):
                depth += 1
            elif text in (b")", b"]", b"}"):
                depth -= 1
            if depth < 0 or (depth == 0 and text in (b";", b",")):
                break
            last += 1
        if last > first:
            self.values.setdefault(token.text, []).append((base + token.start, toks[first:last]))

    def _called(self, token: Token, toks: list[Token], i: int, base: int, *, is_dim: bool) -> None:
        close = _near(toks, i + 1)
        if close < 0:
            return
        if is_dim:
            inner = [Token("identifier", token.start, token.end, b"dim3"), *toks[i + 1 : close + 1]]
            self.values.setdefault(token.text, []).append((base + token.start, inner))
        elif toks[i + 1].text == b"{":
            self.values.setdefault(token.text, []).append((base + token.start, toks[i + 2 : close]))
        elif close + 2 < len(toks) and toks[close + 1].text == b"{" and toks[close + 2].text == b"return":
            end = _near(toks, close + 1)
            names = [toks[b - 1].text for a, b in split_arguments(toks, i + 1, close) if b > a]
            if end > 0 and toks[end - 1].text == b";":
                self.functions.setdefault(token.text, (names, toks[close + 3 : end - 1]))

    def find(self, name: bytes, at: int) -> list[Token] | None:
        """The definition of a name that holds at an offset."""
        found = self.values.get(name)
        if not found:
            return None
        before = [body for start, body in found if start < at]
        return before[-1] if before else found[0][1]


def evaluate(text: str, known: Mapping[str, int], definitions: Definitions, at: int) -> Value:
    """The value of an expression that stands at an offset; ``known`` names come first. Raises `Unknown`."""
    env = {name.encode(): value for name, value in known.items()}
    return _Reader(tokens(text.encode("utf-8", "replace")), env, _Looked(definitions), at, 0).whole()


def as_dim(value: Value) -> Dim:
    """A value as grid or block dimensions."""
    return value if isinstance(value, tuple) else (value, 1, 1)


class _Looked:
    """Definitions as one evaluation looks names up in them: so many and no more."""

    def __init__(self, definitions: Definitions) -> None:
        self.functions = definitions.functions
        self._definitions, self._left = definitions, _MOST_NAMES

    def find(self, name: bytes, at: int) -> list[Token] | None:
        """As `Definitions.find`; `Unknown` where too much has been looked up."""
        self.count()
        return self._definitions.find(name, at)

    def count(self) -> None:
        """One more body is read."""
        self._left -= 1
        if self._left < 0:
            raise Unknown


class _Reader:
    def __init__(
        self, toks: list[Token], env: Mapping[bytes, Value], definitions: _Looked, at: int, depth: int
    ) -> None:
        if depth > 12:
            raise Unknown
        self.toks, self.env, self.definitions, self.at, self.depth = toks, env, definitions, at, depth
        self.position = 0

    def whole(self) -> Value:
        value = self.ternary()
        if self.position != len(self.toks):
            raise Unknown
        return value

    def peek(self) -> bytes:
        return self.toks[self.position].text if self.position < len(self.toks) else b""

    def take(self, text: bytes) -> None:
        if self.peek() != text:
            raise Unknown
        self.position += 1

    def ternary(self) -> Value:
        condition = self.binary(0)
        if self.peek() != b"?":
            return condition
        self.position += 1
        first = self.ternary()
        self.take(b":")
        second = self.ternary()
        return first if condition else second

    def binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            operator = self.peek()
            self.position += 1
            left = _apply(operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Value:
        text = self.peek()
        if text in (b"-", b"+", b"!", b"~"):
            self.position += 1
            value = _number(self.unary())
            return {b"-": -value, b"+": value, b"!": int(not value), b"~": ~value}[text]
        if text == b"(" and self.position + 1 < len(self.toks):
            close = closing(self.toks[self.position :], 0)
            inner = self.toks[self.position + 1 : self.position + max(close, 1)]
            if inner and all(each.text in _CASTS or each.text.endswith(b"_t") for each in inner):
                self.position += close + 1
                return self.unary()
        return self.postfix()

    def postfix(self) -> Value:
        value = self.primary()
        while self.peek() == b"." and self.position + 1 < len(self.toks):
            member = self.toks[self.position + 1].text
            if not isinstance(value, tuple) or member not in (b"x", b"y", b"z"):
                raise Unknown
            self.position += 2
            value = value[b"xyz".index(member)]
        return value

    def primary(self) -> Value:
        if self.position >= len(self.toks):
            raise Unknown
        token = self.toks[self.position]
        self.position += 1
        if token.kind == "number":
            return _literal(token.text)
        if token.text == b"(":
            value = self.ternary()
            self.take(b")")
            return value
        if token.text == b"{":
            self.position -= 1
            return self.dim(self.arguments())
        if token.kind != "identifier":
            raise Unknown
        return self.name(token)

    def name(self, token: Token) -> Value:
        name = token.text
        while self.peek() == b"::" and self.position + 1 < len(self.toks):
            name = self.toks[self.position + 1].text
            self.position += 2
        if name in (b"static_cast", b"sizeof"):
            return self.cast_or_size(name)
        if name == b"true" or name == b"false":
            return int(name == b"true")
        if self.peek() == b"<" and name in (b"max", b"min"):
            while self.position < len(self.toks) and self.peek() != b">":
                self.position += 1
            self.position += 1
        if self.peek() in (b"(", b"{"):
            return self.call(name)
        if name in self.env:
            return self.env[name]
        body = self.definitions.find(name, self.at)
        if body is None:
            raise Unknown
        hidden = {key: value for key, value in self.env.items() if key != name}
        return _Reader(body, hidden, self.definitions, self.at, self.depth + 1).whole()

    def cast_or_size(self, name: bytes) -> Value:
        if name == b"sizeof":
            close = closing(self.toks[self.position :], 0) if self.peek() == b"(" else -1
            if close < 0:
                raise Unknown
            inner = self.toks[self.position + 1 : self.position + close]
            self.position += close + 1
            if inner and inner[-1].text == b"*":
                return 8
            sizes = [_SIZES[each.text] for each in inner if each.text in _SIZES]
            if not sizes:
                return 8  # an unknown type: at least no less than most
            return sizes[-1]
        while self.position < len(self.toks) and self.peek() != b">":
            self.position += 1
        self.position += 1
        self.take(b"(")
        value = self.ternary()
        self.take(b")")
        return value

    def arguments(self) -> list[Value]:
        opener = self.peek()
        close = b")" if opener == b"(" else b"}"
        self.position += 1
        out: list[Value] = []
        while self.peek() != close:
            out.append(self.ternary())
            if self.peek() == b",":
                self.position += 1
            elif self.peek() != close:
                raise Unknown
        self.position += 1
        return out

    def dim(self, values: list[Value]) -> Value:
        numbers = [_number(value) for value in values]
        if not 1 <= len(numbers) <= 3:
            raise Unknown
        padded = [*numbers, 1, 1]
        return padded[0], padded[1], padded[2]

    def call(self, name: bytes) -> Value:
        values = self.arguments()
        if name == b"dim3":
            if len(values) == 1 and isinstance(values[0], tuple):
                return values[0]
            return self.dim(values)
        numbers = [_number(value) for value in values]
        if name in (b"min", b"max") and numbers:
            return min(numbers) if name == b"min" else max(numbers)
        if name in (b"ceil", b"int", b"unsigned", b"size_t") and len(numbers) == 1:
            return numbers[0]
        known = self.definitions.functions.get(name)
        if known is not None and len(known[0]) == len(numbers):
            self.definitions.count()
            env: dict[bytes, Value] = {**self.env, **dict(zip(known[0], numbers, strict=True))}
            return _Reader(known[1], env, self.definitions, self.at, self.depth + 1).whole()
        lower = name.lower()
        if len(numbers) == 2 and numbers[1] > 0 and (b"div" in lower or b"ceil" in lower or b"blocks" in lower):
            return -(-numbers[0] // numbers[1])
        raise Unknown


def _number(value: Value) -> int:
    if isinstance(value, tuple):
        raise Unknown
    return value


def _apply(operator: bytes, first: Value, second: Value) -> int:
    left, right = _number(first), _number(second)
    if operator in (b"/", b"%"):
        if right == 0:
            raise Unknown
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == b"/" else left - quotient * right
    if operator in (b"<<", b">>"):
        if not 0 <= right < 64:
            raise Unknown
        return left << right if operator == b"<<" else left >> right
    table = {
        b"+": left + right, b"-": left - right, b"*": left * right, b"&": left & right, b"|": left | right,
        b"^": left ^ right, b"&&": int(bool(left and right)), b"||": int(bool(left or right)),
        b"==": int(left == right), b"!=": int(left != right), b"<": int(left < right), b">": int(left > right),
        b"<=": int(left <= right), b">=": int(left >= right),
    }  # fmt: skip
    return table[operator]


def _literal(text: bytes) -> int:
    digits = text.decode("ascii", "replace").replace("'", "").lower()
    if not digits.startswith("0x"):
        digits = digits.rstrip("f") if "." in digits else digits
    digits = digits.rstrip("ul")
    try:
        if "." in digits or ("e" in digits and not digits.startswith("0x")):
            number = float(digits)
            if number != int(number):
                raise Unknown
            return int(number)
        if digits.startswith("0") and digits.isdigit() and len(digits) > 1:
            return int(digits, 8)
        return int(digits, 0)
    except (ValueError, OverflowError) as error:
        raise Unknown from error
