"""Colour in what a person reads at a terminal. The text stays the same, character by character, without it."""

import os
import re
from typing import TextIO

from musify_ai.source.patterns import late_pattern

_SEVERITY = {"error": "31", "warning": "33", "note": "36"}
_FINDING = late_pattern(r"^(.+?:\d+:\d+): (MUS\d{3}) (error|warning|note):", re.MULTILINE)
_MARKS = late_pattern(r"^( {4} *)(\^+)$", re.MULTILINE)
_WORST, _OPEN, _GOOD = "31", "33", "32"
_HEADLINES = {
    "differs": _WORST, "build-failed": _WORST, "not-checkable": _OPEN, "unchecked": _OPEN,
    "original-schedule-dependent": _OPEN, "arch-dependent": _OPEN, "equal-weak": _OPEN, "equal-assumed": _GOOD,
    "equal-emulated": _GOOD, "equal-on-nvidia": _GOOD, "equal-on-hardware": _GOOD,
}  # fmt: skip
_HEADLINE = late_pattern(rf"(?<=[ ])({'|'.join(_HEADLINES)})(?=[ ,;\n]|$)", re.MULTILINE)


def takes_colour(stream: TextIO | None) -> bool:
    """Whether a stream is to be written to in colour: a terminal that can, unless ``NO_COLOR`` is set (no-color.org);
    anything where ``FORCE_COLOR`` is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def coloured(text: str) -> str:
    """Text output with its places bold, its severities and headlines coloured, and nothing else changed."""
    text = _FINDING.sub(lambda m: f"{_in(m[1], '1')}: {_in(m[2], '1')} {_in(m[3], _SEVERITY[m[3]])}:", text)
    text = _MARKS.sub(lambda m: m[1] + _in(m[2], "32"), text)
    return _HEADLINE.sub(lambda m: _in(m[1], _HEADLINES[m[1]]), text)


def _in(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"
