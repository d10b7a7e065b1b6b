import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.source import blank, occurrences, region_at, regions, words
from tests.growth import assert_in_proportion

CODE = st.text("ab \"'/*\\\n\r#R()<>:.cu_1é", max_size=80).map(lambda s: s.encode())


def kinds(src: bytes) -> list[tuple[str, bytes]]:
    return [(r.kind, src[r.start : r.end]) for r in regions(src)]


@pytest.mark.parametrize(
    ("src", "expected"),
    [
        (b"int a;", []),
        (b"// x \\\n still\nint", [("comment", b"// x \\\n still")]),
        (b"// x \\\r\n still\r\nint", [("comment", b"// x \\\r\n still\r")]),
        (b"/* a */ b /* open", [("comment", b"/* a */"), ("comment", b"/* open")]),
        (rb'f("a\"b", c)', [("string", rb'"a\"b"')]),
        (b'"open\nint x;', [("string", b'"open')]),
        (b'R"x(a)" )x" b', [("raw-string", b'R"x(a)" )x"')]),
        (b'u8R"(a)" b', [("raw-string", b'R"(a)"')]),
        (b'FOOR"(a" b', [("string", b'"(a"')]),
        (b"x = 1'000'000 + 0xF'F;", []),
        (b"c = 'a'; d = '\\'';", [("char", b"'a'"), ("char", b"'\\''")]),
        (b"'\"' x", [("char", b"'\"'")]),
        (b"#include <curand.h>\n", [("include", b"#include <curand.h>")]),
        (b"# include  <a.h> // c", [("include", b"# include  <a.h>"), ("comment", b"// c")]),
        (b"#error don't cudaFree\nx", [("message", b"#error don't cudaFree")]),
        (b"a \xd6\x5c */ b", []),
    ],
)
def test_regions(src: bytes, expected: list[tuple[str, bytes]]) -> None:
    assert kinds(src) == expected


def test_gbk_trail_byte_that_is_a_backslash_joins_lines_as_gcc_does() -> None:
    src = b"// \xd6\x5c\ncudaFree\ncudaFree(x);"
    assert [o.start for o in occurrences(src, {b"cudaFree"})] == [15]


@given(CODE)
def test_regions_are_ordered_and_inside(src: bytes) -> None:
    end = 0
    for region in regions(src):
        assert end <= region.start < region.end <= len(src)
        end = region.end
    assert len(blank(src)) == len(src)
    assert blank(src).count(b"\n") == src.count(b"\n")


@pytest.mark.parametrize("names", [{b"cudaFree"}, {b"cudaFree"} | {b"n%d" % i for i in range(60)}])
def test_occurrences_are_whole_identifiers_in_code(names: set[bytes]) -> None:
    src = b'cudaFree(a); // cudaFree\nmycudaFree; cudaFree2; x_\xe9cudaFree; $cudaFree; "cudaFree" cudaFree'
    found = occurrences(src, names)
    assert [o.start for o in found] == [0, len(src) - 8]
    assert found[0].floor == 0
    assert src[found[1].floor - 1 : found[1].floor] == b'"'


def test_words_hold_what_comments_hold() -> None:
    assert words(b"a.b // cudaFree(\xc3\xa9t\xc3\xa9)") == {b"a", b"b", b"cudaFree", b"\xc3\xa9t\xc3\xa9"}


def test_region_at() -> None:
    src = b'a "b" c'
    found = regions(src)
    assert region_at(found, 0) is None
    assert region_at(found, 2) == region_at(found, 4) == found[0]
    assert region_at(found, 5) is None


def test_an_unclosed_include_takes_linear_time() -> None:
    assert_in_proportion(lambda times: regions(b"#include <" * times), 10_000)


@pytest.mark.parametrize("names", [{b"cudaFree"}, {b"cudaFree"} | {b"n%d" % i for i in range(60)}])
def test_a_byte_order_mark_is_no_part_of_the_first_word(names: set[bytes]) -> None:
    src = b"\xef\xbb\xbfcudaFree(p);"
    assert b"cudaFree" in words(src)
    assert [o.start for o in occurrences(src, names)] == [3]
