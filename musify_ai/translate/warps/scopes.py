"""Where a name means what the file declares, and not the built-in of the same name."""

from __future__ import annotations

from bisect import bisect_right

from musify_ai.translate.mentions import declares, is_member
from musify_ai.translate.unit import Unit

_DECLARATOR_ENDS = frozenset((b"=", b";", b",", b")", b"{", b":", b"[", b">"))


def own_scopes(unit: Unit, name: bytes) -> list[tuple[int, int]]:
    """Spans in which a declaration of the file's own hides a built-in name.

    A local declaration holds to the end of its block, one in a parameter list or a template header to the end of
    the body that follows, any other to the end of the file. The spans are in order and do not overlap.
    """
    toks, partners = unit.tokens, unit.partners
    found: list[tuple[int, int]] = []
    for each in unit.occurrences((name,)):
        index = unit.token_index(each.start)
        if index < 0 or is_member(toks, index) or not declares(unit, index):
            continue
        if index + 1 >= len(toks) or toks[index + 1].text not in _DECLARATOR_ENDS:
            continue
        opener = unit.openers[index]
        if index > 1 and toks[index - 2].text in (b"<", b",") and (opener < 0 or toks[opener].text == b"{"):
            # A template's parameter, inside a namespace or not.
            end = _body_end(unit, index)
        elif opener < 0:
            end = _body_end(unit, index) if toks[index + 1].text in (b">", b",") else len(unit.src)
        elif toks[opener].text == b"{":
            end = toks[partners[opener]].end
        else:
            end = _body_end(unit, partners[opener])
        if found and each.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((each.start, end))
    return found


def _body_end(unit: Unit, index: int) -> int:
    """The end of the function body or declaration that follows a parameter list or a template header."""
    toks, partners = unit.tokens, unit.partners
    position = index + 1
    while position < len(toks):
        text = toks[position].text
        if text == b"(":
            position = partners.get(position, len(toks))
        elif text == b"{":
            closed = partners.get(position)
            return len(unit.src) if closed is None else toks[closed].end
        elif text == b";":
            return toks[position].end
        position += 1
    return len(unit.src)


def covers(scopes: list[tuple[int, int]], offset: int) -> bool:
    """Whether an offset lies in one of the spans that `own_scopes` gives."""
    index = bisect_right(scopes, offset, key=lambda span: span[0]) - 1
    return index >= 0 and offset < scopes[index][1]
