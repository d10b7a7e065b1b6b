"""Whether a check that found a kernel equal would have found it different, had it been."""

import re
from collections.abc import Callable, Collection, Sequence

from musify_ai.records import Mutants
from musify_ai.verify.mutation.trying import SITES, MutatedUnit, Tried, of_launch, same_as
from musify_ai.verify.mutation.writing import described
from musify_ai.verify.results import SideRuns
from musify_ai.verify.running import Section, plan_of, read_runs
from musify_ai.verify.unshown import Text, unshown

_LOOP = re.compile(rb"\b(?:for|while)\b")

MOST_COMPARED = 24
"""Survivors whose code is compared with that of no mutant; each takes a compilation."""


class Toothless(Exception):
    """Nothing can be said of a kernel's mutants: they do not build, or the text with them means something else."""


def look(
    mutated: MutatedUnit, kernel: str, functions: Collection[bytes], code: bytes, sections: Sequence[Section],
    lanes: int, names: Sequence[str], expected: SideRuns, excused: Collection[str] = (),
) -> Mutants:  # fmt: skip
    """What becomes of a kernel's mutants under the sections that it was compared with.

    ``functions`` are the base names of the kernel and of what it reaches, ``code`` their text, ``names`` its slots',
    ``expected`` what the same sections gave without mutants in the text,
    ``excused`` descriptions of mutants that mean the same. Raises `Toothless`.
    """
    if mutated.built is None:
        raise Toothless(mutated.failure)
    lines, tried = mutated.run(plan_of(lanes, kernel, sections))
    if not same_as(read_runs(lines).cases, expected.cases):
        raise Toothless("the text with mutants in it means something else even where none is chosen")
    own = [
        each
        for each in tried
        if each.number >= SITES
        or (each.number in mutated.numbered and mutated.numbered[each.number].function in functions)
    ]
    if not own:
        raise Toothless("there is nothing to mutate")
    living = [each for each in own if not each.killed]
    by_text = [each for each in living if each.number < SITES and _refused_by_text(mutated, each.number)]
    rest = [each for each in living if each not in by_text]
    compared = [each.number for each in rest if each.number < SITES][:MOST_COMPARED]
    equal = mutated.equivalent(compared)
    rest = [each for each in rest if each.number not in equal and not _any_launch_does(each, code)]
    text = _describer(mutated, names)
    pardoned = [each for each in rest if any(text(each).endswith(words) for words in excused)]
    rest = [each for each in rest if each not in pardoned]
    return Mutants(
        made=len(own),
        killed=sum(each.killed for each in own),
        by_text=len(by_text),
        equivalent=len(living) - len(by_text) - len(rest) - len(pardoned),
        excused=tuple(map(text, pardoned)),
        unreached=tuple(text(each) for each in rest if not each.reached),
        survivors=tuple(text(each) for each in rest if each.reached),
    )


def weak_because(mutants: Mutants) -> str:
    """Why a verdict says little, for its mutants; empty where it does not."""
    parts = []
    if mutants.survivors:
        parts.append(f"{len(mutants.survivors)} of {mutants.made} mutants survive ({_some(mutants.survivors)})")
    if mutants.unreached:
        parts.append(f"{len(mutants.unreached)} of {mutants.made} places are not reached ({_some(mutants.unreached)})")
    return "; ".join(parts)


def _some(texts: Sequence[str]) -> str:
    return ", ".join(texts[:3]) + (", ..." if len(texts) > 3 else "")


def _refused_by_text(mutated: MutatedUnit, number: int) -> bool:
    """Whether a translation without this would be refused for having less of it, whatever its runs give."""
    path, site = mutated.numbered[number].path, mutated.numbered[number].site
    if site.kind not in ("barrier", "atomic"):
        return False
    text = mutated.unit.sources[path][site.start : site.end]
    return bool(unshown(Text(text, text), Text(b"", b"")))


def _any_launch_does(tried: Tried, code: bytes) -> bool:
    """Whether a launch's mutant is none: a kernel that goes over its work by the size of the launch takes any."""
    if tried.number not in (SITES + 1, SITES + 2):
        return False
    return (b"gridDim" if tried.number == SITES + 1 else b"blockDim") in code and _LOOP.search(code) is not None


def _describer(mutated: MutatedUnit, names: Sequence[str]) -> Callable[[Tried], str]:
    def text(tried: Tried) -> str:
        if tried.number >= SITES:
            return of_launch(tried.number, names)
        return described(mutated.numbered, tried.number, mutated.unit)

    return text
