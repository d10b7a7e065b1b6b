"""Two buffers, element by element: where they first differ, by how much, and whether the differences have a pattern.

Bit for bit, as both sides of the emulated device are compared; or with what two real devices may part in.
"""

import math
import struct
from collections.abc import Sequence

from musify_ai.verify.patterns import NOTHING_KNOWN, Grid, Part, pattern
from musify_ai.verify.results import Difference, Place
from musify_ai.verify.tolerances import Tolerance, Tolerated, usual_size

_FORMATS = {
    ("i", 1): "<b", ("i", 2): "<h", ("i", 4): "<i", ("i", 8): "<q",
    ("u", 1): "<B", ("u", 2): "<H", ("u", 4): "<I", ("u", 8): "<Q",
    ("e", 1): "<b", ("e", 2): "<h", ("e", 4): "<i", ("e", 8): "<q",
    ("f", 4): "<f", ("f", 8): "<d", ("h", 2): "<e", ("B", 1): "<B",
}  # fmt: skip


def compare(
    original: bytes, translated: bytes, place: Place, grid: Grid = NOTHING_KNOWN, further: Sequence[Part] = (),
    tolerated: Tolerated | None = None,
) -> Difference | None:  # fmt: skip
    """The difference of two buffers' bytes, None where there is none. ``grid`` and ``further`` are for the pattern of
    the elements that differ; ``tolerated`` is given for real devices only."""
    size = max(place.size, 1)
    if len(original) != len(translated):
        text = f"{len(original)} bytes", f"{len(translated)} bytes"
        return Difference(-1, *text, abs(len(original) - len(translated)) // size, math.inf, False)
    if original == translated:
        return None
    leaves = place.leaves or ((0, place.size, "x"),)
    rooms = _rooms(original, size, leaves, tolerated)
    indices: list[int] = []
    worst, new_nan = 0.0, False
    for start in range(0, len(original), size):
        if original[start : start + size] == translated[start : start + size]:
            continue
        beyond = not rooms
        for number, (offset, width, kind) in enumerate(leaves):
            left, right = (data[start + offset : start + offset + width] for data in (original, translated))
            if left == right:
                continue
            a, b = decode(left, kind), decode(right, kind)
            if rooms and a is not None and b is not None and rooms[number][0].takes(a, b, rooms[number][1]):
                continue
            beyond = True
            if a is None or b is None:
                worst = math.inf
                continue
            new_nan = new_nan or (math.isnan(b) and not math.isnan(a))
            error = abs(a - b)
            worst = max(worst, math.inf if math.isnan(error) else error)
        if beyond:
            indices.append(start // size)
    if not indices:
        return None
    first = indices[0]
    shown = [_shown(data[first * size : (first + 1) * size], leaves) for data in (original, translated)]
    found = pattern(indices, len(original) // size, grid, further)
    return Difference(first, shown[0], shown[1], len(indices), worst, new_nan, found)


def _rooms(
    original: bytes, size: int, leaves: Sequence[tuple[int, int, str]], tolerated: Tolerated | None
) -> list[tuple[Tolerance, float]]:
    """For each scalar of an element its tolerance and the usual size of such values; nothing where all is exact."""
    if tolerated is None:
        return []
    out = []
    for offset, width, kind in leaves:
        values = (decode(original[at : at + width], kind) for at in range(offset, len(original), size))
        out.append((tolerated.of(kind, width), usual_size(value for value in values if value is not None)))
    return out


def values_of(data: bytes, place: Place) -> list[float | int | None]:
    """The numbers of a buffer whose elements are single scalars; nothing where they are not."""
    if len(place.leaves) != 1 or not place.size:
        return []
    kind = place.leaves[0][2]
    return [decode(data[at : at + place.size], kind) for at in range(0, len(data), place.size)]


def decode(data: bytes, kind: str) -> float | int | None:
    """The number that a scalar's bytes stand for; None where they stand for none."""
    if kind == "b" and len(data) == 2:
        value: float = struct.unpack("<f", b"\0\0" + data)[0]
        return value
    form = _FORMATS.get((kind, len(data)))
    if form is None:
        return None
    number: float | int = struct.unpack(form, data)[0]
    return number


def _shown(element: bytes, leaves: Sequence[tuple[int, int, str]]) -> str:
    parts = []
    for offset, width, kind in leaves[:4]:
        data = element[offset : offset + width]
        value = decode(data, kind)
        parts.append(f"0x{data.hex()}" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value))
    text = ", ".join(parts) + (", ..." if len(leaves) > 4 else "")
    return f"{{{text}}}" if len(leaves) > 1 else text
