"""Which names that carry one of CUDA's words a project defines itself: only those are its own to rename."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.source.lexing import WORD_BYTES, Occurrence, occurrences
from musify_ai.source.patterns import late_pattern
from musify_ai.styles.parts import BRANDS, Wording
from musify_ai.translate.names.context import Role, role
from musify_ai.translate.names.platforms import OTHER_PLATFORMS, spans_elsewhere
from musify_ai.translate.names.scopes import Scopes
from musify_ai.translate.unit import Unit

_SCOPES = late_pattern(
    rb"\b(?:namespace|class|struct|union|enum|using|typename)\s+(?:\[\[[^\]]*\]\]\s*|__\w+__\s*(?:\([^()]*\)\s*)?|alignas\([^()]*\)\s*)*"
    rb"([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)"
)
_TYPEDEF = late_pattern(rb"\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;")
_NAMESPACES = late_pattern(rb"\bnamespace\s+((?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*)\s*\{")
_BLANKS = frozenset(b" \t\r\n\f\v")
_QUALIFIERS = frozenset((b"__restrict__", b"__restrict", b"const", b"volatile"))
_FOR = late_pattern(rb"\bfor\s*\([^;(){}]*\Z")
_ENDS = frozenset(b";=,[){(")
_DEFINING = frozenset((Role.MACRO, Role.DEFINITION, Role.DECLARATOR))


class Owned(NamedTuple):
    """What one file defines: names seen by themselves, names of members, and the scopes that may qualify others.

    ``pasted`` are its names and parts of names beside ``##``; ``kept`` those that stand where comments keep us out.
    """

    plain: frozenset[bytes]
    members: frozenset[bytes]
    scopes: frozenset[bytes]
    pasted: frozenset[bytes]
    kept: frozenset[bytes]


def brands_of(sources: Iterable[bytes], *, back: bool = False) -> frozenset[bytes]:
    """The brands for which some source has a namespace."""
    wanted = set(BRANDS.values() if back else BRANDS)
    found: set[bytes] = set()
    for src in sources:
        if wanted - found and any(brand in src for brand in wanted - found):
            for match in _NAMESPACES.finditer(src):
                found |= wanted & set(re.split(rb"\s*::\s*", match[1]))
    return frozenset(found)


def owned_in(unit: Unit, wording: Wording) -> Owned:
    """What a file defines of the names that the wording would change."""
    src = unit.src
    names = {word for word in unit.words if wording.renamed(word) != word}
    scopes = {part for match in _SCOPES.finditer(src) for part in re.split(rb"\s*::\s*", match[1])}
    scopes |= {match[1] for match in _TYPEDEF.finditer(src)} if b"typedef" in unit.words else set()
    plain: set[bytes] = set()
    members: set[bytes] = set()
    pasted: set[bytes] = set()
    kept: set[bytes] = set()
    spans = [(each.start, each.end) for each in unit.exclusions if not each.codes]
    elsewhere = spans_elsewhere(src, unit.directives) if unit.words & OTHER_PLATFORMS else []
    opened: Scopes | None = None
    for found in occurrences(src, names, known_regions=unit.regions) if names else ():
        if any(start <= found.start < end for start, end in spans):
            kept.add(found.name)
            continue
        if any(start <= found.start < end for start, end in elsewhere):
            continue  # what another platform's branch defines is not of this port
        kind = role(src, found, pasting=b"##" in src)
        if kind is Role.PASTED:
            pasted.add(found.name)
        elif kind is Role.MACRO or _is_switch(src, found):
            plain.add(found.name)
        elif found.name in plain and found.name in members:
            continue
        elif kind in _DEFINING or kind in (Role.PROTOTYPE, Role.ENUMERATOR) or _declares(src, found):
            opened = opened or Scopes(unit.tokens, unit.directives)
            scope = opened.at(found.start).kind
            if kind is Role.ENUMERATOR and scope not in ("enum", "enum-class"):
                continue
            if kind is Role.PROTOTYPE and scope != "record":
                continue
            if scope == "record":
                members.add(found.name)
            plain.add(found.name)
        elif _names_scope(src, found):
            plain.add(found.name)
    return Owned(frozenset(plain), frozenset(members), frozenset(scopes), frozenset(pasted), frozenset(kept))


def _is_switch(src: bytes, found: Occurrence) -> bool:
    """Whether a macro without a body is defined here (an include guard, a switch of the project's own)."""
    head = src[max(found.start - 40, 0) : found.start].rstrip(b" \t")
    return head.endswith(b"define") and head[: -len(b"define")].rstrip(b" \t").endswith(b"#")


def _declares(src: bytes, found: Occurrence) -> bool:
    """Whether a variable or parameter is declared behind ``*``, ``&`` or ``>``: by where the blanks stand, since
    ``float* x`` and ``a * x`` differ in nothing else; also a template's parameter."""
    start, end, _, floor = found
    after = end
    while after < len(src) and src[after] in _BLANKS:
        after += 1
    following = src[after] if after < len(src) else 0
    before = start - 1
    while before >= floor and src[before] in _BLANKS:
        before -= 1
    if before < floor:
        return False
    if src[before] in WORD_BYTES:
        begin = before
        while begin > floor and src[begin - 1] in WORD_BYTES:
            begin -= 1
        word = src[begin : before + 1]
        if word in _QUALIFIERS:  # `float* __restrict__ x`, `int const x`
            return following in _ENDS and following != 0x28 and src[after : after + 2] != b"=="
        if word in (b"typename", b"class"):
            return following in b",>="
        return _in_range_for(src, start, after)
    if src[before] in b"&*" and _in_range_for(src, start, after):
        return True
    if following not in _ENDS or src[after : after + 2] == b"==" or src[before] not in b"*&>":
        return False
    apart = before < start - 1
    first = before
    while first > floor and src[first - 1] in b"*&>":
        first -= 1
    joined = first > floor and src[first - 1] in WORD_BYTES
    if src[before] == 0x3E:
        return apart and joined
    return joined == apart


def _in_range_for(src: bytes, start: int, after: int) -> bool:
    """Whether a name is what ``for (auto& name : list)`` declares."""
    return (
        src[after : after + 1] == b":"
        and src[after : after + 2] != b"::"
        and _FOR.search(src, max(start - 120, 0), start) is not None
    )


def _names_scope(src: bytes, found: Occurrence) -> bool:
    """Whether ``namespace a::name {`` defines it."""
    head = src[max(found.start - 80, found.floor) : found.start]
    match = re.search(rb"\bnamespace\s+(?:\w+\s*::\s*)*\Z", head)
    tail = src[found.end : found.end + 80].lstrip()
    return match is not None and (tail.startswith((b"{", b"::", b"=")))
