"""What differing elements have in common: an exact description, or the smallest known part that holds them all.

A pattern points at the cause (lanes past 32, the last block, a row of a tile), so it must be true: "only ..." is said
of exactly these elements, "all within ..." with the counts where some of the part are alike, and nothing where chance
would explain it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CHANCE = 1e-6
"""A part is named for elements that all lie in it where as many drawn at random would do so less often than this."""

SHARE = 0.05
"""And where at least this share of it differs: else it says little."""


class Grid(NamedTuple):
    """How elements were given out, as far as it is known: threads of a block in all and by x and y, and the row
    lengths that the kernel was told. Element ``i`` is taken as that of thread ``i``, or of row ``i / width``."""

    block: int = 0
    tile: tuple[int, int] = (0, 0)
    widths: tuple[int, ...] = ()


NOTHING_KNOWN = Grid()


class Part(NamedTuple):
    """A part of the elements: its name, whether an element is in it, after how many elements it repeats."""

    name: str
    holds: Callable[[int], bool]
    period: int


def pattern(indices: Sequence[int], elements: int, grid: Grid = NOTHING_KNOWN, further: Sequence[Part] = ()) -> str:
    """What the differing elements (ascending) of so many are, in words; empty where nothing can be said. ``further``
    are parts that are tried besides (`where_inputs`)."""
    if not indices or elements < 2:
        return ""
    if len(indices) == elements:
        return "every element"
    exact = _run_or_step(indices, elements)
    if len(indices) == 1 or exact.startswith("only "):
        return exact
    best: tuple[int, str] | None = None
    for part in (*_parts(elements, grid), *further):
        if not all(map(part.holds, indices)):
            continue
        size = _size(part, elements)
        if size == len(indices):
            return f"only {part.name}" + (f" ({exact})" if exact else "")
        if best is None or size < best[0]:
            best = size, part.name
    if exact:
        return exact
    if best is not None and len(indices) >= SHARE * best[0] and _by_chance(len(indices), best[0], elements) < CHANCE:
        return f"all within {best[1]} ({len(indices)} of {best[0]} there)"
    return ""


def where_inputs(name: str, values: Sequence[float | int | None]) -> list[Part]:
    """The parts of a buffer at whose elements an input buffer of as many elements holds a value of some kind."""
    kinds: tuple[tuple[str, Callable[[float | int], bool]], ...] = (
        ("NaN", math.isnan), ("infinite", math.isinf), ("zero", lambda v: v == 0), ("negative", lambda v: v < 0),
        ("not finite", lambda v: not math.isfinite(v)), ("positive", lambda v: v > 0),
    )  # fmt: skip
    out = []
    for kind, holds in kinds:
        found = {index for index, value in enumerate(values) if value is not None and holds(value)}
        if found and len(found) < len(values):
            out.append(Part(f"elements where {name} is {kind}", found.__contains__, len(values)))
    return out


def _by_chance(differing: int, size: int, elements: int) -> float:
    return math.exp(differing * math.log(size / elements)) if size else 0.0


def _size(part: Part, elements: int) -> int:
    """How many of the elements are in a part; counted in one period, which then repeats."""
    period = min(part.period, elements)
    held = [part.holds(index) for index in range(period)]
    whole, rest = divmod(elements, period)
    return whole * sum(held) + sum(held[:rest])


def _run_or_step(indices: Sequence[int], elements: int) -> str:
    """One element, a run of elements, or each so-many-th one; empty where they are none of these."""
    first, last, count = indices[0], indices[-1], len(indices)
    if count == 1:
        where = " (the first)" if first == 0 else " (the last)" if first == elements - 1 else ""
        return f"only element {first}{where}"
    if last - first + 1 == count:
        if last == elements - 1:
            return f"from element {first} on"
        return f"the first {count} elements" if first == 0 else f"elements {first} to {last}"
    step = indices[1] - first
    regular = all(after - before == step for before, after in pairwise(indices))
    to_the_end = last + step >= elements
    if not regular or count < (3 if to_the_end and first < step else 5):
        return ""
    if step == 2 and first < 2 and to_the_end:
        return f"only {'odd' if first else 'even'} elements"
    begin = "" if first == 0 else f" from element {first} on"
    end = "" if to_the_end else f" up to element {last}"
    return f"every {_ordinal(step)} element{begin}{end}"


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _parts(elements: int, grid: Grid) -> Iterator[Part]:
    """The parts that are tried, those that say most first: an exact one ends the search."""
    yield from _blocks(elements, grid.block)
    yield from _lanes(grid.block, elements)
    for width in dict.fromkeys(grid.widths):
        if 1 < width < elements and elements % width == 0:
            yield from _rows(elements, width)
            yield from _tiles(elements, width, *grid.tile)
    for base in (2, 3, 4, 8, 16, 32, 64, 128):
        if base < elements:
            yield Part(f"multiples of {base}" if base > 2 else "even elements", _rest(base, 0), base)
    yield Part("odd elements", _rest(2, 1), 2)


def _rest(base: int, rest: int) -> Callable[[int], bool]:
    return lambda index: index % base == rest


def _blocks(elements: int, block: int) -> Iterator[Part]:
    if not 1 < block < elements:
        return
    count = -(-elements // block)
    last = (count - 1) * block
    yield Part("the last block", lambda index: index >= last, elements)
    yield Part("the first block", lambda index: index < block, elements)
    if count > 2:
        yield Part("blocks after the first", lambda index: index >= block, elements)
        yield Part("odd blocks", lambda index: index // block % 2 == 1, 2 * block)
        yield Part("even blocks", lambda index: index // block % 2 == 0, 2 * block)
    yield Part("the first thread of each block", _rest(block, 0), block)
    yield Part("the last thread of each block", _rest(block, block - 1), block)


def _lanes(block: int, elements: int) -> Iterator[Part]:
    """Lanes of warps of 128 and of 32; a block that is no multiple of a warp begins a warp of its own."""
    around = block if block > 1 else 128
    span = block if block > 1 else elements

    for warp in (128, 32):
        if span < warp:
            continue
        for name, low, high in (
            ("the first lane", 0, 1), ("the last lane", warp - 1, warp), ("the lower half", 0, warp // 2),
            ("the upper half", warp // 2, warp),
        ):  # fmt: skip
            yield Part(f"{name} of each warp of {warp}", _lane(around, warp, low, high), around)
    if span > 32:
        yield Part("lanes 32 and up of each warp of 128", _lane(around, 128, 32, 128), around)
        yield Part("lanes below 32 of each warp of 128", _lane(around, 128, 0, 32), around)


def _lane(around: int, warp: int, low: int, high: int) -> Callable[[int], bool]:
    return lambda index: low <= index % around % warp < high


def _rows(elements: int, width: int) -> Iterator[Part]:
    rows = elements // width
    of = f"(rows of {width})"
    yield Part(f"the first row {of}", lambda i: i < width, elements)
    yield Part(f"the last row {of}", lambda i: i >= (rows - 1) * width, elements)
    yield Part(f"the first column {of}", _rest(width, 0), width)
    yield Part(f"the last column {of}", _rest(width, width - 1), width)
    yield Part(f"odd rows {of}", lambda i: i // width % 2 == 1, 2 * width)
    yield Part(f"even rows {of}", lambda i: i // width % 2 == 0, 2 * width)
    yield Part(f"the border {of}", lambda i: i // width in (0, rows - 1) or i % width in (0, width - 1), elements)
    yield Part(f"the inside {of}", lambda i: 0 < i // width < rows - 1 and 0 < i % width < width - 1, elements)
    if rows == width:
        yield Part(f"the diagonal {of}", lambda i: i // width == i % width, elements)
        yield Part(f"above the diagonal {of}", lambda i: i // width < i % width, elements)
        yield Part(f"below the diagonal {of}", lambda i: i // width > i % width, elements)
    for column in (32, 64, 128):
        if column < width:
            yield Part(f"columns {column} and up {of}", _lane(width, width, column, width), width)


def _tiles(elements: int, width: int, across: int, down: int) -> Iterator[Part]:
    rows = elements // width
    if across < 2 or down < 2 or across >= width or down >= rows:
        return
    of = f"tiles of {across} x {down} (rows of {width})"

    def at(i: int) -> tuple[int, int]:
        return i % width % across, i // width % down

    yield Part(f"the first row of {of}", lambda i: at(i)[1] == 0, width * down)
    yield Part(f"the last row of {of}", lambda i: at(i)[1] == down - 1, width * down)
    yield Part(f"the first column of {of}", lambda i: at(i)[0] == 0, width)
    yield Part(f"the last column of {of}", lambda i: at(i)[0] == across - 1, width)
    yield Part(f"the border of {of}", lambda i: at(i)[0] in (0, across - 1) or at(i)[1] in (0, down - 1), width * down)
    whole_x, whole_y = width // across * across, rows // down * down
    if whole_x < width or whole_y < rows:
        yield Part(f"what whole {of} leave over", lambda i: i % width >= whole_x or i // width >= whole_y, elements)
