"""MUS401: inline PTX of plain meaning, written as C++."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.ptx.families import opcodes
from musify_ai.translate.ptx.lowering import insertions_of, judged_statements
from musify_ai.translate.unit import Unit

CODE = "MUS401"
TITLE = "Inline PTX lowered to C++"
WHY = """
MUSA does not assemble PTX. Where a statement only computes (integer arithmetic, logic, shifts, bit fields, permutes,
plain conversions, read-only loads, fences), C++ can say exactly the same. The traps are in the details: PTX shifts by
32 and more give 0 or the sign, where C++ leaves it undefined and ports have shipped plain shifts; signed overflow
wraps; a bit field may reach past the word.
"""
EXAMPLE = """
asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
"""
INSTEAD = """
`d = (unsigned int)(a) * (unsigned int)(b) + (unsigned int)(c);`: the operands keep their source, each under a cast to
the instruction's type, each evaluated once.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/muAlg: cub/util_ptx.cuh (PTX removed by hand; its plain shifts do not clamp)",
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md",
)
TRIGGERS = frozenset((b"asm", b"__asm__", b"__asm"))
VALID = (
    '// asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));\n',
    '__device__ void f() { asm volatile("" ::: "memory"); }\n',
    'void f(int& d) { asm("mov %1, %0" : "=r"(d) : "r"(1)); }\n',
    '__device__ void f(int& d, int a) { asm("ex2.approx.ftz.f16x2 %0, %1;" : "=r"(d) : "r"(a)); }\n',
    '__device__ void f(int& d, long a) { asm("add.u32 %0, %1, 1;" : "=r"(d) : "l"(a)); }\n',
    '__device__ void f(int& d, int a) { asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a)); }  // musify: ignore[MUS4]\n',
)


def _case(before: str, after: str) -> Case:
    frame = "__device__ void f(unsigned& d, unsigned a, unsigned b, unsigned c) {{\n  {}\n}}\n"
    return Case(frame.format(before), output=frame.format(after))


