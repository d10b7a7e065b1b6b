"""Textures against the formulas of CUDA's programming guide; arrays and surfaces."""

import math
import struct

import pytest

POINTS = [(i - 12) * 0.125 for i in range(25)]
WRAP, CLAMP, MIRROR, BORDER = range(4)


@pytest.fixture
def lines(run):
    ran = run("textures.cpp")
    assert ran.status == 0, ran.err
    return {line.split()[0]: [float(cell) for cell in line.split()[1:]] for line in ran.out.splitlines()}, ran


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def index(i, n, mode):
    if 0 <= i < n:
        return i
    if mode == WRAP:
        return i % n
    if mode == MIRROR:
        return i % (2 * n) if i % (2 * n) < n else 2 * n - 1 - i % (2 * n)
    return min(max(i, 0), n - 1) if mode == CLAMP else None


def fetch(texels, x, linear, normalized, mode, border):
    """One dimension. Wrapping and mirroring are for normalized coordinates alone."""
    n = len(texels)
    mode = CLAMP if not normalized and mode in (WRAP, MIRROR) else mode
    if normalized:
        if mode == WRAP:
            x -= math.floor(x)
        if mode == MIRROR:
            x = x - math.floor(x) if math.floor(x) % 2 == 0 else 1 - (x - math.floor(x))
        x *= n

    def at(i):
        i = index(i, n, mode)
        return border if i is None else texels[i]

    if not linear:
        return at(math.floor(x))
    low = math.floor(x - 0.5)
    weight = math.floor((x - 0.5 - low) * 256 + 0.5) / 256
    return (1 - weight) * at(low) + weight * at(low + 1)


def test_fetches_from_a_line(lines):
    for linear in (0, 1):
        for normalized in (0, 1):
            for mode in range(4):
                unit = 1 if normalized else 6
                texels = [i * i for i in range(6)]
                wanted = [fetch(texels, x * unit, linear, normalized, mode, 77) for x in POINTS]
                assert lines[0][f"one{linear}{normalized}{mode}"] == pytest.approx(wanted, abs=1e-5)
    assert lines[1].assumptions() == {"texture-weights"}


def test_fetches_from_a_plane_and_a_volume(lines):
    channels = [lambda x, y: 10 * y + x, lambda x, y: x * x, lambda x, y: y - x, lambda x, y: x * y]
    for linear in (0, 1):
        got = iter(lines[0][f"two{linear}"])
        for y in POINTS:
            for x in POINTS:
                for channel in channels:
                    rows = [fetch([channel(i, j) for i in range(4)], x * 4, linear, False, CLAMP, 0) for j in range(3)]
                    assert next(got) == pytest.approx(fetch(rows, y * 3, linear, False, CLAMP, 0), abs=1e-5)
    volume = [[[(6 * z + 3 * y + x) ** 2 for x in range(3)] for y in range(2)] for z in range(2)]
    for i, got in enumerate(lines[0]["three"]):
        planes = [[fetch(row, 0.75 + i / 2, 1, 0, CLAMP, 0) for row in plane] for plane in volume]
        wanted = fetch([fetch(plane, 1.25, 1, 0, CLAMP, 0) for plane in planes], 1.0, 1, 0, CLAMP, 0)
        assert got == pytest.approx(wanted, abs=1e-4)


def test_integers_fractions_layers_and_references(lines):
    raw = [0, 1, 128, 255, 10, 20, 30, 40]
    got = lines[0]
    assert got["layers"] == [5, -6, 7, -8, 9, -10]
    assert got["integers_unfiltered"] == [1, 1]  # invalid: integers are not filtered, and 32 bits are no fraction
    assert [single(v) for v in got["fractions"]] == [single(single(v) / 255) for v in raw]
    assert got["bytes"] == raw
    assert got["gathered"] == [36, 49, 4, 1]
    assert [single(v) for v in got["references"]] == [9, single(51 / 255)]


def test_surfaces(lines):
    got = lines[0]
    assert got["board"] == [10 * i + 1 for i in range(16)]
    for y in range(2):
        for x in range(8):  # thread after thread: those before x have written
            right = min(x + 3, 7)
            right = 8 * y + right if right > x else 10 * (8 * y + right) + 1
            left = 10 * (8 * y + x - 1) + 1 if x else 0
            assert got["surface"][8 * y + x] == right + 1000 * left
    assert got["outside"] == [700]


def test_arrays_and_linear_memory(lines):
    got = lines[0]
    assert got["linear"] == [0, *(i * i for i in range(8)), 0]
    assert got["destroyed"] == [0, 1]
    assert got["array"] == [0, 0, 32, 2, 5, 3, 0, 7**2, 8**2, 12**2, 13**2, 1]
    assert got["volume"] == [0, 0, 4**2, 5**2, 10**2, 11**2]
