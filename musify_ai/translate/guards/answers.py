"""Whether a comparison with a number gives MUSA devices the answer that NVIDIA's gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_RELATIONS: dict[bytes, Callable[[int, int], bool]] = {
    b"==": lambda x, y: x == y,
    b"!=": lambda x, y: x != y,
    b"<": lambda x, y: x < y,
    b">": lambda x, y: x > y,
    b"<=": lambda x, y: x <= y,
    b">=": lambda x, y: x >= y,
}


def same_answer(sign: bytes, number: int | None, before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether ``value sign number`` has one and the same answer for all values of both kinds of device. False where
    it is no such comparison."""
    relation = _RELATIONS.get(sign)
    if relation is None or number is None:
        return False
    return len({relation(value, number) for value in (*before, *after)}) == 1
