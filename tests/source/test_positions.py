import pytest

from musify_ai.source import Lines, describe


def test_columns_count_code_points() -> None:
    src = "é = 1;\r\nüx".encode()
    lines = Lines(src)
    assert lines.at(0) == (1, 1)
    assert lines.at(3) == (1, 3)
    assert lines.at(src.index(b"x")) == (2, 2)
    assert src[slice(*lines.span(1))] == "é = 1;".encode()
    assert lines.at(len(src)) == (2, 3)
    assert len(lines) == 2


def test_bytes_that_are_no_utf8_count_one_each() -> None:
    assert Lines(b"\xd6\xd0x").at(2) == (1, 3)


def test_a_byte_order_mark_counts_as_nothing() -> None:
    assert Lines(b"\xef\xbb\xbfint").at(3) == (1, 1)
    assert Lines(b"\xef\xbb\xbfint").at(0) == (1, 1)


@pytest.mark.parametrize("line", [0, 3])
def test_no_such_line(line: int) -> None:
    with pytest.raises(IndexError):
        Lines(b"a\nb").span(line)


@pytest.mark.parametrize(
    ("src", "expected"),
    [
        (b"", ("ascii", False, "none")),
        (b"a\r\nb\r\n", ("ascii", False, "crlf")),
        (b"\xef\xbb\xbfa\n", ("utf-8", True, "lf")),
        ("中文\n".encode("gbk"), ("gb18030", False, "lf")),
        ("é\r\n\n".encode(), ("utf-8", False, "mixed")),
        (b"\xff\xfea\0", ("utf-16", True, "none")),
        ("int a;\n".encode("utf-16-le"), ("utf-16", False, "lf")),
        ("int a;\n".encode("utf-16-be"), ("utf-16", False, "lf")),
        (b"int a;\0\n", ("binary", False, "lf")),
        (b"a\0b", ("binary", False, "none")),
        (b"caf\xe9", ("unknown-8bit", False, "none")),
    ],
)
def test_describe(src: bytes, expected: tuple[str, bool, str]) -> None:
    assert tuple(describe(src)) == expected


def test_columns_do_not_depend_on_what_was_asked_before() -> None:
    src = "é中\ta\nb é\n".encode() + b"\xe4\xb8 \xff\xe4\xb8\xad x\n" + "\ufeff é".encode()
    expected = {offset: Lines(src).at(offset) for offset in range(len(src) + 1)}
    lines = Lines(src)
    for offset in [*range(len(src) + 1), *reversed(range(len(src) + 1))]:
        assert lines.at(offset) == expected[offset]
