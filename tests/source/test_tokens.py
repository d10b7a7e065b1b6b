import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.source import closing, split_arguments, tokens


def texts(src: bytes) -> list[bytes]:
    return [t.text for t in tokens(src)]


@pytest.mark.parametrize(
    ("src", "expected"),
    [
        (b"k<<<1,2>>>(x)", [b"k", b"<<<", b"1", b",", b"2", b">>>", b"(", b"x", b")"]),
        (b"a::b->c", [b"a", b"::", b"b", b"->", b"c"]),
        (b"1'000 0x1.8p+3f .5e-2 1..2", [b"1'000", b"0x1.8p+3f", b".5e-2", b"1..2"]),
        (b'u8R"(x)" L"y" u8\'z\'', [b'u8R"(x)"', b'L"y"', b"u8'z'"]),
        (b"a \\\n b // c", [b"a", b"b"]),
        (b"x##y ...", [b"x", b"##", b"y", b"..."]),
    ],
)
def test_texts(src: bytes, expected: list[bytes]) -> None:
    assert texts(src) == expected


def test_directive_start_only_at_the_start_of_a_line() -> None:
    src = b"#define S(x) #x\n  # if 1\nint a; # b"
    assert [t.start for t in tokens(src) if t.kind == "directive-start"] == [0, 18]


@given(st.binary(max_size=200))
def test_tokens_with_trivia_tile_any_bytes(src: bytes) -> None:
    assert b"".join(t.text for t in tokens(src, trivia=True)) == src


def test_closing_and_arguments() -> None:
    toks = tokens(b"f(a, (b, c), g[1, 2])")
    end = closing(toks, 1)
    assert end == len(toks) - 1
    pieces = split_arguments(toks, 2, end)
    assert [b"".join(t.text for t in toks[i:j]) for i, j in pieces] == [b"a", b"(b,c)", b"g[1,2]"]
    assert closing(tokens(b"(a]"), 0) == -1
    assert closing(tokens(b"(a"), 0) == -1
    assert split_arguments(toks, 2, 2) == []