INVALID = (
    _case(
        'asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));',
        "d = (unsigned int)(a) * (unsigned int)(b) + (unsigned int)(c);",
    ),
    _case(
        '__asm__ __volatile__ ("{ add.s32\\t%0, %1,%2; }\\n\\t" : "=r"(d) : "r" (a + 1), "r"(b));',
        "d = (unsigned int)(a + 1) + (unsigned int)(b);",
    ),
    _case(
        'asm volatile("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a) : "memory");',
        "{ __threadfence_block(); const unsigned int ptx_2 = (unsigned int)(a) + 1u; __threadfence_block(); "
        "d = ptx_2; }",
    ),
    _case(
        'asm("bfe.u32 %0, %1, 8, 8;" : "=r"(d) : "r"(a));',
        "d = ((unsigned int)(a) >> 8) & 0xffu;",
    ),
    _case(
        'asm("shf.l.wrap.b32 %0, %1, %2, 13;" : "=r"(d) : "r"(a), "r"(b));',
        "d = ((unsigned int)(b) << 13) | ((unsigned int)(a) >> 19);",
    ),
    _case(
        'asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
        "d = (unsigned int)(b) > 31u ? 0u : (unsigned int)(a) << (unsigned int)(b);",
    ),
    _case(
        'asm("shr.s32 %0, %1, 40;" : "=r"(d) : "r"(a));',
        "d = (unsigned int)((int)(a) >> 31);",
    ),
    _case(
        'asm("max.s32 %0, %1, %2;" : "=r"(d) : "r"(next(a)), "r"(b));',
        "{ const unsigned int ptx_1 = (unsigned int)(next(a)); "
        "d = (unsigned int)((int)(ptx_1) > (int)(b) ? (int)(ptx_1) : (int)(b)); }",
    ),
    _case(
        'asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, %3, 0, p; }" : "=r"(d) : "r"(a), "r"(b), "r"(c));',
        "{ const bool ptx_1 = (unsigned int)(a) < (unsigned int)(b); d = ptx_1 ? (unsigned int)(c) : 0u; }",
    ),
    _case(
        'asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(a), "r"(b));',
        "d = __byte_perm((unsigned int)(a), (unsigned int)(b), 0x5410);",
    ),
    _case(
        'asm("mov.u32 %0, %%ctaid.x;" : "=r"(d));',
        "d = blockIdx.x;",
    ),
    _case(
        'asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));',
        "d = (unsigned int)(a) ^ (unsigned int)(b) ^ (unsigned int)(c);",
    ),
    _case('if (a) asm volatile("membar.gl;" ::: "memory"); else d = 0;', "if (a) __threadfence(); else d = 0;"),
    Case(
        '#define MAD(d, a, b) asm("mad.lo.u32 %0, %1, %2, 1;" \\\n    : "=r"(d) : "r"(a), "r"(b))\n',
        output="#define MAD(d, a, b) (d) = (unsigned int)(a) * (unsigned int)(b) + 1u\n",
    ),
    Case(
        '#define ADD(d, a) asm("add.u32 %0, %1, %1;" : "=r"(d) : "r"(a))\n',
        output="#define ADD(d, a) do { const unsigned int ptx_1 = (unsigned int)(a); "
        "(d) = ptx_1 + ptx_1; } while (0)\n",
    ),
    _case(
        'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %0, %2; }" : "+r"(d) : "r"(a), "r"(b));',
        "{ const bool ptx_1 = (unsigned int)(a) != 0u; "
        "d = ptx_1 ? (unsigned int)(d) + (unsigned int)(b) : (unsigned int)(d); }",
    ),
    _case(
        'asm volatile("st.global.cs.u32 [%0], %1;" :: "l"(&d), "r"(a));',
        "*(volatile unsigned int*)(&d) = (unsigned int)(a);",
    ),
    _case(
        'asm volatile("red.global.add.u32 [%0], %1;" :: "l"(&d), "r"(a));',
        "atomicAdd((unsigned int*)(&d), (unsigned int)(a));",
    ),
    _case(
        'asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(d) : "r"(a));',
        "d = __shfl_xor_sync(0xffffffff, (unsigned int)(a), 16, 32);",
    ),
    Case(
        "__device__ void add(unsigned* d, const unsigned* a) {\n"
        '  asm("add.cc.u32 %0, %0, %1;" : "+r"(d[0]) : "r"(a[0]));\n'
        '  asm("addc.u32 %0, %0, %1;" : "+r"(d[1]) : "r"(a[1]));\n}\n',
        output="__device__ void add(unsigned* d, const unsigned* a) { unsigned int ptx_carry = 0;\n"
        "  { const unsigned long long ptx_1 = (unsigned long long)(unsigned int)(d[0]) + (unsigned int)(a[0]); "
        "ptx_carry = (unsigned int)(ptx_1 >> 32); d[0] = (unsigned int)ptx_1; }\n"
        "  d[1] = (unsigned int)(d[1]) + (unsigned int)(a[1]) + ptx_carry;\n}\n",
    ),
    Case(
        "__device__ float f(const float* p) {\n  float v;\n"
        '  asm("ld.global.nc.f32 %0, [%1 + 4];" : "=f"(v) : "l"(p));\n  return v;\n}\n',
        output="__device__ float f(const float* p) {\n  float v;\n"
        "  v = *(const float*)((const char*)(p) + 4);\n  return v;\n}\n",
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """An edit over each statement that has an exact C++ form."""
    for judged in judged_statements(unit):
        if judged.lowered is None:
            continue
        statement = judged.statement
        old = unit.src[statement.start : statement.end]
        yield Edit(
            statement.start,
            statement.end,
            old,
            _comments(unit, statement.start, statement.end) + judged.lowered.encode("latin-1"),
            CODE,
            "rule",
            source=f"the meaning of {opcodes(judged.instructions)} in the PTX manual",
        )

    for each in insertions_of(unit):
        old = unit.src[each.start : each.end]
        source = "what its PTX statements share"
        yield Edit(each.start, each.end, old, each.text.encode("latin-1"), CODE, "rule", source=source)


def _comments(unit: Unit, start: int, end: int) -> bytes:
    """The comments that stood inside a statement, to be kept before what takes its place."""
    kept = b""
    first = bisect_left(unit.regions, start, key=lambda region: region.start)
    last = bisect_left(unit.regions, end, key=lambda region: region.start)
    for region in unit.regions[first:last]:
        if region.kind == "comment" and region.end <= end:
            text = unit.src[region.start : region.end]
            line = unit.src.rfind(b"\n", 0, start) + 1
            indent = unit.src[line:start]
            indent = indent[: len(indent) - len(indent.lstrip())]
            newline = b"\r\n" if b"\r\n" in unit.src else b"\n"
            kept += text.rstrip(b"\r") + (newline + indent if text.startswith(b"//") else b" ")
    return kept
