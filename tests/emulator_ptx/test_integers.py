"""Integer, bit and byte instructions against the oracle: edge values and random ones."""

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.emulator_ptx import oracle
from tests.emulator_ptx.bench import COMPILER, Case, run

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no g++ or clang++ on this machine")

LETTER = {"16": "h", "32": "r", "64": "l"}
KINDS = ("u16", "s16", "u32", "s32", "u64", "s64")
NARROW = ("u16", "s16", "u32", "s32")


def letter(kind: str) -> str:
    return LETTER[kind[1:]]


def edges(kind: str) -> list[int]:
    n = oracle.width(kind)
    top = 1 << (n - 1)
    return [
        0,
        1,
        2,
        7,
        n - 1,
        n,
        top - 1,
        top,
        top + 1,
        (1 << n) - 1,
        (1 << n) - 2,
        0x5A5A5A5A5A5A5A5A & ((1 << n) - 1),
    ]


def rows(kinds: list[str], seed: int, count: int = 60) -> list[tuple[int, ...]]:
    """All pairs of edges of the first two operands, the others drawn; then random rows."""
    dice = random.Random(seed)
    drawn = [tuple(dice.getrandbits(oracle.width(k)) for k in kinds) for _ in range(count)]
    crossed = itertools.product(*(edges(k) for k in kinds[:2]))
    return [(*pair, *(dice.choice(edges(k)) for k in kinds[2:])) for pair in crossed] + drawn


def case(opcode: str, to: str, kinds: list[str], expected: Callable[..., int | None], extra: str = "") -> Case:
    names = ", ".join(f"%{i}" for i in range(len(kinds) + 1))
    given = rows(kinds, len(opcode) + len(kinds))
    return Case(f"{opcode} {names}{extra};", letter(to), "".join(map(letter, kinds)), given, lambda *r: (expected(*r),))


def arithmetic() -> list[Case]:
    cases = []
    for kind in KINDS:
        for name in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            cases.append(
                case(f"{name}.{kind}", kind, [kind] * 2, lambda a, b, n=name, k=kind: oracle.arithmetic(n, k, a, b))
            )
        for name in ("mad.lo", "mad.hi", "sad"):
            cases.append(
                case(
                    f"{name}.{kind}", kind, [kind] * 3, lambda a, b, c, n=name, k=kind: oracle.arithmetic(n, k, a, b, c)
                )
            )
        if kind[0] == "s":
            for name in ("abs", "neg"):
                cases.append(
                    case(f"{name}.{kind}", kind, [kind], lambda a, n=name, k=kind: oracle.arithmetic(n, k, a, 0))
                )
    for kind in NARROW:
        double = f"{kind[0]}{2 * oracle.width(kind)}"
        cases.append(case(f"mul.wide.{kind}", double, [kind] * 2, lambda a, b, k=kind: oracle.wide(k, a, b)))
        cases.append(case(f"mad.wide.{kind}", double, [kind, kind, double], lambda *r, k=kind: oracle.wide(k, *r)))
    for kind in ("u32", "s32"):
        for name in ("mul24.lo", "mul24.hi"):
            cases.append(case(f"{name}.{kind}", kind, [kind] * 2, lambda *r, n=name, k=kind: oracle.of_24(n, k, *r)))
        for name in ("mad24.lo", "mad24.hi"):
            cases.append(case(f"{name}.{kind}", kind, [kind] * 3, lambda *r, n=name, k=kind: oracle.of_24(n, k, *r)))
        for other in ("u32", "s32"):
            cases.append(
                case(f"dp4a.{kind}.{other}", "u32", ["u32"] * 3, lambda *r, k=kind, o=other: oracle.dot4(k, o, *r))
            )
            for half in ("lo", "hi"):
                cases.append(
                    case(
                        f"dp2a.{half}.{kind}.{other}",
                        "u32",
                        ["u32"] * 3,
                        lambda *r, h=half, k=kind, o=other: oracle.dot2(h, k, o, *r),
                    )
                )

    def saturated(sign: int) -> Callable[[int, int], int]:
        return lambda a, b: oracle.clamp(oracle.read(a, "s32") + sign * oracle.read(b, "s32"), "s32") & 0xFFFFFFFF

    cases.append(case("add.sat.s32", "s32", ["s32"] * 2, saturated(1)))
    cases.append(case("sub.sat.s32", "s32", ["s32"] * 2, saturated(-1)))
    cases.append(
        case(
            "mad.hi.sat.s32",
            "s32",
            ["s32"] * 3,
            lambda a, b, c: (
                oracle.clamp((oracle.read(a, "s32") * oracle.read(b, "s32") >> 32) + oracle.read(c, "s32"), "s32")
                & 0xFFFFFFFF
            ),
        )
    )
    return cases


