"""Tensors that kernels take by value, as a pointer with sizes and strides: which parameters are such, and their sizes.

A kernel walks one tensor by the sizes of another, so sizes have to go together: those of all tensors are cut from one
row, aligned at the first dimension or at the last, or are all the same. The memory is just what sizes and strides say,
so a step outside is noticed as it is for any buffer.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.verify.described import DescribedKernel

_TYPE = re.compile(r"\bGenericPackedTensorAccessor<.*?,\s*(\d+)")
ROWS: tuple[tuple[tuple[int, ...], bool], ...] = (
    ((3, 5, 7, 11, 2, 2, 2), True),
    ((2, 2, 3, 5, 13, 9, 7), False),
    ((9, 9, 9, 9, 3, 3, 3), True),
    ((37, 5, 3, 2, 2, 2, 2), True),
    ((70, 37, 3, 2, 2, 2, 2), True),
    ((1, 1, 1, 1, 1, 1, 1), True),
)
"""Sizes, and whether a tensor takes them from the first dimension on (else up to the last)."""
ROW = "sizes of tensors"
"""The name under which a choice of values says which row it takes: its place in `ROWS`."""
SPREAD = "strides of tensors"
"""The name under which it says that rows are longer than what they hold."""


class Tensor(NamedTuple):
    """A parameter that is a tensor: its index and name, and how many dimensions it has."""

    parameter: int
    name: str
    dimensions: int


def tensors_of(names: Sequence[str], described: DescribedKernel) -> list[Tensor]:
    """The tensors among parameters, whose names are given by parameter."""
    out = []
    for index, type_ in enumerate(described.types):
        match = _TYPE.search(type_)
        slots = [slot for slot in described.slots if slot.parameter == index]
        if match and len(slots) == 1 + 2 * int(match[1]) and slots[0].pointer:
            out.append(Tensor(index, names[index], int(match[1])))
    return out


def slot_names_of(tensor: Tensor) -> list[str]:
    """The names of a tensor's slots, in order: the memory by the tensor's own name."""
    sizes = [f"{tensor.name}.size({i})" for i in range(tensor.dimensions)]
    return [tensor.name, *sizes, *(f"{tensor.name}.stride({i})" for i in range(tensor.dimensions))]


def layout(tensors: Sequence[Tensor], values: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Sizes and strides by slot name, and elements of memory by tensor, for a choice of values."""
    row, first = ROWS[values.get(ROW, 0) % len(ROWS)]
    out: dict[str, int] = {}
    elements: dict[str, int] = {}
    for tensor in tensors:
        count = tensor.dimensions
        sizes = (row[:count] if first else row[len(row) - count :]) if count <= len(row) else (2,) * count
        step = 1
        strides = []
        for size in reversed(sizes):
            strides.append(step)
            step = step * size + (3 if values.get(SPREAD) and len(strides) < count else 0)
        names = slot_names_of(tensor)
        out.update(zip(names[1:], (*sizes, *reversed(strides)), strict=True))
        elements[tensor.name] = max(step, 1)
    return out, elements


def choices(tensors: Sequence[Tensor]) -> list[dict[str, int]]:
    """Which rows to try, in order; one empty choice where there is no tensor."""
    return [{ROW: number} for number in range(len(ROWS) - 1)] if tensors else [{}]


def further(tensors: Sequence[Tensor], base: Mapping[str, int]) -> list[dict[str, int]]:
    """Rows beside the chosen one: single elements, other sizes, rows that are longer than what they hold."""
    if not tensors:
        return []
    chosen = base.get(ROW, 0)
    others = [{ROW: number, SPREAD: 0} for number in range(len(ROWS)) if number != chosen]
    return [{ROW: chosen, SPREAD: 1}, *others]
