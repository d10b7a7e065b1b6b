"""How gates read code: as tokens, so that comments, blanks and strings' contents never decide anything."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from musify_ai.rewrite.gates.protocol import Candidate
from musify_ai.source import Token, tokens

OPENERS = {b"(": b")", b"{": b"}", b"[": b"]"}


@lru_cache(maxsize=64)
def read(code: bytes) -> tuple[Token, ...]:
    """The tokens of some code."""
    return tuple(tokens(code))


def texts(code: bytes) -> tuple[bytes, ...]:
    """The texts of some code's tokens."""
    return tuple(token.text for token in read(code))


def identifiers(code: bytes) -> Counter[bytes]:
    """How often each identifier stands in some code."""
    return Counter(token.text for token in read(code) if token.kind == "identifier")


def added(candidate: Candidate) -> Counter[bytes]:
    """The identifiers that a candidate has more often than the function had, in the original or as translated."""
    before = identifiers(candidate.unit.region) | identifiers(candidate.unit.original_region)
    return identifiers(candidate.code) - before


def closing(found: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes one; the last index where none does."""
    depth = 0
    first, last = found[opening].text, OPENERS[found[opening].text]
    for index in range(opening, len(found)):
        depth += (found[index].text == first) - (found[index].text == last)
        if not depth:
            return index
    return len(found) - 1


def shown(words: Iterable[bytes], most: int = 4) -> str:
    """Some words for a sentence."""
    names = [word.decode("utf-8", "replace") for word in words]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
