"""Which branch of a conditional nvcc takes and which mcc, where it asks both for the GPU's compiler and for clang."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from musify_ai.source.directives import Branch, Conditional
from musify_ai.translate.guards.conditions import CONDITIONS
from musify_ai.translate.guards.evaluation import condition_value
from musify_ai.translate.unit import Unit

CLANG = b"__clang__"
ASKED = frozenset((b"__CUDACC__", b"__NVCC__"))
_NVCC: Mapping[bytes, int] = {b"__CUDACC__": 1, b"__NVCC__": 1}
_CLANG_MACROS = frozenset((CLANG, b"__clang_major__", b"__clang_minor__"))
_MAJOR = 14  # of the clang that mcc is


class Parted(NamedTuple):
    """A conditional whose branch for nvcc is not its branch for mcc: the place that asks for clang, and the lines of
    both branches (0 for none)."""

    start: int
    end: int
    with_nvcc: int
    with_mcc: int


def parted(unit: Unit, kept: Collection[int]) -> Iterator[Parted]:
    """The conditionals that nvcc, with gcc as the host's compiler, and mcc answer differently, because mcc is clang.

    Looked at are those that ask for clang and for nvcc, and those that ask for clang where nvcc has been asked for.
    ``kept`` are the places of the tests that are not renamed, so that mcc answers no.
    """
    asking = {
        line.start: found.start
        for found in reversed(unit.occurrences((CLANG,)))
        if (line := unit.directive_at(found.start)) is not None
    }
    if not asking:
        return
    left = frozenset(found.name for found in unit.occurrences(ASKED) if found.start in kept)
    nvcc_lines, clang_cuda_lines = _lines_naming(unit, ASKED), _lines_naming(unit, (b"__CUDA__",))
    with_mcc = {**dict.fromkeys(ASKED - left, 1), CLANG: 1, b"__clang_major__": _MAJOR, b"__clang_minor__": 0}
    for conditional in unit.conditionals:
        lines = [branch.directive for branch in conditional.branches]
        starts = {line.start for line in lines}
        here = next((asking[line.start] for line in lines if line.start in asking), None)
        if here is None or starts & clang_cuda_lines or not _asks(unit, conditional, nvcc_lines):
            continue
        for others in (0, 1):
            nvcc = _chosen(unit, conditional, _NVCC, _CLANG_MACROS, others)
            mcc = _chosen(unit, conditional, with_mcc, left, others)
            if nvcc != mcc and "unknown" not in (nvcc, mcc):
                yield Parted(here, here + len(CLANG), _line(unit, nvcc), _line(unit, mcc))
                break


def _lines_naming(unit: Unit, names: Collection[bytes]) -> set[int]:
    """Where the directives begin that name one of some macros."""
    return {line.start for found in unit.occurrences(names) if (line := unit.directive_at(found.start)) is not None}


def _asks(unit: Unit, conditional: Conditional, nvcc_lines: set[int]) -> bool:
    """Whether a conditional asks for nvcc itself, or stands where that was asked and answered with yes."""
    if any(branch.directive.start in nvcc_lines for branch in conditional.branches):
        return True
    place, parent = conditional.branches[0].directive.start, conditional.parent
    while parent >= 0:
        around = unit.conditionals[parent]
        if any(branch.directive.start in nvcc_lines for branch in around.branches):
            chosen = _chosen(unit, around, _NVCC, _CLANG_MACROS, 1)
            return isinstance(chosen, Branch) and chosen.body_start <= place < chosen.body_end
        place, parent = around.branches[0].directive.start, around.parent
    return False


def _chosen(
    unit: Unit, conditional: Conditional, known: Mapping[bytes, int], undefined: Collection[bytes], others: int
) -> Branch | str:
    """The branch that is built, ``"none"`` or ``"unknown"``, where macros that nothing is known of are ``others``."""
    for branch in conditional.branches:
        if branch.directive.keyword not in CONDITIONS:
            return branch
        value = condition_value(unit, branch.directive, undefined, known=known, others=others)
        if value is None:
            return "unknown"
        if value:
            return branch
    return "none"


def _line(unit: Unit, chosen: Branch | str) -> int:
    return unit.lines.line_of(chosen.directive.start) if isinstance(chosen, Branch) else 0
