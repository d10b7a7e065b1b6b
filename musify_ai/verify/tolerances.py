"""How far two real devices may part in a floating-point result without either being wrong, by type and operation.

For rows of real hardware only: the emulated devices share one arithmetic and are compared bit for bit. What may differ
between two right devices: the accuracy of functions, whether a product and a sum are rounded once or twice, the order
of a reduction, and numbers near zero being flushed.

Figures for functions are those of the CUDA C++ Programming Guide, chapter 17, tables 17, 18 and 21 (largest error in
units in the last place; for single precision `SINGLE`, for double precision `DOUBLE`, and `FAST` for the intrinsics).
NVIDIA calls them the result of extensive tests, no guarantee, and **nobody has published such a table for MUSA**: that
its functions are as exact is an assumption (`ASSUMED`), which a row that rests on it has to name.
"""

import math
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

ASSUMED = "musa-function-accuracy"
"""The id of the assumption that MUSA's functions are as exact as the table says of CUDA's."""

SINGLE: dict[str, float] = {
    "acosf": 2, "acoshf": 4, "asinf": 2, "asinhf": 3, "atanf": 2, "atan2f": 3, "atanhf": 3, "cbrtf": 1, "cosf": 2,
    "coshf": 2, "cospif": 1, "cyl_bessel_i0f": 6, "cyl_bessel_i1f": 6, "erff": 2, "erfcf": 4, "erfcinvf": 4,
    "erfcxf": 4, "erfinvf": 2, "expf": 2, "exp2f": 2, "exp10f": 2, "expm1f": 1, "hypotf": 3, "j0f": 9, "j1f": 9,
    "lgammaf": 6, "logf": 1, "log2f": 1, "log10f": 2, "log1pf": 1, "norm3df": 3, "norm4df": 3,
    "normcdff": 5, "normcdfinvf": 5, "powf": 4, "rcbrtf": 1, "rhypotf": 2, "rnorm3df": 2, "rnorm4df": 2,
    "rsqrtf": 2, "sinf": 2, "sincosf": 2, "sincospif": 1, "sinhf": 3, "sinpif": 1, "sqrtf": 0, "tanf": 4, "tanhf": 2,
    "tgammaf": 5, "y0f": 9, "y1f": 9,
}  # fmt: skip
DOUBLE: dict[str, float] = {
    "acos": 2, "acosh": 3, "asin": 2, "asinh": 3, "atan": 2, "atan2": 2, "atanh": 2, "cbrt": 1, "cos": 2, "cosh": 1,
    "cospi": 2, "cyl_bessel_i0": 6, "cyl_bessel_i1": 6, "erf": 2, "erfc": 5, "erfcinv": 6, "erfcx": 4, "erfinv": 5,
    "exp": 1, "exp2": 1, "exp10": 1, "expm1": 1, "hypot": 2, "j0": 7, "j1": 7, "lgamma": 4, "log": 1, "log2": 1,
    "log10": 1, "log1p": 1, "norm3d": 2, "norm4d": 2, "normcdf": 5, "normcdfinv": 8, "pow": 2, "rcbrt": 1,
    "rhypot": 1, "rnorm3d": 1, "rnorm4d": 1, "rsqrt": 1, "sin": 2, "sincos": 2, "sincospi": 2, "sinh": 2,
    "sinpi": 2, "sqrt": 0, "tan": 2, "tanh": 1, "tgamma": 10, "y0": 7, "y1": 7,
}  # fmt: skip
# Where the guide's bound grows with the argument, that of an argument of 16; where it is absolute, of results near 1.
FAST: dict[str, float] = {
    "__fdividef": 2, "__expf": 20, "__exp10f": 49, "__logf": 8, "__log2f": 4, "__log10f": 3, "__sinf": 8, "__cosf": 8,
    "__sincosf": 8, "__tanf": 24, "__powf": 40, "__tanhf": 8192, "tanh.approx": 8192,
}  # fmt: skip

_SUMS = frozenset(("norm", "normf", "rnorm", "rnormf"))
"""Functions without a bound: they sum in an order of their own."""

FUNCTIONS: frozenset[str] = frozenset((*SINGLE, *DOUBLE, *FAST))
DIVIDE, FUSED, SUM = "divide", "fused", "sum"
"""Operations that are no functions: a division (2 units where a compiler is told to be fast), a product that is added
(rounded once or twice), a sum of many terms in an order of the device's own."""

# Bits of the significand (with the hidden one) and the exponent of the smallest normal number.
_FORMATS: dict[str, tuple[int, int]] = {
    "float64": (53, -1022), "float32": (24, -126), "float16": (11, -14), "bfloat16": (8, -126),
}  # fmt: skip
_OF_LEAF = {("f", 8): "float64", ("f", 4): "float32", ("h", 2): "float16", ("b", 2): "bfloat16"}

