"""``asm`` statements as C++ writes them: qualifiers, text, operands with their constraints, clobbers."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token, split_arguments
from musify_ai.translate.ptx.effects import effect_of, is_repeatable
from musify_ai.translate.ptx.macro_texts import possible_texts
from musify_ai.translate.unit import Unit

KEYWORDS = frozenset((b"asm", b"__asm__", b"__asm"))
_QUALIFIERS = frozenset((b"volatile", b"__volatile__", b"__volatile", b"inline", b"__inline__", b"goto"))
_ESCAPE = late_pattern(r"\\(?:([abfnrtv\\'\"?])|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|\r?\n)")
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_STRING = late_pattern(r'(?:u8|[uUL])?(R)?"(.*)"\Z', re.DOTALL)

POINTER = "pointer"
"""The constraint of an operand for which a macro chooses ``"l"`` or ``"r"``, by the width of pointers."""
# Macros of published libraries that do so, defined in a header of their own.
_POINTER_MACROS = frozenset((b"_CUB_ASM_PTR_", b"_CCCL_ASM_PTR_", b"_THRUST_ASM_PTR_"))


class Operand(NamedTuple):
    """One operand: its constraint, its source text, and whether reading it twice is as good as reading it once.

    ``effect`` is ``change`` where it assigns to something (``i++``), ``call`` where it calls a function of the
    project, else empty: what decides whether the order of the operands matters.
    """

    constraint: str
    text: str
    repeatable: bool
    name: str = ""
    effect: Literal["", "call", "change"] = ""


class AsmStatement(NamedTuple):
    """One ``asm`` statement with its closing semicolon, where it has one.

    ``template`` is the decoded text, ``None`` where a macro takes part in it. ``problem`` says why the statement
    cannot be read any further, empty where it can. ``fragments`` is what literals its text holds, macros left out.
    ``alternatives`` are the texts among which macros of the file choose, the first of them ``template``.
    """

    start: int
    end: int
    volatile: bool
    template: str | None
    outputs: tuple[Operand, ...]
    inputs: tuple[Operand, ...]
    clobbers: tuple[str, ...]
    in_macro: bool
    terminated: bool
    basic: bool
    problem: str = ""
    fragments: str = ""
    alternatives: tuple[str, ...] = ()

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Outputs, then inputs: the order in which ``%0``, ``%1`` ... count."""
        return self.outputs + self.inputs


def asm_statements(unit: Unit) -> list[AsmStatement]:
    """The ``asm`` statements of a file in order, those in macro bodies included."""
    if "asm statements" not in unit.memo:
        toks = unit.tokens
        unit.memo["asm statements"] = [
            statement
            for index, token in enumerate(toks)
            if token.text in KEYWORDS and (statement := _statement(unit, index)) is not None
        ]
    found: list[AsmStatement] = unit.memo["asm statements"]
    return found


def _statement(unit: Unit, index: int) -> AsmStatement | None:
    toks = unit.tokens
    position = index + 1
    qualifiers = set()
    while position < len(toks) and toks[position].text in _QUALIFIERS:
        qualifiers.add(toks[position].text.strip(b"_"))
        position += 1
    if position >= len(toks) or toks[position].text != b"(":
        return _for_a_macro(unit, index, position)
    closed = unit.partners.get(position)
    directive = unit.directive_at(toks[index].start)
    in_macro = directive is not None
    if closed is None or (directive is not None and toks[closed].end > directive.end):
        literals = [token for token in toks[position + 1 : position + 2] if token.kind == "string"]
        return AsmStatement(
            toks[index].start,
            literals[-1].end if literals else toks[position].end,
            True,
            None,
            (),
            (),
            (),
            in_macro,
            False,
            False,
            "its parentheses do not match",
            _template(literals) or "",
        )
    terminated = (
        closed + 1 < len(toks)
        and toks[closed + 1].text == b";"
        and (directive is None or toks[closed + 1].start < directive.end)
    )
    end = toks[closed + 1].end if terminated else toks[closed].end
    sections = _sections(toks, position + 1, closed)
    text = toks[slice(*sections[0])]
    template = _template(text)
    fragments = _template([token for token in text if token.kind == "string"]) or ""
    alternatives: tuple[str, ...] = ()
    if template is None and (possible := possible_texts(unit, text)):
        alternatives = tuple(decoded for each in possible if (decoded := _template(each)) is not None)
        template = alternatives[0] if len(alternatives) == len(possible) else None
    volatile = b"volatile" in qualifiers or len(sections) < 2 or sections[1][0] == sections[1][1]
    problem = "it jumps to labels" if b"goto" in qualifiers or len(sections) > 4 else ""
    operand_lists: list[tuple[Operand, ...]] = []
    for section in sections[1:3]:
        pieces = [part for piece in split_arguments(toks, *section) for part in _apart(unit, toks, *piece)]
        operands = [_operand(unit, toks, *piece) for piece in pieces]
        if any(each is None for each in operands):
            problem = problem or "its operands could not be read"
        operand_lists.append(tuple(each for each in operands if each is not None))
    operand_lists += [()] * (2 - len(operand_lists))
    clobbers: list[str] = []
    if len(sections) > 3:
        for piece in split_arguments(toks, *sections[3]):
            clobber = _template(toks[slice(*piece)])
            if clobber is None:
                problem = problem or "its clobbers could not be read"
            else:
                clobbers.append(clobber)
    return AsmStatement(
        toks[index].start,
        end,
        volatile,
        template,
        operand_lists[0],
        operand_lists[1],
        tuple(clobbers),
        in_macro,
        terminated,
        len(sections) == 1,
        problem,
        fragments,
        alternatives if template is not None else (),
    )


