"""Floating-point formats in exact arithmetic: the tests' own definition of rounding, on fractions."""

import math
from fractions import Fraction
from typing import NamedTuple


class Format(NamedTuple):
    exponent: int
    mantissa: int

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def width(self) -> int:
        return 1 + self.exponent + self.mantissa

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.mantissa

    @property
    def sign(self) -> int:
        return 1 << (self.width - 1)


FORMATS = {"f16": Format(5, 10), "bf16": Format(8, 7), "f32": Format(8, 23), "f64": Format(11, 52)}
NAN, INF, NINF = "nan", "inf", "-inf"
Number = Fraction | str


def is_nan(bits: int, kind: str) -> bool:
    f = FORMATS[kind]
    return bits & ~f.sign & ((1 << f.width) - 1) > f.infinity


def negative(bits: int, kind: str) -> bool:
    return bool(bits & FORMATS[kind].sign)


def decode(bits: int, kind: str) -> Number:
    f = FORMATS[kind]
    fraction, exponent = bits & ((1 << f.mantissa) - 1), bits >> f.mantissa & ((1 << f.exponent) - 1)
    if exponent == (1 << f.exponent) - 1:
        return NAN if fraction else NINF if bits & f.sign else INF
    significand = fraction + ((1 << f.mantissa) if exponent else 0)
    value = Fraction(significand) * Fraction(2) ** ((exponent or 1) - f.bias - f.mantissa)
    return -value if bits & f.sign else value


def round_integer(value: Fraction, mode: str) -> int:
    low = math.floor(value)
    rest = value - low
    if rest == 0 or mode == "rm":
        return low
    if mode == "rp":
        return low + 1
    if mode == "rz":
        return low if value > 0 else low + 1
    if mode == "rna":
        away = low + 1 if value > 0 else low
        return away if rest == Fraction(1, 2) else low + (rest > Fraction(1, 2))
    return low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1))


def encode(value: Number, kind: str, mode: str = "rn", zero_sign: bool = False, satfinite: bool = False) -> int | None:
    """The bits of a value in a format; None for NaN. ``zero_sign``: whether an exact zero is negative."""
    f = FORMATS[kind]
    if value == NAN:
        return None
    if isinstance(value, str):
        bits = f.infinity - 1 if satfinite else f.infinity
        return bits | (f.sign if value == NINF else 0)
    if value == 0:
        return f.sign if zero_sign else 0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, 1 - f.bias)
    step = Fraction(2) ** (exponent - f.mantissa)
    whole = abs(round_integer(value / step, mode))
    sign = f.sign if value < 0 else 0
    rounded = whole * step
    largest = (2 - Fraction(1, 1 << f.mantissa)) * Fraction(2) ** f.bias
    if rounded > largest:
        finite = satfinite or mode == "rz" or (mode == "rm" and value > 0) or (mode == "rp" and value < 0)
        return sign | (f.infinity - 1 if finite else f.infinity)
    if whole == 0:
        return sign
    if whole >= 1 << (f.mantissa + 1):
        exponent, whole = exponent + 1, whole // 2
    biased = exponent + f.bias if whole >= 1 << f.mantissa else 0
    return sign | biased << f.mantissa | (whole & ((1 << f.mantissa) - 1))


def flush(bits: int) -> int:
    return bits & 0x80000000 if bits & 0x7F800000 == 0 else bits


def _zero_sum(a: bool, b: bool, mode: str) -> bool:
    return a if a == b else mode == "rm"


def add(a: int, b: int, kind: str, mode: str = "rn") -> int | None:
    x, y = decode(a, kind), decode(b, kind)
    if NAN in (x, y) or {x, y} == {INF, NINF}:
        return None
    if isinstance(x, str) or isinstance(y, str):
        return encode(x if isinstance(x, str) else y, kind)
    return encode(
        x + y,
        kind,
        mode,
        _zero_sum(negative(a, kind), negative(b, kind), mode) if x + y == 0 and x == 0 else mode == "rm",
    )


def neg(a: int, kind: str) -> int:
    return a ^ FORMATS[kind].sign


def _product(x: Number, y: Number, minus: bool) -> Number:
    if NAN in (x, y):
        return NAN
    if isinstance(x, str) or isinstance(y, str):
        return NAN if 0 in (x, y) else NINF if minus else INF
    return x * y


def mul(a: int, b: int, kind: str, mode: str = "rn") -> int | None:
    minus = negative(a, kind) != negative(b, kind)
    return encode(_product(decode(a, kind), decode(b, kind), minus), kind, mode, minus)


def fma(a: int, b: int, c: int, kind: str, mode: str = "rn") -> int | None:
    minus = negative(a, kind) != negative(b, kind)
    p, z = _product(decode(a, kind), decode(b, kind), minus), decode(c, kind)
    if NAN in (p, z) or {p, z} == {INF, NINF}:
        return None
    if isinstance(p, str) or isinstance(z, str):
        return encode(p if isinstance(p, str) else z, kind)
    exact = p + z
    zero = _zero_sum(minus, negative(c, kind), mode) if p == 0 else mode == "rm"
    return encode(exact, kind, mode, zero if exact == 0 else False)


def div(a: int, b: int, kind: str, mode: str = "rn") -> int | None:
    x, y = decode(a, kind), decode(b, kind)
    minus = negative(a, kind) != negative(b, kind)
    if NAN in (x, y) or (x == 0 and y == 0) or (isinstance(x, str) and isinstance(y, str)):
        return None
    if isinstance(x, str) or y == 0:
        return encode(NINF if minus else INF, kind)
    if isinstance(y, str):
        return encode(Fraction(0), kind, mode, minus)
    return encode(x / y, kind, mode, minus)


def sqrt(a: int, kind: str, mode: str = "rn") -> int | None:
    x = decode(a, kind)
    if x in (NAN, NINF) or (not isinstance(x, str) and x < 0):
        return None
    if isinstance(x, str):
        return encode(INF, kind)
    if x == 0:
        return a
    # Enough bits of the root, and one more that says whether it is exact.
    shift = 2 * (FORMATS[kind].mantissa + 40 + FORMATS[kind].bias)
    scaled = x * Fraction(2) ** shift
    root = math.isqrt(scaled.numerator // scaled.denominator)
    exact = Fraction(root) ** 2 == scaled
    return encode((Fraction(root) + (0 if exact else Fraction(1, 2))) / Fraction(2) ** (shift // 2), kind, mode)
