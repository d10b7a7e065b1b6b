"""What a file declares names as, by their last declaration before a place: enough to tell what a pointer points to."""

from __future__ import annotations

import re
from bisect import bisect_right

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.unit import Unit

_DECLARATION = late_pattern(
    rb"\b((?:unsigned\s++)?long\s++long(?:\s++int)?|unsigned\s++(?:char|short|int|long)|[A-Za-z_]\w*+)\s*+"
    rb"(?:const\s*+)?+(?:\*|(?<=\s))\s*+(?:const\s++|__restrict__\s++|__restrict\s++)*+"
    rb"([A-Za-z_]\w*+)(?=\s*+[,)\[=;])"
)
_CAST = late_pattern(
    rb"\(*\s*(?:reinterpret_cast|static_cast|\()\s*<?\s*(?:const\s+)?(?:volatile\s+)?(?:std\s*::\s*)?"
    rb"((?:unsigned\s+)?long long(?: int)?|unsigned\s+\w+|[A-Za-z_]\w*)\s*(?:const\s*)?(?:volatile\s*)?\*"
)
_DEDUCED = late_pattern(
    rb"\bauto\s*+(?:const\s*+)?+\*?+\s*+(?:const\s++|__restrict__\s++)*+([A-Za-z_]\w*+)\s*+=\s*+"
    rb"((?:reinterpret_cast|static_cast)\s*+<[^<>;*]*+\*)"
)
_NAME = late_pattern(rb"&?\s*([A-Za-z_]\w*)(?:\s*[\[+\-].*)?\Z", re.DOTALL)
_ALIAS = late_pattern(
    rb"\busing\s++([A-Za-z_]\w*+)\s*+=\s*+([^;{}()]++);|\btypedef\s++([^;{}()]*?)[\s&*]([A-Za-z_]\w*+)\s*+;"
)
_WORD = late_pattern(rb"[A-Za-z_]\w*+")
_PARAMETER = late_pattern(rb"\b(?:typename|class)\s+(?:\.\.\.\s*)?([A-Za-z_]\w*)\s*(?=[,>=])")
_STEPS = 4


def pointee(unit: Unit, argument: bytes, before: int) -> bytes:
    """The type that an argument points to: by the cast that it begins with, or by the last declaration of its name
    before an offset. Blanks within are single; empty where neither says it."""
    cast = _CAST.match(argument)
    if cast is not None:
        return b" ".join(cast[1].split())
    match = _NAME.match(argument)
    if match is None:
        return b""
    declarations = _declarations(unit).get(match[1], [])
    index = bisect_right(declarations, before, key=lambda each: each[0]) - 1
    return declarations[index][1] if index >= 0 else b""


def template_parameters(unit: Unit) -> frozenset[bytes]:
    """The names that templates of the file take types by."""
    if "template parameters" not in unit.memo:
        unit.memo["template parameters"] = frozenset(match[1] for match in _PARAMETER.finditer(unit.src))
    found: frozenset[bytes] = unit.memo["template parameters"]
    return found


def is_of_template(unit: Unit, name: bytes) -> bool:
    """Whether a type's name is a template's parameter, or an alias of something that depends on one."""
    return name in template_parameters(unit) or b"typename" in _WORD.findall(unaliased(unit, name))


def unaliased(unit: Unit, name: bytes) -> bytes:
    """What a name is an alias of in this file, one step or several; the name itself where it is none. A template's
    parameter in it reads ``typename``."""
    if "aliases" not in unit.memo:
        held = b"using" in unit.words or b"typedef" in unit.words
        unit.memo["aliases"] = {
            each[1] or each[4]: (each[2] or each[3]).strip() for each in (_ALIAS.finditer(unit.src) if held else ())
        }
    aliases: dict[bytes, bytes] = unit.memo["aliases"]
    for _ in range(_STEPS):
        if name not in aliases:
            break
        name = aliases[name]
    parameters = template_parameters(unit)
    return _WORD.sub(lambda word: b"typename" if word[0] in parameters else word[0], name)


def _declarations(unit: Unit) -> dict[bytes, list[tuple[int, bytes]]]:
    """For each name the places where it may be declared, and the type there; one pass for the whole file."""
    if "declarations" not in unit.memo:
        found: dict[bytes, list[tuple[int, bytes]]] = {}
        for each in _DECLARATION.finditer(unit.src):
            if each[1] not in _NO_TYPES:
                found.setdefault(each[2], []).append((each.start(), b" ".join(each[1].split())))
        for each in _DEDUCED.finditer(unit.src) if b"auto" in unit.words else ():
            cast = _CAST.match(each[2])
            if cast is not None:
                found.setdefault(each[1], []).append((each.start(), b" ".join(cast[1].split())))
                found[each[1]].sort()
        unit.memo["declarations"] = found
    kept: dict[bytes, list[tuple[int, bytes]]] = unit.memo["declarations"]
    return kept


_NO_TYPES = frozenset(
    (b"auto", b"return", b"else", b"case", b"const", b"typename", b"class", b"new", b"delete", b"goto")
)
