"""Lowered PTX computes what the PTX manual says: compiled, run on awkward values, compared with a model in Python.

The model here is written bit by bit from the manual and shares nothing with the lowering.
"""

import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from musify_ai.translate import translate
from musify_ai.translate.ptx.lowering import judge
from musify_ai.translate.ptx.statements import asm_statements
from musify_ai.translate.unit import Unit

_COMPILER = shutil.which("g++") or shutil.which("clang++")

_M32, _M64 = 2**32 - 1, 2**64 - 1
_VALUES32 = (0, 1, 2, 5, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x8000, 0x12345678, 0x7FFFFFFF, 0x80000000, 0xDEADBEEF, _M32)
_VALUES64 = (0, 1, 63, 64, 0x80000000, 0xFFFFFFFF, 0x123456789ABCDEF0, 2**63 - 1, 2**63, _M64)
_AMOUNTS = (0, 1, 5, 8, 31, 32, 33, 63, 64, 255, 256, 0x80000000, _M32)


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _bit(value: int, index: int) -> int:
    return value >> index & 1


def _bfe(value: int, position: int, length: int, *, signed: bool = False) -> int:
    position, length = position & 0xFF, length & 0xFF
    fill = _bit(value, min(position + length - 1, 31)) if signed and length else 0
    out = 0
    for i in range(32):
        out |= (_bit(value, position + i) if i < length and position + i <= 31 else fill) << i
    return out


def _bfi(value: int, into: int, position: int, length: int) -> int:
    position, length = position & 0xFF, length & 0xFF
    out = into
    i = 0
    while i < length and position + i <= 31:
        out = out & ~(1 << position + i) | _bit(value, i) << position + i
        i += 1
    return out


def _prmt(low: int, high: int, selector: int) -> int:
    data = [(high << 32 | low) >> 8 * i & 0xFF for i in range(8)]
    out = 0
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = data[nibble & 7]
        out |= (0xFF * (byte >> 7) if nibble & 8 else byte) << 8 * i
    return out


def _lop3(table: int) -> Callable[..., int]:
    def model(x: int, y: int, z: int) -> int:
        return sum(_bit(table, 4 * _bit(x, i) + 2 * _bit(y, i) + _bit(z, i)) << i for i in range(32))

    return model


def _shf(side: str, mode: str) -> Callable[..., int]:
    def model(low: int, high: int, amount: int) -> int:
        n = amount & 31 if mode == "wrap" else min(amount, 32)
        if side == "l":
            return high << n & _M32 | (low >> 32 - n if n else 0)
        return (high << 32 - n & _M32 if n else 0) | low >> n

    return model


class _Op(NamedTuple):
    """A template, the constraint letters of the output and the inputs, the model, the values for each input."""

    template: str
    constraints: str
    model: Callable[..., int]
    values: tuple[tuple[int, ...], ...]


