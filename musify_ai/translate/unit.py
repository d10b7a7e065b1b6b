"""One file as the rules see it: its bytes, and the views of them that are made when first asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from musify_ai.records import ARCHS, Options
from musify_ai.source import directives as preprocessor_lines
from musify_ai.source.directives import Conditional, Directive, conditionals
from musify_ai.source.lexing import Occurrence, Region, occurrences, regions, words
from musify_ai.source.patterns import late_pattern
from musify_ai.source.positions import Lines
from musify_ai.source.tokens import Token, tokens
from musify_ai.translate.suppression import Exclusion, exclusions
from musify_ai.translate.surroundings import Surroundings

if TYPE_CHECKING:
    from tree_sitter import Tree

_MUSA_SUFFIXES = (".mu", ".muh")
_MUSA_MACROS = frozenset((b"__MUSA__", b"__MUSACC__", b"__MUSA_ARCH__", b"__MUSA_ARCH_LIST__", b"__MCC__"))
_MUSA_INCLUDE = late_pattern(rb'#[ \t]*include[ \t]*[<"](?:musa|musa_\w+|mublas\w*|mudnn\w*)\.h[>"]')
_NAME = late_pattern(rb"[ \t]*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)")
_CLOSERS = {b")": b"(", b"]": b"[", b"}": b"{"}
_DEVICE_WORDS = frozenset((b"__global__", b"__device__"))


class Unit:
    """One source file under translation.

    ``unsettled`` holds the spans that rules found they cannot settle; `translate` fills it in before it runs the
    rules whose answer depends on it (arch guards).
    """

    def __init__(
        self, path: str, src: bytes, options: Options | None = None, surroundings: Surroundings | None = None
    ) -> None:
        self.path = path
        self.src = src
        self.options = Options() if options is None else options
        self.surroundings = Surroundings() if surroundings is None else surroundings
        self.unsettled: tuple[tuple[int, int], ...] = ()
        self.memo: dict[str, Any] = {}

    @cached_property
    def words(self) -> set[bytes]:
        """Every word anywhere in the file, comments and literals included."""
        return words(self.src)

    @cached_property
    def regions(self) -> list[Region]:
        """Comments, literals, include tokens and message lines."""
        return regions(self.src)

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens without blanks and comments, those of preprocessor lines included."""
        return tokens(self.src)

    @cached_property
    def directives(self) -> list[Directive]:
        """The preprocessor lines in order."""
        return preprocessor_lines(self.src, self.regions)

    @cached_property
    def conditionals(self) -> list[Conditional]:
        """The ``#if`` blocks in the order they open."""
        return conditionals(self.src, self.directives)

    @cached_property
    def lines(self) -> Lines:
        """From offsets to lines."""
        return Lines(self.src)

    @cached_property
    def tree(self) -> Tree:
        """The tree-sitter view. The parser is loaded by the first file that asks for it."""
        from musify_ai.syntax.tree import parse

        return parse(self.src)

    @cached_property
    def partners(self) -> dict[int, int]:
        """For each bracket in `tokens` that has one, the index of its partner; one pass for the whole file.

        Where an ``#if`` splits a pair, the bracket that is left over has no partner.
        """
        found: dict[int, int] = {}
        stack: list[int] = []
        open_now = dict.fromkeys(_CLOSERS.values(), 0)
        toks = self.tokens
        for index, token in enumerate(toks):
            if token.kind != "punct":
                continue
            text = token.text
            if text in open_now:
                stack.append(index)
                open_now[text] += 1
            elif text in _CLOSERS and open_now[_CLOSERS[text]]:
                while True:
                    opener = stack.pop()
                    open_now[toks[opener].text] -= 1
                    if toks[opener].text == _CLOSERS[text]:
                        break
                found[opener] = index
                found[index] = opener
        return found

    @cached_property
    def openers(self) -> list[int]:
        """For each token the index of the innermost bracket with a partner that is open there; -1 for none."""
        found: list[int] = []
        stack = [-1]
        for index in range(len(self.tokens)):
            partner = self.partners.get(index)
            if partner is not None and partner < index:
                stack.pop()
            found.append(stack[-1])
            if partner is not None and partner > index:
                stack.append(index)
        return found

    @cached_property
    def exclusions(self) -> list[Exclusion]:
        """Where comments tell the tool to keep out."""
        return exclusions(self.src, self.regions) if self.words & _EXCLUSION_WORDS else []

    @cached_property
    def is_musa(self) -> bool:
        """Whether the file is MUSA source already: by its suffix, an include, or a guard on a MUSA macro."""
        if self.path.lower().endswith(_MUSA_SUFFIXES):
            return True
        held = self.words & _MUSA_MACROS
        if held and self.occurrences(held):
            return True
        return any(
            region.kind == "include" and _MUSA_INCLUDE.match(self.src, region.start, region.end)
            for region in (self.regions if b"<mu" in self.src or b'"mu' in self.src else ())
        )

    @cached_property
    def sdk(self) -> tuple[int, ...]:
        """The numbers of the target SDK's version."""
        return tuple(int(part) for part in re.findall(r"\d+", self.options.sdk))

    @cached_property
    def wide_archs(self) -> tuple[str, ...]:
        """The target archs whose warps are wider than 32 lanes."""
        return tuple(name for name in self.options.archs if name in ARCHS and ARCHS[name].lanes > 32)

    @cached_property
    def device_spans(self) -> list[tuple[int, int]]:
        """Bodies of functions and lambdas marked ``__global__`` or ``__device__``, found by tokens alone, outermost
        only. A decorator macro hides its function from this; no rule may take silence here for host code."""
        toks, partners = self.tokens, self.partners
        spans: list[tuple[int, int]] = []
        covered = 0
        for index, token in enumerate(toks):
            if token.text not in _DEVICE_WORDS or token.start < covered:
                continue
            position = index + 1
            while position < len(toks):
                text = toks[position].text
                if text in (b"(", b"["):
                    position = partners.get(position, len(toks))
                elif text == b"{":
                    closed = partners.get(position)
                    end = len(self.src) if closed is None else toks[closed].end
                    spans.append((toks[position].start, end))
                    covered = end
                    break
                elif (
                    text in (b";", b"}")
                    or text in _DEVICE_WORDS
                    or (text == b"=" and toks[position - 1].text != b"operator")
                ):
                    break
                position += 1
        return spans

    def device_body(self, offset: int) -> tuple[int, int] | None:
        """The body among `device_spans` that an offset lies in."""
        spans = self.device_spans
        index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
        return spans[index] if index >= 0 and offset < spans[index][1] else None

    def in_device_code(self, offset: int) -> bool:
        """Whether an offset lies in a body that `device_spans` knows."""
        return self.device_body(offset) is not None

    def directive_at(self, offset: int) -> Directive | None:
        """The preprocessor line that holds an offset."""
        lines = self.directives
        index = bisect_right(lines, offset, key=lambda line: line.start) - 1
        return lines[index] if index >= 0 and offset < lines[index].end else None

    def token_index(self, offset: int) -> int:
        """The index in `tokens` of the token that begins at an offset; -1 where none does."""
        index = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        return index if index >= 0 and self.tokens[index].start == offset else -1

    def occurrences(self, names: Iterable[bytes]) -> list[Occurrence]:
        """Where some of the file's words stand in code."""
        held = self.words.intersection(names)
        return occurrences(self.src, held, known_regions=self.regions) if held else []

    def excluded(self, start: int, end: int, code: str) -> bool:
        """Whether a comment keeps this code (or every one) out of a span."""
        lines = self.exclusions
        stop = max(end, start + 1)
        # Exclusions are in order of their ends, so the first that may touch the span is found at once.
        for index in range(bisect_right(lines, start, key=lambda each: each.end), len(lines)):
            if lines[index].start < stop and lines[index].covers(code):
                return True
            if lines[index].line_start >= stop:
                return False
        return False

    @cached_property
    def macros(self) -> frozenset[bytes]:
        """The names of the macros that the file itself defines."""
        names = (_NAME.match(self.src, line.argument_start) for line in self.directives if line.keyword == b"define")
        return frozenset(name[1] for name in names if name is not None)


_EXCLUSION_WORDS = frozenset((b"MUSIFY_EXCL_START", b"MUSIFY_EXCL_STOP", b"MUSIFY_EXCL_LINE", b"musify"))
