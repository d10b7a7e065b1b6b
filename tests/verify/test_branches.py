"""Where code branches, and a text that notes it: everything else stays as it was."""

from hypothesis import given
from hypothesis import strategies as st

from musify_ai.backends.emulated import Unit
from musify_ai.verify.branches import Place, Span, neutral, places_in, written

CODE = b"""
__device__ int f(int a) {
    switch (a) { case 1: return 2; case 2: { a = 3; break; } default: a = 4; }
    do { --a; } while (a > 0);
    while (a < 3) ++a;
    for (;;) break;
    for (int i = 0; i < a; ++i) a -= 2;
    if (int b = a) return b;
    if constexpr (sizeof(int) == 4) a += 1;
    if (a == 7) return 1;
    return a ? 1 : 2;
}
int host(int a) { return a ? 1 : 2; }
"""


def texts(places: tuple[Place, ...], src: bytes = CODE) -> list[tuple[str, str, str, str]]:
    def cut(span: Span) -> str:
        return src[span.start : span.end].decode()

    return [(p.kind, cut(p.when), cut(p.held), cut(p.failed)) for p in places if p.kind != "function"]


def test_ways_out_of_conditions_loops_and_switches() -> None:
    got = texts(places_in({"a.cu": CODE}, {}))
    assert got == [
        ("switch", "a", "{ case 1: return 2; case 2: { a = 3; break; } default: a = 4; }", ""),
        ("case", "case 1:", " return 2;", ""),
        ("case", "case 2:", " { a = 3; break; }", ""),
        ("case", "default:", " a = 4;", ""),
        ("loop", "a > 0", "", ""),
        ("loop", "a < 3", "++a;", ""),
        ("loop", "i < a", "a -= 2;", ""),
        # what comes after a way that leaves runs just where the condition fails
        ("condition", "a == 7", "return 1;", "\n    return a ? 1 : 2;"),
        ("condition", "a", "1", "2"),
    ]


def test_numbers_are_each_place_s_own_and_host_code_has_none() -> None:
    places = places_in({"a.cu": CODE, "b.cu": CODE}, {})
    numbers = [place.number for place in places]
    assert len(set(numbers)) == len(numbers)
    assert min(b - a for a, b in zip(sorted(numbers), sorted(numbers)[1:], strict=False)) >= 3
    assert {place.path for place in places} == {"a.cu", "b.cu"}
    assert all(place.when.start < CODE.index(b"int host") for place in places)


@given(st.lists(st.sampled_from(CODE.splitlines(keepends=True)), max_size=30).map(b"".join))
def test_lines_stay_where_they_are_and_nothing_else_changes(body: bytes) -> None:
    src = b"__device__ int g(int a) {\n" + body + b"}\n"
    places = places_in({"a.cu": src}, {})
    unit = written(Unit({"a.cu": src}, ""), places)
    noted = unit.sources["a.cu"]
    assert noted.count(b"\n") == src.count(b"\n")
    for place in sorted(places, key=lambda each: -each.number):
        for text in (
            b" ::musify_seen::mark<%d>();" % place.number,
            b"::musify_seen::either<%d>((" % place.number,
            b"::musify_seen::chosen<%d>((" % place.number,
        ):
            noted = noted.replace(text, b"")
    assert noted.replace(b"))", b"").replace(b")", b"") == src.replace(b"))", b"").replace(b")", b"")


def test_names_of_the_vendors_are_no_difference() -> None:
    mine, theirs = (
        b"x = __CUDA_ARCH__ + cudaFoo(cuBar, __nv_bfloat16());",
        b"x=__MUSA_ARCH__+musaFoo(muBar,__mt_bfloat16()); // y",
    )
    assert neutral(mine, Span(0, len(mine))) == neutral(theirs, Span(0, len(theirs)))
    other = theirs.replace(b"+", b"-")
    assert neutral(mine, Span(0, len(mine))) != neutral(other, Span(0, len(other)))


def test_what_must_stay_constant_is_left_alone() -> None:
    src = b'__device__ void f(int n) { g<(3 > 2 ? 1 : 2)>(); static_assert(1 ? 1 : 0, ""); int i = n ? 1 : 2; }'
    assert texts(places_in({"a.cu": src}, {}), src) == [("condition", "n", "1", "2")]
