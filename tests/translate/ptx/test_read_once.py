"""`asm` reads each operand once, before its first instruction: what takes its place may not read it later or twice."""

import pytest

from musify_ai.translate import translate

_FRAME = (
    "{}\n__device__ unsigned next(unsigned& i);\n__device__ void f(unsigned* p, unsigned* q, unsigned a) {{\n{}\n}}\n"
)


def _translated(body: str, before: str = "") -> tuple[str, list[str]]:
    result = translate(_FRAME.format(before, body).encode(), "a.cu")
    edits = [edit for edit in result.edits if edit.rule == "MUS401"]
    return " ".join(edit.new.decode() for edit in edits), [finding.code for finding in result.findings]


@pytest.mark.parametrize(
    ("body", "first"),
    [
        ('asm volatile("st.global.u32 [%1], 5; add.u32 %0, %0, 1;" : "+r"(*p) : "l"(p));', "(*p)"),
        ('asm volatile("atom.add.u32 %0, [%2], 1; add.u32 %1, %3, 1;" : "=r"(d), "=r"(e) : "l"(p), "r"(*p));', "(*p)"),
        ('asm volatile("bar.sync 0; add.u32 %0, %1, 1;" : "=r"(d) : "r"(s[3]));', "(s[3])"),
        ('asm volatile("bar.sync 0; add.u32 %0, %1, 1;" : "=r"(d) : "r"(t));', "(t)"),
        ('asm volatile("st.u32 [%1], 5; add.u32 %0, %2, 1;" : "=r"(d) : "l"(&b), "r"(b));', "(b)"),
        ('asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(p), "r"(q[1]));', "(q[1])"),
        ('asm volatile("st.global.v4.u64 [%0], {%1, %1, %2, %2};" :: "l"(p), "l"(v[0]), "l"(v[1]));', "(v[1])"),
    ],
)
def test_what_may_change_is_read_before_the_first_instruction(body: str, first: str) -> None:
    text, _ = _translated(body, "__device__ void g() { __shared__ unsigned s[64], t; }")
    assert text.count(first) - text.count(f" {first} =") == 1
    changes = ("= (unsigned int)(5);", "= 5u", "atomicAdd", "__syncthreads", "__threadfence", "make_ulonglong2")
    assert text.index(first) < min(text.index(each) for each in changes if each in text)


def test_in_a_macro_every_operand_is_read_before() -> None:
    source = b'#define M(d, p, a) asm volatile("st.u32 [%1], 5; add.u32 %0, %2, 1;" : "=r"(d) : "l"(p), "r"(a))\n'
    text = translate(source, "a.cu").edits[0].new.decode()
    assert text.index("(unsigned int)(a)") < text.index("volatile unsigned int*")


def test_variables_of_the_function_need_no_copy() -> None:
    text, _ = _translated('asm volatile("bar.sync 0; add.u32 %0, %1, 1;" : "=r"(d) : "r"(a));')
    assert text == "{ __syncthreads(); d = (unsigned int)(a) + 1u; }"


@pytest.mark.parametrize(
    ("operand", "before"),
    [
        ("NEXT", "#define NEXT (*cursor++)"),
        ("NEXT", "#define STEP cursor++\n#define NEXT STEP"),
        ("NEXT", "#define NEXT next(cursor)"),
        ("*flag", "extern volatile unsigned* flag;"),
        ("flag", "__device__ volatile unsigned flag;"),
        ("*(volatile unsigned*)flag", ""),
    ],
)
def test_what_changes_by_being_read_is_read_once(operand: str, before: str) -> None:
    text, _ = _translated(f'asm("max.u32 %0, %1, %2;" : "=r"(d) : "r"({operand}), "r"(a));', before)
    assert text.count(operand) == 1


def test_a_macro_that_is_a_number_stands_where_it_is_used() -> None:
    text, _ = _translated('asm("max.u32 %0, %1, %2;" : "=r"(d) : "r"(LEAST), "r"(a));', "#define LEAST (3 + 1)")
    assert text == "d = (unsigned int)(LEAST) > (unsigned int)(a) ? (unsigned int)(LEAST) : (unsigned int)(a);"


def test_a_volatile_result_is_read_once() -> None:
    text, _ = _translated('asm("max.u32 %0, %0, %1;" : "+r"(flag) : "r"(a));', "__device__ volatile unsigned flag;")
    assert text.count("(unsigned int)(ptx_1)") == 1


def test_an_effect_happens_under_a_predicate_of_another_statement() -> None:
    text, _ = _translated(
        'asm("{ .reg .pred p; setp.ne.u32 p, %0, 0;" :: "r"(a));\n'
        'asm("@p add.u32 %0, %0, %1; }" : "+r"(d) : "r"(next(a)));'
    )
    assert "const unsigned int ptx_1 = (unsigned int)(next(a)); d = ptx_p ?" in text


def test_an_operand_that_no_instruction_reads_is_evaluated() -> None:
    text, _ = _translated('asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a), "r"(next(a)));')
    assert "(void)(next(a));" in text


@pytest.mark.parametrize("other", ["a", "*p", "q[1]"])
def test_a_call_beside_what_it_may_change_keeps_its_place(other: str) -> None:
    text, _ = _translated(f'asm("sub.u32 %0, %2, %1;" : "=r"(d) : "r"(next(a)), "r"({other}));')
    assert text.index("next(a)") < text.index(f"({other});")


def test_a_result_may_be_a_pointer() -> None:
    text, _ = _translated('asm("add.u64 %0, %1, 16;" : "=l"(q) : "l"(p));')
    assert text == "q = (decltype(q))((unsigned long long)(p) + 16ull);"


def test_a_cache_policy_that_is_left_out_is_told_of() -> None:
    body = 'asm("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(d) : "l"(p), "l"(policy));'
    text, codes = _translated(body)
    assert "policy" not in text
    assert codes == ["MUS408"]
