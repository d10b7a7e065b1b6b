"""The 4-bit type and the powers of two of CUDA's side, against the nearest of the values that they have."""

import math
import struct

from tests.emulator.conftest import Device

VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def rounded(x: float) -> int:
    """The nearest code, ties to the even one, what is too large the largest; a NaN the largest without a sign."""
    if math.isnan(x):
        return 7
    size = min(abs(x), 100.0)
    code = min(range(8), key=lambda each: (abs(VALUES[each] - size), each & 1))
    return code | (8 if math.copysign(1, x) < 0 else 0)


def value(code: int) -> float:
    return -VALUES[code & 7] if code & 8 else VALUES[code & 7]


def test_every_code_and_every_boundary(device: Device) -> None:
    ran = device.run("four_bits.cpp", "cuda", 32)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "done"), ran.err
    seen: dict[str, int] = {}
    for line in ran.out.splitlines()[:-1]:
        word, first, *rest = line.split()
        seen[word] = seen.get(word, 0) + 1
        if word == "value":
            code = int(first)
            own, other = value(code), value(15 - code)
            assert [float(each) for each in rest] == [own, own, other, own, other, own, other], line
        elif word == "code":
            x, codes = float(first), [int(each, 16) for each in rest]
            assert codes[:3] == [rounded(x)] * 3, line
            assert codes[3:] == [rounded(_as_half(x)), rounded(_as_bf16(x))], line
        elif word == "two":
            x = float(first)
            both = rounded(x) | rounded(-x) << 4
            assert [int(each, 16) for each in rest[:2]] == [both, both], line
            assert all(int(each, 16) % 17 == 0 for each in rest[2:]), line
        else:
            x, (own, up, down) = float(first), map(int, rest[:3])
            assert own == up == _power(x, up=True) and down == _power(x, up=False), line
            assert _same(float(rest[3]), _value(up)) and _same(float(rest[4]), _value(down)), line
    assert seen == {"value": 16, "code": 18 * 6 + 2, "two": 18 * 6 + 2, "power": 10}


def _power(x: float, *, up: bool) -> int:
    """The code of a power of two: the next one above saturating, or the one below without."""
    if math.isnan(x):
        return 255
    if math.isinf(x):
        return 254 if up else 255
    if x == 0:
        return 0
    exact = math.log2(abs(x))
    exponent = math.ceil(exact) if up else math.floor(exact)
    return 254 if exponent > 127 else max(exponent + 127, 0)


def _value(code: int) -> float:
    return math.nan if code == 255 else math.ldexp(1.0, code - 127)


def _same(got: float, want: float) -> bool:
    return math.isnan(got) if math.isnan(want) else got == want or math.isclose(got, want, rel_tol=1e-6)


def _as_half(x: float) -> float:
    try:
        return float(struct.unpack("<e", struct.pack("<e", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def _as_bf16(x: float) -> float:
    bits = int.from_bytes(struct.pack("<f", x), "little")
    if math.isnan(x):
        return x
    kept = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", kept.to_bytes(4, "little"))[0])
