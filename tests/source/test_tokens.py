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


@pytest.mark.parametrize(
    ("src", "starts"),
    [
        (b"#define A", [0]),
        (b"  /* c */ # define A", [10]),
        (b"/* a\n */ #if 1", [9]),
        (b"x /* a\n */ #if 1", []),
        (b"x \\\n #if 1", []),
        (b"x \\\r\n #if 1\r\n#endif", [13]),
        (b"// c \\\n #if\n#endif", [12]),
        (b"a # b ## c", []),
        (b'"#" #', []),
        (b"%: define A\n a %: b", [0]),
    ],
)
def test_only_a_hash_that_begins_a_line_starts_a_directive(src: bytes, starts: list[int]) -> None:
    assert [t.start for t in tokens(src) if t.kind == "directive-start"] == starts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b'u8"a"', "string"),
        (b"U'a'", "char"),
        (b'LR"(a")"', "string"),
        (b"Ru8", "identifier"),
        (b"u", "identifier"),
        (b".5f", "number"),
        (b"...", "punct"),
        (b"/=", "punct"),
        (b"\\", "punct"),
        (b"\xe4\xb8", "identifier"),
    ],
)
def test_kinds_that_the_first_byte_does_not_tell(text: bytes, kind: str) -> None:
    (token,) = tokens(text)
    assert (token.kind, token.text) == (kind, text)


@given(st.binary(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_with_trivia_tokens_tile_any_span(src: bytes, start: int, size: int) -> None:
    end = min(start + size, len(src))
    found = tokens(src, start, end, trivia=True)
    assert b"".join(t.text for t in found) == src[start:end]
    assert all(src[t.start : t.end] == t.text for t in found)
