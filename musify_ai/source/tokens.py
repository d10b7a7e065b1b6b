"""A C++ tokenizer over bytes, for the places where a rule has to read structure without a parser."""

from bisect import bisect_left
from itertools import accumulate
from typing import Literal, NamedTuple

from musify_ai.source.patterns import late_pattern

TokenKind = Literal["identifier", "number", "string", "char", "punct", "directive-start", "comment", "space"]


class Token(NamedTuple):
    """One token: its kind, its bytes ``[start, end)`` and their text.

    ``directive-start`` is the ``#`` that begins a preprocessor line; ``space`` covers blanks, newlines and line
    splices. A string's prefix (``u8``, ``L``) is part of it.
    """

    kind: TokenKind
    start: int
    end: int
    text: bytes


_SPLICE = rb"\\(?:\r\n|[\s\S])"
# The alternatives tile the input, so that `findall` gives every byte and offsets are sums of lengths; no match object
# is made. The order is by frequency; a word right before a quote waits until the literals with a prefix were tried.
# The raw-string alternative needs a group and is left out where the input has none.
_HEAD = (
    rb"(?:[ \t\r\n\f\v]|\\\r?\n)++"
    rb"|[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+(?![\"'])"
    rb"|[(){}\[\];,?~]"
    rb"|//(?:[^\\\n]|" + _SPLICE + rb")*+|/\*(?:[\s\S]*?\*/|[\s\S]*)"
    rb"|\.?[0-9](?:[eEpP][+-]|'(?=[\w])|[\w.])*+"
)
_RAW = rb'|(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?:[\s\S]*?\)(?P=delimiter)"|[\s\S]*)'
_TAIL = (
    rb'|(?:u8|[uUL])?"(?:[^"\\\n]|' + _SPLICE + rb')*+"?'
    rb"|(?:u8|[uUL])?'(?:[^'\\\n]|" + _SPLICE + rb")*+'?"
    rb"|[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"
    rb"|<<<|>>>|<=>|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||##|%:"
    rb"|\+=|-=|\*=|/=|%=|&=|\|=|\^=|[\s\S]"
)
_PLAIN = late_pattern(_HEAD + _TAIL)
_WITH_RAW = late_pattern(_HEAD + _RAW + _TAIL)


_SPACE = "space"
_BLANKS = b" \t\r\n\f\v"


def _first_bytes() -> list[TokenKind | None]:
    """What a token is by its first byte alone; None where that takes a second look."""
    found: list[TokenKind | None] = ["punct"] * 256
    for byte in range(256):
        if byte >= 128 or chr(byte).isalpha() or byte in b"_$":
            found[byte] = "identifier"
        elif chr(byte).isdigit():
            found[byte] = "number"
    for byte in _BLANKS:
        found[byte] = "space"
    for byte in b"uULR/.\\#%":
        found[byte] = None
    found[0x22], found[0x27] = "string", "char"
    return found


_BY_FIRST = _first_bytes()
_TRIVIA = frozenset(("comment", "space"))
_OPENERS = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSERS = frozenset(_OPENERS.values())


def tokens(src: bytes, start: int = 0, end: int | None = None, *, trivia: bool = False) -> list[Token]:
    """The tokens between two offsets, in order; with ``trivia`` also blanks and comments, so that they tile the span.

    >>> [t.text for t in tokens(b"k<<<g, b>>>(x);")]
    [b'k', b'<<<', b'g', b',', b'b', b'>>>', b'(', b'x', b')', b';']
    """
    stop = len(src) if end is None else end
    texts = _texts(src, start, stop)
    starts = list(accumulate(map(len, texts), initial=start))
    by_first, make = _BY_FIRST, tuple.__new__  # a NamedTuple's own constructor takes three times as long
    found: list[Token] = [
        make(Token, (kind, begin, begin + len(text), text))
        for text, begin in zip(texts, starts, strict=False)
        if (kind := by_first[text[0]]) is not _SPACE or trivia
        if kind is not None or (kind := _second_look(texts, starts, text, begin)) not in _TRIVIA or trivia
    ]
    return found


def _texts(src: bytes, start: int, stop: int) -> list[bytes]:
    """The pieces between two offsets, which together are all of it."""
    if src.find(b'R"', start, stop) >= 0:
        return [match[0] for match in _WITH_RAW.finditer(src, start, stop)]
    return _PLAIN.findall(src, start, stop)


def _second_look(texts: list[bytes], starts: list[int], text: bytes, begin: int) -> TokenKind:
    """What a token is of which the first byte alone does not tell."""
    first = text[0]
    if first == 0x2F:
        return "comment" if text[1:2] in (b"/", b"*") else "punct"
    if first == 0x5C:
        return "space" if len(text) > 1 else "punct"
    if first == 0x2E:
        return "number" if text[1:2].isdigit() else "punct"
    if first in b"#%":
        return (
            "directive-start" if text in (b"#", b"%:") and _begins_line(texts, bisect_left(starts, begin)) else "punct"
        )
    # A literal with a prefix begins like a word, but a word holds no quote.
    return "string" if b'"' in text[:4] else "char" if b"'" in text[:4] else "identifier"


def _begins_line(texts: list[bytes], index: int) -> bool:
    """Whether only blanks and comments stand before a piece in its line; a spliced newline does not begin one."""
    for position in range(index - 1, -1, -1):
        text = texts[position]
        if text[0] in _BLANKS or (text[0] == 0x5C and len(text) > 1):
            if b"\n" in text.replace(b"\\\r\n", b"").replace(b"\\\n", b""):
                return True
        elif text[:2] not in (b"//", b"/*"):
            return False
    return True


def closing(toks: list[Token], index: int) -> int:
    """The index of the token that closes the ``(``, ``[`` or ``{`` at ``index``; -1 where none does.

    Openers of all three kinds nest; a stray closer of another kind ends the search, for it cannot be inside.
    """
    stack = [_OPENERS[toks[index].text]]
    for position in range(index + 1, len(toks)):
        token = toks[position]
        if token.kind != "punct":
            continue
        if token.text in _OPENERS:
            stack.append(_OPENERS[token.text])
        elif token.text in _CLOSERS:
            if token.text != stack.pop():
                return -1
            if not stack:
                return position
    return -1


def split_arguments(toks: list[Token], start: int, end: int) -> list[tuple[int, int]]:
    """Ranges ``[i, j)`` of token indices between the top-level commas of ``toks[start:end]``; none for no tokens.

    Template angle brackets are not nested here: ``f(a<b, c>(d))`` splits in two, as it would in a macro call.
    """
    if start >= end:
        return []
    pieces, depth, begin = [], 0, start
    for position in range(start, end):
        token = toks[position]
        if token.kind != "punct":
            continue
        if token.text in _OPENERS:
            depth += 1
        elif token.text in _CLOSERS:
            depth -= 1
        elif token.text == b"," and depth == 0:
            pieces.append((begin, position))
            begin = position + 1
    pieces.append((begin, end))
    return pieces
