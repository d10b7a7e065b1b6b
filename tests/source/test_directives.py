import itertools

from hypothesis import given
from hypothesis import strategies as st

from musify_ai.source import conditionals, directives


def test_directives_with_continuations_and_comments() -> None:
    src = b"/*\n#if no\n*/\n#define A \\\n  b\n # if X /* a\n b */ && Y // t\nx\n#endif"
    found = directives(src)
    assert [d.keyword for d in found] == [b"define", b"if", b"endif"]
    assert src[found[0].start : found[0].end] == b"#define A \\\n  b"
    assert src[found[1].start : found[1].end] == b"# if X /* a\n b */ && Y // t"
    assert src[found[1].argument_start : found[1].argument_start + 2] == b" X"


def test_an_include_is_a_directive_too() -> None:
    assert [d.keyword for d in directives(b'#include <a.h>\n#include "b.h"\n')] == [b"include", b"include"]


def test_byte_order_mark_before_the_first_directive() -> None:
    assert [d.keyword for d in directives(b"\xef\xbb\xbf#if A\n#endif\n")] == [b"if", b"endif"]


def test_conditionals_nest() -> None:
    src = b"#if A\na\n#if B\nb\n#else\nc\n#endif\n#elif C\nd\n#endif\n#endif\n#ifdef D\ne"
    outer, inner, last = conditionals(src)
    assert [b.directive.keyword for b in outer.branches] == [b"if", b"elif"]
    assert src[outer.branches[1].body_start : outer.branches[1].body_end] == b"\nd\n"
    assert inner.parent == 0
    assert [src[b.body_start : b.body_end] for b in inner.branches] == [b"\nb\n", b"\nc\n"]
    assert last.endif is None
    assert last.branches[0].body_end == len(src)


@given(st.text("#ifdelsn \n\\/*\"'", max_size=120).map(str.encode))
def test_any_bytes(src: bytes) -> None:
    found = directives(src)
    for first, second in itertools.pairwise(found):
        assert first.end <= second.start
    for conditional in conditionals(src):
        for branch in conditional.branches:
            assert branch.body_start <= branch.body_end <= len(src)


def test_comments_splices_and_digraphs_about_the_hash() -> None:
    src = (
        b"/* x */ #if A\n# /* c\n d */ if B\n#\\\nif C\n%:if D\n%: endif\n  \\\r\n #if E\n/* a\n*/#if F\n"
        b'x #if no\n/**/x/**/#if no\n// \\\n#if no\n"\\\n#if no"\n#define X #if no\n*/ #if no\n'
    )
    found = directives(src)
    assert [src[d.argument_start : d.end].strip() for d in found if d.keyword == b"if"] == [
        b"A", b"B", b"C", b"D", b"E", b"F",
    ]  # fmt: skip
    assert [d.keyword for d in found if d.keyword != b"if"] == [b"endif", b"define"]
