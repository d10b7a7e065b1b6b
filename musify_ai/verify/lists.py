"""Parameters by value that describe several tensors to one launch: arrays of pointers, of sizes, of blocks.

A kernel over such lists finds its tensor by the number of its block, in a range of blocks for each tensor or in a table
by block, and takes the pointers and sizes that stand in the same place of the other arrays. Values that are drawn
apart from one another let it run past every array, so they are made together: two tensors, some blocks for each, and
sizes that most tilings divide. Entries past those two repeat the last.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.verify.described import DescribedKernel

CHOICE = "lists of tensors"
"""The name under which a choice of values says which of `CHOICES` it takes."""
TENSORS = 2
CHOICES: tuple[tuple[int, tuple[int, int], int], ...] = (
    (1, (128, 256), 5),
    (1, (128, 256), 0),
    (4, (256, 128), 3),
    (1, (37, 29), 5),
    (2, (64, 32), 0),
    (16, (1000, 200), 7),
)
"""Blocks of each tensor, their sizes (the other way round for every second array), and by how much what is not padded
is less than what is."""
FEWEST = 4
"""Members from which on an array is a list."""

_RANGE = re.compile(r"range|offset|prefix|start|cumul|bounds", re.IGNORECASE)
_COUNT = re.compile(r"^(?:num|n)_|count", re.IGNORECASE)
_CHUNK = re.compile(r"chunk", re.IGNORECASE)
_BARE = re.compile(r"orig(?:inal)?|unpadded|valid|actual", re.IGNORECASE)
_NUMBER = re.compile(r"\.\d+$")


class Lists(NamedTuple):
    """Slots by their place: arrays of pointers, arrays of integers by the member's name, and how many tensors."""

    pointers: tuple[tuple[int, ...], ...]
    numbers: tuple[tuple[str, tuple[int, ...]], ...]
    counts: tuple[int, ...]

    @property
    def slots(self) -> frozenset[int]:
        """All slots that are given values here."""
        return frozenset((*self.counts, *(slot for _, slots in self.numbers for slot in slots)))


def lists_of(names: Sequence[str], described: DescribedKernel) -> Lists | None:
    """The lists among a kernel's parameters, whose slots have these names; None where no array of pointers is there."""
    arrays: dict[tuple[int, str], list[int]] = {}
    for index, (name, slot) in enumerate(zip(names, described.slots, strict=True)):
        if slot.member:
            arrays.setdefault((slot.parameter, _NUMBER.sub("", name)), []).append(index)
    pointers, numbers, counts = [], [], []
    owners = set()
    for (parameter, _), slots in arrays.items():
        if len(slots) >= FEWEST and all(described.slots[slot].pointer for slot in slots):
            pointers.append(tuple(slots))
            owners.add(parameter)
    for (parameter, name), slots in arrays.items():
        whole = parameter in owners and all(described.slots[slot].kinds in ("i", "u") for slot in slots)
        if not whole or any(described.slots[slot].pointer for slot in slots):
            continue
        last = name.rsplit(".", 1)[-1]
        if len(slots) >= FEWEST:
            numbers.append((last, tuple(slots)))
        elif len(slots) == 1 and _COUNT.search(last):
            counts.append(slots[0])
    return Lists(tuple(pointers), tuple(numbers), tuple(counts)) if pointers and numbers else None


def blocks_of(values: Mapping[str, int]) -> int:
    """How many blocks a launch over the lists has, with the choice among some values."""
    return TENSORS * CHOICES[values.get(CHOICE, 0) % len(CHOICES)][0]


def made(lists: Lists, values: Mapping[str, int]) -> tuple[dict[int, int], frozenset[int]]:
    """The values of integer slots, and the pointers that no tensor of the launch has."""
    blocks, sizes, less = CHOICES[values.get(CHOICE, 0) % len(CHOICES)]
    length = max(len(slots) for slots in lists.pointers)
    named = {name for name, _ in lists.numbers}
    out = dict.fromkeys(lists.counts, TENSORS)
    order: dict[str, int] = {}
    for name, slots in lists.numbers:
        if len(slots) > length + 1:  # a table by block
            by_chunk = bool(_CHUNK.search(name))
            entries = [block // TENSORS if by_chunk else block % TENSORS for block in range(len(slots))]
        elif len(slots) == length + 1 or _RANGE.search(name):
            entries = [blocks * min(place, TENSORS) for place in range(len(slots))]
        else:
            # What is padded and what is not are one size, told twice.
            bare = _BARE.search(name) is not None or f"padded_{name}" in named
            key = _BARE.sub("", name).replace("padded_", "").strip("_")
            pair = sizes if order.setdefault(key, len(order)) % 2 == 0 else sizes[::-1]
            entries = [pair[min(place, TENSORS - 1)] - (less if bare else 0) for place in range(len(slots))]
        out.update(zip(slots, entries, strict=True))
    idle = frozenset(slot for slots in lists.pointers for slot in slots[TENSORS:])
    return out, idle
