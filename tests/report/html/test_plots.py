"""The pictures: what is drawn is what was recorded, and a phrase that reads otherwise has none."""

import re

import pytest

from musify_ai.report.html.plots import bar, difference, where

DETAIL = (
    "sums differs: element 64 is 1081 in the original and -nan in the translation; 32 of 6400 elements differ, worst"
    " error 3005{} (seed 1, schedule forward, poison 0xff)"
)


def boxes(pattern: str) -> list[tuple[float, float]]:
    """Where the strip is filled, in elements: from, and how many."""
    found = difference(DETAIL.format(f", {pattern}" if pattern else ""))
    assert found is not None
    assert found.pattern == pattern
    drawn = re.findall(r'<rect class="s1(?: tint)?" x="([\d.]+)" y="18" width="([\d.]+)"', where(found))
    return [(round(float(x) / 560 * 6400), round(float(width) / 560 * 6400)) for x, width in drawn]


def test_a_difference_is_read_from_its_sentence() -> None:
    found = difference(DETAIL.format(""))
    assert found is not None
    assert found[:7] == ("sums", 64, "1081", "-nan", 32, 6400, "3005")
    assert difference("sums differs: missing buffer") is None
    assert difference("") is None


@pytest.mark.parametrize(
    ("pattern", "drawn"),
    [
        ("", []),
        ("every element", [(0, 6400)]),
        ("from element 3200 on", [(3200, 3200)]),
        ("the first 640 elements", [(0, 640)]),
        ("elements 640 to 1279", [(640, 640)]),
        ("only odd elements", [(1, 6399)]),
        ("every 1600th element", [(0, 11), (1600, 11), (3200, 11), (4800, 11)]),
        ("every 1600th element from element 64 on up to element 3264", [(64, 11), (1664, 11), (3264, 11)]),
        ("every 2nd element from element 7000 on", []),  # past the end: something is wrong with the sentence
        ("only the border (rows of 64)", []),
        ("all within the last block (32 of 256 there)", []),
    ],
)
def test_only_what_the_pattern_names_is_filled(pattern: str, drawn: list[tuple[int, int]]) -> None:
    assert boxes(pattern) == drawn


@pytest.mark.parametrize(
    ("pattern", "lanes"),
    [
        ("only lanes 32 and up", (32, 96)),
        ("only lanes below 32 of each warp of 128 (from element 3 on)", (0, 32)),
        ("all within the upper half of each warp of 32 (4 of 9 there)", (64, 64)),
        ("only the last lane of each warp of 128", (127, 1)),
        ("odd rows (rows of 32)", None),
    ],
)
def test_lanes_that_a_pattern_names_are_mapped(pattern: str, lanes: tuple[int, int] | None) -> None:
    found = difference(DETAIL.format(f", {pattern}"))
    assert found is not None
    drawn = re.search(r'<rect class="s1" x="([\d.]+)" y="62" width="([\d.]+)"', where(found))
    assert (None if drawn is None else tuple(round(float(each) / 560 * 128) for each in drawn.groups())) == lanes


def test_no_share_of_a_bar_vanishes() -> None:
    widths = [float(each) for each in re.findall(r'width="([\d.]+)" height', bar([("a", 1, "x"), ("b", 10**6, "y")]))]
    assert len(widths) == 2
    assert widths[0] >= 1.9
    assert sum(widths) == pytest.approx(400, abs=0.1)
    assert bar([("a", 0, "x")]) == ""