_WORD = re.compile(rb"[A-Za-z_]\w*")
_PRODUCT_IN_SUM = re.compile(rb"\*[^;,{}]*[+-]|[+-]=?[^;,{}]*\*|\bfma[f]?\b|\b__h?fma")
_DIVIDED = re.compile(rb"(?<![/*])/(?![/*=])|/=")
_LOOP = re.compile(rb"\b(?:for|while)\b")
_SUMMED = re.compile(rb"\+=|=\s*\w+\s*\+|atomicAdd|__shfl_\w*sync|reduce|\bSum\b|__reduce")


class Tolerance(NamedTuple):
    """What two values may differ by: ``relative`` of the larger one, ``absolute`` of the buffer's usual size (for
    what cancels), and ``smallest``, where numbers may be flushed to zero. ``why`` names each part, for people."""

    relative: float
    absolute: float
    smallest: float
    why: tuple[str, ...] = ()

    def takes(self, original: float, translated: float, usual: float = 0.0) -> bool:
        """Whether two values are alike: NaN only as NaN, infinity only as the same one. ``usual`` is the usual size
        of the buffer's values (`usual_size`)."""
        if original == translated or (math.isnan(original) and math.isnan(translated)):
            return True
        if not (math.isfinite(original) and math.isfinite(translated)):
            return False
        room = self.relative * max(abs(original), abs(translated)) + self.absolute * usual + self.smallest
        return abs(original - translated) <= room


EXACT = Tolerance(0.0, 0.0, 0.0)


class Tolerated(NamedTuple):
    """What a kernel does that devices do differently, and how many terms its sums have."""

    operations: frozenset[str]
    terms: int = 1

    def of(self, kind: str, size: int) -> Tolerance:
        """The tolerance of a scalar as the driver describes it: ``f`` of 8 or 4 bytes, ``h``, ``b``; else exact."""
        return tolerance(dtype_of(kind, size), self.operations, self.terms)


def dtype_of(kind: str, size: int) -> str:
    """The type of a scalar as the driver describes it; empty where it is no floating-point number."""
    return _OF_LEAF.get((kind, size), "")


def tolerance(dtype: str, operations: Collection[str], terms: int = 1) -> Tolerance:
    """What values of a type may differ by after some operations, by name (`operations_in`).

    ``dtype`` is ``float64``, ``float32``, ``float16`` or ``bfloat16``; every other type is exact, and so is what no
    operation touched: a copy has no error. ``terms`` is how many terms a sum has. Each device may be off by a
    function's bound, so both may part by twice that; errors of functions add up. For a sum of n terms in two orders the
    proven bound is of the size n, the usual difference of the size of its root (Higham, Accuracy and Stability of
    Numerical Algorithms, 4.2): four roots are allowed. Of a narrow type one unit more, since a last rounding may fall
    either way.
    """
    if dtype not in _FORMATS or not operations:
        return EXACT
    bits, least = _FORMATS[dtype]
    unit = 2.0 ** (1 - bits)
    why, units, cancelling = [], 0.0, 0.0
    for name in sorted(operations):
        bound = _bound(name, dtype)
        if bound:
            units += 2 * bound
            why.append(f"{name}: {bound:g} ulp a side")
    if FUSED in operations:
        units += 1
        cancelling += 1
        why.append("a product in a sum, rounded once or twice")
    if SUM in operations and terms > 1:
        spread = 4 * math.sqrt(terms)
        units += spread
        cancelling += spread
        why.append(f"a sum of {terms} terms in any order: {spread:.0f} ulp")
    # What a function was off by may cancel as well: half of it counts of the usual size.
    cancelling += units / 2
    if bits <= 11:
        # Functions and sums are made in single precision and rounded; the bounds above are of that precision.
        units = units * 2.0 ** (bits - 24) + 1
        cancelling = cancelling * 2.0 ** (bits - 24) + 0.5
        why.append("rounded to the narrow type either way")
    return Tolerance(units * unit, cancelling * unit, 2.0**least, tuple(why))


def _bound(name: str, dtype: str) -> float:
    """The largest error of an operation in units of the precision it is made in."""
    if name == DIVIDE:
        return 0.0 if dtype == "float64" else 2.0
    if name in FAST:
        return FAST[name]
    if dtype == "float64":
        # A single-precision function whose result is stored as double has single precision's error.
        return SINGLE[name] * 2.0**29 if name in SINGLE else DOUBLE.get(name, 0.0)
    return SINGLE.get(name, SINGLE.get(name + "f", 0.0))


def operations_in(code: bytes) -> frozenset[str]:
    """The operations of a kernel's text (with what it calls, comments and literals blanked) on which devices differ."""
    words = {match[0].decode() for match in _WORD.finditer(code)}
    found = set(words & FUNCTIONS)
    if _PRODUCT_IN_SUM.search(code):
        found.add(FUSED)
    if _DIVIDED.search(code):
        found.add(DIVIDE)
    if words & _SUMS or (_SUMMED.search(code) and (_LOOP.search(code) or b"atomicAdd" in code or b"__shfl" in code)):
        found.add(SUM)
    return frozenset(found)


def usual_size(values: Iterable[float]) -> float:
    """The median size of the finite values that are not 0; 0 where there are none."""
    sizes = sorted(abs(value) for value in values if value and math.isfinite(value))
    return sizes[len(sizes) // 2] if sizes else 0.0
