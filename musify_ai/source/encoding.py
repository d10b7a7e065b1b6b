"""How a file is written: for messages only. Nothing is ever re-encoded."""

from typing import NamedTuple


class Encoding(NamedTuple):
    """A best guess at the encoding, whether a byte order mark stands first, and the line ending (``lf``, ``crlf``,
    ``mixed`` or ``none``)."""

    name: str
    bom: bool
    newline: str


def describe(src: bytes) -> Encoding:
    """Name the encoding of a file's bytes.

    ``ascii``, ``utf-8``, ``utf-16`` (by its mark, or every other byte of nearly all a NUL), ``gb18030`` where the
    bytes are valid in it and hold a plausible pair, else ``unknown-8bit``; ``binary`` where a NUL stands in the first
    8 KiB.
    """
    newlines = src.count(b"\n")
    crlf = src.count(b"\r\n") if newlines and b"\r" in src else 0
    newline = "none" if not newlines else "crlf" if crlf == newlines else "mixed" if crlf else "lf"
    if src.startswith(_MARKS):
        return Encoding("utf-16", True, newline)
    bom = src.startswith(b"\xef\xbb\xbf")
    if b"\0" in src[:8192]:
        if _looks_wide(src[:8192]):
            return Encoding("utf-16", False, newline)
        return Encoding("binary", bom, newline)
    if src.isascii():
        return Encoding("ascii", False, newline)
    for name in ("utf-8", "gb18030"):
        try:
            src.decode(name)
        except UnicodeDecodeError:
            continue
        return Encoding(name, bom, newline)
    return Encoding("unknown-8bit", bom, newline)


def is_utf_16(src: bytes) -> bool:
    """Whether `describe` would call the bytes UTF-16, without the rest of what it looks at."""
    return src.startswith(_MARKS) or (b"\0" in src[:8192] and describe(src).name == "utf-16")


_MARKS = (b"\xff\xfe", b"\xfe\xff")


def _looks_wide(head: bytes) -> bool:
    """Whether nearly all even bytes, or nearly all odd ones, are NUL, and hardly any of the others: UTF-16 without a
    mark, of text in Latin letters."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    pairs = max(len(head) // 2, 1)
    return len(head) >= 8 and max(even, odd) > 0.9 * pairs and min(even, odd) < 0.1 * pairs