def _for_a_macro(unit: Unit, index: int, position: int) -> AsmStatement | None:
    """``asm`` that only becomes a statement with what a macro adds: ``#define A asm``, ``asm QUALIFIER (...)``."""
    toks = unit.tokens
    directive = unit.directive_at(toks[index].start)
    following = toks[position] if position < len(toks) else None
    if following is not None and (directive is None or following.start < directive.end):
        if following.kind != "identifier" or directive is not None:
            return None
    elif directive is None or directive.keyword != b"define" or toks[index - 1].text in KEYWORDS:
        return None
    end = toks[position - 1].end if directive is not None or following is None else following.end
    return AsmStatement(toks[index].start, end, True, None, (), (), (), directive is not None, False, False, _BY_MACRO)


_BY_MACRO = "a macro makes the statement out of it"


def _sections(toks: list[Token], start: int, end: int) -> list[tuple[int, int]]:
    """Token ranges between the colons at the top level; ``::`` is two of them."""
    found, depth, begin = [], 0, start
    for position in range(start, end):
        text = toks[position].text
        if toks[position].kind != "punct":
            continue
        if text in (b"(", b"[", b"{"):
            depth += 1
        elif text in (b")", b"]", b"}"):
            depth -= 1
        elif depth == 0 and text in (b":", b"::"):
            found.append((begin, position))
            begin = position + 1
            if text == b"::":
                found.append((begin, begin))
    found.append((begin, end))
    return found


def _template(toks: list[Token]) -> str | None:
    """Adjacent string literals joined and decoded; ``None`` where anything else stands among them."""
    if not toks or any(token.kind != "string" for token in toks):
        return None
    parts = []
    for token in toks:
        match = _STRING.match(token.text.decode("latin-1"))
        if match is None:
            return None
        raw, text = match[1], match[2]
        if raw:
            text = text[text.index("(") + 1 : text.rindex(")")] if "(" in text and ")" in text else text
        else:
            text = _ESCAPE.sub(_unescaped, text)
        parts.append(text)
    return "".join(parts)


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return _SIMPLE.get(match[1], match[1])
    if match[2]:
        return chr(int(match[2], 16))
    if match[3]:
        return chr(int(match[3], 8) & 0xFF)
    return ""


def _operand(unit: Unit, toks: list[Token], start: int, end: int) -> Operand | None:
    name = ""
    if end - start >= 3 and toks[start].text == b"[" and toks[start + 2].text == b"]":
        name = toks[start + 1].text.decode("latin-1")
        start += 3
    opener = next((position for position in range(start, end) if toks[position].text == b"("), -1)
    if opener < 0 or unit.partners.get(opener) != end - 1 or opener + 1 == end - 1:
        return None
    constraint = _template(toks[start:opener])
    if constraint is None and opener - start == 1:
        constraint = _by_macro(unit, toks[start].text)
    if constraint is None:
        return None
    inner = toks[opener + 1 : end - 1]
    # Comments and line splices between the tokens of an operand are left behind; blanks are kept as one.
    text = bytearray()
    for before, token in zip([None, *inner], inner, strict=False):
        if before is not None and token.start > before.end:
            text += b" "
        text += token.text
    directive = unit.directive_at(inner[0].start)
    repeatable = directive is None and is_repeatable(unit, inner)
    if directive is not None and any(token.text in (b"#", b"##") for token in inner):
        return None
    return Operand(constraint.strip(), text.decode("latin-1"), repeatable, name, effect_of(unit, inner))


def _apart(unit: Unit, toks: list[Token], start: int, end: int) -> list[tuple[int, int]]:
    """The operands of a piece: nvcc takes several without a comma between them."""
    found, begin, position = [], start, start
    while position < end:
        if toks[position].text == b"(" and position in unit.partners:
            position = unit.partners[position]
            if position + 1 < end and toks[position + 1].kind == "string":
                found.append((begin, position + 1))
                begin = position + 1
        position += 1
    return [*found, (begin, end)]


def _by_macro(unit: Unit, name: bytes) -> str | None:
    """The constraint that a macro of this file, or of a library that is known, stands for."""
    if "constraint macros" not in unit.memo:
        found: dict[bytes, set[bytes]] = {}
        for each in unit.directives:
            if each.keyword == b"define":
                words = unit.src[each.argument_start : each.end].split()
                if len(words) == 2:
                    found.setdefault(words[0], set()).add(words[1])
        unit.memo["constraint macros"] = found
    macros: dict[bytes, set[bytes]] = unit.memo["constraint macros"]
    texts = macros.get(name, set())
    if (not texts and name in _POINTER_MACROS) or texts == {b'"l"', b'"r"'}:
        return POINTER
    return next(iter(texts)).decode("latin-1").strip('"') if len(texts) == 1 else None
