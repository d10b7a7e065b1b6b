"""Functions with a rounding in their name against exact fractions: all that the headers have, on both sides."""

import math
import re
from fractions import Fraction

import pytest

from tests.emulator.conftest import Device

# Bits of the significand, and the least exponent of a number that has them all.
FORMATS = {"double": (53, -1022), "float": (24, -126), "half": (11, -14), "bfloat16": (8, -126)}
WHOLE = ("int", "uint", "ll", "ull", "short", "ushort")
ROOM = Fraction(1, 2**200)
NAME = re.compile(r"__(?:([df])(add|sub|mul|div|rcp|sqrt|rsqrt)|(fma|fmaf)|(\w+?)2(\w+?))(?:_(rn|rz|ru|rd))?")


def whole(q: Fraction, mode: str) -> int:
    if mode == "rn":
        return round(q)  # ties to even
    return {"rz": math.trunc, "ru": math.ceil, "rd": math.floor}[mode](q)


def rounded(x: Fraction, kind: str, mode: str) -> Fraction:
    """The number of a format next to ``x`` in a direction."""
    bits, least = FORMATS[kind]
    if not x:
        return x
    exponent = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - bits + 1)
    return whole(x / unit, mode) * unit


def root(x: Fraction) -> Fraction:
    """The square root where it is a fraction, else one so near that no rounding tells the two apart."""
    scale = 1 << 400
    found = math.isqrt(x.numerator * scale * scale // x.denominator)
    exact = Fraction(found, scale)
    return exact if exact * exact == x else Fraction(2 * found + 1, 2 * scale)


def expected(name: str, values: list[Fraction]) -> Fraction | int:
    if name == "fdividef":
        return rounded(values[0] / values[1], "float", "rn")
    match = NAME.fullmatch(name)
    assert match is not None, name
    short, operation, fused, source, target, mode = match.groups()
    mode = mode or "rn"
    if source:
        assert source in FORMATS or source in WHOLE, name
        return whole(values[0], mode) if target in WHOLE else rounded(values[0], target, mode)
    kind = {"d": "double", "f": "float", "fma": "double", "fmaf": "float"}[short or fused]
    a, b = values[0], values[1] if len(values) > 1 else Fraction(1)
    exact = {
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "div": lambda: a / b,
        "rcp": lambda: 1 / a, "sqrt": lambda: root(a), "rsqrt": lambda: root(1 / a), None: lambda: a * b + values[2],
    }[operation]()  # fmt: skip
    return rounded(exact, kind, mode)


def number(word: str) -> Fraction:
    return Fraction(float.fromhex(word)) if "x" in word else Fraction(int(word))


@pytest.mark.parametrize(("side", "lanes"), [("cuda", 32), ("musa", 32)])
def test_each_result_is_the_exact_one_rounded_once(device: Device, side: str, lanes: int) -> None:
    ran = device.run("rounding.cpp", side, lanes)
    *lines, last = ran.out.splitlines()
    assert (ran.status, last) == (0, "done")
    wrong = []
    for line in lines:
        name, result, *operands = line.split()
        if number(result) != expected(name, [number(each) for each in operands]):
            wrong.append(line)
    assert wrong == []
    assert len({line.split()[0] for line in lines}) == (178 if side == "cuda" else 142)
