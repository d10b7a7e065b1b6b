"""The 8-bit floating types against exact fractions: every code, and every boundary between two of them."""

import math
import struct
from fractions import Fraction

import pytest

from tests.emulator.conftest import Device

KINDS = {"e4m3": (3, 7), "e5m2": (2, 15)}
LARGEST = {"e4m3": 0x7E, "e5m2": 0x7B}


def value(kind: str, code: int) -> Fraction | float:
    mantissa, bias = KINDS[kind]
    sign = -1 if code & 0x80 else 1
    if code & 0x7F > LARGEST[kind]:
        return sign * math.inf if kind == "e5m2" and code & 0x7F == 0x7C else math.nan
    exponent, fraction = (code & 0x7F) >> mantissa, code & ((1 << mantissa) - 1)
    scale = Fraction(2) ** (max(exponent, 1) - bias - mantissa)
    return sign * scale * (fraction + ((1 << mantissa) if exponent else 0))


def rounded(kind: str, x: float) -> int:
    """The nearest code, ties to the even one; what is too large becomes the largest. NaN apart."""
    sign = 0x80 if math.copysign(1, x) < 0 else 0
    size = Fraction(2**70) if math.isinf(x) else abs(Fraction(x))
    codes = range(LARGEST[kind] + 1)
    return sign | min(codes, key=lambda code: (abs(value(kind, code) - size), code & 1))


def number(word: str) -> float:
    return float(struct.unpack("<f", int(word, 16).to_bytes(4, "little"))[0])


def half(word: str) -> float:
    return float(struct.unpack("<e", int(word, 16).to_bytes(2, "little"))[0])


def same(got: float, want: Fraction | float) -> bool:
    if isinstance(want, float) and math.isnan(want):
        return math.isnan(got)
    return got == want


@pytest.mark.parametrize(("side", "lanes"), [("cuda", 32), ("musa", 32)])
def test_every_code_and_every_boundary(device: Device, side: str, lanes: int) -> None:
    ran = device.run("eight_bits.cpp", side, lanes)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "done")
    seen: dict[str, int] = {}
    for line in ran.out.splitlines():
        word, *rest = line.split()
        seen[word] = seen.get(word, 0) + 1
        if word == "code":
            kind, text, alone, as_half, low, high, low_half, high_half, whole, not_zero = rest
            code = int(text, 16)
            want, other = value(kind, code), value(kind, 255 - code)
            assert same(number(alone), want) and same(half(as_half), want), line
            assert same(number(low), other) and same(number(high), want), line
            assert same(half(low_half), other) and same(half(high_half), want), line
            if math.isfinite(want):
                assert int(whole) == math.trunc(want), line
            assert not_zero == ("1" if code & 0x7F else "0"), line
        elif word == "float":
            kind, x, *codes = rest
            plus, minus = rounded(kind, number(x)), rounded(kind, -number(x))
            one, two = rounded(kind, 1.0), rounded(kind, 2.0)
            assert [int(code, 16) for code in codes] == [
                plus, plus, minus, plus, two << 8 | plus, plus << 24 | one << 16 | minus << 8 | plus,
            ], line  # fmt: skip
        elif word == "unsaturated":
            x, *codes = rest
            large, huge = abs(number(x)) > 464, abs(number(x)) >= 61440
            sign = 0x80 if number(x) < 0 else 0
            four = sign | 0x7F if large else rounded("e4m3", number(x))
            five = sign | 0x7C if huge else rounded("e5m2", number(x))
            assert [int(code, 16) for code in codes] == [four, five, four], line
        elif word == "whole":
            assert rest == [
                f"{rounded(k, x):02x}" for k, x in (("e4m3", 17), ("e4m3", -500), ("e5m2", 7), ("e5m2", 1e6))
            ]
        elif word == "nan":
            assert int(rest[1], 16) > (0x7C if rest[0] == "e5m2" else 0x7E), line
        elif word == "device":
            assert rest == ["0", "0"]
        else:
            assert line == "done"
    assert (seen["code"], seen["float"], seen["nan"]) == (512, 3 * (0x7F + 0x7C) + 6, 2)
    assert seen.get("unsaturated", 0) == (7 if side == "cuda" else 0)


def test_archs_without_them_may_carry_and_not_compute(device: Device) -> None:
    ran = device.run("eight_bits.cpp", "musa", 128)
    assert ran.out.splitlines()[0] == "device 0 801"
    assert [f["message"] for f in ran.findings if f["kind"] == "unsupported"] == [
        "8-bit floating types in device code: MUSA has them from mp_31 on"
    ]
    assert "code e4m3 00" in ran.out  # the host's conversions are software
