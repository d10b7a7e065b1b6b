"""Further shapes beside the chosen one: a translation may be wrong only for some sizes, flags or grids.

One element, one more than a block, exact multiples, sizes in another order, many blocks; flags and offsets at other
values; and launches that the program does not make, whose outcome says less. Those under which the original does not
end well are dropped: they are no inputs of this kernel.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from musify_ai.verify.hostvalues import Dim
from musify_ai.verify.lists import CHOICE, CHOICES
from musify_ai.verify.roles import ELEMENTS, Scalar, filled, is_block_size
from musify_ai.verify.shapes import ENUMERATORS, Shape, Shaping
from musify_ai.verify.tensors import further

# By the number of sizes. One of each kind: nothing but one, exact multiples of blocks and warps (even), the order
# turned round, one dimension only, one element more than whole blocks.
_SIZES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,), (37,), (512,), (513,)),
    2: ((1, 1), (37, 97), (64, 64), (1, 129), (129, 1)),
    3: ((1, 1, 1), (19, 23, 31), (16, 16, 16), (33, 1, 64)),
    4: ((1, 1, 1, 1), (11, 7, 5, 3), (4, 8, 4, 16)),
    5: ((1, 1, 1, 1, 1), (11, 7, 3, 5, 2)),
}
# Many blocks, past what 8 and 16 bits count; the first under which the original ends well is taken.
_LARGE: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((70001,), (40009,), (20011,)),
    2: ((257, 251), (131, 127)),
    3: ((61, 47, 21),),
}
ROOM = 131072
"""Elements of a buffer under many blocks."""
SMALL_ROOM = 16384
"""Elements of a buffer under the other further shapes: they are many, and touch little."""
FLAGS = (0, 1, 2, -1)
MOST_FLAGS = 24
"""Integers up to which each is 0 by itself: the members of a structure may be many."""


class Variant(NamedTuple):
    """Alternatives of which the first good one is run. ``firm``: a difference under it is one of the translation;
    else it is one under a launch that the program, as far as the text tells, does not make."""

    shapes: tuple[Shape, ...]
    firm: bool = True


def variants(shaping: Shaping, base: Shape) -> list[Variant]:
    """The further shapes of a kernel whose chosen shape is ``base``, cheap ones first, firm ones first."""
    seen = {_key(base)}
    out: list[Variant] = []
    for variant in (
        *_sized(shaping, base),
        *_flagged(shaping, base),
        *_of_tensors(shaping, base),
        *_large(shaping, base),
        *_launched(shaping, base),
    ):
        fresh = tuple(shape for shape in variant.shapes if _key(shape) not in seen)
        seen.update(_key(shape) for shape in fresh)
        if fresh:
            out.append(variant._replace(shapes=fresh))
    return out


def _key(shape: Shape) -> tuple[Dim, Dim, int, tuple[tuple[str, int], ...]]:
    return shape.grid, shape.block, shape.shared, tuple((n, v) for n, v in shape.values if not is_block_size(n))


def _limit(base: Shape) -> int:
    return base.bound if base.bound <= 7 else 61


def _made(shaping: Shaping, base: Shape, values: Mapping[str, int], room: int = SMALL_ROOM) -> Shape | None:
    chosen = {name: value for name, value in base.values if " " in name}  # which tensors, lists, enumerators
    values = {**chosen, **values}
    launched = shaping.launched(values)
    if base.turn >= len(launched):
        return None
    return shaping.shape(values, _limit(base), launched[base.turn], base.turn, room)


def _sizes(shaping: Shaping) -> list[Scalar]:
    return [each for each in shaping.scalars if each.role == "size"]


def _rows(shaping: Shaping, base: Shape, rows: Sequence[Sequence[int]], room: int = SMALL_ROOM) -> Iterator[Shape]:
    sizes = [each.name for each in _sizes(shaping)]
    # What is no size stays as the original took it.
    known = dict(base.values)
    others = {
        each.name: known[each.name]
        for each in shaping.scalars
        if each.role == "other" and each.name in known and not is_block_size(each.name)
    }
    for row in rows:
        values = filled(shaping.scalars, dict(zip(sizes, row, strict=True)), shaping.learnt)
        shape = _made(shaping, base, {**values, **others}, room)
        if shape is not None:
            yield shape


def _sized(shaping: Shaping, base: Shape) -> Iterator[Variant]:
    count = len(_sizes(shaping))
    rows = _SIZES.get(count, ((1,) * count, (3,) * count) if count else ())
    for shape in _rows(shaping, base, rows):
        yield Variant((shape,))


def _large(shaping: Shaping, base: Shape) -> Iterator[Variant]:
    count = len(_sizes(shaping))
    found = tuple(_rows(shaping, base, _LARGE.get(count, ()), ROOM if count == 1 else ELEMENTS))
    if found:
        yield Variant(found)


def _flagged(shaping: Shaping, base: Shape) -> Iterator[Variant]:
    """Integers that are no sizes at other values; offsets that are not 0; rows that are longer than what they hold."""
    values = dict(base.values)
    flags = [each.name for each in shaping.scalars if each.role == "other" and not is_block_size(each.name)]
    for flag in FLAGS if flags else ():
        shape = _made(shaping, base, {**values, **dict.fromkeys(flags, flag)})
        if shape is not None:
            yield Variant((shape,))
    # One that may not be 0 (it divides) must not keep the others from it: each alone.
    for name in flags[:MOST_FLAGS] if len(flags) > 1 else ():
        shape = _made(shaping, base, {**values, name: 0})
        if shape is not None:
            yield Variant((shape,))
    for role, more in (("start", 5), ("stride", 3)):
        names = [each.name for each in shaping.scalars if each.role == role]
        shape = _made(shaping, base, {**values, **{name: values[name] + more for name in names}}) if names else None
        if shape is not None:
            yield Variant((shape,))


def _of_tensors(shaping: Shaping, base: Shape) -> Iterator[Variant]:
    """Tensors of other sizes, and with rows that are longer than what they hold; other lists and enumerators."""
    lists = [{CHOICE: number} for number in range(len(CHOICES))] if shaping.lists is not None else []
    enums = [shaping.enumerated(value) for value in ENUMERATORS] if shaping.enums else []
    for values in (*further(shaping.tensors, dict(base.values)), *lists, *enums):
        shape = _made(shaping, base, {**dict(base.values), **values})
        if shape is not None:
            yield Variant((shape,))


def _launched(shaping: Shaping, base: Shape) -> Iterator[Variant]:
    """Fewer blocks than elements need, more than they need (of sizes that fill blocks too), and a second row of blocks
    where the kernel knows rows."""
    x, y, z = base.grid
    grids: list[Dim] = [((x + 1) // 2, (y + 1) // 2, z), (x + 2, y, z)]
    if y == 1 and (b"blockIdx.y" in shaping.body or b"gridDim.y" in shaping.body):
        grids.append(((x + 1) // 2, 2, 1))
    if b"gridDim" in shaping.body and (x + 1) // 2 > 1:
        grids.append((1, 1, 1))  # the only block is the first and the last
    for grid in grids:
        launch = (grid, base.block, base.shared)
        yield Variant((shaping.shape(dict(base.values), _limit(base), launch, base.turn, SMALL_ROOM),), firm=False)
    # As many blocks as many elements need, where the program's grid does not grow with them.
    count = len(_sizes(shaping))
    for large in _rows(shaping, base, _LARGE.get(count, ())[:1], ROOM if count == 1 else ELEMENTS):
        if large.grid != base.grid:
            continue
        most = max(_LARGE[count][0])
        launch = (-(-most // base.block[0]), -(-most // base.block[1]) if y > 1 else 1, z), base.block, base.shared
        shape = shaping.shape(dict(large.values), _limit(base), launch, base.turn, ROOM if count == 1 else ELEMENTS)
        yield Variant((shape,), firm=False)
    # Whole blocks of elements and a block more: its first thread stands right at the end.
    for whole in _rows(shaping, base, ((256,),) if count == 1 else ((32,) * count,) if count in (2, 3) else ()):
        wider = (whole.grid[0] + 1, whole.grid[1] + (whole.grid[1] > 1), whole.grid[2])
        launch = (wider, whole.block, whole.shared)
        shape = shaping.shape(dict(whole.values), _limit(base), launch, base.turn, SMALL_ROOM)
        yield Variant((shape.begun(), shape), firm=False)
