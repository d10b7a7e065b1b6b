"""PyTorch's scalar types against exact arithmetic, and its declarations on both sides."""

import math
import struct
from fractions import Fraction
from functools import cache

import pytest

from musify_ai.emulator import manifest, pytorch
from musify_ai.emulator.headers import header_set
from tests.emulator.conftest import Device
from tests.emulator.test_eight_bits import value as eight_value

FORMATS = {"half": (10, 15), "bfloat16": (7, 127)}


def of_bits(name: str, code: int) -> Fraction | float:
    """What a code stands for, exactly."""
    if name in ("e4m3", "e5m2"):
        return eight_value(name, code)
    mantissa, bias = FORMATS[name]
    sign = -1 if code & 0x8000 else 1
    exponent, fraction = (code & 0x7FFF) >> mantissa, code & ((1 << mantissa) - 1)
    if exponent == 2 * bias + 1:
        return math.nan if fraction else sign * math.inf
    scale = Fraction(2) ** (max(exponent, 1) - bias - mantissa)
    return sign * scale * (fraction + ((1 << mantissa) if exponent else 0))


@cache
def ladder(name: str) -> list[Fraction]:
    """The values from zero up, by code, with one step past the largest."""
    top = {"half": 0x7C00, "bfloat16": 0x7F80, "e4m3": 0x7F, "e5m2": 0x7C}[name]
    values = [Fraction(of_bits(name, code)) for code in range(top)]
    return [*values, 2 * values[-1] - values[-2]]


def nearest(name: str, x: Fraction) -> int:
    """The code nearest to a size, ties to the even one; the step past the largest is what overflow gives."""
    from bisect import bisect_left

    values = ladder(name)
    at = bisect_left(values, x)
    if at == 0 or at >= len(values):
        return min(at, len(values) - 1)
    low, high = x - values[at - 1], values[at] - x
    return at - 1 if low < high or (low == high and (at - 1) % 2 == 0) else at


def as_float(pattern: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", pattern))[0])


def rounded(name: str, x: float) -> int | None:
    """The code that a float becomes; None for NaN."""
    if math.isnan(x):
        return None
    top = len(ladder(name)) - 1
    code = top if math.isinf(x) else nearest(name, abs(Fraction(x)))
    if name == "e4m3" and code >= top:
        return None
    sign = 0x80 if name in ("e4m3", "e5m2") else 0x8000
    return code | (sign if math.copysign(1, x) < 0 else 0)


def is_nan(name: str, code: int) -> bool:
    found = of_bits(name, code)
    return isinstance(found, float) and math.isnan(found)


def single(x: Fraction) -> float:
    """An exact number as a float of 32 bits: rounded once."""
    try:
        return as_float(struct.unpack("<I", struct.pack("<f", float(x)))[0])
    except OverflowError:
        return math.inf if x > 0 else -math.inf


@pytest.fixture(scope="module", params=["cuda", "musa"])
def lines(device: Device, request: pytest.FixtureRequest) -> list[list[str]]:
    return [line.split() for line in device.run("pytorch_scalars.cpp", request.param, 32).out.splitlines()]


def test_conversions_are_exact_and_round_once(lines: list[list[str]]) -> None:
    seen = 0
    for line in lines:
        if line[1] == "value":
            name, code, got = line[0], int(line[2]), as_float(int(line[3], 16))
            want = of_bits(name, code)
            assert math.isnan(got) if is_nan(name, code) else got == want, line
        elif line[1] == "from":
            want_code = rounded(line[0], as_float(int(line[2], 16)))
            got_code = int(line[3], 16)
            assert is_nan(line[0], got_code) if want_code is None else got_code == want_code, line
        else:
            continue
        seen += 1
    assert seen == 2 * 65536 + 2 * 256 + 4 * 20000


def test_operators_compute_in_float_and_round_once_more(lines: list[list[str]]) -> None:
    seen = 0
    for line in lines:
        if line[1] != "op":
            continue
        name, a, b = line[0], int(line[2], 16), int(line[3], 16)
        x, y = of_bits(name, a), of_bits(name, b)
        if not isinstance(x, Fraction) or not isinstance(y, Fraction) or y == 0:
            continue
        for want, got in zip((x + y, x - y, x * y, x / y), line[4:], strict=True):
            if want != 0:
                assert rounded(name, single(want)) == int(got, 16), line
        seen += 1
    assert seen > 4000


def test_what_else_a_kernel_sees(lines: list[list[str]]) -> None:
    rest = {line[0]: line[1:] for line in lines if line[0] in ("limits", "complex", "accessor")}
    assert rest["limits"] == ["65504", "-65504", "6.10352e-05", "0.000976562"]
    assert rest["complex"] == ["-0.2", "0.4", "12", "2"]
    assert rest["accessor"] == ["7", "2", "3"]


def test_a_backend_has_its_own_names_only() -> None:
    text = {side: dict(header_set(side))[pytorch.MAIN] for side in ("cuda", "musa")}
    assert "getCurrentMUSAStream" in text["musa"]
    assert "getCurrentCUDAStream" in text["cuda"]
    assert "CUDAStream" not in text["musa"]
    assert "MUSA" not in text["cuda"]
    assert '#error "CUDA header c10/cuda/CUDAGuard.h' in dict(header_set("musa"))["c10/cuda/CUDAGuard.h"]
    assert not manifest.missing(pytorch.OWN["musa"])
