"""The 16-bit types against struct's half, and against exact fractions rounded once."""

import bisect
import math
import struct
from fractions import Fraction

import pytest


class Format:
    """A binary format: how many fraction bits, which exponent bias; everything by exact arithmetic."""

    def __init__(self, mantissa, bias):
        self.mantissa, self.bias = mantissa, bias
        self.infinity = (2 * bias + 1) << mantissa
        self.positive = [self.value(bits) for bits in range(self.infinity)]

    def value(self, bits):
        sign = -1 if bits & 0x8000 else 1
        exponent, fraction = (bits & 0x7FFF) >> self.mantissa, bits & ((1 << self.mantissa) - 1)
        if exponent == 2 * self.bias + 1:
            return math.nan if fraction else sign * math.inf
        scale = max(exponent, 1) - self.bias - self.mantissa
        return sign * Fraction((fraction | (1 << self.mantissa)) if exponent else fraction) * Fraction(2) ** scale

    def round(self, exact, mode="nearest", negative_zero=False):
        if isinstance(exact, float) and math.isnan(exact):
            return None
        sign = 0x8000 if exact < 0 or (exact == 0 and negative_zero) else 0
        if isinstance(exact, float):
            return sign | self.infinity
        size = abs(exact)
        low = bisect.bisect_right(self.positive, size) - 1  # the greatest format value that is not above
        below = self.positive[low]
        above = self.positive[low + 1] if low + 1 < self.infinity else Fraction(2) ** (self.bias + 1)
        up = {
            "nearest": size - below > above - size or (size - below == above - size and low & 1 == 1),
            "zero": False,
            "up": not sign and size > below,
            "down": bool(sign) and size > below,
        }[mode]
        return sign | (low + up)


HALF, BRAIN = Format(10, 15), Format(7, 127)


def single(word):
    return struct.unpack(">f", bytes.fromhex(word))[0]


@pytest.fixture(scope="module")
def outputs(device):
    return {side: device.run("halves.cpp", *side).out.splitlines() for side in (("cuda", 32), ("musa", 128))}


@pytest.fixture(params=[("cuda", 32), ("musa", 128)], ids=["cuda", "musa"])
def lines(request, outputs):
    return outputs[request.param]


def rows(lines, name):
    found = [line.split()[1:] for line in lines if line.startswith(name + " ")]
    assert found
    return found


def test_every_half_and_every_bfloat16_decodes(lines):
    decoded = rows(lines, "decode")
    assert len(decoded) == 65536
    for bits, half, brain in decoded:
        [value] = struct.unpack(">e", bytes.fromhex(bits))
        if math.isnan(value):
            assert math.isnan(single(half))
        else:
            assert half == struct.pack(">f", value).hex()
        assert brain == bits + "0000"


def test_floats_round_to_half_at_every_boundary(lines):
    for word, positive, negative in rows(lines, "half"):
        try:
            want = struct.pack(">e", single(word)).hex()
        except OverflowError:
            want = "7c00"
        assert positive == want, word
        assert int(negative, 16) == int(want, 16) | 0x8000, word
    assert rows(lines, "nan") == [["1", "1"]]


def test_doubles_round_once(lines):
    for bits, above, below in rows(lines, "double"):
        assert (int(above, 16), int(below, 16)) == (int(bits, 16) + 1, int(bits, 16))


def test_directed_rounding(lines):
    for word, zero, up, down in rows(lines, "directed"):
        exact = Fraction(single(word))
        got = [int(cell, 16) for cell in (zero, up, down)]
        negative_zero = math.copysign(1, single(word)) < 0
        want = [HALF.round(exact, mode, negative_zero) for mode in ("zero", "up", "down")]
        assert got == want, word


def test_floats_round_to_bfloat16(lines):
    for word, nearest, zero in rows(lines, "brain"):
        value = single(word)
        exact = value if math.isinf(value) else Fraction(value)
        negative = math.copysign(1, value) < 0
        assert int(nearest, 16) == BRAIN.round(exact, "nearest", negative), word
        assert int(zero, 16) == BRAIN.round(exact, "zero", negative), word


def test_integers(lines):
    for value, bits in rows(lines, "integer"):
        assert int(bits, 16) == HALF.round(Fraction(int(value))), value
    for bits, nearest, towards_zero in rows(lines, "to_integer"):
        value = HALF.value(int(bits, 16))
        assert (int(nearest), int(towards_zero)) == (round(value), -math.floor(value))


@pytest.mark.parametrize(("name", "form"), [("half_op", HALF), ("brain_op", BRAIN)])
def test_arithmetic_rounds_once(lines, name, form):
    for a, b, c, *results, flags in rows(lines, name):
        x, y, z = (form.value(int(cell, 16)) for cell in (a, b, c))
        assert flags == f"{int(x < y)}{int(x == y)}1"
        if not all(isinstance(value, Fraction) for value in (x, y, z)):
            continue
        exact = [x + y, x - y, x * y, x / y if y else None, x * y + z]
        for value, got in zip(exact, results, strict=True):
            if value is None or value == 0:
                continue
            assert int(got, 16) == form.round(value), (a, b, c, results)


def test_pairs(lines):
    assert rows(lines, "pair") == [["9", "-5", "4"]]
