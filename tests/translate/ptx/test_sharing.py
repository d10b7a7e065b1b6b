"""What statements share: the carry flag and registers of one function, in whatever it is written."""

import pytest

from musify_ai.source.splicing import splice
from musify_ai.translate import translate

_ADD = 'asm("add.cc.u32 %0, %0, %1;" : "+r"(v[0]) : "r"(a));'
_ADDC = 'asm("addc.u32 %0, %0, 0;" : "+r"(v[1]));'


def _output(source: str) -> str:
    translation = translate(source.encode(), "a.cu")
    return splice(source.encode(), [each for each in translation.edits if each.safety == "safe"]).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__device__ void f(unsigned* v, unsigned a) {", "}"),
        ("template <int N> class __align__(((N + 1) / 2)) big { unsigned v[N]; public: void add(unsigned a) {", "} };"),
        ("namespace n { struct big : base<(3)> { unsigned v[2]; inline big& operator+=(unsigned a) const {", "} }; }"),
        ("struct big { unsigned v[2]; big(unsigned a) : x(a), y(2) {", "} };"),
        ("auto f(unsigned* v, unsigned a) -> int {", "}"),
        ("void f(unsigned* v, unsigned a) noexcept {", "}"),
    ],
)
def test_the_flag_is_a_variable_of_the_function_itself(before: str, after: str) -> None:
    output = _output(f"{before}\n  {_ADD}\n  {_ADDC}\n{after}\n")
    assert f"{before} unsigned int ptx_carry = 0;\n" in output
    assert "asm" not in output


@pytest.mark.parametrize(
    "source",
    [
        # The flag goes from one function to its caller, which cannot be sure of it:
        # it may come from before the call, or from another function,
        f"__device__ void f(unsigned* v, unsigned a) {{ {_ADD} }}\n"
        f"__device__ void g(unsigned* v) {{ if (v) f(v, 1); {_ADDC} }}\n",
        f"__device__ void f(unsigned* v, unsigned a) {{ {_ADD} }}\nvoid h(unsigned* v) {{ f(v, 1); v[0] = 1; }}\n"
        f"__device__ void g(unsigned* v) {{ h(v); {_ADDC} }}\n",
        # the function has a result of its own, leaves early, or is more than called,
        f"int f(unsigned* v, unsigned a) {{ {_ADD} return 0; }}\nvoid g(unsigned* v) {{ f(v, 1); {_ADDC} }}\n",
        f"void f(unsigned* v, unsigned a) {{ if (a) return; {_ADD} }}\nvoid g(unsigned* v) {{ f(v, 1); {_ADDC} }}\n",
        f"void f(unsigned* v, unsigned a) {{ {_ADD} }}\nvoid g(unsigned* v) {{ f(v, 1); {_ADDC} use(f); }}\n",
        f"void f(unsigned* v, unsigned a);\nvoid f(unsigned* v, unsigned a) {{ {_ADD} }}\n"
        f"void g(unsigned* v) {{ f(v, 1); {_ADDC} }}\n",
        # the call is part of an expression, or stands in one branch of a conditional.
        f"void f(unsigned* v, unsigned a) {{ {_ADD} }}\nvoid g(unsigned* v) {{ v ? f(v, 1) : f(v, 2); {_ADDC} }}\n",
        f"void f(unsigned* v, unsigned a) {{ {_ADD} }}\nvoid g(unsigned* v) {{\n#if X\nf(v, 1);\n#endif\n{_ADDC} }}\n",
        # A callee that reads its caller's flag, which not every caller has.
        f"void f(unsigned* v) {{ {_ADDC} }}\nvoid g(unsigned* v, unsigned a) {{ {_ADD} f(v); }}\n"
        "void h(unsigned* v) { f(v); }\n",
        f"#define ADD(v, a) {_ADD}\n#define ADDC(v) {_ADDC}\n",
        # What is left keeps its partner.
        f'__device__ void f(unsigned* v, unsigned a) {{ {_ADD} asm("addc.cc.u32 %0, %0, bar;" : "+r"(v[1])); }}\n',
        '__device__ void f(unsigned a) { asm("{ .reg .pred p; setp.eq.u32 p, %0, 0;" :: "r"(a)); }\n',
        '__device__ void f(unsigned& d) { asm("@p mov.u32 %0, 1; }" : "+r"(d)); }\n',
    ],
)
def test_what_shares_with_something_that_stays_stays(source: str) -> None:
    assert _output(source) == source
    findings = [each for each in translate(source.encode(), "a.cu").findings if each.code == "MUS402"]
    assert len(findings) == source.count("asm(")


