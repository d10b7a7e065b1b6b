"""Floating-point instructions and conversions against exact arithmetic on fractions."""

import itertools
import math
import random
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from tests.emulator_ptx import numbers as exact
from tests.emulator_ptx import oracle
from tests.emulator_ptx.bench import COMPILER, Case, Expected, run
from tests.emulator_ptx.numbers import FORMATS, INF, NAN, NINF, decode, encode, flush, is_nan, negative

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no g++ or clang++ on this machine")

LETTER = {"f16": "h", "bf16": "h", "f32": "f", "f64": "d"}
MODES = ("rn", "rz", "rm", "rp")


def edges(kind: str) -> list[int]:
    f = FORMATS[kind]
    one = f.bias << f.mantissa
    sizes = [0, 1, (1 << f.mantissa) - 1, 1 << f.mantissa, one - 1, one, one + 1, one | 1 << (f.mantissa - 1)]
    sizes += [f.infinity - 1, f.infinity, f.infinity | 1 << (f.mantissa - 1), (f.bias + 3) << f.mantissa | 5]
    return [sign | size for size in sizes for sign in (0, f.sign)]


def drawn(kind: str, dice: random.Random) -> int:
    """Any bits, or a number near one, so that sums and products are seldom lost in each other."""
    f = FORMATS[kind]
    if dice.random() < 0.3:
        return dice.getrandbits(f.width)
    exponent = f.bias + dice.randrange(-4, 5)
    return dice.getrandbits(1) << (f.width - 1) | exponent << f.mantissa | dice.getrandbits(f.mantissa)


def rows(kinds: list[str], seed: int, count: int = 120) -> list[tuple[int, ...]]:
    dice = random.Random(seed)
    crossed = list(itertools.product(*(edges(k) for k in kinds[:2])))
    more = [(*pair, *(dice.choice(edges(k)) for k in kinds[2:])) for pair in crossed]
    return more + [tuple(drawn(k, dice) for k in kinds) for _ in range(count)]


def nan_or(bits: int | None, kind: str) -> Expected:
    return (lambda got: is_nan(got, kind)) if bits is None else bits


def saturated(bits: int | None, kind: str) -> int:
    one = encode(Fraction(1), kind)
    assert one is not None
    if bits is None or negative(bits, kind):
        return 0
    return min(bits, one)


def binary(opcode: str, kind: str, function: Callable[..., int | None], count: int = 2) -> Case:
    operands = ", ".join(f"%{i}" for i in range(count + 1))
    ftz, sat = ".ftz" in opcode, ".sat" in opcode

    def expected(*row: int) -> tuple[Expected]:
        given = [flush(bits) if ftz else bits for bits in row]
        bits = function(*given)
        if sat:
            bits = saturated(bits, kind)
        return (nan_or(flush(bits) if ftz and bits is not None else bits, kind),)

    return Case(
        f"{opcode} {operands};", LETTER[kind], LETTER[kind] * count, rows([kind] * count, len(opcode)), expected
    )


