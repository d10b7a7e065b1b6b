"""Any bytes in: no crash, as many lines as before, and time that grows with the size."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.emulator.prepare import prepare

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
    def cost(count: int) -> float:
        start = time.process_time()
        prepare(piece * count, "cuda")
        return time.process_time() - start

    small = max(min(cost(1500) for _ in range(2)), 0.004)
    assert min(cost(6000) for _ in range(2)) < 8 * small + 0.05
