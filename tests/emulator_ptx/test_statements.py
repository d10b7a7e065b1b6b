"""How ``asm`` statements are read: strings, operands, macros, and what is refused by which name."""

import pytest

from musify_ai.emulator.prepare import prepare


def body(statement: str) -> tuple[str, list[str]]:
    prepared = prepare(f"void f() {{ {statement} }}".encode(), "cuda")
    text = prepared.text.decode().removeprefix("void f() { ").removesuffix(" }")
    return text, [problem.message.removeprefix("inline PTX without an emulation: ") for problem in prepared.problems]


def test_a_statement_becomes_one_expression_that_reads_once_and_writes_last() -> None:
    text, problems = body('asm("add.s32 %0, %1, %2;" : "=r"(*next()) : "r"(i++), "r"(b));')
    assert problems == []
    assert text == (
        "({ auto&& emu_o0 = (*next()); uint32_t emu_0 = ::emu::ptx::undefined<uint32_t>(); "
        "uint32_t emu_1 = ::emu::ptx::operand<uint32_t>((i++)); uint32_t emu_2 = ::emu::ptx::operand<uint32_t>((b)); "
        "emu_0 = ::emu::ptx::add<::emu::ptx::s32>(emu_1, emu_2); ::emu::ptx::result(emu_o0, emu_0); });"
    )


@pytest.mark.parametrize(
    "source",
    [
        'asm volatile("rdtsc" : "=a"(low), "=d"(high));',
        'asm volatile("cpuid" : "=a"(a), "=b"(b) : "a"(0) : "memory");',
        'asm volatile("pause");',
        'asm volatile("mfence" ::: "memory");',
        "my.asm(3); int asm_count = 0;",
    ],
)
def test_assembly_of_the_host_stays(source: str) -> None:
    assert body(source) == (source, [])


def test_named_operands_joined_strings_and_comments() -> None:
    text, problems = body(
        'asm volatile("{ // joined\\n" R"( .reg .u32 t; /* raw */ )" "mul.lo.u32 t, %[in], 3;\\n\\t" /* C++ */\n'
        '  "mov.u32 %[out], t; }" : [out] "=r"(d) : [in] "r"(a) : "memory");'
    )
    assert problems == []
    assert "emu_r1_t = ::emu::ptx::mul_lo<::emu::ptx::u32>(emu_1, 0x3ull); emu_0 = emu_r1_t;" in text


def test_inner_blocks_hide_outer_registers() -> None:
    text, _ = body('asm("{ .reg .u32 t; mov.u32 t, 1; { .reg .u64 t; mov.u64 t, 2; } mov.u32 %0, t; }" : "=r"(d));')
    assert "uint32_t emu_r1_t" in text and "uint64_t emu_r2_t" in text
    assert "emu_r2_t = 0x2ull; emu_0 = emu_r1_t;" in text


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ('asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, %1;" :: "f"(a), "l"(b));',
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"),
        ('asm("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0}, {%1}, {%1}, {%1};" : "=r"(d) : "r"(a));',
         "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16"),
        ('asm("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0}, {%1}, {%1}, {%1}, %1, 0;" '
         ': "=r"(d) : "r"(a));',
         "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"),
        ('asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.f16.f32 {%0}, {%1}, {%1}, {%1};" : "=r"(d) : "r"(a));',
         "mma.sync.aligned.m16n8k8.row.col.f32.bf16.f16.f32"),
        ('asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%0];" '
         ':: "r"(a), "l"(p));',
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"),
        ('asm("cp.async.cg.shared.global [%0], [%1], 8;" :: "r"(a), "l"(p));', "cp.async.cg.shared.global"),
        ('asm("barrier.cluster.arrive.release.aligned;");', "barrier.cluster.arrive.release.aligned"),
        ('asm("createpolicy.fractional.b64 %0, 1.0;" : "=l"(p));', "createpolicy.fractional.b64"),
        ('asm("mov.u32 %0, %%envreg3;" : "=r"(a));', "mov.u32 of the special register %envreg3"),
        ('asm("mov.u32 %0, elsewhere;" : "=r"(a));', "mov.u32 of elsewhere, which this asm statement does not declare"),
        ('asm volatile("bra ELSEWHERE;");', "bra to a label outside of its asm statement"),
        ('asm volatile("exit;");', "exit"),
        ('asm volatile("{"); ', "a block that another asm statement closes"),
        ('asm volatile("}"); ', "a block that another asm statement opens"),
        ('asm(".shared .b32 x;");', "the directive .shared"),
        ('asm("add.s32 %0, %1, 1;" : "=r"(a) : TEXT(b));', "asm whose text only the preprocessor knows"),
        ('asm("mad.wide.u64 %0, %1, %2, %3;" : "=l"(a) : "l"(b), "l"(c), "l"(d));', "mad.wide.u64"),
        ('asm("add.rz.s32 %0, %1, 1;" : "=r"(a) : "r"(b));', "add.rz.s32"),
        ('asm("add.s32 %0, %1;" : "=r"(a) : "r"(b));', "add.s32"),
    ],
)  # fmt: skip
def test_what_is_not_had_is_refused_by_name(source: str, name: str) -> None:
    text, problems = body(source)
    assert problems == [name]
    assert f'::emu::unsupported_asm("{name}")' in text