def arithmetic() -> list[Case]:
    cases = []
    for kind, mode in itertools.product(("f32", "f64"), MODES):
        for ftz, sat in (("", ""), (".ftz", ""), ("", ".sat"), (".ftz", ".sat")) if kind == "f32" else (("", ""),):
            tail = f"{ftz}{sat}.{kind}"
            cases += [
                binary(f"add.{mode}{tail}", kind, lambda a, b, k=kind, m=mode: exact.add(a, b, k, m)),
                binary(f"sub.{mode}{tail}", kind, lambda a, b, k=kind, m=mode: exact.add(a, exact.neg(b, k), k, m)),
                binary(f"mul.{mode}{tail}", kind, lambda a, b, k=kind, m=mode: exact.mul(a, b, k, m)),
                binary(f"fma.{mode}{tail}", kind, lambda a, b, c, k=kind, m=mode: exact.fma(a, b, c, k, m), 3),
            ]
        one = encode(Fraction(1), kind)
        cases += [
            binary(f"div.{mode}.{kind}", kind, lambda a, b, k=kind, m=mode: exact.div(a, b, k, m)),
            binary(f"rcp.{mode}.{kind}", kind, lambda a, k=kind, m=mode, o=one: exact.div(o, a, k, m), 1),
            binary(f"sqrt.{mode}.{kind}", kind, lambda a, k=kind, m=mode: exact.sqrt(a, k, m), 1),
        ]

    def two(function: Callable[..., int | None]) -> Callable[..., tuple[Expected]]:
        def expected(*row: int) -> tuple[Expected]:
            low, high = (function(*(value >> shift & 0xFFFFFFFF for value in row)) for shift in (0, 32))
            return (0 if low is None or high is None else high << 32 | low,)

        return expected

    dice = random.Random(12)
    pairs = [
        tuple(_bits(dice.uniform(-9, 9), "f32") << 32 | _bits(dice.uniform(-1, 1), "f32") for _ in range(3))
        for _ in range(99)
    ]
    cases.append(
        Case("fma.rn.f32x2 %0, %1, %2, %3;", "l", "lll", pairs, two(lambda a, b, c: exact.fma(a, b, c, "f32")))
    )
    cases.append(
        Case(
            "add.rz.ftz.f32x2 %0, %1, %2;",
            "l",
            "ll",
            [r[:2] for r in pairs],
            two(lambda a, b: exact.add(a, b, "f32", "rz")),
        )
    )
    cases.append(binary("mad.f32", "f32", lambda a, b, c: exact.fma(a, b, c, "f32"), 3))
    cases.append(binary("add.f32", "f32", lambda a, b: exact.add(a, b, "f32"), 2))
    for kind in ("f16", "bf16"):
        cases += [
            binary(f"add.{kind}", kind, lambda a, b, k=kind: exact.add(a, b, k)),
            binary(f"sub.{kind}", kind, lambda a, b, k=kind: exact.add(a, exact.neg(b, k), k)),
            binary(f"mul.{kind}", kind, lambda a, b, k=kind: exact.mul(a, b, k)),
            binary(f"fma.rn.{kind}", kind, lambda a, b, c, k=kind: exact.fma(a, b, c, k), 3),
        ]
    return cases


def minmax(a: int, b: int, kind: str, largest: bool, nan: bool) -> int | None:
    if (is_nan(a, kind) and is_nan(b, kind)) or (nan and (is_nan(a, kind) or is_nan(b, kind))):
        return None
    if is_nan(a, kind) or is_nan(b, kind):
        return b if is_nan(a, kind) else a

    def key(bits: int) -> float:
        # The order of sign and size, in which -0 is below +0.
        size = bits & ~FORMATS[kind].sign
        return -size - 1 if negative(bits, kind) else size

    return (max if largest else min)(a, b, key=key)


def signs_and_choices() -> list[Case]:
    cases = []
    for kind in ("f32", "f64", "f16", "bf16"):
        sign = FORMATS[kind].sign
        cases.append(binary(f"abs.{kind}", kind, lambda a, s=sign: a & ~s, 1))
        cases.append(binary(f"neg.{kind}", kind, lambda a, s=sign: a ^ s, 1))
        for name, nan in itertools.product(("min", "max"), ("", ".NaN") if kind != "f64" else ("",)):
            cases.append(
                binary(
                    f"{name}{nan}.{kind}",
                    kind,
                    lambda a, b, k=kind, m=name, n=nan: minmax(a, b, k, m == "max", bool(n)),
                )
            )
    cases.append(binary("copysign.f32", "f32", lambda a, b: a & 1 << 31 | b & ~(1 << 31)))

    def xorsign(a: int, b: int) -> int | None:
        bits = minmax(a & ~(1 << 31), b & ~(1 << 31), "f32", True, False)
        return None if bits is None else bits & ~(1 << 31) | (a ^ b) & 1 << 31

    cases.append(binary("max.xorsign.abs.f32", "f32", xorsign))
    classes: dict[str, Callable[[int], bool]] = {
        "finite": lambda a: decode(a, "f32") not in (NAN, INF, NINF),
        "infinite": lambda a: decode(a, "f32") in (INF, NINF),
        "number": lambda a: not is_nan(a, "f32"),
        "notanumber": lambda a: is_nan(a, "f32"),
        "normal": lambda a: a & 0x7FFFFFFF == 0 or 0 < (a >> 23 & 0xFF) < 0xFF,
        "subnormal": lambda a: a >> 23 & 0xFF == 0 and a & 0x7FFFFFFF != 0,
    }
    for name, test in classes.items():
        text = f"{{ .reg .pred p; testp.{name}.f32 p, %1; selp.u32 %0, 1, 0, p; }}"
        cases.append(Case(text, "r", "f", rows(["f32"], 1), lambda a, t=test: (int(t(a)),)))
    comparisons = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
    for kind, op in itertools.product(("f32", "f64", "f16"), comparisons):

        def compared(a: int, b: int, k: str = kind, o: str = op) -> tuple[int]:
            unordered = is_nan(a, k) or is_nan(b, k)
            x, y = (_float(v, k) for v in (a, b))
            return (int(oracle.compare(o, x, y, unordered)),)

        text = f"{{ .reg .pred p; setp.{op}.{kind} p, %1, %2; selp.u32 %0, 1, 0, p; }}"
        cases.append(Case(text, "r", LETTER[kind] * 2, rows([kind, kind], 2, 30), compared))
    cases.append(
        Case("set.lt.f32.f32 %0, %1, %2;", "f", "ff", rows(["f32"] * 2, 2, 30),
             lambda a, b: (0x3F800000 if _float(a, "f32") < _float(b, "f32") else 0,))
    )  # fmt: skip
    return cases