def _ops() -> list[_Op]:
    two, three = (_VALUES32, _VALUES32), (_VALUES32, _VALUES32, _VALUES32[::3])
    wide = (_VALUES64, _VALUES64)
    ops = [
        _Op("add.u32 %0, %1, %2;", "rrr", lambda a, b: a + b, two),
        _Op("add.s32 %0, %1, %2;", "rrr", lambda a, b: a + b, two),
        _Op("sub.s32 %0, %1, %2;", "rrr", lambda a, b: a - b, two),
        _Op("add.u64 %0, %1, %2;", "lll", lambda a, b: a + b, wide),
        _Op("add.s32 %0, %1, -7;", "rr", lambda a: a - 7, (_VALUES32,)),
        _Op("mul.lo.s32 %0, %1, %2;", "rrr", lambda a, b: a * b, two),
        _Op("mul.hi.u32 %0, %1, %2;", "rrr", lambda a, b: a * b >> 32, two),
        _Op("mul.hi.s32 %0, %1, %2;", "rrr", lambda a, b: _signed(a, 32) * _signed(b, 32) >> 32, two),
        _Op("mul.hi.u64 %0, %1, %2;", "lll", lambda a, b: a * b >> 64, wide),
        _Op("mul.wide.u32 %0, %1, %2;", "lrr", lambda a, b: a * b, two),
        _Op("mul.wide.s32 %0, %1, %2;", "lrr", lambda a, b: _signed(a, 32) * _signed(b, 32), two),
        _Op("mul.wide.u16 %0, %1, %2;", "rhh", lambda a, b: (a & 0xFFFF) * (b & 0xFFFF), two),
        _Op("mul.wide.s16 %0, %1, %2;", "rhh", lambda a, b: _signed(a, 16) * _signed(b, 16), two),
        _Op("mul.lo.u16 %0, %1, %2;", "hhh", lambda a, b: a * b, two),
        _Op("mad.lo.u32 %0, %1, %2, %3;", "rrrr", lambda a, b, c: a * b + c, three),
        _Op("mad.hi.u32 %0, %1, %2, %3;", "rrrr", lambda a, b, c: (a * b >> 32) + c, three),
        _Op("mad.hi.s32 %0,%1,%2,%3;", "rrrr", lambda a, b, c: (_signed(a, 32) * _signed(b, 32) >> 32) + c, three),
        _Op("mad.wide.u32 %0, %1, %2, %3;", "lrrl", lambda a, b, c: a * b + c, (*two, _VALUES64)),
        _Op("mad.wide.s32 %0,%1,%2,%3;", "lrrl", lambda a, b, c: _signed(a, 32) * _signed(b, 32) + c,
            (*two, _VALUES64)),
        _Op("mad.lo.u32 %0, %1, %1, %1;", "rr", lambda a: a * a + a, (_VALUES32,)),
        _Op("and.b32 %0, %1, %2;", "rrr", lambda a, b: a & b, two),
        _Op("or.b32 %0, %1, 0xF0;", "rr", lambda a: a | 0xF0, (_VALUES32,)),
        _Op("xor.b64 %0, %1, %2;", "lll", lambda a, b: a ^ b, wide),
        _Op("not.b32 %0, %1;", "rr", lambda a: ~a, (_VALUES32,)),
        _Op("not.b16 %0, %1;", "hh", lambda a: ~a, (_VALUES32,)),
        _Op("shl.b32 %0, %1, %2;", "rrr", lambda a, n: a << min(n, 64), (_VALUES32, _AMOUNTS)),
        _Op("shl.b64 %0, %1, %2;", "llr", lambda a, n: a << min(n, 64), (_VALUES64, _AMOUNTS)),
        _Op("shr.u32 %0, %1, %2;", "rrr", lambda a, n: a >> min(n, 64), (_VALUES32, _AMOUNTS)),
        _Op("shr.b64 %0, %1, %2;", "llr", lambda a, n: a >> min(n, 64), (_VALUES64, _AMOUNTS)),
        _Op("shr.s32 %0, %1, %2;", "rrr", lambda a, n: _signed(a, 32) >> min(n, 64), (_VALUES32, _AMOUNTS)),
        _Op("shr.s64 %0, %1, %2;", "llr", lambda a, n: _signed(a, 64) >> min(n, 99), (_VALUES64, _AMOUNTS)),
        _Op("min.u32 %0, %1, %2;", "rrr", min, two),
        _Op("max.s32 %0, %1, %2;", "rrr", lambda a, b: max(_signed(a, 32), _signed(b, 32)), two),
        _Op("min.s64 %0, %1, %2;", "lll", lambda a, b: min(_signed(a, 64), _signed(b, 64)), wide),
        _Op("neg.s32 %0, %1;", "rr", lambda a: -a, (_VALUES32,)),
        _Op("abs.s32 %0, %1;", "rr", lambda a: abs(_signed(a, 32)), (_VALUES32,)),
        _Op("mov.b64 %0, {%1, %2};", "lrr", lambda a, b: b << 32 | a, two),
        _Op("popc.b32 %0, %1;", "rr", lambda a: a.bit_count(), (_VALUES32,)),
        _Op("popc.b64 %0, %1;", "rl", lambda a: a.bit_count(), (_VALUES64,)),
        _Op("clz.b32 %0, %1;", "rr", lambda a: 32 - a.bit_length(), (_VALUES32,)),
        _Op("brev.b32 %0, %1;", "rr", lambda a: int(f"{a:032b}"[::-1], 2), (_VALUES32,)),
        _Op("cvt.u32.u64 %0, %1;", "rl", lambda a: a, (_VALUES64,)),
        _Op("cvt.u64.u32 %0, %1;", "lr", lambda a: a, (_VALUES32,)),
        _Op("cvt.s64.s32 %0, %1;", "lr", lambda a: _signed(a, 32), (_VALUES32,)),
        _Op("cvt.s32.s8 %0, %1;", "rr", lambda a: _signed(a, 8), (_VALUES32,)),
        _Op("cvt.u32.u8 %0, %1;", "rr", lambda a: a & 0xFF, (_VALUES32,)),
        _Op("cvt.s64.u32 %0, %1;", "lr", lambda a: a, (_VALUES32,)),
        _Op("cvt.u64.s32 %0, %1;", "lr", lambda a: _signed(a, 32), (_VALUES32,)),
        _Op("cvt.s8.s32 %0, %1;", "rr", lambda a: _signed(a, 8), (_VALUES32,)),
        _Op("cvt.u16.u32 %0, %1;", "hr", lambda a: a, (_VALUES32,)),
        _Op("cvt.u32.s16 %0, %1;", "rh", lambda a: _signed(a, 16), (_VALUES32,)),
        _Op("bfe.u32 %0, %1, %2, %3;", "rrrr", _bfe, (_VALUES32, _AMOUNTS, _AMOUNTS)),
        _Op("bfi.b32 %0, %1, %2, %3, %4;", "rrrrr", _bfi, (_VALUES32[::2], _VALUES32[::3], _AMOUNTS, _AMOUNTS)),
        _Op("prmt.b32 %0, %1, %2, 0x7531;", "rrr", lambda a, b: _prmt(a, b, 0x7531), two),
        _Op("prmt.b32 %0, %1, %2, 0x0123;", "rrr", lambda a, b: _prmt(a, b, 0x0123), two),
        _Op("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, %3, 9, p; }", "rrrr",
            lambda a, b, c: c if _signed(a, 32) < _signed(b, 32) else 9, three),
        _Op("{ .reg .pred %%q; setp.hs.u32 %%q, %1, %2; selp.b32 %0, 1, 0, %%q; }", "rrr",
            lambda a, b: int(a >= b), two),
        _Op("{.reg .u32 t; add.u32 t, %1, 1; mul.lo.u32 t, t, t; sub.u32 %0, t, %1;}", "rr",
            lambda a: (a + 1) * (a + 1) - a, (_VALUES32,)),
        _Op("{ add.u32 %0, %1, %2; xor.b32 %0, %0, %1; }", "rrr", lambda a, b: (a + b & _M32) ^ a, two),
    ]  # fmt: skip
    for position, length in itertools.product((0, 8, 24, 31, 32, 255), (0, 1, 8, 32, 40, 256)):
        ops.append(_Op(f"bfe.u32 %0, %1, {position}, {length};", "rr",
                       lambda a, p=position, n=length: _bfe(a, p, n), (_VALUES32,)))  # fmt: skip
        ops.append(_Op(f"bfi.b32 %0, %1, %2, {position}, {length};", "rrr",
                       lambda a, b, p=position, n=length: _bfi(a, b, p, n), two))  # fmt: skip
    for position, length in ((0, 32), (0, 1), (8, 8), (24, 8), (31, 1), (3, 29)):
        ops.append(_Op(f"bfe.s32 %0, %1, {position}, {length};", "rr",
                       lambda a, p=position, n=length: _bfe(a, p, n, signed=True), (_VALUES32,)))  # fmt: skip
    ops += [_Op(f"lop3.b32 %0, %1, %2, %3, {table:#x};", "rrrr", _lop3(table),
                ((0x0F0F0F0F, 0xDEADBEEF), (0x33333333, 0x12345678), (0x55555555, 0xCAFEF00D)))
            for table in range(256)]  # fmt: skip
    for side, mode in itertools.product("lr", ("wrap", "clamp")):
        model = _shf(side, mode)
        ops.append(_Op(f"shf.{side}.{mode}.b32 %0, %1, %2, %3;", "rrrr", _shf(side, mode),
                       (_VALUES32, _VALUES32[::2], _AMOUNTS)))  # fmt: skip
        for n in (0, 1, 13, 31, 32, 33, 64):
            ops.append(_Op(f"shf.{side}.{mode}.b32 %0, %1, %2, {n};", "rrr",
                           lambda a, b, f=model, n=n: f(a, b, n), two))  # fmt: skip
    for n in (0, 1, 31, 32, 40):
        ops.append(_Op(f"shl.b32 %0, %1, {n};", "rr", lambda a, n=n: a << n, (_VALUES32,)))
        ops.append(_Op(f"shr.u32 %0, %1, {n};", "rr", lambda a, n=n: a >> n, (_VALUES32,)))
        ops.append(_Op(f"shr.s32 %0, %1, {n};", "rr", lambda a, n=n: _signed(a, 32) >> n, (_VALUES32,)))
    return ops


