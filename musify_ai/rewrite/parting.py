"""Cutting what is too much for one question into parts that can be asked, each of which makes some kernels whole.

Functions that share kernels hang together, often through a header that everything includes: a hundred kernels, each of
which runs four of fifty functions. A kernel can be checked once its own functions are rewritten, so a part is what one
kernel runs, and it is checked through every kernel that runs nothing else that is not settled. The other kernels that
run those functions stay as they were: not checkable until the rest of theirs is rewritten, too.
"""

from collections.abc import Collection, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)


class Part(NamedTuple, Generic[K]):
    """Some functions, by index, and the kernels that run of all functions these alone."""

    functions: tuple[int, ...]
    kernels: tuple[K, ...]


def parted(kernels: Sequence[Collection[K]], sizes: Sequence[int], most: int, most_bytes: int) -> list[Part[K]]:
    """Parts of functions, of which the kernels that run each and its bytes are given: at most so many functions and
    bytes, no function in two. What is in none is too much still. Small kernels come first, then those met first."""
    needs: dict[K, tuple[int, ...]] = {}
    for index, each in enumerate(kernels):
        for kernel in each:
            needs[kernel] = (*needs.get(kernel, ()), index)
    taken: set[int] = set()
    parts: list[Part[K]] = []
    order = {kernel: number for number, kernel in enumerate(needs)}
    for kernel in sorted(needs, key=lambda each: (len(needs[each]), order[each])):
        own = needs[kernel]
        if len(own) > most or sum(sizes[index] for index in own) > most_bytes or not taken.isdisjoint(own):
            continue
        taken.update(own)
        whole = tuple(each for each in needs if set(needs[each]) <= set(own))
        parts.append(Part(own, whole))
    return sorted(parts, key=lambda part: part.functions)
