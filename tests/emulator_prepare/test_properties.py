"""Any bytes in: no crash, as many lines as before, and time that grows with the size."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.emulator.prepare import prepare
from tests.growth import assert_in_proportion

_PIECES = st.sampled_from(
    [
        *b"k < > >> <<< >>> ( ) { } [ ] , ; :: -> . x 0 NULL ## #".split(),
        *(word + b" " for word in b"__shared__ extern static float template typename struct while namespace".split()),
        *(b"\n", b"\r\n", b" ", b"\\\n", b"#define M(a) ", b"#if X\n", b"#else\n", b"#endif\n", b"/* c\n */", b"// \n"),
        *(b'"', b"'", b'R"(', b'"s"', b"alignas(16) ", b"__noinline__ ", b"\xff", b"__attribute__((", b"operator"),
        *(b'asm volatile("add.u32 %0, %1, 2;" : "=r"(a) : "r"(b));', b"asm(", b'"mov.u32 %0, ', b'"=r"', b":", b"@p "),
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.binary(max_size=200), st.lists(_PIECES, max_size=60).map(b"".join)), st.sampled_from(["cuda", "musa"])
)
def test_any_bytes_keep_their_lines(src: bytes, side: str) -> None:
    prepared = prepare(src, "cuda" if side == "cuda" else "musa", path="a.cu", aliases={b"x": (b"__shared__",)})
    assert prepared.text.count(b"\n") == src.count(b"\n")
    assert all(1 <= problem.line <= src.count(b"\n") + 1 for problem in prepared.problems)


_PTX = st.sampled_from(
    [
        *(
            "add.u32",
            "mov.b64",
            "ld.global.v2.f32",
            "st.shared.b32",
            "setp.lt.and.s32",
            "cvt.rn.f16.f32",
            "bra",
            "bar.sync",
        ),
        *("%0", "%1", "%9", "%[a]", "%%r1", "%%tid.x", "t", "p|q", "!p", "[%1]", "[%1+4]", "{%0,%1}", "_", "é", "#n"),
        *("{", "}", ";", ",", ":", "@p", "@!p", "(", ")", "[", "]", "|", "+", "-", "!", "L:", "shfl.sync.idx.b32"),
        *(".reg .u32 t;", ".reg .pred p, q;", ".reg .b32 r<4>;", ".shared .b8 x;", "// c\\n", "/* c */", "\\n", "\\x"),
        *("0x1F", "0f3F800000", "1.5", "-1", "9" * 5000, "%" + "9" * 5000, "1e999", "0d3FF0000000000000", '" MACRO "'),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_PTX, max_size=24).map(" ".join))
def test_any_text_of_an_asm_statement_is_read_or_refused(text: str) -> None:
    macro = f'#define OP(n) asm("{text}" #n : "=r"(a), "+f"(b))\n'
    src = macro + f'void f() {{ OP(x); asm("{text}" : "=r"(a) : [a] "l"(b)); }}\n'
    prepared = prepare(src.encode(), "cuda")
    assert prepared.text.count(b"\n") == src.count("\n")


def test_macros_that_grow_without_bound_are_given_up() -> None:
    macros = ['#define M0(n) asm(#n ".u32 %0, 1;" : "=r"(a))']
    macros += [f"#define M{i}(n) {' '.join([f'M{i - 1}(n);'] * 30)}" for i in range(1, 9)]
    src = "\n".join([*macros, "void f() { M8(mov); }", ""]).encode()
    assert prepare(src, "cuda").text.count(b"\n") == src.count(b"\n")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([b"int f(int x) {", b"}", b"return a < b;", b"\n", b"// <<<\n", b'"<<<"', b"a<b<c>>"])))
def test_plain_source_comes_back_as_it_was(pieces: list[bytes]) -> None:
    src = b"".join(pieces)
    assert prepare(src, "cuda").text == src


@pytest.mark.parametrize(
    "piece",
    [
        *(b"<<<", b">>>", b"a>", b"a<", b"__shared__ ", b"__shared__ T<", b"(", b"k<<<(", b"}", b"a::b<c>::", b"x<y,"),
        *(b"k<<<1, 2>>>(a, 0); ", b"__shared__ int a[3]; ", b"#if X\n(", b"#define M __shared__\n", b"while (x);"),
        *(b"asm(", b'asm("a" : "r"(', b'asm("add.u32 %0, %1, 1;" : "=r"(a) : "r"(b));\n', b"{ __shared__ int x; "),
    ],
)
def test_time_grows_with_the_size(piece: bytes) -> None:
    assert_in_proportion(lambda count: prepare(piece * count, "cuda"), 1500)
