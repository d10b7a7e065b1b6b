"""What of a function is sent, and how an answer goes back to its place.

Comments and long strings stay here: a model does not need them, they may hold what is nobody's business, and a comment
is where somebody would write instructions to a model. What an answer leaves as it was comes back byte for byte, its
comments with it.
"""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from musify_ai.source import Token, tokens

LONG = 40
"""Strings of more bytes than this are sent as a placeholder, those of ``asm`` statements aside."""

_ASM = (b"asm", b"__asm__", b"__asm")
_PLACEHOLDER = re.compile(r'"musify_text_(\d+)"')


class _Line(NamedTuple):
    """A line as it is written and as it is sent; None where nothing of it is. ``whole`` says that the written line may
    come back for the sent one: no comment begins in it that ends in another."""

    written: bytes
    sent: str | None
    whole: bool


class Sent(NamedTuple):
    """A function as it is sent: ``text`` for the model, the rest to put an answer in its place."""

    text: str
    lines: tuple[_Line, ...]
    strings: Mapping[str, str]
    newline: bytes


def prepared(region: bytes, long: int = LONG) -> Sent:
    """What is sent of a function's bytes: no comments, no strings longer than that, lines ending in ``\\n``."""
    strings: dict[str, str] = {}
    sent, spanning = _without(region, strings, long)
    newline = b"\r\n" if b"\r\n" in region else b"\n"
    written = region.split(b"\n")
    lines = []
    for number, (mine, theirs) in enumerate(zip(written, sent.split(b"\n"), strict=True)):
        text = theirs.decode("utf-8", "replace").rstrip()
        empty = not text.strip()
        lines.append(_Line(mine.removesuffix(b"\r"), None if empty else text, number not in spanning))
    return Sent("\n".join(each.sent for each in lines if each.sent is not None), tuple(lines), strings, newline)


def restored(sent: Sent, answer: str) -> bytes:
    """An answer's code with the strings in it, and the lines that it left alone as they were written.

    Comments come back with the line they stand on or before; those of a changed line are gone with it.
    """
    kept = [index for index, line in enumerate(sent.lines) if line.sent is not None]
    mine = [str(sent.lines[index].sent).strip() for index in kept]
    theirs = answer.split("\n")
    matcher = SequenceMatcher(None, mine, [line.strip() for line in theirs], autojunk=False)
    same = {b + n: kept[a + n] for a, b, size in matcher.get_matching_blocks() for n in range(size)}
    out: list[bytes] = []
    for number, line in enumerate(theirs):
        index = same.get(number)
        # A brace alone is the same as many others; only after the line that it followed before is it that one.
        alone = not any(letter.isalnum() for letter in line)
        if index is None or not line.strip() or (alone and _follows_another(kept, same, number)):
            out.append(_filled(line, sent.strings).rstrip().encode("utf-8"))
            continue
        out += _before(sent.lines, index)
        found = sent.lines[index]
        out.append(found.written if found.whole else _filled(line, sent.strings).encode("utf-8"))
    return sent.newline.join(out)


def _follows_another(kept: list[int], same: Mapping[int, int], number: int) -> bool:
    """Whether a line of an answer follows another one than it did in what was sent."""
    if number == 0:
        return same[0] != kept[0]
    before = same.get(number - 1)
    return before is None or kept.index(before) + 1 != kept.index(same[number])


def _before(lines: tuple[_Line, ...], index: int) -> list[bytes]:
    """The lines right before one of which nothing was sent: comments and blanks."""
    first = index
    while first and lines[first - 1].sent is None:
        first -= 1
    run = lines[first:index]
    return [line.written for line in run] if all(line.whole for line in run) else []


def _filled(line: str, strings: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: strings.get(match[0], match[0]), line)


def _without(region: bytes, strings: dict[str, str], long: int) -> tuple[bytes, set[int]]:
    """The text without comments and long strings, newlines kept; and the lines that a comment joins to others that
    hold code."""
    found = tokens(region, trivia=True)
    in_asm = _asm_tokens(found)
    out: list[bytes] = []
    spanning: set[int] = set()
    line = 0
    for index, token in enumerate(found):
        newlines = token.text.count(b"\n")
        if token.kind == "comment":
            out.append(b" " + b"\n" * newlines)
            if newlines and not _alone(region, token):
                spanning.update(range(line, line + newlines + 1))
        elif token.kind == "string" and len(token.text) > long and not newlines and index not in in_asm:
            name = f'"musify_text_{len(strings) + 1}"'
            strings[name] = token.text.decode("utf-8", "surrogateescape")
            out.append(name.encode())
        else:
            out.append(token.text)
        line += newlines
    return b"".join(out), spanning


def _alone(region: bytes, comment: Token) -> bool:
    """Whether a comment's lines hold nothing else."""
    first = region.rfind(b"\n", 0, comment.start) + 1
    last = region.find(b"\n", comment.end)
    after = region[comment.end : len(region) if last < 0 else last]
    return not region[first : comment.start].strip() and not after.strip()


def _asm_tokens(found: list[Token]) -> set[int]:
    """The tokens within the parentheses of ``asm`` statements, by index."""
    inside: set[int] = set()
    depth, waiting = 0, False
    for index, token in enumerate(found):
        if token.kind == "identifier" and token.text in _ASM and not depth:
            waiting = True
        elif token.text == b"(" and (depth or waiting):
            depth, waiting = depth + 1, False
        elif token.text == b")" and depth:
            depth -= 1
        elif token.text in (b";", b"{", b"}") and not depth:
            waiting = False
        elif depth:
            inside.add(index)
    return inside
