"""What the facts settle of ``__CUDA_ARCH__``: which conditional blocks can be carried over, and which cannot."""

from __future__ import annotations

from typing import Literal, NamedTuple

from musify_ai.records import Edit
from musify_ai.source.directives import Directive
from musify_ai.translate.guards.conditions import Use, chain_span, chains
from musify_ai.translate.unit import Unit

CUDA_ARCH = b"__CUDA_ARCH__"
MUSA_ARCH = b"__MUSA_ARCH__"

SETTLED = {800: 220, 900: 310}
"""Thresholds with a known counterpart: sm_80 features against mp_22, sm_90 features against mp_31."""

Settlement = Literal["device-pass", "settled", "exact", "open"]


class ArchChain(NamedTuple):
    """A conditional that asks for ``__CUDA_ARCH__``.

    ``device-pass``: it asks only whether the macro is defined or not zero. ``settled``: each threshold has a
    counterpart. ``exact``: one asks for equality with an arch, which is a guess at best. ``open``: something in it
    has no counterpart, so the chain is left whole: half a chain renamed chooses a branch nobody wrote.
    """

    uses: list[tuple[Directive, list[Use]]]
    settlement: Settlement
    start: int
    end: int


def arch_chains(unit: Unit) -> list[ArchChain]:
    """The conditionals that ask for ``__CUDA_ARCH__``, judged."""
    if "arch chains" not in unit.memo:
        unit.memo["arch chains"] = [
            ArchChain(held, _judge([use for _, found in held for use in found]), *chain_span(unit, conditional))
            for conditional, held in chains(unit, CUDA_ARCH)
        ]
    found: list[ArchChain] = unit.memo["arch chains"]
    return found


def set_in_file(unit: Unit) -> bool:
    """Whether the file, or one it includes, defines or undefines ``__CUDA_ARCH__``: what it asks for is then not what
    a compiler defines, in the host pass least of all."""
    return bool(unit.surroundings.sets_arch) or any(
        line.keyword in (b"define", b"undef")
        and unit.src[line.argument_start : line.end].split(None, 1)[:1] == [CUDA_ARCH]
        for line in unit.directives
    )


def _judge(found: list[Use]) -> Settlement:
    kinds = {_kind(use) for use in found}
    for settlement in ("open", "exact", "settled"):
        if settlement in kinds:
            return settlement
    return "device-pass"


def _kind(use: Use) -> Settlement:
    if use.kind in ("defined", "truth") or asks_for_zero(use):
        return "device-pass"
    if use.kind != "compare":
        return "open"
    if use.threshold is None:
        return "exact" if use.value in SETTLED else "open"
    return "settled" if use.threshold in SETTLED else "open"


def asks_for_zero(use: Use) -> bool:
    """Whether a comparison only tells zero (host pass, undefined) from not zero: the same on any arch."""
    if use.kind != "compare":
        return False
    return use.threshold == 1 or (use.threshold is None and use.value == 0)


def carried_over(unit: Unit, use: Use) -> Edit | None:
    """A use with macro and number replaced together, ``None`` where the facts do not settle it.

    Blanks, comments and the order of the operands stay as written.
    """
    pieces = [(use.name_start, use.name_end, MUSA_ARCH)]
    if use.kind == "compare" and not asks_for_zero(use):
        threshold = use.value if use.threshold is None else use.threshold
        if threshold not in SETTLED:
            return None
        number = SETTLED[threshold] + use.value - threshold
        pieces.append((*use.value_span, str(number).encode("ascii")))
    elif use.kind == "other":
        return None
    start = min(piece[0] for piece in pieces)
    end = max(piece[1] for piece in pieces)
    new, position = b"", start
    for piece_start, piece_end, text in sorted(pieces):
        new += unit.src[position:piece_start] + text
        position = piece_end
    return Edit(start, end, unit.src[start:end], new, "", "rule")


def whole_directive(unit: Unit, found: list[Use]) -> Edit | None:
    """All uses of one directive carried over as one edit, so that no half of it is ever applied."""
    edits = [carried_over(unit, use) for use in found]
    parts = sorted(edit for edit in edits if edit is not None)
    if not parts or len(parts) != len(found):
        return None
    start, end = parts[0].start, parts[-1].end
    new, position = b"", start
    for part in parts:
        new += unit.src[position : part.start] + part.new
        position = part.end
    return Edit(start, end, unit.src[start:end], new, "", "rule")
