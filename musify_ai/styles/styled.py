"""A file's edits and findings in the style that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from musify_ai.records import Edit, Finding, Grade, Options
from musify_ai.styles.plan import Plan

if TYPE_CHECKING:
    from musify_ai.translate import Surroundings

_NO_PLAN = Plan()


class Use(NamedTuple):
    """A name or an include token that stays as it is, at bytes ``[start, end)``, and what it stands for on MUSA."""

    start: int
    end: int
    old: bytes
    new: bytes
    is_header: bool
    evidence: Grade


class Styled(NamedTuple):
    """`translate`'s answer in a style. ``uses`` are what is left to aliases, in order; ``owned`` the names of the
    table that the file defines itself, in any scope."""

    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    excluded: tuple[tuple[int, int], ...] = ()
    uses: tuple[Use, ...] = ()
    owned: frozenset[bytes] = frozenset()


def translate_in_style(
    src: bytes,
    path: str,
    options: Options | None = None,
    surroundings: Surroundings | None = None,
    plan: Plan | None = None,
) -> Styled:
    """The edits and findings of one file in the style of ``options``; never raises for what the file holds.

    ``surroundings`` and ``plan`` are what the run knows of the project. Without a plan a file is taken for a whole
    project.
    """
    from musify_ai.translate import translate

    options = options or Options()
    plan = plan or _NO_PLAN
    translation = translate(src, path, options, surroundings)
    if options.style == "tokens":
        return Styled(translation.edits, translation.findings, translation.excluded)
    if options.style == "rebrand":
        from musify_ai.styles.rebrand import rebranded

        return rebranded(translation, src, path, options, plan)
    from musify_ai.styles.alias import aliased

    styled = aliased(translation, src, path, options, plan)
    if options.style == "dual":
        from musify_ai.styles.dual import doubled

        return doubled(styled, src, path, options)
    return styled