_CPP = {"r": ("unsigned int", 32), "h": ("unsigned short", 16), "l": ("unsigned long long", 64)}
_PRELUDE = """
#include <cstdio>
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
"""


def _lowered(op: _Op, *, wrap: str = "{}") -> str | None:
    names = "uvwx"[: len(op.constraints) - 1]
    inputs = ", ".join(f'"{c}"({wrap.format(n)})' for c, n in zip(op.constraints[1:], names, strict=True))
    source = f'__device__ void f() {{ asm("{op.template}" : "={op.constraints[0]}"(d) : {inputs}); }}'
    unit = Unit("a.cu", source.encode())
    judged = judge(asm_statements(unit)[0], unit)
    assert judged is not None
    if wrap == "{}":
        assert judged.lowered is not None, (op.template, judged.reason)
    elif judged.lowered is None:
        # The result does not need the operand, so its side effects would be lost.
        assert "side effects" in judged.reason, (op.template, judged.reason)
    return judged.lowered


@pytest.mark.skipif(_COMPILER is None, reason="no C++ compiler on PATH to run lowered code with")
@pytest.mark.parametrize("wrap", ["{}", "same({})"], ids=["plain operands", "operands with calls"])
def test_lowered_statements_compute_what_the_manual_says(tmp_path: Path, wrap: str) -> None:
    lowered = [(op, text) for op in _ops() if (text := _lowered(op, wrap=wrap)) is not None]
    parts = [_PRELUDE, "static int calls; template <class T> T same(T x) { ++calls; return x; }"]
    for number, (op, text) in enumerate(lowered):
        names = "uvwx"[: len(op.constraints) - 1]
        parameters = ", ".join(f"{_CPP[c][0]} {n}" for c, n in zip(op.constraints[1:], names, strict=True))
        parts.append(
            f"static u64 f{number}({parameters}) {{ {_CPP[op.constraints[0]][0]} d; calls = 0; {text} return d; }}"
        )
    parts.append("int main() {")
    expected = []
    for number, (op, _) in enumerate(lowered):
        # An operand that is evaluated more or less than once shows in the count of calls.
        used = sum(f"%{i + 1}" in op.template for i in range(len(op.constraints) - 1)) if wrap != "{}" else 0
        arrays = [", ".join(f"{value:#x}ull" for value in values) for values in op.values]
        loops = "".join(
            f"for (u64 v{i} : (u64[]){{{array}}}) " for i, array in enumerate(arrays)
        )  # fmt: skip
        call = ", ".join(f"({_CPP[c][0]})v{i}" for i, c in enumerate(op.constraints[1:]))
        parts.append(f'{loops} {{ u64 got = f{number}({call}); printf("%llx %d\\n", got, calls); }}')
        bits = _CPP[op.constraints[0]][1]
        for values in itertools.product(*op.values):
            given = [value & (1 << _CPP[c][1]) - 1 for value, c in zip(values, op.constraints[1:], strict=True)]
            expected.append((op.template, given, f"{op.model(*given) & (1 << bits) - 1:x} {used}"))
    parts.append("}")
    source = tmp_path / "lowered.cpp"
    source.write_text("\n".join(parts))
    assert _COMPILER is not None
    sanitizer = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"] if wrap == "{}" else []
    flags = ["-std=c++17", "-O0", "-w", *sanitizer]
    built = subprocess.run([_COMPILER, *flags, str(source), "-o", str(tmp_path / "lowered")], capture_output=True)
    assert built.returncode == 0, built.stderr.decode()[:3000]
    ran = subprocess.run([str(tmp_path / "lowered")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[:2000]
    got = ran.stdout.split("\n")[:-1]
    assert len(got) == len(expected)
    wrong = [(t, v, want, have) for (t, v, want), have in zip(expected, got, strict=True) if want != have]
    assert wrong == []


_LEFT = [
    "mov.u32 %0, %%smid;",
    "mov.u32 %0, %%cluster_ctarank;",
    "{ .reg .pred p, q; setp.eq.u32 p, %1, 0; setp.eq.u32 q, %1, 1; @p mov.u32 %0, %1; @q mov.u32 %0, %2; }",
    "ld.shared::cluster.u32 %0, [%1];",
    "atom.global.sys.add.u32 %0, [%1], %2;",
    "addc.u32 %0, %1, %2;",
    "{ sub.cc.u32 %0, %1, %2; addc.u32 %0, %0, 0; }",
    "{ .reg .u32 t; { .reg .u32 t; add.u32 t, %1, %2; } mov.u32 %0, t; }",
    "{ .reg .u32 t; add.u32 t, %1, %2;",
    "add.rz.f64 %0, %1, %2;",
    "match.any.sync.b32 %0, %1, %2;",
    "exit;",
    "bfe.u64 %0, %1, 0, 8;",
    "@p add.u32 %0, %1, %2;",
    "bra L; L: add.u32 %0, %1, %2;",
    "add.u32 %0, %1, %7;",
    "add.u32 %0, %0, %1;",
    "add.u32 %1, %0, %2;",
    "add.u64 %0, %1, %2;",
    "setp.lt.f32 p, %1, %2;",
    "mov.u32 %0, WARP_SZ;",
    "add.u32 %0, undeclared, %1;",
    "lop3.b32 %0, %1, %2, %1, %2;",
    "add.u32 %0, %1, %2",
    "add.u32 %0 %1 %2;",
    "add.u32;",
    "{{{",
    ".reg .u32 t;",
    "abs.s32 %0, %1;  not an opcode;",
]


@pytest.mark.parametrize("template", _LEFT)
def test_what_has_no_exact_form_is_left_whole(template: str) -> None:
    source = f'__device__ void f() {{ asm("{template}" : "=r"(d) : "r"(a), "r"(b)); }}'
    unit = Unit("a.cu", source.encode())
    judged = judge(asm_statements(unit)[0], unit)
    if template == "add.u32 %0, %1, %2":
        # The last semicolon may be left out.
        assert judged is not None
        assert judged.lowered == "d = (unsigned int)(a) + (unsigned int)(b);"
        return
    assert judged is not None or template == "{{{"
    assert judged is None or judged.lowered is None


@pytest.mark.parametrize(
    ("statement", "lowered"),
    [
        ('asm("add.u32 %0, %1, 1;" : "+r"(d) : "r"(a));', "d = (unsigned int)(a) + 1u;"),
        ('asm("add.u32 %0, %0, %1;" : "+r"(x[i].y) : "r"(a));', "x[i].y = (unsigned int)(x[i].y) + (unsigned int)(a);"),
        ('asm("add.u32 %[o], %[p], 1;" : [o] "=r"(d) : [p] "r"(a));', "d = (unsigned int)(a) + 1u;"),
        ('asm("mov.u32 %0, %1;" : "=r"(*(unsigned*)&h) : "r"(a));', "(*(unsigned*)&h) = (unsigned int)(a);"),
        ('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(n::a), "n"(N));', "d = (unsigned int)(n::a) + (unsigned int)(N);"),
        ('asm("fma.rn.f32 %0,%1,%2,%3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));',
         "d = fmaf((float)(a), (float)(b), (float)(c));"),
        ('asm volatile("fence.acq_rel.sys;" ::: "memory");', "__threadfence_system();"),
        ('asm volatile("bar.sync 0;");', "__syncthreads();"),
        ('asm volatile("trap;");', "__trap();"),
        ('asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(v));',
         "{ const unsigned long long ptx_1 = (unsigned long long)(v); const unsigned int ptx_2 = (unsigned int)ptx_1; "
         "const unsigned int ptx_3 = (unsigned int)(ptx_1 >> 32); lo = ptx_2; hi = ptx_3; }"),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d[i++]) : "r"(a));', None),
        ('asm("add.u32 %0, %0, 1;" : "+r"(*next()));',
         "{ auto& ptx_1 = *next(); ptx_1 = (unsigned int)(ptx_1) + 1u; }"),
        ('asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p add.u32 %0, %1, 1; }" : "=r"(d) : "r"(a));',
         "{ const bool ptx_1 = (unsigned int)(a) == 0u; "
         "if (ptx_1) d = ptx_1 ? (unsigned int)(a) + 1u : (unsigned int)0; }"),
        ('asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(d) : "r"(a));',
         "{ extern __shared__ char ptx_shared[]; d = *(const volatile unsigned int*)(ptx_shared + (int)((unsigned int)"
         "((unsigned int)(a)) - (unsigned int)__cvta_generic_to_shared(ptx_shared)) + 4); }"),
        ('asm("ld.global.cs.u8 {%0}, [%1];" : "=r"(d) : "l"(p));',
         "d = (unsigned int)(unsigned char)(*(const unsigned char*)(p));"),
        ('asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));',
         "{ const auto ptx_1 = (const volatile unsigned long long*)(p); const unsigned long long ptx_2 = ptx_1[0]; "
         "const unsigned int ptx_3 = (unsigned int)ptx_2; const unsigned int ptx_4 = (unsigned int)(ptx_2 >> 32); "
         "a = ptx_3; b = ptx_4; }"),
        ('asm volatile("ld.global.u32 %0, [%1];" : "=r"(d) : "l"(p));',
         "d = *(const volatile unsigned int*)(p);"),
        ('asm("ld.global.nc.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));',
         "{ const auto ptx_1 = *(const uint2*)(p); const unsigned int ptx_2 = ptx_1.x; "
         "const unsigned int ptx_3 = ptx_1.y; a = ptx_2; b = ptx_3; }"),
        ('asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");',
         '{ __threadfence_block(); const unsigned int ptx_2 = '
         "(unsigned int)*(const volatile int*)(p); __threadfence_system(); "
         "d = ptx_2; }"),
        ('asm volatile("st.global.cs.u16 [%0+4], %1;" :: "l"(p), "h"(v));',
         "*(volatile unsigned short*)((char*)(p) + 4) = (unsigned short)(v);"),
        ('asm volatile("st.release.gpu.u32 [%0], %1;" :: "l"(p), "r"(v));',
         "{ __threadfence(); *(volatile unsigned int*)(p) = (unsigned int)(v); }"),
        ('asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(d) : "l"(p), "r"(a), "r"(b));',
         "d = atomicCAS((unsigned int*)(p), (unsigned int)(a), (unsigned int)(b));"),
        ('asm volatile("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(a));',
         "{ __threadfence(); atomicAdd((int*)(p), (int)(a)); }"),
        ('asm volatile("bar.warp.sync %0;" :: "r"(m));', "__syncwarp((unsigned int)(m));"),
        ('asm("ld.global.u8 %0, [%1];" : "=r"(d) : "l"(p));',
         "d = (unsigned int)(unsigned char)(*(const unsigned char*)(p));"),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "0"(a));', None),
        ('asm goto("add.u32 %0, %1, 1;" :: "r"(a), "r"(b) :: out);', None),
    ],
)  # fmt: skip
def test_the_form_of_a_lowered_statement(statement: str, lowered: str | None) -> None:
    unit = Unit("a.cu", f"__device__ void f() {{ {statement} }}".encode())
    judged = judge(asm_statements(unit)[0], unit)
    assert judged is not None
    assert judged.lowered == lowered


