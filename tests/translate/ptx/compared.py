"""Lowered statements beside the emulator's instruction library, in one compiled program, on edge and random values.

The two share nothing: the library was written from the manual for the emulator, and is itself tested against exact
arithmetic. What the MUSA intrinsics compute, which stand in lowered text, is written here once more.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.emulator import device_dir
from musify_ai.emulator.prepare import prepare
from musify_ai.translate.ptx.lowering import judged_statements
from musify_ai.translate.unit import Unit

COMPILER = shutil.which("g++") or shutil.which("clang++")
FLAGS = ("-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing")
_TYPES = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}


class Compared(NamedTuple):
    """Statements of one function, one below the other, and the constraints of ``d0``, ``d1`` ... and ``a0`` ...

    ``manual`` is what the manual says of them, in C++, for those that the library does not know.
    """

    statements: tuple[str, ...]
    outputs: str
    inputs: str
    manual: str = ""
    pairs: bool = False  # the output holds two floats, whose NaNs may have any bits
    types: str = "half"  # the half types that the file has


_RELATIONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def one(text: str, outputs: str, inputs: str, manual: str = "") -> Compared:
    """A single statement whose operands are numbered outputs first."""
    outs = ", ".join(f'"={letter}"(d{i})' for i, letter in enumerate(outputs))
    ins = ", ".join(f'"{letter}"(a{i})' for i, letter in enumerate(inputs))
    return Compared((f'asm("{text}" : {outs} : {ins});',), outputs, inputs, manual)


def _integers() -> list[Compared]:
    cases = []
    letters = {"16": "h", "32": "r", "64": "l"}
    wider = {"h": "r", "r": "l"}
    for kind in ("u16", "s16", "u32", "s32", "u64", "s64"):
        c = letters[kind[1:]]
        for name in ("add", "sub", "mul.lo", "mul.hi"):
            cases.append(one(f"{name}.{kind} %0, %1, %2;", c, c + c))
        cases.append(one(f"mad.lo.{kind} %0, %1, %2, %3;", c, c * 3))
        cases.append(one(f"mad.hi.{kind} %0, %1, %2, %3;", c, c * 3))
        if c in wider:
            w = wider[c]
            cases.append(one(f"mul.wide.{kind} %0, %1, %2;", w, c + c))
            cases.append(one(f"mad.wide.{kind} %0, %1, %2, %3;", w, c + c + w))
        if c != "h":
            cases += [one(f"{name}.{kind} %0, %1, %2;", c, c + c) for name in ("min", "max")]
            cases.append(one(f"sad.{kind} %0, %1, %2, %3;", c, c * 3))
            cases.append(one(f"shr.{kind} %0, %1, %2;", c, c + "r"))
            cases.append(one(f"bfe.{kind} %0, %1, %2, %3;", c, c + "rr"))
            for position, length in ((0, 32), (3, 9), (24, 8), (28, 9), (31, 1), (32, 4), (40, 30), (0, 0), (63, 5)):
                cases.append(one(f"bfe.{kind} %0, %1, {position}, {length};", c, c))
    for kind in ("s32", "s64"):
        c = letters[kind[1:]]
        cases += [one(f"{name}.{kind} %0, %1;", c, c) for name in ("neg", "abs")]
    for kind in ("u32", "s32"):
        for name in ("mul24.lo", "mul24.hi"):
            cases.append(one(f"{name}.{kind} %0, %1, %2;", "r", "rr"))
        cases.append(one(f"mad24.lo.{kind} %0, %1, %2, %3;", "r", "rrr"))
        cases.append(one(f"bfind.{kind} %0, %1;", "r", "r"))
        cases.append(one(f"bfind.shiftamt.{kind} %0, %1;", "r", "r"))
    cases += [one(f"{name}.sat.s32 %0, %1, %2;", "r", "rr") for name in ("add", "sub")]
    cases.append(one("dp4a.s32.s32 %0, %1, %2, %3;", "r", "rrr"))
    for bits, c in (("b32", "r"), ("b64", "l")):
        cases += [one(f"{name}.{bits} %0, %1, %2;", c, c + c) for name in ("and", "or", "xor")]
        cases += [one(f"{name}.{bits} %0, %1;", c, c) for name in ("not", "brev", "cnot")]
        cases += [one(f"{name}.{bits} %0, %1;", "r", c) for name in ("popc", "clz")]
        cases.append(one(f"shl.{bits} %0, %1, %2;", c, c + "r"))
        cases.append(one(f"bfi.{bits} %0, %1, %2, %3, %4;", c, c + c + "rr"))
        cases += [one(f"bfi.{bits} %0, %1, %2, {p}, {n};", c, c + c) for p, n in ((0, 32), (5, 7), (31, 9), (40, 30))]
    for side in "lr":
        for mode in ("wrap", "clamp"):
            cases.append(one(f"shf.{side}.{mode}.b32 %0, %1, %2, %3;", "r", "rrr"))
    cases.append(one("prmt.b32 %0, %1, %2, %3;", "r", "rrr"))
    cases += [one(f"prmt.b32 %0, %1, %2, {s:#x};", "r", "rr") for s in (0x5410, 0xB2B2, 0x8888, 0x3F80)]
    cases += [one(f"prmt.b32.{m} %0, %1, %2, %3;", "r", "rrr") for m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")]
    cases += [one(f"prmt.b32.{m} %0, %1, %2, 2;", "r", "rr") for m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")]
    cases += [one(f"lop3.b32 %0, %1, %2, %3, {table:#x};", "r", "rrr") for table in range(0, 256, 5)]
    for name, sign in (("vshl", "<<"), ("vshr", ">>")):
        manual = f"d0 = (a1 >= 32 ? 0 : a0 {sign} a1) + a2;"
        cases.append(one(f"{name}.u32.u32.u32.clamp.add %0, %1, %2, %3;", "r", "rrr", manual))
    cases.append(one("vadd.u32.u32.u32.add %0, %1, %2, %3;", "r", "rrr", "d0 = a0 + a1 + a2;"))
    cases.append(one("mov.b64 {%0, %1}, %2;", "rr", "l"))
    cases.append(one("mov.b64 %0, {%1, %2};", "l", "rr"))
    cases.append(one("mov.b32 {%0, %1}, %2;", "hh", "r"))
    cases.append(one("mov.b32 %0, {%1, %2};", "r", "hh"))
    cases.append(one("mov.b32 %0, %1;", "f", "r"))
    cases.append(one("mov.b64 {%0, %1}, %2;", "ff", "l"))
    cases.append(one("{ shl.b32 %0, %2, 16; and.b32 %1, %2, 0xffff0000; }", "ff", "r"))
    return cases


def _carries() -> list[Compared]:
    cases = [
        one("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;", "rr", "rrrr"),
        one("sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;", "rr", "rrrr"),
        one("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;", "ll", "llll"),
        one("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;", "ll", "llll"),
        one("add.cc.u64 %0, %2, %3; addc.u32 %1, 0, 0;", "lr", "ll"),
        one("add.cc.u64 %0, %3, %6; addc.cc.u64 %1, %4, %7; addc.u64 %2, %5, %8;", "lll", "llllll"),
        one("sub.cc.u64 %0, %3, %6; subc.cc.u64 %1, %4, %7; subc.u64 %2, %5, %8;", "lll", "llllll"),
        one("add.cc.u32 %0, %3, %6; addc.cc.u32 %1, %4, %7; addc.u32 %2, %5, %8;", "rrr", "rrrrrr"),
        one("sub.cc.u32 %0, %3, %6; subc.cc.u32 %1, %4, %7; subc.u32 %2, 0, 0;", "rrr", "rrrrrr"),
        one("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;", "rr", "rrrr"),
        one("mad.lo.cc.u32 %0, %3, %4, %5; madc.hi.cc.u32 %1, %3, %4, %6; addc.u32 %2, %7, 0;", "rrr", "rrrrr"),
        one("mad.lo.cc.u64 %0, %3, %4, %5; madc.hi.cc.u64 %1, %3, %4, %6; addc.u64 %2, 0, 0;", "lll", "llll"),
        one("mad.hi.cc.u32 %0, %2, %3, %4; addc.u32 %1, 0, 0;", "rr", "rrr"),
        one(
            "{ .reg .pred p; setp.lt.u32 p, %2, %3; add.cc.u32 %0, %2, %3; @p add.cc.u32 %0, %3, %4; "
            "addc.u32 %1, 0, 0; }",
            "rr",
            "rrr",
        ),
        one("{ .reg .b32 ign; prmt.b32 %0, %1, ign, 0x0123; }", "r", "r"),
        one("mad.lo.cc.u32 %0, %2, %3, %4; madc.lo.cc.u32 %0, %0, %3, %2; addc.u32 %1, 0, 0;", "rr", "rrr"),
    ]
    # One chain over several statements, and round a loop.
    cases.append(
        Compared(
            (
                'asm("add.cc.u32 %0, %1, %2;" : "=r"(d0) : "r"(a0), "r"(a1));',
                'asm("addc.cc.u32 %0, %1, %2;" : "=r"(d1) : "r"(a2), "r"(a3));',
                'asm("addc.u32 %0, 0, 0;" : "=r"(d2));',
            ),
            "rrr",
            "rrrr",
        )
    )
    cases.append(
        Compared(
            (
                "unsigned v[4] = {a0, a1, a2, a3};",
                'asm("sub.cc.u32 %0, %0, %1;" : "+r"(v[0]) : "r"(a4));',
                'for (int i = 1; i < 4; ++i) asm("subc.cc.u32 %0, %0, %1;" : "+r"(v[i]) : "r"(a4));',
                'asm("subc.u32 %0, 0, 0;" : "=r"(d0));',
                "d1 = v[0] ^ v[1]; d2 = v[2] + v[3];",
            ),
            "rrr",
            "rrrrr",
        )
    )
    # A predicate that several statements share.
    cases.append(
        Compared(
            (
                'asm("{ .reg .pred %top; setp.ne.u32 %top, %0, 0;" :: "r"(a0));',
                "d0 = a1; d1 = a2;",
                'asm("@%top mov.b32 %0, %1;" : "+r"(d0) : "r"(a3));',
                'asm("@!%top mov.b32 %0, %1;" : "+r"(d1) : "r"(a3));',
                'asm("}");',
            ),
            "rr",
            "rrrr",
            "d0 = a0 ? a3 : a1; d1 = a0 ? a2 : a3;",
        )
    )
    cases.append(
        Compared(
            (
                'd0 = a0; asm("{"); asm(".reg.pred %brw;"); asm("setp.lt.u32 %brw, %0, %1;" :: "r"(a0), "r"(a1));',
                'asm("sub.u32 %0, %0, %1;" : "+r"(d0) : "r"(a1));',
                'asm("@%brw add.u32 %0, %0, %1;" : "+r"(d0) : "r"(a2));',
                'asm("}");',
            ),
            "r",
            "rrr",
            "d0 = a0 - a1 + (a0 < a1 ? a2 : 0);",
        )
    )
    cases.append(
        one(
            "{ .reg.b32 %lo, %hi, %m; .reg.pred %p; mul.lo.u32 %lo, %1, %2; mul.hi.u32 %hi, %1, %2; "
            "mad.lo.cc.u32 %lo, %3, %3, %lo; madc.hi.u32 %hi, %3, %3, %hi; setp.ge.u32 %p, %hi, %2; "
            "@%p sub.u32 %hi, %hi, %2; xor.b32 %0, %hi, %lo; }",
            "r",
            "rrr",
        )
    )
    cases.append(one("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p mov.u32 %0, %1; @!p mov.u32 %0, %2; }", "r", "rr"))
    cases.append(
        one("{ .reg .pred p, q; setp.gt.u32 p|q, %1, %2; selp.u32 %0, %1, 7, p; @q add.u32 %0, %0, %2; }", "r", "rr")
    )
    cases.append(
        one("{ .reg .pred p, q; setp.eq.u32 q, %1, %2; setp.lt.or.s32 p, %1, 5, q; selp.b32 %0, 1, 0, p; }", "r", "rr")
    )
    cases.append(one("{ .reg .u32 r<3>; add.u32 r0, %1, 1; add.u32 r1, r0, %1; xor.b32 %0, r1, r0; }", "r", "r"))
    return cases


def _floats() -> list[Compared]:
    cases = []
    for kind, c in (("f32", "f"), ("f64", "d")):
        for name in ("add", "sub", "mul"):
            cases.append(one(f"{name}.{kind} %0, %1, %2;", c, c + c))
        cases.append(one(f"fma.rn.{kind} %0, %1, %2, %3;", c, c * 3))
        cases.append(one(f"div.rn.{kind} %0, %1, %2;", c, c + c))
        for name in ("min", "max"):
            cases.append(one(f"{name}.{kind} %0, %1, %2;", c, c + c))
        cases += [one(f"{name}.{kind} %0, %1;", c, c) for name in ("neg", "abs")]
        for relation in _RELATIONS:
            cases.append(
                one(f"{{ .reg .pred p; setp.{relation}.{kind} p, %1, %2; selp.u32 %0, 1, 0, p; }}", "r", c + c)
            )
    cases += [one(f"{name}.rn.f32 %0, %1, %2;", "f", "ff") for name in ("add", "sub", "mul")]
    cases += [one(f"{name}.ftz.f32 %0, %1, %2;", "f", "ff") for name in ("add", "sub", "mul", "min", "max")]
    cases += [one(f"{name}.NaN.f32 %0, %1, %2;", "f", "ff") for name in ("min", "max")]
    cases += [one(f"{name}.sat.f32 %0, %1, %2;", "f", "ff") for name in ("add", "sub", "mul")]
    cases += [one("fma.rn.ftz.sat.f32 %0, %1, %2, %3;", "f", "fff"), one("add.rm.f32 %0, %1, %2;", "f", "ff")]
    # The maximum of three is that of two, twice.
    for name in ("max.f32", "min.ftz.f32"):
        twice = (
            f'asm("{{{{ .reg .f32 t; {name} t, %1, %2; {name} %0, t, %3; }}}}" : "=f"(d0) : "f"(a0), "f"(a1), "f"(a2));'
        )
        cases.append(one(f"{name} %0, %1, %2, %3;", "f", "fff", twice.replace("{{", "{").replace("}}", "}")))
    cases += [one("mad.rn.f32 %0, %1, %2, %3;", "f", "fff")]
    cases += [one(f"{name}.approx.f32 %0, %1;", "f", "f") for name in ("rcp", "sqrt", "rsqrt", "ex2", "lg2", "tanh")]
    cases += [one(f"{name}.approx.ftz.f32 %0, %1;", "f", "f") for name in ("rcp", "rsqrt", "ex2", "lg2", "sin", "cos")]
    cases += [one("set.gt.u32.f32 %0, %1, %2;", "r", "ff"), one("set.eq.f32.u32 %0, %1, %2;", "f", "rr")]
    cases += [one("slct.u32.s32 %0, %1, %2, %3;", "r", "rrr"), one("slct.f32.f32 %0, %1, %2, %3;", "f", "fff")]
    cases += [one("add.f32 %0, %1, 0f3F800000;", "f", "f"), one("add.f32 %0, %1, 0fBF000000;", "f", "f")]
    cases += [one("mul.f32 %0, %1, %2;", "r", "rr")]
    return cases


def _conversions() -> list[Compared]:
    cases = []
    letters = {"8": "r", "16": "h", "32": "r", "64": "l"}
    integers = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
    for source in integers:
        for target in integers:
            if source != target:
                to, given = letters[target[1:]], letters[source[1:]]
                cases.append(one(f"cvt.{target}.{source} %0, %1;", to, given))
                cases.append(one(f"cvt.sat.{target}.{source} %0, %1;", to, given))
    for source, c in (("f32", "f"), ("f64", "d")):
        for target in integers:
            for rounding in ("rni", "rzi", "rmi", "rpi"):
                cases.append(one(f"cvt.{rounding}.{target}.{source} %0, %1;", letters[target[1:]], c))
        cases += [one(f"cvt.{r}.{source}.{source} %0, %1;", c, c) for r in ("rni", "rzi", "rmi", "rpi")]
    cases += [one("cvt.rni.ftz.s32.f32 %0, %1;", "r", "f"), one("cvt.rni.sat.s8.f32 %0, %1;", "r", "f")]
    for source in integers[2:]:
        cases.append(one(f"cvt.rn.f32.{source} %0, %1;", "f", letters[source[1:]]))
        cases.append(one(f"cvt.rn.f64.{source} %0, %1;", "d", letters[source[1:]]))
    cases += [one(f"cvt.rz.f32.{source} %0, %1;", "f", "r") for source in ("u32", "s32")]
    cases += [one("cvt.rn.f32.f64 %0, %1;", "f", "d"), one("cvt.f64.f32 %0, %1;", "d", "f")]
    cases += [one("cvt.sat.f32.f32 %0, %1;", "f", "f"), one("cvt.ftz.f32.f32 %0, %1;", "f", "f")]
    cases += [one("cvt.f32.bf16 %0, %1;", "f", "h")]
    return cases


def _packed() -> list[Compared]:
    cases = []
    for name in ("add", "sub", "mul", "min", "max"):
        cases.append(one(f"{name}.f16 %0, %1, %2;", "h", "hh"))
        cases.append(one(f"{name}.f16x2 %0, %1, %2;", "r", "rr"))
    cases += [one("neg.f16 %0, %1;", "h", "h"), one("neg.f16x2 %0, %1;", "r", "r")]
    cases += [one("fma.rn.f16 %0, %1, %2, %3;", "h", "hhh"), one("fma.rn.f16x2 %0, %1, %2, %3;", "r", "rrr")]
    for name in ("add", "sub", "mul"):
        cases.append(one(f"{name}.rn.f32x2 %0, %1, %2;", "l", "ll")._replace(pairs=True))
        cases.append(one(f"{name}.rn.ftz.f32x2 %0, %1, %2;", "l", "ll")._replace(pairs=True))
    cases.append(one("fma.rn.f32x2 %0, %1, %2, %3;", "l", "lll")._replace(pairs=True))
    cases.append(one("fma.rn.ftz.f32x2 %0, %1, %2, %3;", "l", "lll")._replace(pairs=True))
    cases += [one("cvt.rn.f16.f32 %0, %1;", "h", "f"), one("cvt.rz.f16.f32 %0, %1;", "h", "f")]
    cases += [one("cvt.f32.f16 %0, %1;", "f", "h"), one("cvt.rn.f16x2.f32 %0, %1, %2;", "r", "ff")]
    return cases


def _directed() -> list[Compared]:
    """Roundings for which no intrinsic is known, and conversions that round so."""
    cases = []
    for mode in ("rz", "rm", "rp"):
        for name in ("add", "sub", "mul"):
            cases.append(one(f"{name}.{mode}.f32 %0, %1, %2;", "f", "ff"))
            cases.append(one(f"{name}.{mode}.ftz.f32 %0, %1, %2;", "f", "ff"))
            cases.append(one(f"{name}.{mode}.f32x2 %0, %1, %2;", "l", "ll")._replace(pairs=True))
        cases.append(one(f"fma.{mode}.f32 %0, %1, %2, %3;", "f", "fff"))
        cases.append(one(f"fma.{mode}.sat.f32 %0, %1, %2, %3;", "f", "fff"))
        cases.append(one(f"fma.{mode}.ftz.f32 %0, %1, %2, %3;", "f", "fff"))
        # What nearly cancels, and what is nearly half a unit.
        cases.append(one(f"{{ .reg .f32 t; neg.f32 t, %1; fma.{mode}.f32 %0, %1, %2, t; }}", "f", "ff"))
        for source, letter in (("u32", "r"), ("s32", "r"), ("u64", "l"), ("s64", "l")):
            cases.append(one(f"cvt.{mode}.f32.{source} %0, %1;", "f", letter))
            cases.append(one(f"cvt.{mode}.f64.{source} %0, %1;", "d", letter))
        cases.append(one(f"cvt.{mode}.f32.f64 %0, %1;", "f", "d"))
        cases.append(one(f"cvt.{mode}.ftz.f32.f64 %0, %1;", "f", "d"))
    return cases


def _halves() -> list[Compared]:
    """Halves of both formats, with their types in the file and without."""
    cases = []
    for kind in ("f16", "bf16"):
        for name in ("add", "sub", "mul", "min", "max", "min.NaN", "max.NaN", "min.xorsign.abs", "max.xorsign.abs"):
            cases.append(one(f"{name}.{kind} %0, %1, %2;", "h", "hh"))
            cases.append(one(f"{name}.{kind}x2 %0, %1, %2;", "r", "rr"))
        for relu in ("", ".relu"):
            cases.append(one(f"fma.rn{relu}.{kind} %0, %1, %2, %3;", "h", "hhh"))
            cases.append(one(f"fma.rn{relu}.{kind}x2 %0, %1, %2, %3;", "r", "rrr"))
        cases += [one(f"{name}.{kind} %0, %1;", "h", "h") for name in ("neg", "abs", "tanh.approx")]
        cases += [one(f"{name}.{kind}x2 %0, %1;", "r", "r") for name in ("neg", "abs", "tanh.approx")]
        ex2 = "ex2.approx.ftz" if kind == "bf16" else "ex2.approx"
        cases += [one(f"{ex2}.{kind} %0, %1;", "h", "h"), one(f"{ex2}.{kind}x2 %0, %1;", "r", "r")]
        for relation in _RELATIONS:
            text = f"{{ .reg .pred p; setp.{relation}.{kind} p, %1, %2; selp.u32 %0, 1, 0, p; }}"
            cases.append(one(text, "r", "hh"))
        for mode in ("rn", "rz"):
            for more in ("", ".relu", ".satfinite"):
                cases.append(one(f"cvt.{mode}{more}.{kind}.f32 %0, %1;", "h", "f"))
                cases.append(one(f"cvt.{mode}{more}.{kind}x2.f32 %0, %1, %2;", "r", "ff"))
            for source in ("u16", "s16", "u32", "s32"):
                cases.append(one(f"cvt.{mode}.{kind}.{source} %0, %1;", "h", "h" if source[1:] == "16" else "r"))
            cases.append(one(f"cvt.{mode}.{kind}.f64 %0, %1;", "h", "d"))
        cases += [one(f"cvt.f32.{kind} %0, %1;", "f", "h"), one(f"cvt.f64.{kind} %0, %1;", "d", "h")]
        for target, letter in (("s8", "h"), ("u8", "h"), ("s16", "h"), ("u16", "h"), ("s32", "r"), ("u64", "l")):
            for mode in ("rni", "rzi", "rmi", "rpi"):
                cases.append(one(f"cvt.{mode}.{target}.{kind} %0, %1;", letter, "h"))
        cases += [one(f"cvt.{mode}.{kind}.{kind} %0, %1;", "h", "h") for mode in ("rni", "rzi", "rmi", "rpi")]
    cases += [one("cvt.rn.bf16.f16 %0, %1;", "h", "h"), one("cvt.rn.f16.bf16 %0, %1;", "h", "h")]
    cases += [one(f"cvt.{mode}.tf32.f32 %0, %1;", "r", "f") for mode in ("rn", "rna", "rz")]
    return [case._replace(types=types) for case in cases for types in ("", "half")]


def _by_manual() -> list[Compared]:
    """Forms that the library does not have: what the manual says of them, once more by hand."""
    cases = []
    wide = {"bf16": "lowered::wide_bfloat", "f16": "lowered::wide_half"}
    for kind, widen in wide.items():
        cases.append(one(f"add.rn.f32.{kind} %0, %1, %2;", "f", "hf", f"d0 = {widen}(a0) + a1;"))
        cases.append(one(f"sub.rn.f32.{kind} %0, %1, %2;", "f", "hf", f"d0 = {widen}(a0) - a1;"))
        manual = f"d0 = std::fma({widen}(a0), {widen}(a1), a2);"
        cases.append(one(f"fma.rn.f32.{kind} %0, %1, %2, %3;", "f", "hhf", manual))
        for relation, sign in (("gt", ">"), ("le", "<="), ("eq", "==")):
            halves = [f"{widen}(a0 {s}) {sign} {widen}(a1 {s})" for s in ("& 0xffff", ">> 16")]
            one_ = 0x3C00 if kind == "f16" else 0x3F80
            manual = f"d0 = ({halves[0]} ? 0xffffu : 0u) | ({halves[1]} ? 0xffffu : 0u) << 16;"
            cases.append(one(f"set.{relation}.u32.{kind}x2 %0, %1, %2;", "r", "rr", manual))
            cases.append(
                one(f"set.{relation}.{kind}x2.{kind}x2 %0, %1, %2;", "r", "rr", manual.replace("0xffffu", hex(one_)))
            )
        manual = f"d0 = {widen}(a0) > {widen}(a1) || a0 << 1 == 0 ? 0xffffffffu : 0u;"
    for name, sign in (("max", ">"), ("min", "<")):
        for kind in ("short", "unsigned short"):
            suffix = "s16x2" if kind == "short" else "u16x2"
            parts = [f"uint16_t(({kind})(a0 {s}) {sign} ({kind})(a1 {s}) ? a0 {s} : a1 {s})" for s in ("", ">> 16")]
            cases.append(one(f"{name}.{suffix} %0, %1, %2;", "r", "rr", f"d0 = {parts[0]} | {parts[1]} << 16;"))
    cases.append(one("max.abs.f32 %0, %1, %2;", "f", "ff", 'asm("{ .reg .f32 s, t; abs.f32 s, %1; abs.f32 t, %2; '
                     'max.f32 %0, s, t; }" : "=f"(d0) : "f"(a0), "f"(a1));'))  # fmt: skip
    cases.append(one("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;", "r", "rrr",
                     "auto c = [](int v) { return unsigned(v > 7 ? 7 : v < -8 ? -8 : v) & 15; }; "
                     "d0 = c(a0) << 4 | c(a1) | a2 << 8;"))  # fmt: skip
    cases.append(one("mov.b64 %0, {%1, %2, %3, %4};", "l", "hhhh",
                     "d0 = a0 | (uint64_t)a1 << 16 | (uint64_t)a2 << 32 | (uint64_t)a3 << 48;"))  # fmt: skip
    return cases


def _narrow_floats() -> list[Compared]:
    """Floats of 8, 6 and 4 bits: what is nearest, looked for among all of their numbers."""
    cases = []
    forms = {"e4m3x2": (4, 3, 7, 0x7E, 0x7F), "e5m2x2": (5, 2, 15, 0x7B, 0x7F), "e2m3x2": (2, 3, 1, 0x1F, 0x1F),
             "e3m2x2": (3, 2, 3, 0x1F, 0x1F), "e2m1x2": (2, 1, 1, 7, 7)}  # fmt: skip
    for name, (exponent, mantissa, bias, largest, nan) in forms.items():
        width = 4 if name == "e2m1x2" else 8
        nearest = f"lowered::nearest({{}}, {exponent}, {mantissa}, {bias}, {largest}, {nan})"
        value = f"lowered::number({{}}, {exponent}, {mantissa}, {bias}, {nan if width == 8 and exponent > 3 else 999})"
        opcode = f"cvt.rn.satfinite.{name}.f32"
        text, letter = f"{opcode} %0, %1, %2;", "h"
        if width == 4:
            text = f"{{ .reg .b8 t, z; {opcode} t, %1, %2; mov.b32 %0, {{t, z, z, t}}; }}"
            letter = "r"
        manual = f"unsigned t = {nearest.format('a1')} | {nearest.format('a0')} << {width}; "
        manual += "d0 = t | t << 24;" if width == 4 else "d0 = t;"
        cases.append(one(text.replace("z, z,", "0, 0,").replace(", z;", ";"), letter, "ff", manual))
        if width == 8:
            halves = ", ".join(nearest.format(f"lowered::wide_half(a0 {s})") for s in ("& 0xffff", ">> 16"))
            manual = f"unsigned t[] = {{{halves}}}; d0 = t[0] | t[1] << 8;"
            cases.append(one(f"cvt.rn.satfinite.{name}.f16x2 %0, %1;", "h", "r", manual))
            for half in ("f16", "bf16"):
                # Each number of the format is one of the half's: found by trying.
                parts = [
                    f"lowered::half_with({value.format(f'a0 {s} & 255')}, {half == 'f16':d})" for s in (">> 0", ">> 8")
                ]
                cases.append(one(f"cvt.rn.{half}x2.{name} %0, %1;", "r", "h", f"d0 = {parts[0]} | {parts[1]} << 16;"))
    parts = [f"lowered::half_with(std::ldexp(1.0f, int(a0 {s} & 255) - 127), 0)" for s in (">> 0", ">> 8")]
    parts = [f"((a0 {s} & 255) == 255 ? 0x7fffu : {part})" for s, part in zip((">> 0", ">> 8"), parts, strict=True)]
    cases.append(one("cvt.rn.bf16x2.ue8m0x2 %0, %1;", "r", "h", f"d0 = {parts[0]} | {parts[1]} << 16;"))
    return cases


def _others() -> list[Compared]:
    cases = [one(f"cvt.pack.sat.{kind}.s32.b32 %0, %1, %2, %3;", "r", "rrr") for kind in ("u8", "s8")]
    cases += [one(f"cvt.pack.sat.{kind}.s32 %0, %1, %2;", "r", "rr") for kind in ("u16", "s16")]
    for name in ("min", "max"):
        cases += [one(f"{name}{more}.f32 %0, %1, %2;", "f", "ff") for more in (".xorsign.abs", ".NaN.xorsign.abs")]
    for kind in ("u64", "s64"):
        cases += [one(f"bfind{more}.{kind} %0, %1;", "r", "l") for more in ("", ".shiftamt")]
    cases.append(one("mov.b64 {%0, %1, %2, %3}, %4;", "hhhh", "l"))
    text = "{ .reg .b8 x, y; mov.b16 {x, y}, %1; mov.b16 %0, {y, x}; }"
    cases.append(one(text, "h", "h", "d0 = a0 >> 8 | a0 << 8;"))
    cases.append(one("{ .reg .u8 t; cvt.u8.u16 t, %1; cvt.u32.u8 %0, t; }", "r", "h"))
    return cases


def everything() -> list[Compared]:
    """Every lowered form of an instruction that only computes."""
    computed = _integers() + _carries() + _floats() + _conversions() + _packed()
    return computed + _directed() + _halves() + _by_manual() + _narrow_floats() + _others()


_INTRINSICS = """
typedef unsigned int u32; typedef unsigned long long u64;
static u32 __byte_perm(u32 x, u32 y, u32 s) {
  u64 all = (u64)y << 32 | x; u32 out = 0;
  for (int i = 0; i < 4; ++i) out |= (u32)(all >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
  return out;
}
static int __popc(u32 x) { return __builtin_popcount(x); }
static int __popcll(u64 x) { return __builtin_popcountll(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static u32 __brev(u32 x) { u32 o = 0; for (int i = 0; i < 32; ++i) o |= (x >> i & 1) << (31 - i); return o; }
static u64 __umul64hi(u64 x, u64 y) { return (u64)((unsigned __int128)x * y >> 64); }
static int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += (u32)((signed char)(a >> i) * (signed char)(b >> i));
  return c;
}
template <class To, class From> static To as(From from) { To to; memcpy(&to, &from, sizeof to); return to; }
static u32 __float_as_uint(float x) { return as<u32>(x); }
static int __float_as_int(float x) { return as<int>(x); }
static float __uint_as_float(u32 x) { return as<float>(x); }
static float __int_as_float(int x) { return as<float>(x); }
static double __longlong_as_double(long long x) { return as<double>(x); }
static long long __double_as_longlong(double x) { return as<long long>(x); }
template <class F> static float under(int mode, F f) {
  fesetround(mode); volatile float r = f(); fesetround(FE_TONEAREST); return r;
}
static float __fadd_rn(float x, float y) { return x + y; }
static float __fsub_rn(float x, float y) { return x - y; }
static float __fmul_rn(float x, float y) { return x * y; }
static float __frcp_rn(float x) { return 1.0f / x; }
static float __fadd_rd(float x, float y) {
  volatile float a = x, b = y;
  return under(FE_DOWNWARD, [&] { return a + b; });
}
static float __int2float_rz(int x) { volatile int a = x; return under(FE_TOWARDZERO, [&] { return (float)a; }); }
static float __uint2float_rz(u32 x) { volatile u32 a = x; return under(FE_TOWARDZERO, [&] { return (float)a; }); }
// Halves hold their bits; results are rounded once, from double, by the processor or by hand.
struct __half { unsigned short bits; };
struct __half2 { __half x, y; };
static float __half2float(__half h) {
  const int e = h.bits >> 10 & 31, m = h.bits & 1023;
  const float size = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(1024.0f + m, e - 25) : std::ldexp((float)m, -24);
  return h.bits >> 15 ? -size : size;
}
static __half half_of(double v, bool nearest) {
  const unsigned short sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return {0x7fff};
  v = std::fabs(v);
  if (std::isinf(v)) return {(unsigned short)(sign | 0x7c00)};
  int e; std::frexp(v, &e); e = v == 0 || e - 11 < -24 ? -24 : e - 11;
  const double scaled = std::ldexp(v, -e);
  double whole = nearest ? std::nearbyint(scaled) : std::trunc(scaled);
  if (whole == 2048) whole = 1024, ++e;
  if (e > 5) return {(unsigned short)(sign | (nearest ? 0x7c00 : 0x7bff))};
  return {(unsigned short)(sign | (whole >= 1024 ? (unsigned)whole - 1024 + ((e + 25) << 10) : (unsigned)whole))};
}
static __half __float2half_rn(float x) { return half_of(x, true); }
static __half __float2half_rz(float x) { return half_of(x, false); }
static __half2 __floats2half2_rn(float x, float y) { return {__float2half_rn(x), __float2half_rn(y)}; }
#define HALF_OPERATION(name, expression) \\
  static __half name(__half a, __half b) { double x = __half2float(a), y = __half2float(b); return expression; } \\
  static __half2 name##2(__half2 a, __half2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
HALF_OPERATION(__hadd, half_of(x + y, true))
HALF_OPERATION(__hsub, half_of(x - y, true))
HALF_OPERATION(__hmul, half_of(x * y, true))
HALF_OPERATION(__hmin, std::isnan(x) ? (std::isnan(y) ? half_of(NAN, true) : b) : std::isnan(y) ? a
               : x < y || (x == y && a.bits >> 15) ? a : b)
HALF_OPERATION(__hmax, std::isnan(x) ? (std::isnan(y) ? half_of(NAN, true) : b) : std::isnan(y) ? a
               : x > y || (x == y && !(a.bits >> 15)) ? a : b)
static __half __hneg(__half a) { return {(unsigned short)(a.bits ^ 0x8000)}; }
static __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
static __half __hfma(__half a, __half b, __half c) {
  return half_of(std::fma((double)__half2float(a), (double)__half2float(b), (double)__half2float(c)), true);
}
static __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
static float wide_half(uint32_t x) { return __half2float({(unsigned short)x}); }
static float wide_bfloat(uint32_t x) { return as<float>(x << 16); }
// The value of a code of a small float: by the formula.
static double number(unsigned code, int exponent, int mantissa, int bias, unsigned nan) {
  const unsigned top = 1u << (exponent + mantissa), size = code & (top - 1), e = size >> mantissa;
  const unsigned m = size & ((1u << mantissa) - 1);
  double value = e ? std::ldexp(m + std::ldexp(1.0, mantissa), int(e) - bias - mantissa)
                   : std::ldexp((double)m, 1 - bias - mantissa);
  if (nan != 999 && size >= nan) value = NAN;
  if (nan != 999 && exponent == 5 && e == 31) value = m ? NAN : INFINITY;
  return code & top ? -value : value;
}
// The code whose value is nearest, of two as near the even one; beyond the largest that one.
static unsigned nearest(float x, int exponent, int mantissa, int bias, unsigned largest, unsigned nan) {
  if (std::isnan(x)) return nan;
  const double size = std::fabs((double)x);
  unsigned best = 0;
  for (unsigned code = 1; code <= largest; ++code) {
    const double was = std::fabs(size - number(best, exponent, mantissa, bias, 999));
    const double is = std::fabs(size - number(code, exponent, mantissa, bias, 999));
    if (is < was || (is == was && code % 2 == 0)) best = code;
  }
  if (size >= number(largest, exponent, mantissa, bias, 999)) best = largest;
  return best | (std::signbit(x) ? 1u << (exponent + mantissa) : 0);
}
// The bits of the half, f16 or bf16, that has a value.
static unsigned half_with(double value, bool f16) {
  if (std::isnan(value)) return 0x7fff;
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (f16) return sign | half_of(value, true).bits;
  return sign | as<unsigned>((float)value) >> 16;
}
static float rsqrtf(float x) { return 1.0f / sqrtf(x); }
"""


def _function(case: Compared, name: str) -> str:
    lines = [f"static void {name}(const uint64_t* in, uint64_t* out) {{"]
    for i, letter in enumerate(case.inputs):
        lines.append(f"  {_TYPES[letter]} a{i}; memcpy(&a{i}, in + {i}, sizeof a{i});")
    lines += [f"  {_TYPES[letter]} d{i};" for i, letter in enumerate(case.outputs)]
    lines += [f"  {text}" for text in case.statements]
    lines += [f"  memcpy(out + {i}, &d{i}, sizeof d{i});" for i in range(len(case.outputs))]
    return "\n".join([*lines, "}\n"])


def _lowered(case: Compared, name: str) -> tuple[str, list[str]]:
    """The function with its statements lowered, and the statements that were left."""
    from musify_ai.source.splicing import resolve, splice
    from musify_ai.translate.ptx import lowered as rule

    known = "struct __half;\n" if case.types else ""
    source = f"__device__ {_function(case, name)}\n{known}".encode()
    unit = Unit("a.cu", source)
    left = [f"{each.statement.template}: {each.reason}" for each in judged_statements(unit) if each.lowered is None]
    kept, _ = resolve(rule.find(unit))
    return splice(source, kept).decode().removeprefix("__device__ "), left


_MAIN = """
struct Entry { void (*original)(const uint64_t*, uint64_t*); void (*lowered)(const uint64_t*, uint64_t*);
               const char* outputs; const char* inputs; };
static uint64_t state = 88172645463325252ull;
static uint64_t next() {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state * 2685821657736338717ull;
}
static const uint64_t words[] = {0, 1, 2, 3, 7, 8, 13, 15, 16, 31, 32, 33, 40, 63, 64, 65, 127, 128, 255, 256,
  0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
  0x8000000000000000,
  0xfffffffffffffffe, 0xffffffffffffffff, 0x5410, 0x3210, 0x80000000ffffffff, 0x12345678deadbeef};
static const double numbers[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 1e-40, -1e-40,
  1.17549435e-38, 3e-39, 1e38,
  3.4028235e38, -3.4028235e38, INFINITY, -INFINITY, NAN, 127.5, 128, -128.5, -129, 255.5, 256, 32767.5, 65535.5, 65536,
  2147483520.0,
  2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967295.0, 4294967296.0,
  9.2233720368547748e18,
  9.2233720368547758e18, -9.2233720368547758e18, 1.8446744073709550e19, 1.8446744073709552e19, 1e300, -1e300,
  1e-310, 3.0, 126.0, -149.0};
template <class T, size_t N> static T pick(const T (&from)[N]) { return from[next() % N]; }
static uint64_t draw(char kind) {
  uint64_t bits = 0;
  if (kind == 'f' || kind == 'd') {
    const unsigned how = next() % 4;
    double x = how == 0 ? pick(numbers) : how == 1 ? (double)(int64_t)(next() >> (next() % 64)) / 8 : 0;
    if (how > 1) bits = next(); else if (kind == 'd') memcpy(&bits, &x, 8); else { float f = x; memcpy(&bits, &f, 4); }
    return kind == 'f' ? bits & 0xffffffff : bits;
  }
  const unsigned how = next() % 3;
  bits = how == 0 ? pick(words) : how == 1 ? next() >> (next() % 64) : next();
  return kind == 'h' ? bits & 0xffff : kind == 'r' ? bits & 0xffffffff : bits;
}
static bool nan_bits(char kind, uint64_t bits);
static bool alike(char kind, uint64_t x, uint64_t y) {
  if (kind == 'P') return alike('f', x & 0xffffffff, y & 0xffffffff) && alike('f', x >> 32, y >> 32);
  return x == y || (nan_bits(kind, x) && nan_bits(kind, y));
}
static bool nan_bits(char kind, uint64_t bits) {
  return kind == 'f' ? (bits & 0x7fffffff) > 0x7f800000
                     : kind == 'd' && (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}
int main(int, char** argv) {
  const long rows = atol(argv[1]); long number = 0, bad = 0;
  for (const Entry& e : table) {
    int shown = 0;
    for (long row = 0; row < rows; ++row) {
      uint64_t in[8] = {}, x[4] = {}, y[4] = {};
      for (int i = 0; e.inputs[i]; ++i) in[i] = draw(e.inputs[i]);
      e.original(in, x); e.lowered(in, y);
      bool same = true;
      for (int i = 0; e.outputs[i]; ++i)
        same = same && alike(e.outputs[i], x[i], y[i]);
      if (same) continue;
      ++bad;
      if (shown++ == 0) {
        printf("%ld of", number);
        for (int i = 0; e.inputs[i]; ++i) printf(" %llx", (unsigned long long)in[i]);
        printf(": lowered"); for (int i = 0; e.outputs[i]; ++i) printf(" %llx", (unsigned long long)y[i]);
        printf(" instead of"); for (int i = 0; e.outputs[i]; ++i) printf(" %llx", (unsigned long long)x[i]);
        printf("\\n");
      }
    }
    ++number;
  }
}
"""


def compare(cases: Sequence[Compared], rows: int, directory: Path) -> list[str]:
    """What was left or computes something else than the library, in words."""
    assert COMPILER is not None
    manual = [case._replace(statements=(case.manual,)) if case.manual else case for case in cases]
    original = "".join(_function(case, f"original_{i}") for i, case in enumerate(manual))
    head = (
        "#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
        "#include <cfenv>\n#include <cmath>\n"
        "namespace emu { inline void spin() {} inline void unsupported_asm(const char* name) { puts(name); } }\n"
        '#include "ptx/bits.h"\n#include "ptx/convert.h"\n#include "ptx/integer.h"\n'
        f"namespace lowered {{\n{_INTRINSICS}\n}}\n"
    )
    prepared = prepare((head + original).encode(), "cuda")
    assert prepared.problems == (), prepared.problems
    wrong, parts = [], []
    for i, case in enumerate(cases):
        text, left = _lowered(case, f"lowered_{i}")
        wrong += left
        parts.append(text)
    table = ", ".join(
        f'{{original_{i}, lowered::lowered_{i}, "{"P" if case.pairs else case.outputs}", "{case.inputs}"}}'
        for i, case in enumerate(cases)
    )
    if wrong:
        return wrong
    program = (
        prepared.text.decode()
        + f"namespace lowered {{\n{''.join(parts)}}}\n"
        + _MAIN.replace("static uint64_t state", f"static const Entry table[] = {{{table}}};\nstatic uint64_t state", 1)
    )
    (directory / "compared.cpp").write_text(program)
    command = [
        COMPILER,
        *FLAGS,
        f"-I{device_dir()}",
        "-o",
        str(directory / "compared"),
        str(directory / "compared.cpp"),
    ]
    built = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert built.returncode == 0, built.stderr[:6000]
    ran = subprocess.run(
        [str(directory / "compared"), str(rows)], capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == 0, ran.stderr[:2000]
    for line in ran.stdout.splitlines():
        number, _, rest = line.partition(" ")
        wrong.append(f"{' '.join(cases[int(number)].statements)} {rest}")
    return wrong