def video() -> list[Case]:
    """Operations on parts of registers, and on all parts at once, over all pairs of signs."""
    cases = []
    pairs = [("u32", "u32", "u32"), ("s32", "s32", "s32"), ("s32", "u32", "s32"), ("u32", "s32", "u32")]
    parts = [("", ""), ("b0", "b3"), ("h1", "b2"), ("h0", "h1")]
    for (number, kinds), name in itertools.product(enumerate(pairs), ("add", "sub", "absdiff", "min", "max")):
        types = ".".join(kinds)
        where = parts[(number + len(name)) % 4]
        operands = ", ".join(f"%{i + 1}{'.' * bool(each)}{each}" for i, each in enumerate(where))
        given = rows(["u32"] * 3, number)
        for sat in (False, True):
            end = ".sat" * sat

            def single(a, b, c, n=name, k=kinds, w=where, s=sat):
                return (oracle.video(n, k, w, s, a, b),)

            def summed(a, b, c, n=name, k=kinds, w=where, s=sat):
                return (oracle.video(n, k, w, s, a, b) + c & 0xFFFFFFFF,)

            def four(a, b, c, n=name, k=kinds, s=sat):
                return (sum(each << 8 * i for i, each in enumerate(oracle.lanes(n, k, 8, s, a, b))),)

            def upper(a, b, c, n=name, k=kinds, s=sat):
                return (oracle.lanes(n, k, 16, s, a, b)[1] << 16 | c & 0xFFFF,)

            def merged(a, b, c, n=name, k=kinds, s=sat):
                value = oracle.lanes(n, k, 8, s, oracle.part(a, "u32", "b2"), oracle.part(b, "u32", "b1"))[0]
                return (c & ~0xFF00 | value << 8,)

            for text, expected in (
                (f"v{name}.{types}{end} %0, {operands};", single),
                (f"v{name}.{types}{end}.add %0, {operands}, %3;", summed),
                (f"v{name}.{types}{end} %0.b1, %1.b2, %2.b1, %3;", merged),
                (f"v{name}4.{types}{end} %0, %1, %2, %3;", four),
                (f"v{name}2.{types}{end} %0.h1, %1.h10, %2.h32, %3;", upper),
            ):
                cases.append(Case(text, "r", "rrr", given, expected))
        if (name in ("min", "max") and number < 2) or (name, number) == ("absdiff", 0):

            def together(a, b, c, n=name, k=kinds):
                signed = [oracle.read(each, f"{k[0][0]}8") for each in oracle.lanes(n, k, 8, False, a, b)]
                return (sum(signed) + c & 0xFFFFFFFF,)

            cases.append(Case(f"v{name}4.{types}.add %0, %1, %2, %3;", "r", "rrr", given, together))
    return cases


