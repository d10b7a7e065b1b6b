"""Conditionals that ask for one macro only, resolved for a build that defines it or does not."""

import re
from collections.abc import Iterator
from functools import lru_cache

from musify_ai.source.directives import Branch, Conditional, conditionals

_NOT_NEWLINES = bytes(range(256)).replace(b"\n", b"").replace(b"\r", b"")
_TO_BLANKS = bytes.maketrans(_NOT_NEWLINES, b" " * len(_NOT_NEWLINES))


def hidden_spans(src: bytes, macro: bytes, *, defined: bool) -> list[tuple[int, int]]:
    """The branches that a build cannot see in which a macro is defined, or is not: in order, none within another.

    Only conditionals whose first condition asks for nothing but the macro (``#ifdef M``, ``#if !defined(M)``) are
    looked at; an ``#elif`` in such a one is left open unless what stands before it decides.
    """
    if macro not in src:
        return []
    found = sorted(
        (branch.body_start, branch.body_end)
        for each, first in _asking(src, macro)
        for branch in _hidden(each, first if defined else not first)
    )
    kept: list[tuple[int, int]] = []
    for span in found:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def visible(src: bytes, macro: bytes, *, defined: bool) -> bytes:
    """The file with what `hidden_spans` names blanked: as long as before, each line in its place."""
    spans = hidden_spans(src, macro, defined=defined)
    if not spans:
        return src
    out = bytearray(src)
    for start, end in spans:
        out[start:end] = src[start:end].translate(_TO_BLANKS)
    return bytes(out)


def _asking(src: bytes, macro: bytes) -> Iterator[tuple[Conditional, bool]]:
    """The conditionals whose first condition is the macro's, and whether a build with it takes that branch."""
    asks, asks_not = _conditions(macro)
    for each in conditionals(src):
        line = each.branches[0].directive
        condition = src[line.argument_start : line.end]
        if line.keyword in (b"ifdef", b"ifndef"):
            if _plain(macro).match(condition):
                yield each, line.keyword == b"ifdef"
        elif asks.match(condition):
            yield each, True
        elif asks_not.match(condition):
            yield each, False


def _hidden(conditional: Conditional, first: bool) -> tuple[Branch, ...]:
    """The branches not taken, by whether the first is. Where it is not, an ``#else`` right after it is."""
    if first:
        return conditional.branches[1:]
    return conditional.branches[:1]


_END = rb"[ \t]*(?:/[/*].*)?\Z"


@lru_cache(maxsize=4)
def _plain(macro: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"[ \t]*" + re.escape(macro) + _END, re.S)


@lru_cache(maxsize=4)
def _conditions(macro: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    name = rb"defined[ \t]*(?:\([ \t]*" + re.escape(macro) + rb"[ \t]*\)|[ \t]" + re.escape(macro) + rb"\b)"
    return re.compile(rb"[ \t]*" + name + _END, re.S), re.compile(rb"[ \t]*![ \t]*" + name + _END, re.S)