def test_only_the_instruction_that_is_not_had_traps() -> None:
    text, problems = body('asm("{ .reg .pred p; setp.eq.u32 p, %0, 1; @p tcgen05.dealloc.b32 %0, 1; }" :: "r"(a));')
    assert problems == ["tcgen05.dealloc.b32"]
    assert 'if ((emu_r1_p)) { ::emu::unsupported_asm("tcgen05.dealloc.b32"); }' in text


def test_a_macro_whose_parameter_is_part_of_the_text_is_expanded_where_it_is_used() -> None:
    src = (
        b'#define OP(name, ...) asm volatile(#name ".u32 %0, %1, %2;" : "=r"(d) : __VA_ARGS__)\n'
        b'#define TWICE(name, x) do { OP(name, "r"(x), "r"(x)); \\\n  } while (0)\n'
        b'void f() {\n  OP(add, "r"(a), "r"(b + 1));\n  TWICE(mul.lo,\n    c);\n  OP(no.such, "r"(a), "r"(b));\n}\n'
    )
    prepared = prepare(src, "cuda")
    text = prepared.text.decode()
    assert text.count("\n") == src.count(b"\n")
    assert "emu_0 = ::emu::ptx::add<::emu::ptx::u32>(emu_1, emu_2);" in text.splitlines()[4]
    assert "operand<uint32_t>((b + 1))" in text.splitlines()[4]
    assert "do { ({ auto&& emu_o0 = (d);" in text and "::emu::ptx::mul_lo<::emu::ptx::u32>(emu_1, emu_2)" in text
    assert [(p.line, p.message) for p in prepared.problems] == [
        (8, "inline PTX without an emulation: no.such.u32")
    ]  # fmt: skip


def test_a_macro_with_two_meanings_is_not_expanded() -> None:
    first, second = (b'#define OP(n) asm(#n ".%b %%0;" :: "r"(a))\n' % kind for kind in (b"u32", b"s32"))
    src = b"#if X\n" + first + b"#else\n" + second + b"#endif\n"
    prepared = prepare(src + b"void f() { OP(add); }\n", "cuda")
    assert prepared.text.endswith(b"void f() { OP(add); }\n")
    assert [p.line for p in prepared.problems] == [2, 4]


def test_string_macros_are_read() -> None:
    src = b'#define HINT ".L1::no_allocate"\n#define LD "ld.global" HINT ".u32"\n'
    prepared = prepare(src + b'void f() { asm(LD " %0, [%1];" : "=r"(a) : "l"(p)); }', "cuda")
    assert prepared.problems == ()
    assert b"::emu::ptx::ld<::emu::ptx::u32" in prepared.text
