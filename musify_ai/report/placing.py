"""Where things are, as other tools want to be told: URIs, and columns in UTF-8 bytes."""

from urllib.parse import quote

from musify_ai.report import Texts


def uri(path: str) -> str:
    """A relative path as a URI reference; bytes that are no UTF-8 are percent-encoded as they are."""
    return quote(path.encode("utf-8", "surrogateescape"))


def readable(path: str) -> str:
    """A path as text that any encoder takes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def byte_column(texts: Texts, path: str, offset: int, column: int) -> int:
    """The column of an offset counted in bytes from 1; ``column`` where the file's text is not at hand."""
    src = texts.get(path, (b"", b""))[0]
    if not 0 <= offset <= len(src) or not src:
        return column
    return offset - src.rfind(b"\n", 0, offset)
