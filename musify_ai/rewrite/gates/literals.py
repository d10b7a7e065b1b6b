"""Results come from inputs: no table of answers, no list of cases that happens to fit what a checker tries."""

from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import closing, read
from musify_ai.source import Token

_TABLE = 8
_CASES = 4
_COMPARED = 4


def check(candidate: Candidate) -> Said:
    """Refused (``cheating``) for a table of eight or more literals, for more than a few cases over literals, and for
    long literals, none of which the function had."""
    before, after = read(candidate.unit.region), read(candidate.code)
    held = {token.text for token in (*before, *read(candidate.unit.original_region)) if token.kind == "number"}
    table = _table(after, held)
    if table:
        return Refused("cheating", f"it brings a table of {table} literals")
    cases = _count(after, b"case") - _count(before, b"case")
    if cases > _CASES:
        return Refused("cheating", f"it brings {cases} cases over literals")
    compared = _compared(after, held)
    if compared > _COMPARED:
        return Refused("cheating", f"it compares with {compared} literals that it did not have")
    strings = {token.text for token in after if token.kind == "string"}
    if strings - {token.text for token in before if token.kind == "string"}:
        return Refused("cheating", "it brings a string of its own")
    return Passed()


def _table(found: tuple[Token, ...], held: set[bytes]) -> int:
    """The most new literals between one pair of braces that hold little else."""
    most = 0
    for index, token in enumerate(found):
        if token.text != b"{" or not index or found[index - 1].text in (b")", b"else", b"do", b"try"):
            continue
        inside = found[index + 1 : closing(found, index)]
        if any(each.text == b";" for each in inside):
            continue
        numbers = [each for each in inside if each.kind in ("number", "char") and each.text not in held]
        if len(numbers) >= _TABLE:
            most = max(most, len(numbers))
    return most


def _compared(found: tuple[Token, ...], held: set[bytes]) -> int:
    """New literals that stand beside an ``==`` or ``!=``."""
    new: set[bytes] = set()
    for index, token in enumerate(found[1:-1], 1):
        if token.text in (b"==", b"!="):
            beside = (found[index - 1], found[index + 1])
            new.update(each.text for each in beside if each.kind == "number" and each.text not in held)
    return len(new)


def _count(found: tuple[Token, ...], word: bytes) -> int:
    return sum(token.text == word for token in found)
