"""Which words of a recipe are commands: `nvcc` behind `grep` is data, behind `which` it is the compiler again."""

from __future__ import annotations

import re
from bisect import bisect_right

from musify_ai.source.patterns import late_pattern

_REFERENCE = late_pattern(rb"\$\$?(?:\((?!shell[ \t])(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\{[^{}]*\}|[@<^+?*A-Za-z])")
_QUOTED = late_pattern(rb"'[^']{0,600}'|\"(?:[^\"\\]|\\.){0,600}\"", re.DOTALL)
_NVCC = late_pattern(rb"(?<![\w.-])nvcc(?:\.exe)?(?![\w.-])")
# What stands before a command and leaves it one, or asks where it is: each a word of its own.
_LEADING = late_pattern(
    rb"[@+-]*R*(?:if|then|else|elif|do|while|until|!|\{|time|env|exec|eval|sudo|nice|nohup|ccache|sccache|distcc|test|\["
    rb"|command|which|type|hash|[A-Za-z_]\w*=.*|-[a-zA-Z]|&|\\|)"
)
_OPENING = late_pattern(rb"[@+-]*[\"']?(?:[^\s;&|()<>\"']*[/\\])?")
_LONGEST = 600  # bytes before a command's own name, and of a quoted path: a search over more is of no use
_BREAK = late_pattern(rb"&&|\|\||[;|(`\n]|\$\$\(|\$\(shell[ \t]")
_SHELL = late_pattern(rb"(?:\A|(?<=[\s/;&|]))(?:ba|z|da|k)?sh[ \t]+-\w*c[ \t]*\Z|\beval[ \t]*\Z")


def commands_named_nvcc(src: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The bytes of each `nvcc` that is run, or looked for, in the shell text ``src[start:end]`` of a recipe."""
    text = _masked(src[start:end])
    found = []
    breaks = [0, *(each.end() for each in _BREAK.finditer(text))]
    for match in _NVCC.finditer(text):
        begin = breaks[bisect_right(breaks, match.start()) - 1]
        if match.start() - begin > _LONGEST:
            continue
        before = text[begin : match.start()].lstrip()
        *words, last = re.split(rb"[ \t\r\n]+", before)
        if _OPENING.fullmatch(last) and all(_LEADING.fullmatch(word) for word in words):
            found.append((start + match.start(), start + match.end()))
    return found


def _masked(text: bytes) -> bytes:
    """The text with make's references and quoted data blanked byte for byte; a path in quotes and what a shell is
    handed in quotes stay."""
    text = _REFERENCE.sub(lambda match: b"R" * len(match[0]), text)
    out = bytearray(text)
    for match in _QUOTED.finditer(text):
        inner = match[0][1:-1]
        if _SHELL.search(text, max(match.start() - 32, 0), match.start()):
            out[match.start()], out[match.end() - 1] = 59, 59  # what stands in it are commands
        elif re.search(rb"\s", inner.strip()) or not _NVCC.search(inner):
            out[match.start() : match.end()] = b"Q" * len(match[0])
    return bytes(out)
