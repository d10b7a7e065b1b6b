"""A file's tokens with what preparing needs to know of each: its bracket's partner, its macro, its scope."""

from typing import NamedTuple

from musify_ai.source.directives import Directive, directives
from musify_ai.source.positions import Lines
from musify_ai.source.tokens import Token, tokens

_PAIR = {b")": b"(", b"]": b"[", b"}": b"{"}
_OPENERS = frozenset(_PAIR.values())
_RECORD_WORDS = frozenset((b"struct", b"class", b"union", b"enum"))
# How many unclosed ( or [ a stray } may pass over; a bound, so that hostile input stays linear.
_STRAY = 64


class Replacement(NamedTuple):
    """Bytes ``[start, end)`` of the file and what stands there instead, newlines not yet evened out."""

    start: int
    end: int
    text: bytes


class Macro(NamedTuple):
    """The ``#define`` a token stands in: its parameters and the token indices ``[start, stop)`` of its body.

    ``order``: the parameters as they stand, ``None`` for a macro that takes no list of them.
    """

    name: bytes
    parameters: frozenset[bytes]
    order: tuple[bytes, ...] | None
    start: int
    stop: int


class _Open(NamedTuple):
    opener: int
    bracket: bytes
    kind: str  # of a brace: "namespace", "class" or "block"; inherited by ( and [
    brace: int  # the index of the innermost {, this one included; -1 for none
    below: "_Open | None"


