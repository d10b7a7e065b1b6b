"""Two buffers, element by element: where they first differ, by how much, and whether the differences have a pattern."""

import math
import struct
from collections.abc import Sequence

from musify_ai.verify.results import Difference, Place

_FORMATS = {
    ("i", 1): "<b", ("i", 2): "<h", ("i", 4): "<i", ("i", 8): "<q",
    ("u", 1): "<B", ("u", 2): "<H", ("u", 4): "<I", ("u", 8): "<Q",
    ("e", 1): "<b", ("e", 2): "<h", ("e", 4): "<i", ("e", 8): "<q",
    ("f", 4): "<f", ("f", 8): "<d", ("h", 2): "<e", ("B", 1): "<B",
}  # fmt: skip


def compare(original: bytes, translated: bytes, place: Place, block: int = 0) -> Difference | None:
    """The difference of two buffers' bytes, None where there is none. ``block`` is the number of threads of a block,
    for the pattern over lanes; 0 where it means nothing."""
    size = max(place.size, 1)
    if len(original) != len(translated):
        text = f"{len(original)} bytes", f"{len(translated)} bytes"
        return Difference(-1, *text, abs(len(original) - len(translated)) // size, math.inf, False)
    if original == translated:
        return None
    indices = [
        at // size for at in range(0, len(original), size) if original[at : at + size] != translated[at : at + size]
    ]
    leaves = place.leaves or ((0, place.size, "x"),)
    worst, new_nan = 0.0, False
    for index in indices:
        for offset, width, kind in leaves:
            at = index * size + offset
            left, right = original[at : at + width], translated[at : at + width]
            if left == right:
                continue
            a, b = decode(left, kind), decode(right, kind)
            if a is None or b is None:
                worst = math.inf
                continue
            new_nan = new_nan or (math.isnan(b) and not math.isnan(a))
            error = abs(a - b)
            worst = max(worst, math.inf if math.isnan(error) else error)
    first = indices[0]
    shown = [_shown(data[first * size : (first + 1) * size], leaves) for data in (original, translated)]
    return Difference(
        first, shown[0], shown[1], len(indices), worst, new_nan, _pattern(indices, len(original) // size, block)
    )


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


def _pattern(indices: Sequence[int], elements: int, block: int) -> str:
    """What the differing elements have in common, taking element i to belong to thread i."""
    if len(indices) == elements and elements > 1:
        return "every element"
    if len(indices) < 4 or indices[-1] < 128:
        return ""  # too few to tell
    lanes = [index % block % 128 if block else index % 128 for index in indices]
    if min(lanes) >= 32:
        return "only lanes 32 and up"
    if max(lanes) < 32 and (block == 0 or block > 32):
        return "only lanes below 32"
    return ""
