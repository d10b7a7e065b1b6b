"""PTX takes the low five bits of a shuffle's distance; the intrinsics take it as it is."""

import pytest

from musify_ai.records import Options
from musify_ai.source import splice
from musify_ai.translate import translate


def lowered(mode: str, by: str) -> bytes:
    operand = by if by.isdigit() else "%2"
    clamp = "0" if mode == "up" else "0x1f"
    src = (
        "__device__ int f(int a, int by) { int d; "
        f'asm volatile("shfl.sync.{mode}.b32 %0, %1, {operand}, {clamp}, 0xffffffff;" : "=r"(d) : "r"(a), "r"(by)); '
        "return d; }"
    ).encode()
    edits = [edit for edit in translate(src, "a.cu", Options()).edits if edit.safety == "safe"]
    return splice(src, edits)


@pytest.mark.parametrize("mode", ["up", "down", "bfly"])
def test_a_distance_that_is_not_known_is_cut_to_five_bits(mode: str) -> None:
    got = lowered(mode, "by")
    assert b"asm" not in got
    assert b"& 31u" in got


@pytest.mark.parametrize("mode", ["up", "down", "bfly"])
def test_a_literal_is_cut_when_it_is_written(mode: str) -> None:
    assert b", 1, 32)" in lowered(mode, "33")
