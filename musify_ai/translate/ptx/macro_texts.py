"""The texts that an ``asm`` statement can have where macros of its file take part in them.

A macro without parameters stands for one of its definitions in the file (``#if`` may choose), a parameter of the macro
that the statement is in, stringised or not, for what the file's uses of that macro give it. Where another file could
give it something else (the macro is neither undefined again nor in a source file), nothing is known.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from musify_ai.source.tokens import Token, split_arguments
from musify_ai.translate.unit import Unit

_MOST = 16
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")


class Macro(NamedTuple):
    """One definition: its parameters (``None`` for none at all) and the tokens that it stands for."""

    start: int
    parameters: tuple[bytes, ...] | None
    body: list[Token]


def possible_texts(unit: Unit, toks: list[Token]) -> list[list[Token]] | None:
    """The string literals that the tokens of a text can stand for, each possibility in order without doubles; ``None``
    where a macro is not known."""
    choices: list[list[list[Token]]] = []
    position = 0
    while position < len(toks):
        token = toks[position]
        if token.kind == "string":
            choices.append([[token]])
        elif token.text == b"#" and position + 1 < len(toks):
            position += 1
            given = _known(unit, toks[position])
            if given is None:
                return None
            quoted = {b'"' + b"".join(each.text for each in value) + b'"' for value in given}
            choices.append([[token._replace(kind="string", text=text)] for text in sorted(quoted)])
        elif token.kind == "identifier":
            texts = _object(unit, token) or _argument(unit, token)
            if not texts:
                return None
            choices.append(texts)
        else:
            return None
        position += 1
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST:
        return None
    found: dict[tuple[bytes, ...], list[Token]] = {}
    for chosen in product(*choices):
        literals = [token for part in chosen for token in part]
        found.setdefault(tuple(token.text for token in literals), literals)
    return list(found.values())


def macros_of(unit: Unit) -> dict[bytes, list[Macro]]:
    """The macros of a file by name, each with all of its definitions."""
    if "asm macros" not in unit.memo:
        found: dict[bytes, list[Macro]] = {}
        toks = unit.tokens
        for directive in unit.directives:
            if directive.keyword != b"define":
                continue
            hash_ = unit.token_index(directive.start)
            index = last = hash_ + 2
            if hash_ < 0 or index >= len(toks):
                continue
            while last < len(toks) and toks[last].start < directive.end:
                last += 1
            if index + 1 < last and toks[index + 1].text == b"(" and toks[index + 1].start == toks[index].end:
                closed = unit.partners.get(index + 1, -1)
                names = tuple(each.text for each in toks[index + 2 : closed] if each.kind == "identifier")
                macro = Macro(directive.start, names, toks[closed + 1 : last])
            else:
                macro = Macro(directive.start, None, toks[index + 1 : last])
            found.setdefault(toks[index].text, []).append(macro)
        unit.memo["asm macros"] = found
    macros: dict[bytes, list[Macro]] = unit.memo["asm macros"]
    return macros


def _owners(unit: Unit) -> dict[int, bytes]:
    """The macro that each definition defines, by where it starts."""
    if "asm owners" not in unit.memo:
        unit.memo["asm owners"] = {each.start: name for name, found in macros_of(unit).items() for each in found}
    owners: dict[int, bytes] = unit.memo["asm owners"]
    return owners


def _uses(unit: Unit) -> dict[bytes, list[int]]:
    """Where each macro of the file stands with arguments, by token."""
    if "asm uses" not in unit.memo:
        toks, macros = unit.tokens, macros_of(unit)
        found: dict[bytes, list[int]] = {}
        for index, token in enumerate(toks[:-1]):
            if token.text in macros and token.kind == "identifier" and toks[index + 1].text == b"(":
                found.setdefault(token.text, []).append(index)
        unit.memo["asm uses"] = found
    uses: dict[bytes, list[int]] = unit.memo["asm uses"]
    return uses


def _named_by(unit: Unit, keyword: bytes) -> set[bytes]:
    """The names that a kind of directive speaks of."""
    key = f"asm names {keyword!r}"
    if key not in unit.memo:
        unit.memo[key] = {
            words[0]
            for each in unit.directives
            if each.keyword == keyword and (words := unit.src[each.argument_start : each.end].split())
        }
    names: set[bytes] = unit.memo[key]
    return names


def _object(unit: Unit, token: Token) -> list[list[Token]] | None:
    """What a macro without parameters can stand for: string literals only."""
    definitions = macros_of(unit).get(token.text, [])
    if not definitions or token.text in _named_by(unit, b"ifndef"):
        return None
    if any(each.parameters is not None or not each.body for each in definitions):
        return None
    if any(part.kind != "string" for each in definitions for part in each.body):
        return None
    return [each.body for each in definitions]


def _argument(unit: Unit, token: Token) -> list[list[Token]] | None:
    """What a parameter can stand for in the place of a literal."""
    given = _known(unit, token)
    if given is None or any(part.kind != "string" for value in given for part in value):
        return None
    return given


def _known(unit: Unit, token: Token) -> list[list[Token]] | None:
    """What a parameter is given, looked for once for each macro."""
    directive = unit.directive_at(token.start)
    if directive is None:
        return None
    known: dict[tuple[int, bytes], list[list[Token]] | None] = unit.memo.setdefault("asm arguments", {})
    key = (directive.start, token.text)
    if key not in known:
        known[key] = _given(unit, token, set())
    return known[key]


def _given(unit: Unit, token: Token, seen: set[tuple[int, bytes]]) -> list[list[Token]] | None:
    """What the file's uses of a macro give to one of its parameters; ``None`` where not all of it is known."""
    directive = unit.directive_at(token.start)
    if directive is None or (directive.start, token.text) in seen:
        return None
    seen.add((directive.start, token.text))
    owner = _owners(unit).get(directive.start, b"")
    definitions = macros_of(unit).get(owner, [])
    if not definitions or any(each.parameters is None or token.text not in each.parameters for each in definitions):
        return None
    if not unit.path.endswith(_SOURCES) and owner not in _named_by(unit, b"undef"):
        return None
    places = {each.parameters.index(token.text) for each in definitions if each.parameters is not None}
    if len(places) != 1:
        return None
    place = next(iter(places))
    toks = unit.tokens
    values: list[list[Token]] = []
    for index in _uses(unit).get(owner, []):
        inside = unit.directive_at(toks[index].start)
        if inside is not None and any(each.start == inside.start for each in definitions):
            continue
        closed = unit.partners.get(index + 1)
        pieces = [] if closed is None else list(split_arguments(toks, index + 2, closed))
        if place >= len(pieces):
            return None
        value = toks[slice(*pieces[place])]
        if inside is not None and len(value) == 1 and value[0].kind == "identifier":
            further = _given(unit, value[0], seen)
            if further is None:
                return None
            values += further
        else:
            values.append(value)
    return values or None
