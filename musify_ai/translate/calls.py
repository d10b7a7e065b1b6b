"""The call that a place in code is an argument of, read from what stands before it."""

from musify_ai.source.tokens import Token, tokens

REACH = 400
"""How many bytes before a place are read."""


def tokens_before(src: bytes, offset: int) -> list[Token]:
    """The tokens of the last `REACH` bytes before an offset; the first may be part of a longer one."""
    return tokens(src, max(offset - REACH, 0), offset)


def call_around(before: list[Token]) -> bytes:
    """The name of the function of which what follows some tokens is an argument itself; empty where it is none."""
    depth = 0
    for index in range(len(before) - 1, 0, -1):
        text = before[index].text
        if text in (b")", b"]"):
            depth += 1
        elif text == b"[":
            depth -= 1
        elif text == b"(":
            if depth == 0 and before[index - 1].kind == "identifier":
                return before[index - 1].text
            depth = max(depth - 1, 0)  # parentheses about the place alone are no call's
        elif text in (b";", b"{", b"}") or depth < 0:
            return b""
    return b""
