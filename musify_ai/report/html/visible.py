"""Text of unknown making as HTML: escaped, and everything that a browser would obey or hide made visible.

Control characters (ANSI sequences begin with one), marks that turn the reading direction, characters without width and
bytes that are no text are shown by name in a box, where they stand.
"""

import re
from typing import Any

from markupsafe import Markup, escape

# Controls but for tab and line end; directional and zero-width characters; separators that break lines; tags;
# surrogates, of which those from U+DC80 are bytes that did not decode; noncharacters.
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_CODE = re.compile("`([^`]+)`")
_NAMES = [
    "NUL",
    "SOH",
    "STX",
    "ETX",
    "EOT",
    "ENQ",
    "ACK",
    "BEL",
    "BS",
    "HT",
    "LF",
    "VT",
    "FF",
    "CR",
    "SO",
    "SI",
    "DLE",
    "DC1",
    "DC2",
    "DC3",
    "DC4",
    "NAK",
    "SYN",
    "ETB",
    "CAN",
    "EM",
    "SUB",
    "ESC",
    "FS",
    "GS",
    "RS",
    "US",
]


def decoded(data: bytes, encoding: str) -> str:
    """Bytes of a file as text. Bytes that are none in its encoding become lone surrogates, which `visible` shows."""
    if encoding == "gb18030":
        try:
            return data.decode("gb18030")
        except UnicodeDecodeError:
            pass  # a piece that was cut within a character
    return data.decode("utf-8", "surrogateescape")


def visible(text: str) -> Markup:
    """Text as HTML for an element's content."""
    safe = escape(text)
    if text.isascii() and text.isprintable():
        return safe
    return Markup(_ODD.sub(lambda found: f'<b class="odd">{_name(found[0])}</b>', str(safe)))  # noqa: S704


def attribute(text: str) -> Markup:
    """Text as HTML for an attribute in double quotes, where no element can stand."""
    safe = escape(text)
    if text.isascii() and text.isprintable():
        return safe
    return Markup(_ODD.sub(lambda found: f"[{_name(found[0])}]", str(safe)).replace("\n", "&#10;"))  # noqa: S704


def prose(text: str) -> Markup:
    """A sentence as HTML for an element's content; what stands in backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(visible(text))))  # noqa: S704


def finalized(value: Any) -> Any:
    """What a template prints: any text made visible. Markup is what we made ourselves and stays."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _name(character: str) -> str:
    code = ord(character)
    if code < len(_NAMES):
        return _NAMES[code]
    if 0xDC80 <= code <= 0xDCFF:
        return f"{code - 0xDC00:02X}"
    return "DEL" if code == 0x7F else f"U+{code:04X}"
