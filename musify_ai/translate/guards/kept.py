"""Macros that are kept verbatim and reported: where they stand, and which branch MUSA then takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from musify_ai.records import Finding
from musify_ai.rules import load
from musify_ai.source.directives import Directive
from musify_ai.source.positions import Lines
from musify_ai.translate.guards.conditions import CONDITIONS, expression_span, uses
from musify_ai.translate.guards.evaluation import condition_value
from musify_ai.translate.unit import Unit


def kept_macros(
    unit: Unit,
    names: Collection[bytes],
    code: str,
    reason: str,
    *,
    but: Callable[[Unit, Directive], bool] = lambda unit, directive: False,
    gone: Sequence[tuple[int, int]] = (),
    answered: Collection[int] = (),
) -> Iterator[Finding]:
    """A finding for each condition, macro body or piece of code that names one of some macros which mcc leaves
    undefined, or may leave so where a name is published: ``but`` for some conditions, for code in the spans that are
    ``gone``, and for uses that begin where one has been ``answered``. ``reason`` goes into each message. Macros that
    the file itself defines get a note."""
    names = frozenset(names)
    for start, end, name, _ in unit.occurrences(names & unit.macros):
        shown = name.decode("ascii")
        fallback = _is_fallback(unit, start, name)
        text = f"this file sets {shown} itself" + (
            " where nothing else does: under mcc that is always, while CUDA's headers gave another value before."
            if fallback
            else ", and mcc defines none: what is asked of it is answered as the file says."
        )
        yield Finding(code, "warning" if fallback else "note", start, end, text, name=shown)
    ours = names - unit.macros
    renamed = load("main", unit.options.sdk, unit.options.overlay, unit.options.rules).names
    lines = Lines(unit.src)
    seen: set[int] = set()
    places = [
        (found, unit.directive_at(found.start)) for found in unit.occurrences(ours) if found.start not in answered
    ]
    last = {line.start: found.end for found, line in places if line is not None}
    for (start, end, name, _), directive in places:
        shown = name.decode("ascii")
        if directive is None:
            if any(low <= start < high for low, high in gone):
                continue
            yield Finding(
                code,
                "error",
                start,
                end,
                f"{shown} is not defined on MUSA, so this does not build as it stands. {reason}",
                settled=False,
                name=shown,
            )
        elif (line := lines.line_of(start) if directive.keyword == b"define" else directive.start) not in seen:
            seen.add(line)
            if directive.keyword in CONDITIONS:
                if but(unit, directive):
                    continue
                begin, stop = expression_span(unit, directive)
                taken = _taken(unit, directive, ours, lines)
                new = renamed.get(name, b"").decode("ascii", "replace")
                text = (
                    f"{shown} became {new}, and nothing public says when mcc defines that. Where it does not, it reads "
                    f"as 0 in a condition, {taken}. {reason}"
                    if new
                    else f"{shown} is not defined on MUSA and reads as 0 in a condition, {taken}. Kept as it was. "
                    f"{reason}"
                )
                yield Finding(code, "warning", begin, stop, text, name=shown)
            elif directive.keyword != b"undef":
                # One finding speaks for all of them that the macro's body names.
                yield Finding(
                    code,
                    "warning",
                    start,
                    last[directive.start],
                    f"{shown} is not defined on MUSA: whatever uses this macro sees 0 in a condition and does not "
                    f"build in code. Kept as it was. {reason}",
                    name=shown,
                )


def _is_fallback(unit: Unit, offset: int, name: bytes) -> bool:
    """Whether a macro is defined here only where a condition has asked for that macro."""
    directive = unit.directive_at(offset)
    if directive is None or directive.keyword != b"define":
        return False
    return any(
        branch.body_start <= offset < branch.body_end and uses(unit, branch.directive, name)
        for conditional in unit.conditionals
        for branch in conditional.branches
    )


def _taken(unit: Unit, directive: Directive, undefined: Collection[bytes], lines: Lines) -> str:
    value = condition_value(unit, directive, undefined)
    if value is None:
        return "so what this condition yields depends on the rest of it"
    if value:
        return "so this condition holds and its branch is built"
    following = _following(unit).get(directive.start)
    if following is not None:
        word = following.keyword.decode("ascii", "replace")
        return f"so this condition is false and the #{word} in line {lines.line_of(following.start)} follows"
    return "so this condition is false and its branch is left out"


def _following(unit: Unit) -> dict[int, Directive]:
    """For each branch of a conditional, by the start of its line, the line of the next branch."""
    if "following branches" not in unit.memo:
        unit.memo["following branches"] = {
            before.directive.start: after.directive
            for conditional in unit.conditionals
            for before, after in pairwise(conditional.branches)
        }
    found: dict[int, Directive] = unit.memo["following branches"]
    return found
