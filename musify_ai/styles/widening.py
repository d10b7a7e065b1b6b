"""From a few bytes to whole lines that a preprocessor's branch can hold: statements, directives and their groups."""

from bisect import bisect_right
from collections.abc import Iterable

from musify_ai.source.directives import Conditional, Directive, conditionals, directives
from musify_ai.source.lexing import BOM, regions
from musify_ai.source.tokens import tokens

Span = tuple[int, int]

_CLOSERS = {b")": b"(", b"]": b"[", b"}": b"{"}
_CONTINUING = frozenset((b"else", b"elif", b"elifdef", b"elifndef", b"endif"))
_ROUND = frozenset((b"(", b"["))


class Widening:
    """The lines of a file, and what of them belongs together."""

    def __init__(self, src: bytes) -> None:
        self.src = src
        self.regions = regions(src)
        self.directives = directives(src, self.regions)
        self._starts = _line_starts(src)
        self._groups = [_group(each) for each in conditionals(src, self.directives)]
        grouped = {first for group, _ in self._groups for first, _ in group}
        self._stray = [
            each.start for each in self.directives if each.keyword in _CONTINUING and each.start not in grouped
        ]
        self._tied = sorted(
            [
                *((each.start, each.end) for each in self.regions if b"\n" in src[each.start : each.end]),
                *((each.start, each.end) for each in self.directives),
                *self._parentheses(),
            ]
        )

    def widened(self, span: Span) -> Span | None:
        """The lines that a span wants: whole logical lines, no comment, literal, parenthesis or directive cut in two,
        and of an ``#if`` all or nothing. None where an ``#if`` is never closed, or an ``#else`` has none."""
        start, end = self._lines(span)
        while True:
            wider = self._lines(self._whole(start, end))
            for directives_of, is_closed in self._groups:
                inside = [first for first, _ in directives_of if wider[0] <= first < wider[1]]
                if inside and (len(inside) < len(directives_of) or not is_closed):
                    if not is_closed:
                        return None
                    wider = self._lines((min(wider[0], directives_of[0][0]), max(wider[1], directives_of[-1][1])))
            if wider == (start, end):
                return None if any(start <= each < end for each in self._stray) else wider
            start, end = wider

    def directive_at(self, span: Span) -> Directive | None:
        """The directive that holds a span."""
        index = bisect_right(self.directives, span[0], key=lambda each: each.start) - 1
        found = self.directives[index] if index >= 0 else None
        return found if found is not None and span[1] <= found.end else None

    def _whole(self, start: int, end: int) -> Span:
        """The span with what it cuts into taken in whole."""
        for first, last in self._tied:
            if first >= end:
                break
            if last > start and (first < start or last > end):
                start, end = min(start, first), max(end, last)
        return start, end

    def _lines(self, span: Span) -> Span:
        """A span widened to whole lines with their continuations."""
        src, starts = self.src, self._starts
        line = bisect_right(starts, span[0]) - 1
        while line > 0 and _goes_on(src, starts[line]):
            line -= 1
        start = starts[line]
        last = bisect_right(starts, max(span[1] - 1, span[0])) - 1
        while last + 1 < len(starts) and _goes_on(src, starts[last + 1]):
            last += 1
        return start, starts[last + 1] if last + 1 < len(starts) else len(src)

    def _parentheses(self) -> Iterable[Span]:
        """The outermost parentheses and brackets that span lines: directives within a macro's arguments would be
        undefined, so no branch may begin or end there."""
        stack: list[tuple[bytes, int]] = []
        outermost: list[Span] = []
        skip = iter(self.directives)
        line = next(skip, None)
        for token in tokens(self.src):
            while line is not None and token.start >= line.end:
                line = next(skip, None)
            if token.kind != "punct" or (line is not None and token.start >= line.start):
                continue
            text = token.text
            if text in (b"(", b"[", b"{"):
                stack.append((text, token.start))
            elif text in _CLOSERS and any(opener == _CLOSERS[text] for opener, _ in stack[-64:]):
                while stack:
                    opener, start = stack.pop()
                    if opener == _CLOSERS[text]:
                        break
                if opener in _ROUND and not any(each in _ROUND for each, _ in stack):
                    outermost.append((start, token.end))
        return [each for each in outermost if b"\n" in self.src[each[0] : each[1]]]


def _group(conditional: Conditional) -> tuple[list[Span], bool]:
    """The directives of a conditional, and whether it is closed."""
    lines = [each.directive for each in conditional.branches]
    if conditional.endif is not None:
        lines.append(conditional.endif)
    return [(each.start, each.end) for each in lines], conditional.endif is not None


def _line_starts(src: bytes) -> list[int]:
    begin = len(BOM) if src.startswith(BOM) else 0
    starts = [begin]
    at = src.find(b"\n", begin)
    while 0 <= at < len(src) - 1:
        starts.append(at + 1)
        at = src.find(b"\n", at + 1)
    return starts


def _goes_on(src: bytes, start: int) -> bool:
    """Whether the line that begins at an offset is the continuation of the one before."""
    return src[max(start - 2, 0) : start] == b"\\\n" or src[max(start - 3, 0) : start] == b"\\\r\n"


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that overlap or touch made one."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out
