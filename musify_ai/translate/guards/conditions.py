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


def _use(toks: list[Token], index: int) -> Use:
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
        # `!X >= 800` compares `!X`, so the minus or bang may not stand before; nor may any other operator.
        value = integer(_text(toks, last + 2))
        if value is not None and (first == 0 or before in _BEFORE) and _closes(toks, last + 3):
            return Use(
                "compare",
                toks[first].start,
                toks[last + 2].end,
                token.start,
                token.end,
                after,
                value,
                (toks[last + 2].start, toks[last + 2].end),
            )
        return other
    if before in _MIRRORED:
        value = integer(_text(toks, first - 2))
        if value is not None and (first == 2 or _text(toks, first - 3) in _BEFORE) and _closes(toks, last + 1):
            return Use(
                "compare",
                toks[first - 2].start,
                toks[last].end,
                token.start,
                token.end,
                _MIRRORED[before],
                value,
                (toks[first - 2].start, toks[first - 2].end),
            )
        return other
    if (first == 0 or before in _BEFORE or before == b"!") and _closes(toks, last + 1):
        return Use("truth", token.start, token.end, token.start, token.end)
    return other


def _closes(toks: list[Token], index: int) -> bool:
    return index >= len(toks) or toks[index].text in _AFTER


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
