"""The words of a piece of a build file that holds compiler flags, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.records import Edit
from musify_ai.source.patterns import late_pattern


class Word(NamedTuple):
    """Bytes ``[start, end)`` of the file: one flag, or one value. ``text`` is what stands there."""

    start: int
    end: int
    text: str


# Blanks, list separators and quotes end a word; what a reference holds does not ($(shell a b), ${x}, $<a:b>).
_WORD = late_pattern(
    rb"(?:\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^{}]*\}|\\\r?\n(?=\S)|\\[^\r\n]|[^\s;\"'\\])+"
)
_INSIDE_GENERATOR = late_pattern(r"\$<.*?:(?=--?[A-Za-z])")


def words_in(src: bytes, start: int, end: int) -> list[Word]:
    """The words of ``src[start:end]``. Of a generator expression with a flag in it the flag alone is a word."""
    found: list[Word] = []
    passed = start
    for match in _WORD.finditer(src, start, end):
        if match.start() < passed:
            continue
        if match[0].startswith(b"-D") and (opened := src[match.end() : match.end() + 1]) in (b'"', b"'"):
            # A macro's text is data, whatever stands in it.
            passed = max(src.find(opened, match.end() + 1, end) + 1, match.end())
        text = match[0].decode("utf-8", "surrogateescape")
        begin, stop = match.span()
        if text.startswith(("$(", "${")) or "$(" in text:
            blank = re.search(rb"[ \t]", match[0])
            if blank is not None and re.search(rb"[ \t,]-", match[0]):
                # A call of make's own: the flags in it are words too, and a comma ends one.
                for first, last in _arguments(src, begin + blank.end(), stop, match[0][2 : blank.start()]):
                    found += words_in(src, first, last)
                continue
        if "$<" in text and (inner := _inside(text)) is not None:
            offset, text = inner
            begin += len(match[0].decode("utf-8", "surrogateescape")[:offset].encode("utf-8", "surrogateescape"))
            stop = begin + len(text.encode("utf-8", "surrogateescape"))
        elif text.startswith("SHELL:"):
            text, begin = text[6:], begin + 6
        kept = _balanced(text)
        stop -= len(text) - len(kept)
        text = kept
        if text:
            found.append(Word(begin, stop, text))
    return found


_MOST_ARGUMENTS = {b"if": 3, b"or": 99, b"and": 99}  # a further comma is part of the last one


def _arguments(src: bytes, start: int, end: int, function: bytes) -> list[tuple[int, int]]:
    """The arguments of make's call that closes before ``end``: at commas outside of brackets, for functions of which
    each argument is a text of its own."""
    found: list[tuple[int, int]] = []
    depth, begin, most = 0, start, _MOST_ARGUMENTS.get(function, 1)
    for offset in range(start, end):
        byte = src[offset]
        if byte in b"({":
            depth += 1
        elif byte in b")}":
            if depth == 0:
                return [*found, (begin, offset), (offset + 1, end)]
            depth -= 1
        elif byte == 44 and depth == 0 and len(found) + 1 < most:
            found.append((begin, offset))
            begin = offset + 1
    return [*found, (begin, end)]


def _inside(text: str) -> tuple[int, str] | None:
    last = None
    for last in re.finditer(r":(?=--?[A-Za-z])", text):
        if text[: last.start()].count("<") > text[: last.start()].count(">"):
            break
    return None if last is None else (last.end(), text[last.end() :])


def _balanced(text: str) -> str:
    """A word without the brackets at its end that close what was opened before it."""
    while (text.startswith("-") and text.endswith(">") and text.count(">") > text.count("<")) or (
        text.endswith(")") and text.count(")") > text.count("(")
    ):
        text = text[:-1]
    return text


def removal(src: bytes, start: int, end: int) -> tuple[int, int]:
    """The bytes that go with a word that is taken out: the blanks before it, or its whole line where it has one."""
    if src[start - 1 : start] == b";":
        return start - 1, end
    if src[end : end + 1] == b";":
        return start, end + 1
    begin = start
    while begin and src[begin - 1 : begin] in (b" ", b"\t"):
        begin -= 1
    stop = end
    while src[stop : stop + 1] in (b" ", b"\t"):
        stop += 1
    continued = (
        src[max(begin - 4, 0) : begin].rstrip(b"\r\n").endswith(b"\\") if src[begin - 1 : begin] == b"\n" else False
    )
    if continued and src[stop : stop + 1] in (b"\n", b"\r", b""):
        return start, stop  # the line that was continued needs one to end in
    if begin and src[begin - 1 : begin] == b"\n" and src[stop : stop + 1] in (b"\n", b"\r"):
        line_end = src.find(b"\n", stop)
        return begin, line_end + 1
    if begin < start and src[begin - 1 : begin] != b"\n":
        return begin, end
    if src[begin - 1 : begin] in (b"\n", b"\t"):  # the indentation stays
        return start, stop if stop > end else end
    if begin == start and stop > end:
        return start, stop
    return start, end


def edits_of(src: bytes, changes: Iterable[tuple[int, int, str, str]], source: str = "") -> list[Edit]:
    """Safe edits for changes (start, end, new text, rule), of which those that overlap become one. An empty text takes
    bytes out."""
    merged: list[tuple[int, int, str, str]] = []
    for start, end, new, rule in sorted(changes):
        if merged and start < merged[-1][1]:
            begin, stop, text, first = merged[-1]
            merged[-1] = (begin, max(stop, end), text + new, max(first, rule))
        else:
            merged.append((start, end, new, rule))
    return [
        Edit(start, end, src[start:end], new.encode("utf-8", "surrogateescape"), rule, "rule", "safe", source)
        for start, end, new, rule in merged
    ]


def is_reference(text: str) -> bool:
    """Whether a word is nothing but a reference to a variable."""
    return re.fullmatch(r"\$\([\w.-]+\)|\$\{[\w.-]+\}|@\w+@|\$\w", text) is not None
