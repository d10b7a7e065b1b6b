"""A file as a compiler in one configuration would read it: code tokens without preprocessor lines, one branch of each
conditional, brackets paired. Nothing is evaluated but ``#if 0`` and ``#if 1``.

The main view takes the first live branch of each ``#if``; each other live branch is a fragment of its own, so that
nothing a file defines under any condition is lost, and so that a brace opened in two branches and closed once stays
balanced.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from musify_ai.source import Branch, Conditional, Directive, Token, conditionals, directives, tokens

_FALSE = re.compile(rb"[\s(]*(?:0|false)[\s)]*(?:&&[^|?]*)?\Z", re.DOTALL)
_TRUE = re.compile(rb"[\s(]*(?:1|true)[\s)]*(?:\|\|.*)?\Z", re.DOTALL)
_COMMENT = re.compile(rb"//.*|/\*.*?\*/", re.DOTALL)
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}
_OPENER = {close: opening for opening, close in _PAIRS.items()}

# A fragment that opens a brace which is closed after its #endif is read on for at most this many bytes, and only so
# many of them in a file: enough for real code, and linear for any input.
_READ_ON = 200_000
_READ_ON_TIMES = 32


class View:
    """Code tokens in order, with ``match[i]`` the index of the bracket that pairs with the one at ``i`` (else -1)."""

    def __init__(self, src: bytes, toks: list[Token]) -> None:
        self.src = src
        self.tokens = toks
        self.match = _pairs(toks)

    @cached_property
    def starts(self) -> list[int]:
        """Byte offsets of the tokens, for bisecting."""
        return [token.start for token in self.tokens]

    def index(self, offset: int) -> int:
        """The index of the first token that starts at or after a byte offset."""
        return bisect_left(self.starts, offset)

    def newline_between(self, index: int) -> bool:
        """Whether a line ends between a token and the next one."""
        return b"\n" in self.src[self.tokens[index].end : self.tokens[index + 1].start]

    def text(self, first: int, stop: int) -> str:
        """The source text of tokens ``[first, stop)``, comments out, blanks between tokens collapsed to one."""
        parts: list[bytes] = []
        for index in range(first, stop):
            token = self.tokens[index]
            if index > first and token.start > self.tokens[index - 1].end:
                parts.append(b" ")
            parts.append(token.text)
        return b"".join(parts).decode("utf-8", "replace")

    def angle(self, index: int, limit: int = 400) -> int:
        """The index of the token that closes the template bracket opened at ``index``; -1 where none does.

        ``>>`` and ``>>>`` close two and three. A statement's end or a stray bracket ends the search.
        """
        depth = 0
        position = index
        stop = min(len(self.tokens), index + limit)
        while position < stop:
            token = self.tokens[position]
            text = token.text
            if token.kind == "punct":
                if text in _PAIRS:
                    if self.match[position] < 0:
                        return -1
                    position = self.match[position]
                elif text == b"<":
                    depth += 1
                elif text in (b">", b">>", b">>>"):
                    depth -= len(text)
                    if depth <= 0:
                        return position
                elif text in (b";", b")", b"]", b"}", b"<<<"):
                    return -1
            position += 1
        return -1

    def angle_open(self, close: int, limit: int = 400) -> int:
        """The ``<`` that the closing template bracket at ``close`` pairs with, looking back; -1 where none does."""
        toks = self.tokens
        depth = len(toks[close].text)
        index = close - 1
        stop = max(-1, close - limit)
        while index > stop:
            token = toks[index]
            if token.kind == "punct":
                if token.text in (b">", b">>", b">>>"):
                    depth += len(token.text)
                elif token.text == b"<":
                    depth -= 1
                    if depth <= 0:
                        return index
                elif token.text in (b";", b"{", b"<<<"):
                    return -1
                elif token.text in (b")", b"]", b"}") and self.match[index] >= 0:
                    index = self.match[index]
            index -= 1
        return -1

    def word(self, index: int) -> bytes:
        """The text of a token; empty beyond the ends."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else b""

    def is_word(self, index: int) -> bool:
        """Whether a token is an identifier (or a keyword)."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind == "identifier"


def _pairs(toks: list[Token]) -> list[int]:
    """Bracket partners. A closing brace drops unclosed round and square brackets inside it; a stray closer is none."""
    match = [-1] * len(toks)
    opened: list[int] = []
    braces = 0
    for index, token in enumerate(toks):
        if token.kind != "punct":
            continue
        text = token.text
        if text in _PAIRS:
            opened.append(index)
            braces += text == b"{"
        elif text in _OPENER:
            if text == b"}" and braces:
                while toks[opened[-1]].text != b"{":
                    opened.pop()
                braces -= 1
            elif not opened or toks[opened[-1]].text != _OPENER[text]:
                continue
            partner = opened.pop()
            match[partner], match[index] = index, partner
    return match


def without_mark(src: bytes) -> bytes:
    """The file with a byte order mark blanked, which would read as part of the first word."""
    return b"   " + src[3:] if src.startswith(b"\xef\xbb\xbf") else src


def condition(src: bytes, directive: Directive) -> bytes:
    """The condition of an ``#if`` or ``#elif`` as written, comments and continuations out."""
    text = src[directive.argument_start : directive.end].replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    return _COMMENT.sub(b" ", text)