def _float(bits: int, kind: str) -> float:
    return float(decode(bits, kind))


def conversions() -> list[Case]:
    cases = []
    kinds = ("f16", "bf16", "f32", "f64")
    for source, to in itertools.permutations(kinds, 2):
        if "bf16" in (source, to) and "f64" in (source, to):
            continue
        wider = FORMATS[to].mantissa > FORMATS[source].mantissa and FORMATS[to].exponent >= FORMATS[source].exponent
        for mode in ("",) if wider else MODES:

            def expected(a: int, s: str = source, t: str = to, m: str = mode) -> tuple[Expected]:
                return (nan_or(encode(decode(a, s), t, m or "rn", negative(a, s)), t),)

            dotted = f".{mode}" if mode else ""
            cases.append(
                Case(f"cvt{dotted}.{to}.{source} %0, %1;", LETTER[to], LETTER[source], rows([source], 3, 300), expected)
            )
    letters = {"16": "h", "32": "r", "64": "l"}
    integers = ("u16", "s16", "u32", "s32", "u64", "s64")
    dice = random.Random(4)
    for source, to, mode in itertools.product(("f16", "f32", "f64"), integers, ("rni", "rzi", "rmi", "rpi")):
        near = [(_bits(dice.randrange(-9, 9) + dice.choice([0, 0.5, 0.25, 0.75]), source),) for _ in range(40)]
        high = [(_bits(2.0 ** dice.randrange(0, 80) * dice.choice([1, -1, 1.5]), source),) for _ in range(60)]

        def expected_integer(a: int, s: str = source, t: str = to, m: str = mode) -> tuple[int]:
            value = decode(a, s)
            n = oracle.width(t)
            if value == NAN:
                return (1 << (n - 1) if n == 64 or s == "f64" else 0,)
            if isinstance(value, str):
                whole = oracle.clamp((1 << 80) if value == INF else -(1 << 80), t)
            else:
                whole = oracle.clamp(exact.round_integer(value, "r" + m[1]), t)
            return (whole & oracle.mask(t),)

        given = rows([source], 5, 60) + near + high
        cases.append(
            Case(f"cvt.{mode}.{to}.{source} %0, %1;", letters[to[1:]], LETTER[source], given, expected_integer)
        )
    for source, to, mode in itertools.product(integers, ("f16", "f32", "f64"), MODES):
        n = oracle.width(source)
        given = [
            (v & oracle.mask(source),) for v in (0, 1, -1, 1 << (n - 1), (1 << (n - 1)) - 1, (1 << 24) + 1, 2049, 65519)
        ]
        given += [(dice.getrandbits(n) >> dice.randrange(n),) for _ in range(60)]

        def expected_real(a: int, s: str = source, t: str = to, m: str = mode) -> tuple[Expected]:
            return (encode(Fraction(oracle.read(a, s)), t, m),)

        cases.append(Case(f"cvt.{mode}.{to}.{source} %0, %1;", LETTER[to], letters[source[1:]], given, expected_real))
    for mode, kind in itertools.product(("rni", "rzi", "rmi", "rpi"), ("f32", "f64")):

        def expected_whole(a: int, m: str = mode, k: str = kind) -> tuple[Expected]:
            value = decode(a, k)
            if isinstance(value, str):
                return (nan_or(None if value == NAN else a, k),)
            return (encode(Fraction(exact.round_integer(value, "r" + m[1])), k, "rn", negative(a, k)),)

        near = [(_bits(dice.randrange(-9, 9) + dice.choice([0, 0.5, 0.25]), kind),) for _ in range(40)]
        cases.append(
            Case(
                f"cvt.{mode}.{kind}.{kind} %0, %1;", LETTER[kind], LETTER[kind], rows([kind], 6) + near, expected_whole
            )
        )
    cases.append(
        Case(
            "cvt.sat.f32.f32 %0, %1;",
            "f",
            "f",
            rows(["f32"], 6),
            lambda a: (saturated(None if is_nan(a, "f32") else a, "f32"),),
        )
    )

    def packed(a: int, b: int) -> tuple[Expected]:
        halves = [encode(decode(v, "f32"), "f16", "rn", negative(v, "f32")) for v in (a, b)]
        high, low = halves

        def right(got: int) -> bool:
            parts = ((got >> 16, high), (got & 0xFFFF, low))
            return all(is_nan(part, "f16") if want is None else part == want for part, want in parts)

        return (right,)

    cases.append(Case("cvt.rn.f16x2.f32 %0, %1, %2;", "r", "ff", rows(["f32"] * 2, 7), packed))

    def tf32(a: int) -> tuple[Expected]:
        if is_nan(a, "f32"):
            return (lambda got: is_nan(got, "f32"),)
        return ((a + 0x1000) & 0xFFFFE000 if a & 0x7F800000 != 0x7F800000 else a,)

    cases.append(Case("cvt.rna.tf32.f32 %0, %1;", "r", "f", rows(["f32"], 8, 300), tf32))
    return cases


