"""Taking parts out of a file so that the rest builds: a function's body becomes a trapping stub, a declaration blanks.

Lines stay where they are: what is taken out leaves its newlines behind.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, NamedTuple

from musify_ai.kernels.functions import FunctionSpan, enclosing_functions
from musify_ai.kernels.outline import Outline
from musify_ai.source import blank, directives, occurrences, words

_DEFINED = re.compile(rb"[ \t]*([A-Za-z_]\w*)")

STAND_IN = "musify_stand_in.h"
"""What a header that is not here is replaced by. The libraries' headers bring the small floating types along."""

BUILD = "build-failed: "
"""What the code of a stub begins with when the function does not build; else it is a finding's code."""


class Reason(NamedTuple):
    """Why something was taken out: a finding's ``code``, or the compiler's ``message`` (then ``code`` is empty).

    ``shared`` says that the other side lacks the same thing for the same cause (a library that is not emulated).
    """

    code: str
    message: str = ""
    shared: bool = False

    @property
    def text(self) -> str:
        """The code, or the message marked as a failed build."""
        return self.code or BUILD + self.message


class Patch(NamedTuple):
    """Bytes ``[start, end)`` of a file to be replaced: a body by a stub, an include by `STAND_IN`, else by nothing."""

    start: int
    end: int
    kind: Literal["stub", "blank", "header"]
    reason: Reason


class FileParts:
    """A file, and where its functions, declarations, macros and lines are."""

    def __init__(self, path: str, src: bytes) -> None:
        self.path = path
        self.src = src

    @cached_property
    def outline(self) -> Outline:
        """The declarations of the file."""
        return Outline(self.src)

    @cached_property
    def functions(self) -> list[FunctionSpan]:
        """The function definitions, by start."""
        return enclosing_functions(self.src, self.outline)

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which lines begin, for newlines as compilers count them."""
        return [0, *(match.end() for match in re.finditer(rb"\n", self.src))]

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.line_starts, offset)

    def line_span(self, line: int) -> tuple[int, int]:
        """The bytes of a line."""
        if not 1 <= line <= len(self.line_starts):
            return (len(self.src), len(self.src))
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.src)
        return self.line_starts[line - 1], end

    def function_at_line(self, line: int) -> FunctionSpan | None:
        """The innermost function that has a part on a line."""
        start, end = self.line_span(line)
        best: FunctionSpan | None = None
        for span in self.functions:
            if (
                span.start < end
                and span.end > start
                and (best is None or span.end - span.start <= best.end - best.start)
            ):
                best = span
        return best

    def declaration_at_line(self, line: int) -> tuple[int, int] | None:
        """The smallest declaration outside of functions that has a part on a line."""
        start, end = self.line_span(line)
        found = [
            (item.start, item.end)
            for item in self.outline.items
            if item.start < end and item.end > start and item.declaration.kind != "function"
        ]
        return min(found, key=lambda span: span[1] - span[0], default=None)

    def directive_at_line(self, line: int) -> tuple[int, int, bytes] | None:
        """The preprocessor line at a line: its bytes and keyword."""
        start, end = self.line_span(line)
        for directive in directives(self.src):
            if directive.start < end and directive.end > start:
                return directive.start, directive.end, directive.keyword
        return None

    @cached_property
    def macros(self) -> dict[bytes, tuple[int, int]]:
        """Macros that the file defines, by name: the bytes of the definition."""
        found: dict[bytes, tuple[int, int]] = {}
        for directive in directives(self.src):
            if directive.keyword == b"define":
                match = _DEFINED.match(self.src, directive.argument_start)
                if match:
                    found[match[1]] = (directive.start, directive.end)
        return found


def base_name(name: str) -> bytes:
    """A function's name without scopes and template arguments."""
    return name.split("<", 1)[0].rsplit("::", 1)[-1].encode("utf-8", "replace")


