"""Showing what a stranger wrote: a model, a server, a compiler that quotes source.

No control character gets through."""

import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def plain(text: str, most: int = 2000) -> str:
    """A text without escape sequences, control characters and marks that turn or hide text; cut to a length."""
    text = _CONTROL.sub("", _ESCAPES.sub("", text[: most * 8])).strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"
