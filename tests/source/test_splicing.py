import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.records import Edit
from musify_ai.source import OffsetMap, resolve, splice, undo


def edit(start: int, end: int, new: bytes, src: bytes, rule: str = "MUS201") -> Edit:
    return Edit(start, end, src[start:end], new, rule, "rule")


@st.composite
def a_file_and_edits(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    src = draw(st.binary(max_size=60))
    spans = draw(st.lists(st.tuples(st.integers(0, len(src)), st.integers(0, 6), st.binary(max_size=6)), max_size=12))
    rules = st.sampled_from(["names.runtime", "MUS201"])
    return src, [edit(a, min(a + n, len(src)), new, src, draw(rules)) for a, n, new in spans]


@given(a_file_and_edits())
def test_undo_gives_the_input_back(case: tuple[bytes, list[Edit]]) -> None:
    src, edits = case
    kept, refused = resolve(edits)
    assert sorted(set(edits)) == sorted(kept + refused)
    for first, second in itertools.pairwise(kept):
        assert first.end <= second.start and first.start < second.start
    assert undo(splice(src, kept), kept) == src


@given(a_file_and_edits())
def test_offsets_outside_edits_map_both_ways(case: tuple[bytes, list[Edit]]) -> None:
    src, edits = case
    kept, _ = resolve(edits)
    dst = splice(src, kept)
    mapping = OffsetMap(kept)
    for offset in range(len(src)):
        if not any(e.start <= offset < e.end for e in kept):
            out = mapping.to_output(offset)
            assert dst[out] == src[offset]
            assert mapping.to_input(out) == offset


def test_a_rule_wins_over_a_name_and_a_longer_edit_over_a_shorter() -> None:
    src = b"abcdefgh"
    name = edit(0, 4, b"x", src, "names.runtime")
    rule = edit(2, 4, b"y", src)
    longer = edit(3, 8, b"z", src)
    assert resolve([name, rule]) == ([rule], [name])
    assert resolve([rule, longer]) == ([longer], [rule])


def test_an_edit_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        splice(b"abc", [Edit(0, 1, b"x", b"y", "MUS201", "rule")])
    with pytest.raises(ValueError, match="does not fit"):
        undo(b"abc", [Edit(0, 1, b"a", b"y", "MUS201", "rule")])
