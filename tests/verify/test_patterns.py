"""Patterns of differing elements: what is said is true, and what is there is found."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.verify.patterns import Grid, _parts, _size, pattern, where_inputs

BLOCKS = Grid(block=256)
ROWS = Grid(block=256, tile=(16, 16), widths=(40,))


@pytest.mark.parametrize(
    ("elements", "grid", "holds", "wanted"),
    [
        (512, BLOCKS, lambda i: True, "every element"),
        (512, BLOCKS, lambda i: i == 0, "only element 0 (the first)"),
        (512, BLOCKS, lambda i: i == 511, "only element 511 (the last)"),
        (512, BLOCKS, lambda i: i == 77, "only element 77"),
        (1000, Grid(), lambda i: i >= 300, "from element 300 on"),
        (1000, Grid(), lambda i: i < 300, "the first 300 elements"),
        (1000, Grid(), lambda i: 100 <= i < 300, "elements 100 to 299"),
        (1000, Grid(), lambda i: i % 17 == 0, "every 17th element"),
        (1000, Grid(), lambda i: i % 17 == 3, "every 17th element from element 3 on"),
        (1000, Grid(), lambda i: i % 2 == 1, "only odd elements"),
        (1000, Grid(), lambda i: i % 2 == 0, "only even elements"),
        (1000, Grid(), lambda i: i % 22 == 0 and i < 500, "every 22nd element up to element 484"),
        (1000, BLOCKS, lambda i: i >= 768, "only the last block (from element 768 on)"),
        (1000, BLOCKS, lambda i: i < 256, "only the first block (the first 256 elements)"),
        (1024, BLOCKS, lambda i: i // 256 % 2, "only odd blocks"),
        (1024, BLOCKS, lambda i: i % 128 >= 32, "only lanes 32 and up of each warp of 128"),
        (1024, BLOCKS, lambda i: i % 32 >= 16, "only the upper half of each warp of 32"),
        (1000, Grid(block=96), lambda i: i % 96 >= 32, "only lanes 32 and up of each warp of 128"),
        (1600, ROWS, lambda i: i < 40, "only the first row (rows of 40) (the first 40 elements)"),
        (
            1600,
            ROWS,
            lambda i: i % 40 == 39,
            "only the last column (rows of 40) (every 40th element from element 39 on)",
        ),
        (1600, ROWS, lambda i: i // 40 == i % 40, "only the diagonal (rows of 40) (every 41st element)"),
        (1600, ROWS, lambda i: i // 40 > i % 40, "only below the diagonal (rows of 40)"),
        (1600, ROWS, lambda i: i % 40 % 16 == 15, "only the last column of tiles of 16 x 16 (rows of 40)"),
        (
            1600,
            ROWS,
            lambda i: i % 40 >= 32 or i // 40 >= 32,
            "only what whole tiles of 16 x 16 (rows of 40) leave over",
        ),
        (1600, ROWS, lambda i: i in (3, 77, 1001, 1500), ""),
    ],
)
def test_what_is_there_is_named(elements: int, grid: Grid, holds: Callable[[int], bool], wanted: str) -> None:
    assert pattern([i for i in range(elements) if holds(i)], elements, grid) == wanted


def test_a_part_in_which_some_are_alike_is_told_with_counts() -> None:
    high = [i for i in range(1024) if i % 128 >= 32 and i % 7]
    assert pattern(high, 1024, BLOCKS) == "all within lanes 32 and up of each warp of 128 (658 of 768 there)"


def test_too_few_to_tell() -> None:
    assert pattern([40, 170, 300], 1024, BLOCKS) == ""


def test_elements_where_an_input_is_of_some_kind() -> None:
    values = [math.nan if i % 13 in (1, 4) else float(i) for i in range(200)]
    parts = where_inputs("x", values)
    assert pattern([i for i in range(200) if i % 13 in (1, 4)], 200, further=parts) == "only elements where x is NaN"
    integers = where_inputs("k", [(-1) ** i * (i % 5) for i in range(200)])
    differing = [i for i in range(200) if i % 5 and i % 2]
    assert pattern(differing, 200, further=integers) == "only elements where k is negative"


GRIDS = st.builds(
    Grid,
    st.sampled_from((0, 1, 32, 96, 128, 256)),
    st.sampled_from(((0, 0), (16, 16), (32, 8))),
    st.lists(st.integers(0, 60), max_size=2).map(tuple),
)


@given(st.integers(2, 700), GRIDS, st.data())
def test_what_is_said_is_true(elements: int, grid: Grid, data: st.DataObject) -> None:
    indices = sorted(data.draw(st.sets(st.integers(0, elements - 1), max_size=40)))
    text = pattern(indices, elements, grid)
    if text.startswith("only ") and " element" not in text[:14]:
        part = next(each for each in _parts(elements, grid) if text.startswith(f"only {each.name}"))
        assert indices == [i for i in range(elements) if part.holds(i)]
    if text.startswith("all within"):
        part = next(each for each in _parts(elements, grid) if text.startswith(f"all within {each.name} ("))
        assert all(map(part.holds, indices))


@given(st.integers(2, 900), GRIDS)
def test_parts_are_counted_rightly_and_each_is_found(elements: int, grid: Grid) -> None:
    for part in _parts(elements, grid):
        indices = [i for i in range(elements) if part.holds(i)]
        assert _size(part, elements) == len(indices), part.name
        if indices:
            assert pattern(indices, elements, grid), part.name
