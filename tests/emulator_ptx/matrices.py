"""What the PTX ISA says of the fragments of mma, shape by shape, written down as it stands there.

Each entry gives row and column of the i-th element that a lane holds (group = lane / 4, thread = lane mod 4). The
device computes places by one formula for all shapes; these are its judge and share nothing with it.
"""

from collections.abc import Callable
from typing import NamedTuple

Place = Callable[[int, int, int], tuple[int, int]]


class Shape(NamedTuple):
    """m, n and k, and where the elements of A (m x k), B (k x n) and C (m x n) are."""

    m: int
    n: int
    k: int
    a: Place
    b: Place
    c: Place


def _c_of_16_rows(g: int, t: int, i: int) -> tuple[int, int]:
    return (g if i < 2 else g + 8), t * 2 + (i & 1)


def _c_of_8_rows(g: int, t: int, i: int) -> tuple[int, int]:
    return g, t * 2 + i


# ISA "Matrix Fragments for mma.m16n8k8" (f16, bf16) and "...m16n8k16 with floating point type".
HALF_K8 = Shape(
    16, 8, 8, lambda g, t, i: ((g if i in (0, 1) else g + 8), t * 2 + (i & 1)), lambda g, t, i: (t * 2 + i, g),
    _c_of_16_rows,
)  # fmt: skip
HALF_K16 = Shape(
    16, 8, 16,
    lambda g, t, i: ((g if 0 <= i < 2 or 4 <= i < 6 else g + 8), (t * 2 + (i & 1) if i < 4 else t * 2 + (i & 1) + 8)),
    lambda g, t, i: ((t * 2 + (i & 1) if i < 2 else t * 2 + (i & 1) + 8), g),
    _c_of_16_rows,
)  # fmt: skip
# "...m16n8k4" and "...m16n8k8" of tf32.
TF32_K4 = Shape(16, 8, 4, lambda g, t, i: ((g if i == 0 else g + 8), t), lambda g, t, i: (t, g), _c_of_16_rows)
TF32_K8 = Shape(
    16, 8, 8, lambda g, t, i: ((g if i in (0, 2) else g + 8), (t if i in (0, 1) else t + 4)),
    lambda g, t, i: ((t if i == 0 else t + 4), g), _c_of_16_rows,
)  # fmt: skip
# f64.
F64_M8K4 = Shape(8, 8, 4, lambda g, t, i: (g, t), lambda g, t, i: (t, g), _c_of_8_rows)
F64_K4 = Shape(16, 8, 4, lambda g, t, i: ((g if i == 0 else g + 8), t), lambda g, t, i: (t, g), _c_of_16_rows)
F64_K8 = Shape(
    16, 8, 8, lambda g, t, i: ((g if i in (0, 2) else g + 8), (t if i in (0, 1) else t + 4)),
    lambda g, t, i: ((t if i == 0 else t + 4), g), _c_of_16_rows,
)  # fmt: skip
F64_K16 = Shape(
    16, 8, 16, lambda g, t, i: ((g if i % 2 == 0 else g + 8), t + i // 2 * 4), lambda g, t, i: (t + i * 4, g),
    _c_of_16_rows,
)  # fmt: skip
# 8 bits, integers and floats.
BYTE_M8K16 = Shape(8, 8, 16, lambda g, t, i: (g, t * 4 + i), lambda g, t, i: (t * 4 + i, g), _c_of_8_rows)
BYTE_K16 = Shape(
    16, 8, 16, lambda g, t, i: ((g if i < 4 else g + 8), t * 4 + (i & 3)), lambda g, t, i: (t * 4 + i, g), _c_of_16_rows
)
BYTE_K32 = Shape(
    16, 8, 32,
    lambda g, t, i: (
        (g if 0 <= i < 4 or 8 <= i < 12 else g + 8), (t * 4 + (i & 3) if i < 8 else t * 4 + (i & 3) + 16)
    ),
    lambda g, t, i: ((t * 4 + (i & 3) if i < 4 else t * 4 + (i & 3) + 16), g),
    _c_of_16_rows,
)  # fmt: skip
# 4 bits and single bits.
NIBBLE_M8K32 = Shape(8, 8, 32, lambda g, t, i: (g, t * 8 + i), lambda g, t, i: (t * 8 + i, g), _c_of_8_rows)
NIBBLE_K32 = Shape(
    16, 8, 32, lambda g, t, i: ((g if i < 8 else g + 8), t * 8 + (i & 7)), lambda g, t, i: (t * 8 + i, g), _c_of_16_rows
)
NIBBLE_K64 = Shape(
    16, 8, 64,
    lambda g, t, i: (
        (g if 0 <= i < 8 or 16 <= i < 24 else g + 8), (t * 8 + (i & 7) if i < 16 else t * 8 + (i & 7) + 32)
    ),
    lambda g, t, i: ((t * 8 + (i & 7) if i < 8 else t * 8 + (i & 7) + 32), g),
    _c_of_16_rows,
)  # fmt: skip
BIT_M8K128 = Shape(8, 8, 128, lambda g, t, i: (g, t * 32 + i), lambda g, t, i: (t * 32 + i, g), _c_of_8_rows)
BIT_K128 = Shape(
    16, 8, 128, lambda g, t, i: ((g if i < 32 else g + 8), t * 32 + (i & 31)), lambda g, t, i: (t * 32 + i, g),
    _c_of_16_rows,
)  # fmt: skip
BIT_K256 = Shape(
    16, 8, 256,
    lambda g, t, i: ((g if i < 32 or 64 <= i < 96 else g + 8), t * 32 + (i & 31) + (0 if i < 64 else 128)),
    lambda g, t, i: (t * 32 + (i & 31) + (0 if i < 32 else 128), g),
    _c_of_16_rows,
)  # fmt: skip

WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64, "b1": 1}
WIDTH |= {"e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4}
# Whole numbers that all of a type's codes hold exactly and that no sum of ours leaves.
RANGE = {"u8": (0, 255), "s8": (-128, 127), "u4": (0, 15), "s4": (-8, 7), "b1": (0, 1), "e5m2": (-7, 7)}
RANGE |= {"e4m3": (-12, 12), "f16": (-9, 9), "bf16": (-40, 40), "tf32": (-900, 900), "f64": (-9000, 9000)}


def encode(kind: str, value: float) -> int:
    """The code of a value that the type holds exactly."""
    import struct

    if kind in ("s8", "u8", "s4", "u4", "b1", "s32"):
        return int(value) & ((1 << WIDTH[kind]) - 1)
    if kind in ("f32", "tf32"):
        return int.from_bytes(struct.pack("<f", value), "little")
    if kind == "f64":
        return int.from_bytes(struct.pack("<d", value), "little")
    half = int.from_bytes(struct.pack("<e", value), "little") if kind in ("f16", "e5m2") else 0
    if kind == "f16":
        return half
    if kind == "e5m2":
        assert half & 0xFF == 0
        return half >> 8
    if kind == "bf16":
        return int.from_bytes(struct.pack("<f", value), "little") >> 16
    return next(code for code in range(256) if code not in (0x80, 0x7F, 0xFF) and of_e4m3(code) == value)


def of_e4m3(code: int) -> float:
    """The value of an e4m3 code that is no NaN: bias 7, three bits of mantissa, no infinity."""
    sign, exponent, fraction = (-1.0 if code & 0x80 else 1.0), code >> 3 & 15, code & 7
    return sign * ((8 + fraction) * 2.0 ** (exponent - 10) if exponent else fraction * 2.0**-9)


def registers(kind: str, values: list[float]) -> list[int]:
    """A lane's elements packed into registers (of 64 bits for f64, else of 32), the first in the lowest bits."""
    width, whole = WIDTH[kind], 64 if kind == "f64" else 32
    bits = 0
    for i, value in enumerate(values):
        bits |= encode(kind, value) << (i * width)
    return [bits >> at & ((1 << whole) - 1) for at in range(0, len(values) * width, whole)]
