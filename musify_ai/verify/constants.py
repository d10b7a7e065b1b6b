"""The numbers in a kernel's text: what its conditions ask for is more likely among them than among any others."""

from collections.abc import Iterable

from musify_ai.source import tokens

MOST = 24
"""Numbers of a kernel that inputs are made from, the first ones."""
_PLAIN = frozenset((0.0, 1.0, 2.0, 0.5))  # other kinds of values have these


def constants_in(codes: Iterable[bytes]) -> tuple[str, ...]:
    """The numbers of some texts, each once, as the driver's plan has them: ``int 77`` or ``float 0.75``."""
    found: dict[str, None] = {}
    for code in codes:
        for token in tokens(code):
            text = _read(token.text.decode("ascii", "replace")) if token.kind == "number" else ""
            if text and len(found) < MOST:
                found.setdefault(text)
    return tuple(found)


def _read(text: str) -> str:
    """A literal as a line of the plan; nothing where it says little or is none that is known."""
    plain = text.replace("'", "").lower()
    try:
        if plain.startswith("0x") and "p" not in plain:
            value: float | int = int(plain.rstrip("ul"), 16)
        elif plain.startswith("0x"):
            value = float.fromhex(plain.rstrip("fl"))
        elif plain.startswith("0b"):
            value = int(plain.rstrip("ul"), 2)
        elif "." in plain or "e" in plain or plain.endswith("f"):
            value = float(plain.rstrip("fl"))
        else:
            digits = plain.rstrip("ul")
            value = int(digits, 8 if digits.startswith("0") and len(digits) > 1 else 10)
    except ValueError:
        return ""
    if value in _PLAIN or value != value or abs(value) > 1e300 or (isinstance(value, int) and value >= 1 << 63):
        return ""
    return f"int {value}" if isinstance(value, int) else f"float {value!r}"
