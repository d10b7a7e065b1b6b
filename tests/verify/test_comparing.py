import math
import struct

from musify_ai.verify.comparing import compare, decode
from musify_ai.verify.patterns import Grid
from musify_ai.verify.results import Place

FLOATS = Place("out", 256, 4, ((0, 4, "f"),))


def floats(values: dict[int, float] | None = None) -> bytes:
    data = [float(i) for i in range(256)]
    for index, value in (values or {}).items():
        data[index] = value
    return struct.pack("<256f", *data)


def test_equal_buffers_have_no_difference() -> None:
    assert compare(floats(), floats(), FLOATS) is None


def test_first_element_values_and_worst_error() -> None:
    got = compare(floats(), floats({7: 7.5, 200: 190.0}), FLOATS)
    assert got is not None
    assert (got.first, got.original, got.translated, got.differing, got.worst_error) == (7, "7", "7.5", 2, 10.0)
    assert not got.new_nan


def test_nan_where_there_was_none() -> None:
    got = compare(floats(), floats({3: math.nan}), FLOATS)
    assert got is not None
    assert got.new_nan
    assert got.worst_error == math.inf


def test_lengths_differ() -> None:
    got = compare(floats(), floats()[:-4], FLOATS)
    assert got is not None
    assert got.first == -1


def test_pattern_of_lanes() -> None:
    high = {i: -1.0 for i in range(256) if i % 128 >= 32}
    got = compare(floats(), floats(high), FLOATS, Grid(block=256))
    assert got is not None
    assert got.pattern == "only lanes 32 and up of each warp of 128"
    everything = dict.fromkeys(range(256), -1.0)
    got = compare(floats(), floats(everything), FLOATS)
    assert got is not None
    assert got.pattern == "every element"


def test_structures_show_their_members() -> None:
    place = Place("p", 2, 8, ((0, 4, "f"), (4, 4, "i")))
    left = struct.pack("<fifi", 1, 2, 3, 4)
    right = struct.pack("<fifi", 1, 2, 3, 5)
    got = compare(left, right, place)
    assert got is not None
    assert (got.first, got.original, got.translated, got.worst_error) == (1, "{3, 4}", "{3, 5}", 1)


def test_decode_half_and_bfloat16() -> None:
    assert decode(struct.pack("<e", 1.5), "h") == 1.5
    assert decode(struct.pack("<f", 1.5)[2:], "b") == 1.5
    assert decode(b"\1\2\3", "x") is None
