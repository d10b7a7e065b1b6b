"""Where the results of an ``asm`` statement go: lvalues, and what one of them may say about another."""

from __future__ import annotations

import re

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.ptx.registers import NotLowered

_LVALUE = late_pattern(r"\**\s*[A-Za-z_$][\w$]*(?:\s*(?:\.|->)\s*[A-Za-z_$][\w$]*|\s*\[[^\[\]]*\])*\Z")
_WORD = late_pattern(r"[A-Za-z_$][\w$]*")
# A subscript that reads what a result may have changed: through a pointer, an array, or a call.
_READS_MEMORY = late_pattern(r"->|\[|(?:^|[(,=+\-*/%&|<>!~?:])\s*\*|\b[A-Za-z_]\w*\s*\(")


def is_plain(text: str) -> bool:
    """Whether a text is an lvalue that needs no brackets on the left of an assignment."""
    return bool(_LVALUE.match(text))


def refuse_dependent(targets: list[str]) -> None:
    """`NotLowered` where one result is assigned to something that says where a later one goes: ``i``, then ``a[i]``.
    An ``asm`` statement settles all places first."""
    earlier: set[str] = set()
    for position, target in enumerate(targets):
        words = set(_WORD.findall(target))
        outside, subscripts = _subscripts(target)
        if position and (
            words & {each for each in targets[:position] if each.isidentifier()}
            or earlier & set(_WORD.findall(subscripts))
            or _READS_MEMORY.search(subscripts)
        ):
            raise NotLowered("where one result goes depends on another result")
        # An element that is assigned changes no subscript.
        earlier |= set(_WORD.findall(outside))


def _subscripts(target: str) -> tuple[str, str]:
    """What stands outside and inside the subscripts of an lvalue; brackets inside of brackets stay."""
    parts: tuple[list[str], list[str]] = ([], [])
    depth = 0
    for character in target:
        depth -= character == "]"
        parts[depth > 0].append(character)
        if character == "[":
            if depth == 0:
                parts[1].append(" ")
            depth += 1
    return "".join(parts[0]), "".join(parts[1])


def pure_call(text: str) -> bool:
    """Whether the parentheses of an lvalue are casts and address arithmetic only: ``*(unsigned int*)&x``."""
    return not re.search(r"\+\+|--|[^=!<>]=[^=]|[\w\])]\s*\(", text)