_RETURNING = f"static void f(unsigned* v, unsigned a) {{ {_ADD} }}\n"


def test_a_function_that_returns_nothing_returns_the_flag_that_its_caller_reads() -> None:
    output = _output(
        _RETURNING + f"void g(unsigned* v) {{ f(v, 1);\n  {_ADDC} }}\nvoid h(unsigned* v) {{ f(v, 2); }}\n"
    )
    assert "static unsigned int f(unsigned* v, unsigned a) { unsigned int ptx_carry = 0;" in output
    assert "return ptx_carry; }" in output
    assert "ptx_carry = f(v, 1);\n  v[1] = (unsigned int)(v[1]) + 0u + ptx_carry;" in output
    assert "void h(unsigned* v) { f(v, 2); }" in output
    assert "asm" not in output


def test_a_function_takes_the_flag_that_each_of_its_callers_has() -> None:
    taking = f'void f(unsigned* v) {{ {_ADDC} }}\nvoid e() {{ asm("subc.u32 %0, 0, 0;" : "=r"(d)); }}\n'
    output = _output(taking + f"void g(unsigned* v, unsigned a) {{ {_ADD} f(v); }}\nvoid h() {{ {_ADD} e(); }}\n")
    assert "void f(unsigned int ptx_carry, unsigned* v) {" in output
    assert "f(ptx_carry, v);" in output
    assert "void e(unsigned int ptx_carry) {" in output
    assert "e(ptx_carry);" in output
    assert "asm" not in output


def test_a_function_hands_the_flag_of_one_that_it_calls_to_another() -> None:
    output = _output(_RETURNING + f"void t(unsigned* v) {{ {_ADDC} }}\nvoid g(unsigned* v) {{ f(v, 1); t(v); }}\n")
    assert "void g(unsigned* v) { unsigned int ptx_carry = 0; ptx_carry = f(v, 1); t(ptx_carry, v); }" in output
    assert "asm" not in output


def test_round_a_loop_the_last_flag_of_its_body_counts() -> None:
    loop = f"void g(unsigned* v, int n) {{ {_ADD} for (int i = 0; i < n; ++i) {{ {_ADDC} h(v); }} }}\n"
    other = 'void h(unsigned* v) { asm("add.cc.u32 %0, %0, %0; addc.u32 %1, 0, 0;" : "+r"(v[0]), "=r"(v[1])); }\n'
    assert _ADDC in _output(other + loop)
    assert "asm" not in _output(other + loop.replace(" h(v);", ""))


def test_two_functions_have_a_flag_each() -> None:
    function = f"__device__ void f(unsigned* v, unsigned a) {{ {_ADD} {_ADDC} }}\n"
    assert _output(function + function.replace(" f(", " g(")).count("unsigned int ptx_carry = 0;") == 2


def test_exit_is_a_return_in_the_kernel_itself_only() -> None:
    assert _output('__global__ void k(int n) { if (n) asm volatile("exit;"); }\n').count("return;") == 1
    for source in (
        '__device__ void f() { asm volatile("exit;"); }\n',
        '__global__ void k(int n) { each(n, [=](int i) { asm volatile("exit;"); }); }\n',
    ):
        assert _output(source) == source


