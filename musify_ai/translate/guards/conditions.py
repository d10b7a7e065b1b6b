"""How a macro is used in a preprocessor condition: tested for being defined, compared with a number, or otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from musify_ai.source.directives import Conditional, Directive
from musify_ai.source.tokens import Token, tokens
from musify_ai.translate.unit import Unit

UseKind = Literal["defined", "truth", "compare", "other"]

CONDITIONS = frozenset((b"if", b"elif", b"ifdef", b"ifndef", b"elifdef", b"elifndef"))
_NAME_ONLY = frozenset((b"ifdef", b"ifndef", b"elifdef", b"elifndef"))
_MIRRORED = {b">=": b"<=", b"<=": b">=", b">": b"<", b"<": b">", b"==": b"==", b"!=": b"!="}
_BEFORE = frozenset((b"(", b"&&", b"||", b"?", b":"))
_AFTER = frozenset((b")", b"&&", b"||", b"?", b":"))
_BEFORE_IN_CODE = _BEFORE | {b"=", b",", b";", b"{"}
_AFTER_IN_CODE = _AFTER | {b";", b",", b"{", b"}"}


class Use(NamedTuple):
    """One use of a macro in a condition.

    ``[start, end)`` spans the whole test: ``defined(X)``, ``X >= 800``, or the bare name. ``name_start`` is the
    macro's own place. A comparison reads as ``macro operator value`` even where it was written the other way round;
    ``value_span`` is where the number stands.
    """

    kind: UseKind
    start: int
    end: int
    name_start: int
    name_end: int
    operator: bytes = b""
    value: int = 0
    value_span: tuple[int, int] = (0, 0)

    @property
    def threshold(self) -> int | None:
        """The least value for which an ordering comparison changes its answer; ``None`` for any other use."""
        if self.kind != "compare":
            return None
        if self.operator in (b">=", b"<"):
            return self.value
        if self.operator in (b">", b"<="):
            return self.value + 1
        return None


def integer(text: bytes) -> int | None:
    """The value of an integer literal, suffixes and digit separators allowed."""
    digits = text.replace(b"'", b"").rstrip(b"uUlLzZ").lower()
    try:
        if len(digits) > 1 and digits[:1] == b"0" and digits.isdigit():
            return int(digits, 8)
        return int(digits, 0) if b"_" not in digits else None
    except ValueError:
        return None


def directive_tokens(unit: Unit, directive: Directive) -> list[Token]:
    """The tokens of a directive's argument."""
    return tokens(unit.src, directive.argument_start, directive.end)


def uses(unit: Unit, directive: Directive, name: bytes) -> list[Use]:
    """Every use of a macro in a condition's expression, in order."""
    if directive.keyword not in CONDITIONS or unit.src.find(name, directive.argument_start, directive.end) < 0:
        return []
    toks = directive_tokens(unit, directive)
    found = []
    for index, token in enumerate(toks):
        if token.text == name:
            if directive.keyword in _NAME_ONLY:
                kind: UseKind = "defined" if index == 0 else "other"
                found.append(Use(kind, token.start, token.end, token.start, token.end))
            else:
                found.append(_use(toks, index))
    return found


def _text(toks: list[Token], index: int) -> bytes:
    return toks[index].text if 0 <= index < len(toks) else b""


def _use(toks: list[Token], index: int, *, in_code: bool = False) -> Use:
    token = toks[index]
    first = last = index
    if _text(toks, index - 1) == b"defined":
        return Use("defined", toks[index - 1].start, token.end, token.start, token.end)
    if (_text(toks, index - 2), _text(toks, index - 1), _text(toks, index + 1)) == (b"defined", b"(", b")"):
        return Use("defined", toks[index - 2].start, toks[index + 1].end, token.start, token.end)
    other = Use("other", token.start, token.end, token.start, token.end)
    # Parentheses about the bare name; those of a call are not.
    while _text(toks, first - 1) == b"(" and _text(toks, last + 1) == b")":
        if first >= 2 and toks[first - 2].kind == "identifier":
            return other
        first, last = first - 1, last + 1
    before, after = _text(toks, first - 1), _text(toks, last + 1)
    if after in _MIRRORED:
        # `!X >= 800` compares `!X`, so neither a bang nor any other operator may stand before.
        value = integer(_text(toks, last + 2))
        if value is not None and _opens(toks, first - 1, in_code) and _closes(toks, last + 3, in_code):
            number = toks[last + 2]
            return Use(
                "compare",
                toks[first].start,
                number.end,
                token.start,
                token.end,
                after,
                value,
                (number.start, number.end),
            )
        return other
    if before in _MIRRORED:
        value = integer(_text(toks, first - 2))
        if value is not None and _opens(toks, first - 3, in_code) and _closes(toks, last + 1, in_code):
            number = toks[first - 2]
            return Use(
                "compare",
                number.start,
                toks[last].end,
                token.start,
                token.end,
                _MIRRORED[before],
                value,
                (number.start, number.end),
            )
        return other
    if (before == b"!" or _opens(toks, first - 1, in_code)) and _closes(toks, last + 1, in_code):
        return Use("truth", token.start, token.end, token.start, token.end)
    return other


def _opens(toks: list[Token], index: int, in_code: bool) -> bool:
    """Whether an operand may begin after this token: before the first one, or after an opening or a weak operator.
    In code and in a macro's body a word may stand there too (``return``, the macro's own name)."""
    if index < 0:
        return True
    return (
        toks[index].text in _BEFORE_IN_CODE or toks[index].kind == "identifier"
        if in_code
        else (toks[index].text in _BEFORE)
    )


def _closes(toks: list[Token], index: int, in_code: bool) -> bool:
    return index >= len(toks) or toks[index].text in (_AFTER_IN_CODE if in_code else _AFTER)


def chains(unit: Unit, name: bytes) -> Iterator[tuple[Conditional, list[tuple[Directive, list[Use]]]]]:
    """The conditionals that use a macro in any of their conditions, with the uses by directive."""
    for conditional in unit.conditionals:
        held = [(branch.directive, uses(unit, branch.directive, name)) for branch in conditional.branches]
        held = [(directive, found) for directive, found in held if found]
        if held:
            yield conditional, held


def chain_span(unit: Unit, conditional: Conditional) -> tuple[int, int]:
    """All bytes that a conditional governs, its own lines included."""
    end = conditional.endif.end if conditional.endif is not None else len(unit.src)
    return conditional.branches[0].directive.start, end


def expression_span(unit: Unit, directive: Directive) -> tuple[int, int]:
    """The bytes of a condition's expression, without the blanks and comments around it."""
    toks = directive_tokens(unit, directive)
    return (toks[0].start, toks[-1].end) if toks else (directive.start, directive.end)


def compared(unit: Unit, offset: int) -> Use | None:
    """The comparison with a number that a macro standing at an offset in code or in a macro's body takes part in."""
    directive = unit.directive_at(offset)
    start, end = (directive.argument_start, directive.end) if directive else (max(offset - 200, 0), offset + 200)
    middle = unit.token_index(offset)
    if middle < 0:
        return None
    first = max(middle - 6, 0)
    window = [token for token in unit.tokens[first : middle + 7] if start <= token.start and token.end <= end]
    index = next((i for i, token in enumerate(window) if token.start == offset), -1)
    use = _use(window, index, in_code=True) if index >= 0 else None
    return use if use is not None and use.kind == "compare" else None
