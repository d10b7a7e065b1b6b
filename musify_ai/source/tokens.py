"""A C++ tokenizer over bytes, for the places where a rule has to read structure without a parser."""

import re
from typing import Literal, NamedTuple

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
# Alternation order matters: raw strings before identifiers, prefixed literals before identifiers, `<<<` before `<<`.
_TOKEN = re.compile(
    rb"(?P<space>(?:[ \t\r\n\f\v]|\\\r?\n)++)"
    rb"|(?P<comment>//(?:[^\\\n]|" + _SPLICE + rb")*+|/\*(?:[\s\S]*?\*/|[\s\S]*))"
    rb'|(?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?:[\s\S]*?\)(?P=delimiter)"|[\s\S]*))'
    rb'|(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|' + _SPLICE + rb')*+"?)'
    rb"|(?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|" + _SPLICE + rb")*+'?)"
    rb"|(?P<identifier>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+)"
    rb"|(?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[\w])|[\w.])*+)"
    rb"|(?P<punct><<<|>>>|<=>|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||##|%:"
    rb"|\+=|-=|\*=|/=|%=|&=|\|=|\^=|[\s\S])"
)

_OPENERS = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSERS = frozenset(_OPENERS.values())


def tokens(src: bytes, start: int = 0, end: int | None = None, *, trivia: bool = False) -> list[Token]:
    """The tokens between two offsets, in order; with ``trivia`` also blanks and comments, so that they tile the span.

    >>> [t.text for t in tokens(b"k<<<g, b>>>(x);")]
    [b'k', b'<<<', b'g', b',', b'b', b'>>>', b'(', b'x', b')', b';']
    """
    stop = len(src) if end is None else end
    found: list[Token] = []
    line_start = True  # only blanks and comments since the last newline
    for match in _TOKEN.finditer(src, start, stop):
        group = match.lastgroup
        text = match[0]
        if group == "space":
            # A spliced newline does not begin a line.
            if b"\n" in text.replace(b"\\\r\n", b"").replace(b"\\\n", b""):
                line_start = True
            if trivia:
                found.append(Token("space", *match.span(), text))
            continue
        if group == "comment":
            if trivia:
                found.append(Token("comment", *match.span(), text))
            continue
        kind: TokenKind
        if group == "punct":
            kind = "directive-start" if text in (b"#", b"%:") and line_start else "punct"
        elif group in ("raw", "delimiter", "string"):
            kind = "string"
        elif group == "char":
            kind = "char"
        elif group == "identifier":
            kind = "identifier"
        else:
            kind = "number"
        line_start = False
        found.append(Token(kind, *match.span(), text))
    return found


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
