"""Device variables of a file: ``__constant__`` and ``__device__`` definitions at namespace scope."""

from typing import NamedTuple

from musify_ai.source import Token, closing, directives, tokens

_MARKS = (b"__constant__", b"__device__", b"__managed__")


class Variable(NamedTuple):
    """A device variable by its qualified name; ``parameters`` counts those of a template, 0 for a plain variable."""

    name: str
    constant: bool
    initialized: bool
    parameters: int = 0


def device_variables(src: bytes) -> list[Variable]:
    """The variables that a kernel may read or write and a host may copy to and from; constants proper left out."""
    if not any(mark in src for mark in _MARKS):
        return []
    toks = _code(src)
    found: dict[str, Variable] = {}
    _scan(toks, 0, len(toks), (), found)
    return list(found.values())


def _code(src: bytes) -> list[Token]:
    """The tokens outside of preprocessor lines."""
    lines = [(each.start, each.end) for each in directives(src)]
    out, at = [], 0
    for token in tokens(src):
        while at < len(lines) and lines[at][1] <= token.start:
            at += 1
        if at == len(lines) or token.start < lines[at][0]:
            out.append(token)
    return out


def _scan(toks: list[Token], i: int, end: int, scope: tuple[str, ...], found: dict[str, Variable]) -> None:
    first = i
    while i < end:
        text = toks[i].text
        if text == b";":
            _declaration(toks[first:i], scope, found)
            i += 1
            first = i
        elif text == b"{":
            close = closing(toks, i)
            if close < 0:
                return
            head = [token.text for token in toks[first:i]]
            if b"namespace" in head or (head[:1] == [b"extern"] and len(head) == 2):
                names = [] if b"namespace" not in head else head[head.index(b"namespace") + 1 :]
                inner = tuple(each.decode("utf-8", "replace") for each in names if each != b"::")
                _scan(toks, i + 1, close, (*scope, *inner), found)
                first = close + 1
            elif not _goes_on(toks, close, end):
                first = close + 1  # a function's body
            i = close + 1
        elif text in (b"(", b"["):
            close = closing(toks, i)
            if close < 0:
                return
            i = close + 1
        else:
            i += 1


def _goes_on(toks: list[Token], close: int, end: int) -> bool:
    """Whether a declaration continues after its closing brace: an initializer or a class."""
    return close + 1 < end and toks[close + 1].text in (b";", b",")


def _declaration(toks: list[Token], scope: tuple[str, ...], found: dict[str, Variable]) -> None:
    words = [token.text for token in toks]
    if not any(mark in words for mark in _MARKS) or words[0] in (b"extern", b"using", b"typedef"):
        return
    parameters = 0
    if words[0] == b"template":
        close = next((i for i, text in enumerate(words) if text == b">"), -1)
        if close < 0 or words[1] != b"<" or b"<" in words[2:close] or close == 2:
            return  # a specialisation, or more than is read here
        parameters = words[2:close].count(b",") + 1
        toks, words = toks[close + 1 :], words[close + 1 :]
    if b"constexpr" in words or b"extern" in words or b"__shared__" in words:
        return
    stop = next((i for i, text in enumerate(words) if text in (b"=", b"{", b"[")), len(words))
    head = words[:stop]
    constant = b"__constant__" in head
    if b"(" in head and head[-1] == b")":
        return  # a function's declaration
    if b"const" in head and not constant:
        return
    if not head or toks[stop - 1].kind != "identifier" or len(head) < 3:
        return
    name = "::".join((*scope, head[-1].decode("utf-8", "replace")))
    found.setdefault(name, Variable(name, constant, b"=" in words[stop:] or b"{" in words[stop:], parameters))