class Reader:
    """The main view of a file and its fragments."""

    def __init__(self, src: bytes) -> None:
        self.src = src = without_mark(src)
        self.directives = directives(src)
        self.conditionals = conditionals(src, self.directives)
        self._read_on = _READ_ON_TIMES
        # For each conditional: its live branches' indices (the first of them belongs to the main view).
        self._live = [_live(src, each) for each in self.conditionals]

    @cached_property
    def main(self) -> View:
        """The view in which each conditional takes its first live branch."""
        return View(self.src, self._tokens(0, len(self.src)))

    def _left_out(self, first: int, end: int, *, dead: bool) -> list[tuple[int, int]]:
        """The outermost branches not shown (or dead), of the conditionals from an index up to a byte offset."""
        ranges = []
        for index in range(first, len(self.conditionals)):
            each = self.conditionals[index]
            if each.branches[0].directive.start >= end:
                break
            for number, branch in enumerate(each.branches):
                kept = number in self._live[index] if dead else self._live[index][:1] == [number]
                if not kept:
                    ranges.append((branch.body_start, branch.body_end))
        ranges.sort()
        found: list[tuple[int, int]] = []
        for each_range in ranges:
            if not found or each_range[0] >= found[-1][1]:
                found.append(each_range)
        return found

    @cached_property
    def _hidden(self) -> list[tuple[int, int]]:
        """Byte ranges outside the main view, disjoint and in order."""
        return self._left_out(0, len(self.src), dead=False)

    @cached_property
    def dead(self) -> list[tuple[int, int]]:
        """Byte ranges that no configuration compiles, disjoint and in order."""
        return self._left_out(0, len(self.src), dead=True)

    def is_dead(self, offset: int) -> bool:
        """Whether an offset lies under ``#if 0`` or its like."""
        index = bisect_left(self.dead, (offset + 1, 0)) - 1
        return index >= 0 and offset < self.dead[index][1]

    def _tokens(self, start: int, end: int, skip: list[tuple[int, int]] | None = None) -> list[Token]:
        """Code tokens of a byte range, preprocessor lines and hidden branches out."""
        hidden = self._hidden if skip is None else skip
        found: list[Token] = []
        position = start
        at = max(0, bisect_left(hidden, (start, 0)) - 1)
        for line in self.directives[bisect_left(self.directives, start, key=lambda each: each.start) :]:
            if line.start >= end:
                break
            while at < len(hidden) and hidden[at][1] <= position:
                at += 1
            covered = at < len(hidden) and hidden[at][0] <= position < hidden[at][1]
            if line.start > position and not covered:
                found += tokens(self.src, position, line.start)
            position = max(position, line.end)
        while at < len(hidden) and hidden[at][1] <= position:
            at += 1
        if position < end and not (at < len(hidden) and hidden[at][0] <= position < hidden[at][1]):
            found += tokens(self.src, position, end)
        return found

    def fragments(self) -> Iterator[tuple[Branch, Conditional]]:
        """The live branches that the main view leaves out, outermost first; none inside dead code."""
        for index, each in enumerate(self.conditionals):
            for number in self._live[index][1:]:
                branch = each.branches[number]
                if branch.body_start < branch.body_end and not self.is_dead(branch.body_start):
                    yield branch, each

    @cached_property
    def views(self) -> list[tuple[View, int, int]]:
        """The main view and every fragment, each with the bytes it speaks for; tokens beyond them are repeats."""
        found = [(self.main, 0, len(self.src))]
        found += [(self.fragment(b, c), b.body_start, b.body_end) for b, c in self.fragments()]
        return found

    def fragment(self, branch: Branch, owner: Conditional) -> View:
        """The view of one branch alone, read on past its ``#endif`` where it leaves a brace open."""
        inner = self._inner(branch)
        view = View(self.src, self._tokens(branch.body_start, branch.body_end, inner))
        unclosed = any(token.text == b"{" and view.match[i] < 0 for i, token in enumerate(view.tokens))
        if not unclosed or owner.endif is None or self._read_on <= 0:
            return view
        self._read_on -= 1
        rest = self._tokens(owner.endif.end, min(len(self.src), owner.endif.end + _READ_ON))
        return View(self.src, view.tokens + rest)

    def _inner(self, branch: Branch) -> list[tuple[int, int]]:
        """What stays hidden inside a branch that is itself hidden in the main view: its own conditionals' others."""
        first = bisect_left(self.conditionals, branch.body_start, key=lambda each: each.branches[0].directive.start)
        return self._left_out(first, branch.body_end, dead=False)


def _live(src: bytes, each: Conditional) -> list[int]:
    """The branches that some configuration takes."""
    found = []
    for number, branch in enumerate(each.branches):
        keyword = branch.directive.keyword
        text = condition(src, branch.directive) if keyword in (b"if", b"elif") else b""
        if text and _FALSE.match(text):
            continue
        found.append(number)
        if text and _TRUE.match(text):
            break
    return found
