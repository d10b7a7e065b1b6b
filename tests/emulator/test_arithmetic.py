"""Intrinsics of one thread against Python's integers, and exact fractions rounded in each direction."""

import math
import struct
from fractions import Fraction

import pytest

ALL32, ALL64 = (1 << 32) - 1, (1 << 64) - 1


def signed(value, width=32):
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def reverse(value, width):
    return int(f"{value:0{width}b}"[::-1], 2)


def first_set(value):
    return (value & -value).bit_length()


def bytes_of(value):
    return [value >> shift & 255 for shift in (0, 8, 16, 24)]


def permuted(a, b, selector):
    source, out = bytes_of(a) + bytes_of(b), 0
    for i in range(4):
        choice = selector >> 4 * i & 15
        byte = source[choice & 7]
        out |= (0xFF * (byte >> 7) if choice & 8 else byte) << 8 * i
    return out


def integers(a, b, c, wide, other):
    x, y = signed(a), signed(b)
    both, shift = b << 32 | a, c & 31
    left, right = (both << shift) >> 32 & ALL32, both >> shift & ALL32
    return [
        *(a.bit_count(), wide.bit_count(), 32 - a.bit_length(), 64 - wide.bit_length(), first_set(a), first_set(wide)),
        *(
            reverse(a, 32),
            reverse(wide, 64),
            signed(signed(a, 24) * signed(b, 24)),
            (a & 0xFFFFFF) * (b & 0xFFFFFF) & ALL32,
        ),
        *(x * y >> 32, a * b >> 32, wide * other >> 64, signed(wide, 64) * signed(other, 64) >> 64),
        *((c + abs(x - y)) & ALL32, (c + abs(a - b)) & ALL32, (x + y) >> 1, (x + y + 1) >> 1, (a + b) >> 1),
        *(permuted(a, b, c), left, right, a if c >= 32 else left, b if c >= 32 else right),
        signed(c + sum(signed(p, 8) * signed(q, 8) for p, q in zip(bytes_of(a), bytes_of(b), strict=True))),
        (c + sum(p * q for p, q in zip(bytes_of(a), bytes_of(b), strict=True))) & ALL32,
        *(min(x, y), max(a, b), max(x, y)),
    ]


def single(word):
    return struct.unpack(">f", bytes.fromhex(word))[0]


def neighbours(exact):
    """The floats just below and above an exact value, and the nearest."""
    near = struct.unpack("f", struct.pack("f", float(exact)))[0]
    step = struct.unpack("i", struct.pack("f", near))[0]
    near_by = [struct.unpack("f", struct.pack("i", step + d))[0] for d in (-1, 0, 1)]
    below = max(v for v in near_by if Fraction(v) <= exact)
    above = min(v for v in near_by if Fraction(v) >= exact)
    gap = (exact - Fraction(below)) - (Fraction(above) - exact)
    even = below if struct.unpack("i", struct.pack("f", below))[0] % 2 == 0 else above
    return below, above, below if gap < 0 else above if gap > 0 else even


def rounded(exact):
    below, above, nearest = neighbours(exact)
    return [nearest, below if exact > 0 else above, above, below]


@pytest.fixture(scope="module", params=[("cuda", 32), ("musa", 128)], ids=["cuda", "musa"])
def lines(device, request):
    ran = device.run("arithmetic.cpp", *request.param)
    assert ran.status == 0
    return ran.out.splitlines()


def rows(lines, name):
    found = [line[2:].split(" = ") for line in lines if line.startswith(name + " ")]
    assert found
    return found


def test_integer_intrinsics(lines):
    for operands, results in rows(lines, "i"):
        assert [int(cell) for cell in results.split()] == integers(*map(int, operands.split())), operands


def test_rounding_in_each_direction(lines):
    for operands, results in rows(lines, "f"):
        a, b, c = (Fraction(single(word)) for word in operands.split())
        want = [value for exact in (a + b, a * b, a / b, a * b + c) for value in rounded(exact)]
        assert [single(word) for word in results.split()] == want, operands


def clamp(value, low, high):
    return low if value < low else high if value > high else int(value)


def test_conversions_clamp(lines):
    for word, results in rows(lines, "c"):
        x = single(word)
        low, high = -(1 << 31), (1 << 31) - 1
        if math.isnan(x):
            want = [0, 0, 0, 0, 0, 0, -(1 << 63), 1 << 63]
        else:
            nearest, zero, up, down = (
                (x, x, x, x) if math.isinf(x) else (round(x), math.trunc(x), math.ceil(x), math.floor(x))
            )
            want = [clamp(v, low, high) for v in (nearest, zero, up, down)]
            want += [clamp(nearest, 0, ALL32), clamp(zero, 0, ALL32)]
            want += [clamp(zero, -(1 << 63), (1 << 63) - 1), clamp(nearest, 0, ALL64)]
        assert [int(cell) for cell in results.split()] == want, x
    for value, results in rows(lines, "n"):
        assert [single(word) for word in results.split()] == rounded(Fraction(int(value))) if int(value) else True


def test_the_rest(lines):
    assert f"b {0x40091234} {signed(0x87654321)}" in lines
    assert "s 0 1 0.25 0 0.25" in lines
    assert "m 1 3 2 -0.5 1" in lines
    assert "g 2.5 2.5 3 1 8 4" in lines
    assert "t 12 16 24 16 4 8 16 12" in lines
