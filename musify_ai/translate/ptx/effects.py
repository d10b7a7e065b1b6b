"""What reading an operand of ``asm`` does besides, and what else may change it.

``asm`` reads each operand once, all of them before its first instruction. C++ that reads an operand twice, later, or
perhaps not at all has the same meaning only where that makes no difference.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.ptx.macro_texts import macros_of
from musify_ai.translate.unit import Unit

_ASSIGNMENTS = (b"=", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>=")
_IMPURE = frozenset((b"(", b"{", *_ASSIGNMENTS))
_NO_CALLS = frozenset((b"sizeof", b"alignof", b"decltype", b"static_cast", b"reinterpret_cast", b"const_cast"))
_TYPE_WORDS = frozenset(
    (
        b"int",
        b"unsigned",
        b"long",
        b"short",
        b"char",
        b"float",
        b"double",
        b"uint32_t",
        b"uint64_t",
        b"int32_t",
        b"int64_t",
    )
)
_SHARED_BY = frozenset((b"volatile", b"__volatile__", b"__shared__", b"__device__", b"__constant__", b"__managed__"))
_ENDS = frozenset((b";", b"=", b",", b")", b"(", b"[", b"{", b"}"))
_POINTER_QUALIFIERS = frozenset((b"const", b"__restrict__", b"__restrict", b"volatile"))
_DEEPEST = 4
_BUILT_IN = late_pattern(r"(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]\Z")
_CONSTANT = late_pattern(r"-?\s*\d\w*\Z")
_WORD = late_pattern(r"[A-Za-z_$][\w$]*")


def is_repeatable(unit: Unit, inner: list[Token]) -> bool:
    """Whether an operand is made of names, members, elements, arithmetic and casts only, none of them volatile."""
    for body in _macro_bodies(unit, inner, 0):
        if not _is_pure(body):
            return False
    watched = _declared_by(unit, frozenset((b"volatile",)))
    if any(token.text == b"volatile" or token.text in watched for token in inner):
        return False
    return _is_pure(inner)


def effect_of(unit: Unit, inner: list[Token]) -> Literal["", "call", "change"]:
    """What evaluating an operand does besides: intrinsics (``__cvta_generic_to_shared``) and casts do nothing."""
    parts = [inner, *_macro_bodies(unit, inner, 0)]
    if any(token.text in _ASSIGNMENTS for part in parts for token in part):
        return "change"
    calls = any(
        following.text == b"("
        and token.kind == "identifier"
        and not token.text.startswith(b"__")
        and token.text not in _NO_CALLS
        for part in parts
        for token, following in pairwise(part)
    )
    return "call" if calls else ""


def is_exposed(unit: Unit, text: str) -> bool:
    """Whether other code (a store, another thread behind a barrier, a function) can change what an operand reads:
    anything but constants and the plain variables of a function whose address nobody takes."""
    if _CONSTANT.match(text) or _BUILT_IN.match(text):
        return False
    return not text.isidentifier() or text.encode("latin-1") in _exposed_names(unit)


def may_be_changed_by(unit: Unit, text: str, call: str) -> bool:
    """Whether a call in one operand may change what another reads: it is given it, or it is in memory."""
    words = set(_WORD.findall(text))
    return bool(
        words & set(_WORD.findall(call))
        or re.search(r"\[|->|(?:^|[(,=+\-/%|<>!~?:])\s*\*", text)
        or any(word.encode("latin-1") in _exposed_names(unit) for word in words)
    )


def is_pointer(unit: Unit, text: str) -> bool:
    """Whether an operand is a variable that the file declares as a pointer (``a * b`` counts: a cast to the type that a
    variable has does nothing)."""
    if "pointers" not in unit.memo:
        toks = unit.tokens
        found: set[bytes] = set()
        for index, token in enumerate(toks):
            if token.text != b"*":
                continue
            position = index + 1
            while position < len(toks) and toks[position].text in _POINTER_QUALIFIERS:
                position += 1
            if position < len(toks) and toks[position].kind == "identifier":
                found.add(toks[position].text)
        references = {
            following.text
            for token, following in pairwise(toks)
            if token.text == b"&" and following.kind == "identifier"
        }
        unit.memo["pointers"] = found - references
    pointers: set[bytes] = unit.memo["pointers"]
    return text.isidentifier() and text.encode("latin-1") in pointers


def _is_pure(inner: list[Token]) -> bool:
    if not any(token.text in _IMPURE for token in inner):
        return True
    if any(token.text in _ASSIGNMENTS or token.text == b"{" for token in inner):
        return False
    casts = any(token.text in _NO_CALLS for token in inner)
    for position, (before, token) in enumerate(pairwise(inner)):
        if token.text != b"(":
            continue
        if before.kind == "identifier" and before.text not in _NO_CALLS:
            return False
        if before.text == b"]" or (before.text == b">" and not casts):
            return False
        # `(T*)(x)` is a cast, `(f)(x)` a call.
        if before.text == b")" and inner[position - 1].text not in (b"*", b"&", *_TYPE_WORDS):
            return False
    return True


def _macro_bodies(unit: Unit, inner: list[Token], depth: int) -> list[list[Token]]:
    """What the macros of the file that stand in an operand stand for, those within them too."""
    if depth > _DEEPEST:
        return []
    macros = macros_of(unit)
    bodies = [each.body for token in inner if token.kind == "identifier" for each in macros.get(token.text, [])]
    return [*bodies, *(further for body in bodies for further in _macro_bodies(unit, body, depth + 1))]


def _declared_by(unit: Unit, qualifiers: frozenset[bytes]) -> set[bytes]:
    """The last name of each declaration that begins with some qualifiers."""
    key = f"declared by {min(qualifiers)!r}"
    if key not in unit.memo:
        found: set[bytes] = set()
        toks = unit.tokens
        for index, token in enumerate(toks):
            if token.text not in qualifiers:
                continue
            position, name = index + 1, b""
            while position < len(toks):
                if toks[position].kind == "identifier":
                    name = toks[position].text
                elif toks[position].text in _ENDS:
                    if name:
                        found.add(name)
                    # Other names may follow in one declaration of shared variables.
                    if token.text != b"__shared__" or toks[position].text not in (b",", b"["):
                        break
                    position = unit.partners.get(position, position)
                position += 1
        unit.memo[key] = found
    names: set[bytes] = unit.memo[key]
    return names


def _exposed_names(unit: Unit) -> set[bytes]:
    """The names of what more than one piece of code can reach: references, what has its address taken, what is
    shared, global or volatile."""
    if "exposed names" not in unit.memo:
        toks = unit.tokens
        behind = {
            following.text
            for token, following in pairwise(toks)
            if token.text in (b"&", b"&&") and following.kind == "identifier"
        }
        unit.memo["exposed names"] = behind | _declared_by(unit, _SHARED_BY)
    names: set[bytes] = unit.memo["exposed names"]
    return names