def carries() -> list[Case]:
    m64, m32 = (1 << 64) - 1, (1 << 32) - 1
    two = random.Random(5)
    given = [tuple(two.choice([0, 1, m32, two.getrandbits(32)]) for _ in range(4)) for _ in range(150)]

    def split(value: int) -> tuple[int, int]:
        return value & m32, value >> 32 & m32

    def whole(low: int, high: int) -> int:
        return high << 32 | low

    cases = [
        Case("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;", "rr", "rrrr", given,
             lambda a, b, c, d: split(whole(a, b) + whole(c, d) & m64)),
        Case("sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;", "rr", "rrrr", given,
             lambda a, b, c, d: split(whole(a, b) - whole(c, d) & m64)),
        Case("{ .reg .u32 t; add.cc.s32 t, %2, %4; addc.cc.s32 %0, %3, %5; addc.s32 %1, 0, 0; }", "rr", "rrrr", given,
             lambda a, b, c, d: (lambda s: (s >> 32 & m32, s >> 64))(whole(a, b) + whole(c, d))),
        # 32 x 32 + 64 by halves, carried into a third word
        Case("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.cc.u32 %1, %2, %3, %5;", "rr", "rrrr", given,
             lambda a, b, c, d: split(a * b + whole(c, d) & m64)),
        Case("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;", "rr", "rrrr", given,
             lambda a, b, c, d: split(a * b + whole(c, d) & m64)),
    ]  # fmt: skip
    long = [tuple(two.choice([0, 1, m64, two.getrandbits(64)]) for _ in range(4)) for _ in range(150)]
    cases.append(
        Case("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;", "ll", "llll", long,
             lambda a, b, c, d: ((a + c) & m64, (b + d + (a + c >> 64)) & m64)),
    )  # fmt: skip
    return cases


def logic() -> list[Case]:
    cases = []
    for kind in ("b16", "b32", "b64"):
        full = oracle.mask(kind)
        cases += [
            case(f"and.{kind}", kind, [kind] * 2, lambda a, b: a & b),
            case(f"or.{kind}", kind, [kind] * 2, lambda a, b: a | b),
            case(f"xor.{kind}", kind, [kind] * 2, lambda a, b: a ^ b),
            case(f"not.{kind}", kind, [kind], lambda a, f=full: a ^ f),
            case(f"cnot.{kind}", kind, [kind], lambda a: int(a == 0)),
            case(f"shl.{kind}", kind, [kind, "u32"], lambda a, n, k=kind: oracle.shift("shl", k, a, n)),
        ]
    for kind in (*KINDS, "b16", "b32", "b64"):
        cases.append(case(f"shr.{kind}", kind, [kind, "u32"], lambda a, n, k=kind: oracle.shift("shr", k, a, n)))
    for kind in ("b32", "b64"):
        n = oracle.width(kind)
        cases += [
            case(f"popc.{kind}", "u32", [kind], lambda a: a.bit_count()),
            case(f"clz.{kind}", "u32", [kind], lambda a, n=n: n - a.bit_length()),
            case(f"brev.{kind}", kind, [kind], lambda a, n=n: int(f"{a:0{n}b}"[::-1], 2)),
            case(f"bfi.{kind}", kind, [kind, kind, "u32", "u32"], lambda *r, k=kind: oracle.bfi(k, *r)),
        ]
    dice = random.Random(9)
    for kind in ("u32", "s32", "u64", "s64"):
        fields = [(dice.getrandbits(oracle.width(kind)), dice.randrange(300), dice.randrange(300)) for _ in range(200)]
        fields += [(a, start, length) for a in edges(kind) for start in (0, 5, 31, 63) for length in (0, 1, 8, 32, 64)]
        cases.append(
            Case(f"bfe.{kind} %0, %1, %2, %3;", letter(kind), letter(kind) + "rr", fields,
                 lambda *r, k=kind: (oracle.bfe(k, *r),))
        )  # fmt: skip
        cases.append(case(f"bfind.{kind}", "u32", [kind], lambda a, k=kind: oracle.bfind(k, False, a)))
        cases.append(case(f"bfind.shiftamt.{kind}", "u32", [kind], lambda a, k=kind: oracle.bfind(k, True, a)))
    for table in (0, 0x80, 0xFE, 0x96, 0xE8, 0xCA, 0x3C):
        cases.append(
            case("lop3.b32", "u32", ["u32"] * 3, lambda a, b, c, t=table: oracle.lop3(a, b, c, t), f", {table:#x}")
        )
    small = [(dice.getrandbits(32), dice.getrandbits(32), n) for n in (*range(40), 63, 64, 1 << 31, (1 << 32) - 1)]
    for side, mode in itertools.product("lr", ("clamp", "wrap")):
        cases.append(Case(f"shf.{side}.{mode}.b32 %0, %1, %2, %3;", "r", "rrr", small,
                          lambda *r, s=side, m=mode: (oracle.funnel(s, m, *r),)))  # fmt: skip
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        dotted = f".{mode}" if mode else ""
        cases.append(case(f"prmt.b32{dotted}", "u32", ["u32"] * 3, lambda *r, m=mode: oracle.prmt(m, *r)))
    places = [(dice.getrandbits(32), dice.randrange(34), dice.randrange(-9, 10) & 0xFFFFFFFF) for _ in range(300)]
    cases.append(Case("fns.b32 %0, %1, %2, %3;", "r", "rrr", places, lambda *r: (oracle.fns(*r),)))
    return cases