def test_a_temporary_never_takes_a_name_of_the_file() -> None:
    source = b'__device__ void f() { int ptx_1; asm("neg.s32 %0, %1; abs.s32 %0, %0;" : "=r"(d) : "r"(a)); }'
    unit = Unit("a.cu", source)
    judged = judge(asm_statements(unit)[0], unit)
    assert judged is not None
    assert judged.lowered is not None
    assert "ptx_1 " not in judged.lowered
    assert "ptx_1001" in judged.lowered


def test_host_assembly_and_compiler_barriers_are_no_ptx() -> None:
    source = b"""
    static inline void pause() { asm volatile("pause" ::: "memory"); }
    static inline unsigned long long tsc() { unsigned a, d; asm volatile("rdtsc; mov %0, %1" : "=a"(a), "=d"(d)); }
    __device__ void barrier() { asm volatile("" ::: "memory"); }
    int label asm("other_name");
    """
    unit = Unit("a.cu", source)
    assert [judge(each, unit) for each in asm_statements(unit)] == [None] * len(asm_statements(unit))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('#define OP(o) asm volatile(#o ".u32 %0, %1;" : "=r"(d) : "r"(a))\n', True),
        ('#define OP(o) asm volatile(o " %eax" ::: "memory")\n', False),
        ('#define BEGIN asm volatile("add.u32 %0, %1, %2;" :\n__device__ void f() { BEGIN "=r"(d)); }\n', True),
        ('__device__ void f() { asm volatile("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a);\n}\n', True),
        ('__device__ void f() {\n asm("add.u32 %0, 1, 1;" :\n#ifdef X\n "=r"(d)\n#else\n "=r"(e)\n#endif\n);\n}', True),
    ],
)  # fmt: skip
def test_a_statement_that_cannot_be_read_is_reported_all_the_same(source: str, found: bool) -> None:
    translation = translate(source.encode(), "a.cu")
    assert not [e for e in translation.edits if e.rule == "MUS401"]
    codes = [(f.code, f.settled) for f in translation.findings if f.code.startswith("MUS4")]
    assert codes == ([("MUS402", False)] if found else [])