class Scan:
    """One file, tokenized once. Every list is indexed by token.

    ``partner``: the index of the bracket that closes or opens this one, -1 for none.
    ``macro``: the ``#define`` whose body the token belongs to, ``None`` in plain code.
    ``directive``: whether it stands on a preprocessor line at all.
    ``brace``: the index of the innermost ``{`` around it, -1 for none.
    ``scope``: "namespace", "class" or "block": the innermost brace around it (a macro's body counts as a block).
    """

    def __init__(self, src: bytes) -> None:
        self.src = src
        self.toks: list[Token] = tokens(src)
        self.lines = Lines(src)
        count = len(self.toks)
        self.partner = [-1] * count
        self.macro: list[Macro | None] = [None] * count
        self.directive = [False] * count
        self.scope = ["namespace"] * count
        self.brace = [-1] * count
        self.directives: list[Directive] = directives(src)
        self._walk()

    def line(self, index: int) -> int:
        """The line of a token, from 1."""
        return self.lines.line_of(self.toks[index].start)

    def flat(self, start: int, stop: int) -> bytes:
        """The text of tokens ``[start, stop)`` on one line: one blank wherever anything stood between two."""
        parts: list[bytes] = []
        for index in range(start, stop):
            token = self.toks[index]
            if parts and token.start > self.toks[index - 1].end:
                parts.append(b" ")
            parts.append(token.text)
        return b"".join(parts)

    def text(self, index: int) -> bytes:
        """The text of a token, empty outside the file."""
        return self.toks[index].text if 0 <= index < len(self.toks) else b""

    def kind(self, index: int) -> str:
        """The kind of a token, empty outside the file."""
        return self.toks[index].kind if 0 <= index < len(self.toks) else ""

    def _walk(self) -> None:
        toks, count = self.toks, len(self.toks)
        top: _Open | None = None
        saved: list[_Open | None] = []  # the open brackets at each #if: every branch begins with the same ones
        statement = 0
        index = 0
        lines = iter(self.directives)
        line = next(lines, None)
        while index < count:
            if line is not None and toks[index].start >= line.start:
                if toks[index].start < line.end:
                    stop = index
                    while stop < count and toks[stop].start < line.end:
                        stop += 1
                    self._directive(line, index, stop)
                    if line.keyword in (b"if", b"ifdef", b"ifndef"):
                        saved.append(top)
                    elif line.keyword in (b"else", b"elif", b"elifdef", b"elifndef") and saved:
                        top = saved[-1]
                    elif line.keyword == b"endif" and saved:
                        saved.pop()
                    index = stop
                line = next(lines, None)
                continue
            token = toks[index]
            kind = top.kind if top else "namespace"
            self.scope[index] = kind
            self.brace[index] = top.brace if top else -1
            if token.kind == "punct":
                if token.text in _OPENERS:
                    if token.text == b"{":
                        kind = self._brace_kind(statement, index, kind)
                        statement = index + 1
                    inner = index if token.text == b"{" else top.brace if top else -1
                    top = _Open(index, token.text, kind, inner, top)
                elif token.text in _PAIR:
                    top = self._close(index, token.text, top)
                    if token.text == b"}":
                        statement = index + 1
                elif token.text == b";":
                    statement = index + 1
            index += 1

    def _close(self, index: int, text: bytes, top: _Open | None) -> _Open | None:
        wanted, node, passed = _PAIR[text], top, 0
        if text == b"}":
            while node is not None and node.bracket != wanted and passed < _STRAY:
                node, passed = node.below, passed + 1
        if node is None or node.bracket != wanted:
            return top
        self.partner[index], self.partner[node.opener] = node.opener, index
        return node.below

    def _directive(self, line: Directive, start: int, stop: int) -> None:
        macro: Macro | None = None
        body = stop
        if line.keyword == b"define" and stop - start >= 3:
            body = start + 3  # '#', 'define', the name
            order: tuple[bytes, ...] | None = None
            if body < stop and self.toks[body].text == b"(" and self.toks[body].start == self.toks[body - 1].end:
                names: list[bytes] = []
                while body < stop and self.toks[body].text != b")":
                    if self.toks[body].kind == "identifier":
                        names.append(self.toks[body].text)
                    elif self.toks[body].text == b"...":
                        names.append(b"__VA_ARGS__")
                    body += 1
                body += 1
                order = tuple(names)
            macro = Macro(self.toks[start + 2].text, frozenset(order or ()), order, body, stop)
        opened: list[int] = []
        for index in range(start, stop):
            self.directive[index] = True
            self.scope[index] = "block"
            if index >= body:
                self.macro[index] = macro
            text = self.toks[index].text
            if self.toks[index].kind != "punct":
                continue
            if text in _OPENERS:
                opened.append(index)
            elif text in _PAIR and opened and self.toks[opened[-1]].text == _PAIR[text]:
                other = opened.pop()
                self.partner[index], self.partner[other] = other, index

    def _brace_kind(self, statement: int, brace: int, outer: str) -> str:
        """What the brace opens, read from the statement that it ends."""
        before = self.text(brace - 1)
        if before in (b")", b"const", b"noexcept", b"override", b"final", b"mutable", b"try", b"else", b"do"):
            return "block"
        record = False
        index = statement
        while index < brace:
            if self.directive[index]:
                index += 1
                continue
            text = self.toks[index].text
            if outer != "block" and text == b"namespace":
                return "namespace"
            if outer != "block" and text == b"extern" and index + 2 == brace and self.kind(index + 1) == "string":
                return "namespace"
            if text == b"template" and self.text(index + 1) == b"<":
                index = max(index + 1, self.angle_end(index + 1, brace))
                continue
            if text in _RECORD_WORDS:
                record = True
            partner = self.partner[index]
            index = partner + 1 if text in _OPENERS and index < partner < brace else index + 1
        return "class" if record else "block"

    def angle_end(self, start: int, stop: int) -> int:
        """The index past the ``>`` that closes the ``<`` at ``start``; -1 where none does before ``stop``."""
        depth, index = 0, start
        while index < stop:
            text = self.toks[index].text
            if text == b"<":
                depth += 1
            elif text in (b">", b">>", b">>>"):
                depth -= len(text)
                if depth <= 0:
                    return index + 1
            elif text in (b"(", b"[", b"{"):
                partner = self.partner[index]
                if partner <= index:
                    return -1
                index = partner
            elif text in (b";", b"}", b")", b"]"):
                return -1
            index += 1
        return -1

    def angle_start(self, last: int, limit: int = 4096) -> int:
        """The index of the ``<`` that the ``>`` at ``last`` closes, read backwards; -1 where there is none."""
        depth, index, floor = 0, last, max(0, last - limit)
        while index >= floor:
            text = self.toks[index].text
            if text in (b">", b">>", b">>>"):
                depth += len(text)
            elif text in (b"<", b"<<", b"<<<"):
                depth -= len(text)
                if depth <= 0:
                    return index if depth == 0 else -1
            elif text in (b")", b"]", b"}"):
                partner = self.partner[index]
                if partner < 0 or partner > index:
                    return -1
                index = partner
            elif text in (b";", b"{", b"(", b"["):
                return -1
            index -= 1
        return -1


def apply(scan: Scan, replacements: list[Replacement]) -> bytes:
    """The file with replacements applied, newlines evened out: each keeps as many as it replaces.

    Overlapping ones cannot be meant: the later is dropped. On a macro's lines the newlines stay spliced.
    """
    out: list[bytes] = []
    position = 0
    spans = [(line.start, line.end) for line in scan.directives]
    line = 0
    for change in sorted(replacements, key=lambda item: (item.start, item.end)):
        if change.start < position:
            continue
        while line < len(spans) and spans[line][1] <= change.start:
            line += 1
        spliced = line < len(spans) and spans[line][0] <= change.start
        out.append(scan.src[position : change.start])
        lost = scan.src.count(b"\n", change.start, change.end)
        text = change.text.replace(b"\n", b" ")
        out.append(text + (b" \\\n" if spliced else b"\n") * lost)
        position = change.end
    out.append(scan.src[position:])
    return b"".join(out)