def _bits(value: float, kind: str) -> int:
    bits = encode(Fraction(value), kind)
    assert bits is not None
    return bits


def approximations() -> list[Case]:
    """The approximate forms against the C library's doubles, within an error far below what the manual allows."""

    def close(function: Callable[[float], float]) -> Callable[[int], tuple[Expected]]:
        def expected(a: int) -> tuple[Expected]:
            want = function(struct.unpack("<f", struct.pack("<I", a))[0])
            if math.isnan(want):
                return (lambda got: is_nan(got, "f32"),)

            def near(got: int) -> bool:
                value = struct.unpack("<f", struct.pack("<I", got))[0]
                return value == want or abs(value - want) <= 2.0**-22 * abs(want)

            return (near,)

        return expected

    dice = random.Random(11)
    given = [(_bits(dice.uniform(-8, 8), "f32") & 0xFFFFFFFF,) for _ in range(200)] + [(0,), (0x80000000,)]
    table: dict[str, Callable[[float], float]] = {
        "ex2": lambda x: 2.0**x,
        "lg2": lambda x: math.log2(x) if x > 0 else -math.inf if x == 0 else math.nan,
        "sin": math.sin,
        "cos": math.cos,
        "tanh": math.tanh,
        "rcp": lambda x: 1 / x if x else math.copysign(math.inf, x),
        "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
        "rsqrt": lambda x: 1 / math.sqrt(x) if x > 0 else math.copysign(math.inf, x) if x == 0 else math.nan,
    }
    cases = [
        Case(f"{name}.approx{'' if name == 'tanh' else '.ftz'}.f32 %0, %1;", "f", "f", list(given), close(function))
        for name, function in table.items()
    ]
    # Beyond 2^126 the divisor counts as infinite.
    one, two, infinity, big = 0x3F800000, 0x40000000, 0x7F800000, 0x7F000001
    quotients: dict[tuple[int, int], Expected] = {(two, one): two, (one, big): 0, (infinity, big): nan_or(None, "f32")}
    cases.append(Case("div.approx.f32 %0, %1, %2;", "f", "ff", list(quotients), lambda *r: (quotients[r],)))
    return cases


def test_floating_point_instructions(tmp_path: Path) -> None:
    cases = [*arithmetic(), *signs_and_choices(), *approximations()]
    assert run(cases, tmp_path) == []


def test_conversions(tmp_path: Path) -> None:
    cases = conversions()
    assert len(cases) > 150
    assert run(cases, tmp_path) == []