class Mentions:
    """Which functions and macros of some files mention which others, by name: never too few, sometimes too many."""

    def __init__(self, files: Mapping[str, FileParts]) -> None:
        self._bodies: dict[bytes, set[bytes]] = {}
        self._texts: dict[bytes, list[tuple[bytes, bytes]]] = {}
        for parts in files.values():
            code = blank(parts.src)
            for span in parts.functions:
                self._add(base_name(span.name), code[span.start : span.body_end], parts.src[span.start : span.body_end])
            for name, (start, end) in parts.macros.items():
                self._add(name, code[start:end], parts.src[start:end])

    def _add(self, name: bytes, code: bytes, written: bytes) -> None:
        self._bodies.setdefault(name, set()).update(words(code))
        self._texts.setdefault(name, []).append((code, written))

    def reached(self, name: bytes, start: frozenset[bytes] = frozenset()) -> set[bytes]:
        """All functions and macros that a function reaches, itself included; ``start`` adds words to begin with."""
        seen: set[bytes] = set()
        waiting = [name, *start]
        while waiting:
            each = waiting.pop()
            if each in seen or each not in self._bodies:
                continue
            seen.add(each)
            waiting += self._bodies[each] & self._bodies.keys()
        return seen

    def words_within(self, name: bytes) -> set[bytes]:
        """All words in what a function reaches."""
        return {word for each in self.reached(name) for word in self._bodies[each]}

    def text(self, name: bytes) -> tuple[bytes, bytes]:
        """A function and what it reaches, without comments and literals, and as written."""
        texts = [text for each in sorted(self.reached(name)) for text in self._texts[each]]
        return b"\n".join(code for code, _ in texts), b"\n".join(written for _, written in texts)


def apply(src: bytes, patches: Mapping[tuple[int, int], Patch]) -> bytes:
    """The file with its patches; of nested ones the outermost holds."""
    out, at = [], 0
    for patch in sorted(patches.values(), key=lambda each: (each.start, -each.end)):
        if patch.start < at:
            continue
        gone = src[patch.start : patch.end]
        newlines = b"\n" * gone.count(b"\n")
        out.append(src[at : patch.start])
        if patch.kind == "stub":
            out.append(b'{ ::emu::stub("' + _quoted(patch.reason.text) + b'"); ' + newlines + b"}")
        else:
            out.append((b'#include "' + STAND_IN.encode() + b'"' if patch.kind == "header" else b"") + newlines)
        at = patch.end
    return b"".join([*out, src[at:]])


NO_ASM = b"asm_is_not_taken_by_MUSA"
_ASM = (b"asm", b"__asm__", b"__asm")
# `asm volatile("" ::: "memory")` holds no instruction of any machine: it only orders what the compiler does around it.
_BARRIER = re.compile(rb'\s*+(?:(?:__)?volatile(?:__)?)?\s*+\(\s*+(?:"[ \t]*+"\s*+)++[:)]')


def refuse_asm(parts: FileParts, src: bytes) -> bytes:
    """A translated file (``src``: ``parts`` after its patches) in which inline assembly of device code is an error.

    A compiler for another machine would let it pass where the optimizer drops it, as in ``if (0) asm(...)``. Host
    functions keep theirs, and so does code under conditions that do not hold: the compiler decides on those. A
    compiler's barrier, whose text is empty, is no assembly and stays.
    """
    if not any(word in src for word in _ASM):
        return src
    host = FileParts(parts.path, src)
    spans = [(f.body_start, f.body_end) for f in host.functions if f.kind == "host"]
    out, at = [], 0
    for found in occurrences(src, _ASM):
        if any(start <= found.start < end for start, end in spans):
            continue
        if _BARRIER.match(src, found.end):
            continue
        out += [src[at : found.start], NO_ASM]
        at = found.end
    return b"".join([*out, src[at:]])


def _quoted(text: str) -> bytes:
    plain = text.encode("ascii", "replace").replace(b"\\", b"/").replace(b'"', b"'")
    return re.sub(rb"[\x00-\x1f?]", b" ", plain)[:300]