def moves_and_choices() -> list[Case]:
    cases = [
        case("mov.u32", "u32", ["u32"], lambda a: a),
        case("mov.b64", "u64", ["u64"], lambda a: a),
        Case("mov .v2 .u32 {%0, %1}, {%3, %2};", "rr", "rr", rows(["u32", "u32"], 1), lambda a, b: (b, a)),
        Case("mov.b64 %0, {%1, %2};", "l", "rr", rows(["u32", "u32"], 1), lambda a, b: (b << 32 | a,)),
        Case("mov.b64 {%0, %1}, %2;", "rr", "l", rows(["u64"], 1), lambda a: (a & 0xFFFFFFFF, a >> 32)),
        Case("mov.b32 {%0, %1}, %2;", "hh", "r", rows(["u32"], 1), lambda a: (a & 0xFFFF, a >> 16)),
        Case("mov.b32 %0, {%2, %1};", "r", "hh", rows(["u16", "u16"], 1), lambda a, b: (a << 16 | b,)),
        Case("mov.b32 {_, %0}, %1;", "h", "r", rows(["u32"], 1), lambda a: (a >> 16,)),
        Case("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b32 %0, %1, %2, p; }", "r", "rrr", rows(["u32"] * 3, 3),
             lambda a, b, c: (a if c else b,)),
        Case("slct.u32.s32 %0, %1, %2, %3;", "r", "rrr", rows(["u32"] * 3, 3), lambda a, b, c: (b if c >> 31 else a,)),
        Case("mov.u32 %0, 0x1F; { .reg .u32 t<2>; mov.u32 t1, -3; add.u32 %0, %0, t1; } add.u32 %0, %0, 010;", "r", "",
             [()], lambda: (0x1F - 3 + 8,)),
        # A predicate skips; what is skipped leaves the register as it was.
        Case("{ .reg .pred p; mov.u32 %0, 7; setp.eq.s32 p, %1, 1; @p mov.u32 %0, 8; @!p add.u32 %0, %0, 2; }",
             "r", "r", rows(["u32"], 2), lambda a: (8 if a == 1 else 9,)),
        # A loop inside one statement: the sum of 0..n.
        Case("{ .reg .pred p; .reg .u32 n; and.b32 n, %1, 15; mov.u32 %0, 0; again: add.u32 %0, %0, n;"
             " setp.eq.u32 p, n, 0; @p bra done; sub.u32 n, n, 1; bra again; done: }", "r", "r", rows(["u32"], 2),
             lambda a: ((a & 15) * ((a & 15) + 1) // 2,)),
    ]  # fmt: skip
    for kind in KINDS:
        for op in ("eq", "ne", "lt", "le", "gt", "ge", *(("lo", "ls", "hi", "hs") if kind[0] == "u" else ())):
            cases.append(
                Case(
                    f"{{ .reg .pred p, q; setp.{op}.{kind} p|q, %2, %3; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }}",
                    "rr",
                    letter(kind) * 2,
                    rows([kind, kind], 4, 20),
                    lambda a, b, o=op, k=kind: (lambda yes: (int(yes), int(not yes)))(
                        oracle.compare(o, oracle.read(a, k), oracle.read(b, k), False)
                    ),
                )
            )
            cases.append(
                Case(f"set.{op}.u32.{kind} %0, %1, %2;", "r", letter(kind) * 2, rows([kind, kind], 5, 20),
                     lambda a, b, o=op, k=kind: (
                         0xFFFFFFFF if oracle.compare(o, oracle.read(a, k), oracle.read(b, k), False) else 0,))
            )  # fmt: skip
    for boolean, combine in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        cases.append(
            Case(
                f"{{ .reg .pred p, q, c; setp.ne.u32 c, %4, 0; setp.lt.{boolean}.u32 p|q, %2, %3, !c;"
                " selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }",
                "rr",
                "rrr",
                rows(["u32"] * 3, 6),
                lambda a, b, c, f=combine: (f(int(a < b), int(c == 0)), f(int(a >= b), int(c == 0))),
            )
        )
    for op, of in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        cases.append(
            Case(
                f"{{ .reg .pred p, q, r; setp.ne.u32 p, %1, 0; setp.ne.u32 q, %2, 0; {op}.pred r, p, q; not.pred p, r;"
                " selp.u32 %0, 1, 0, p; }",
                "r",
                "rr",
                [(0, 0), (0, 1), (1, 0), (1, 1)],
                lambda a, b, f=of: (1 - f(a, b),),
            )
        )
    return cases


def conversions() -> list[Case]:
    all_kinds = ("u8", "s8", *KINDS)
    cases = []
    for source, to, sat in itertools.product(all_kinds, all_kinds, ("", ".sat")):
        if source == to:
            continue
        from_letter = "r" if source[1:] == "8" else letter(source)
        to_kind = f"{to[0]}32" if to[1:] == "8" else to
        given = [(value,) for (value,) in rows(["u32" if source[1:] == "8" else source], 7, 30)]

        def expected(a: int, s: str = source, t: str = to, clamped: str = sat, register: str = to_kind) -> tuple[int]:
            value = oracle.read(a, s)
            value = oracle.clamp(value, t) if clamped else oracle.read(value & oracle.mask(t), t)
            return (value & oracle.mask(register),)

        cases.append(Case(f"cvt{sat}.{to}.{source} %0, %1;", letter(to_kind), from_letter, given, expected))

    def packed(a: int, b: int, c: int) -> tuple[int]:
        x, y = (oracle.clamp(oracle.read(v, "s32"), "u8") for v in (a, b))
        return (c << 16 & 0xFFFFFFFF | x << 8 | y,)

    cases.append(Case("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;", "r", "rrr", rows(["u32"] * 3, 8), packed))

    def packed_words(a: int, b: int) -> tuple[int]:
        x, y = (oracle.clamp(oracle.read(v, "s32"), "s16") & 0xFFFF for v in (a, b))
        return (x << 16 | y,)

    cases.append(Case("cvt.pack.sat.s16.s32 %0, %1, %2;", "r", "rr", rows(["u32"] * 2, 8), packed_words))
    return cases


def test_integer_instructions(tmp_path: Path) -> None:
    cases = [*arithmetic(), *video(), *carries(), *logic(), *moves_and_choices(), *conversions()]
    assert len(cases) > 250
    assert run(cases, tmp_path) == []
