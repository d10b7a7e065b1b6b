"""Cooperative groups beyond tiles of a segment, with answers in closed form."""

import struct

import pytest

THREADS = 256


@pytest.fixture(params=["forward", "reverse", "random:5"])
def answers(run, request):
    ran = run("groups.cpp", schedule=request.param)
    assert ran.status == 0, ran.err
    assert ran.kinds() <= {"assumption"}
    return {line.split()[0]: [float(cell) for cell in line.split()[1:]] for line in ran.out.splitlines()}


def single(value):
    """The nearest float of 32 bits."""
    return struct.unpack("f", struct.pack("f", value))[0]


def rows(numbers, width):
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


def test_partitions(answers):
    for t, got in enumerate(rows(answers["partitions"], 12)):
        warp = range(t // 32 * 32, t // 32 * 32 + 32)
        same = [u for u in warp if u % 5 == t % 5]
        assert got[:3] == [len(same), same.index(t), sum(same)]
        half = [u for u in warp if (u % 4 == 0) == (t % 4 == 0)]
        assert got[3:5] == [len(half) * 1000 + half.index(t) * 10 + (t % 4 == 0), half[1]]
        if t % 2:
            odd = [u for u in warp if u % 2]
            part = odd.index(t) // 4
            four = odd[4 * part : 4 * part + 4]
            assert got[5] == 4000 + four.index(t) * 100 + part * 10 + 4
            assert got[6] == sum(u for u in four if u <= t)
            assert got[7] == four[four.index(t) ^ 1]
            assert got[8] == sum(1 << odd.index(u) for u in odd if u // 8 % 2 == t // 8 % 2)
        else:
            assert got[5:9] == [-1] * 4
        assert got[9] == t % 32 // 8 * 10 + 4
        assert got[10] == (t % 8 == 0) + 10 * (t - t % 8)
        assert got[11] == 10


@pytest.mark.parametrize("size", [64, 256])
def test_tiles_larger_than_a_warp(answers, size):
    for t, got in enumerate(rows(answers[f"large{size}"], 7)):
        tile = range(t // size * size, t // size * size + size)
        assert got[0] == size * 10000 + t % size * 10 + t // size
        assert got[1] == sum(tile)
        assert got[2] == sum(1 + u % 3 for u in tile if u <= t)
        assert got[3] == (t - 1 if t % size else 0)
        assert got[4] == tile[5]
        assert got[5] == 2 * (70 in tile) + all(u < 200 for u in tile)
        assert got[6] == (size if t % size else 0)


def test_a_large_tile_adds_by_warps_and_then_over_them(answers):
    def tree(values):
        while len(values) > 1:
            half = len(values) // 2
            values = [single(a + b) for a, b in zip(values[:half], values[half:], strict=True)]
        return values[0]

    values = [1e8 if t == 0 else single(1 / t) for t in range(THREADS)]
    for t, got in enumerate(answers["sums64"]):
        first = t // 64 * 64
        wanted = tree([tree(values[first + 32 * w : first + 32 * w + 32]) for w in range(2)])
        assert single(got) == wanted


def test_copies_come_when_they_are_waited_for(answers, side):
    if side[0] == "musa":
        assert "copied" not in answers  # no MUSA source shows that it has them
        return
    assert answers["copied"] == [5 * t + 1 for t in range(THREADS)]
    assert answers["not_waited"] == [-1] * THREADS
    assert answers["piped"] == [15] * THREADS