def test_registers_are_shared_beside_a_flag_that_crosses_functions() -> None:
    scope = (
        'asm("{ .reg .pred %p; setp.ne.u32 %p, %0, 0;" :: "r"(a)); asm("@%p mov.b32 %0, 7;" : "+r"(v[0])); asm("}");'
    )
    callee = f"int f(unsigned* v, unsigned a) {{ {_ADD} return 1; }}\n"
    source = callee + f"void g(unsigned* v, unsigned a) {{ f(v, a); {_ADDC} {scope} }}\n"
    output = _output(source)
    assert _ADD in output
    assert _ADDC in output
    assert "bool ptx_p = false;" in output
    assert "unsigned int ptx_carry" not in output
    assert "setp" not in output


def test_a_register_of_an_inner_scope_is_another_one() -> None:
    src = b"""__device__ void f(unsigned a, unsigned b, unsigned& d) {
  asm volatile("{ .reg .pred p; .reg .u32 t; setp.ne.u32 p, %0, 0; mov.u32 t, 0;" :: "r"(a));
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 7; @p add.u32 t, t, 1; }" :: "r"(b));
  asm volatile("@p add.u32 %0, t, 5; @!p mov.u32 %0, t; }" : "=r"(d));
}
"""
    text = b" ".join(edit.new for edit in translate(src, "a.cu").edits)
    assert b"{ const bool ptx_1 = (unsigned int)(b) == 7u; ptx_t = ptx_1 ?" in text


@pytest.mark.parametrize(
    "statements",
    [
        # The inner scope spans statements, and its p is not the outer one.
        '"{ .reg .pred p; setp.ne.u32 p, %1, 0;" | "{ .reg .pred p; setp.eq.u32 p, %1, 7;" | "@p mov.u32 %0, 1; } }"',
        # One scope ends and another begins.
        '"{ .reg .pred p; setp.ne.u32 p, %1, 0;" | "} { .reg .pred p; setp.eq.u32 p, %1, 7;" | "@p mov.u32 %0, 1; }"',
        # A carry that is read as a borrow, and the other way round.
        '"add.cc.u32 %0, %0, %1;" | "subc.u32 %0, %0, 0;"',
        '"sub.cc.u32 %0, %0, %1;" | "addc.u32 %0, %0, 0;"',
        # A call in an operand comes between the flag and who reads it.
        '"add.cc.u32 %0, %0, 1;" | "addc.u32 %0, %0, %2;"',
    ],
)
def test_what_statements_share_in_another_sense_is_left(statements: str) -> None:
    operands = ' : "+r"(d) : "r"(a), "r"(other())'
    body = " ".join(f"asm volatile({each}{operands});" for each in statements.split(" | "))
    src = (
        '__device__ unsigned other() { unsigned t = 1; asm("add.cc.u32 %0, %0, 1; addc.u32 %0, %0, 1;" : "+r"(t));'
        f" return t; }}\n__device__ void f(unsigned a, unsigned& d) {{ {body} }}\n"
    ).encode()
    begin = src.index(b"void f")
    assert not [edit for edit in translate(src, "a.cu").edits if edit.start > begin]


_LO = '__device__ void lo(unsigned& d, unsigned a) {{ {}asm("add.cc.u32 %0, %0, %1;" : "+r"(d) : "r"(a)); }}\n'
_HI = '__device__ void hi(unsigned& d, unsigned a) {{ asm("{}.u32 %0, %0, %1;" : "+r"(d) : "r"(a)); }}\n'
_F = "__device__ void f(unsigned& d, unsigned& e, unsigned a) { lo(d, a); hi(e, a); }\n"


@pytest.mark.parametrize(
    ("before", "op", "lowered"),
    [
        ("", "addc", True),
        ("if (a) ", "addc", False),  # else it is the flag of who called
        ("while (a--) ", "addc", False),
        ("", "subc", False),  # a carry read as a borrow
    ],
)
def test_a_flag_goes_between_functions_if_it_is_sure_to_be_set_and_read_in_its_sense(
    before: str, op: str, lowered: bool
) -> None:
    src = (_LO.format(before) + _HI.format(op) + _F).encode()
    assert any(edit.rule == "MUS401" for edit in translate(src, "a.cu").edits) == lowered
