"""What two runs of a program did, compared: exit status, standard output and every launch with its arguments."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from musify_ai.backends.limits import Completed
from musify_ai.emulator.assumptions import OF_THE_ORIGINAL
from musify_ai.records import Buffer, Headline, Mutants
from musify_ai.verify.judging import ONLY_TRANSLATION
from musify_ai.verify.output import mask, passed_over, without_numbers

# How the device ends a launch that it cannot carry out: one that waits for the host, say, which waits for the launch.
_TELLS_NOTHING = frozenset(("time-limit", "deadlock", "unsupported", "host-call", "fault"))


class Launched(NamedTuple):
    """A launch as the log has it: the kernel without its template arguments, and everything else that must agree."""

    kernel: str
    facts: Mapping[str, Any]


class ProgramRun(NamedTuple):
    """What a program did; ``faults`` is what the device found fault with: the first message of each kind. ``reached``
    are the mutants in its text whose place it came to."""

    completed: Completed
    launches: tuple[Launched, ...]
    assumptions: tuple[str, ...] = ()
    unsupported: str = ""
    faults: Mapping[str, str] = MappingProxyType({})
    reached: tuple[int, ...] = ()


class Outcome(NamedTuple):
    """The comparison of two runs."""

    headline: Headline
    detail: str
    buffers: tuple[Buffer, ...]
    assumptions: tuple[str, ...] = ()
    mutants: Mutants | None = None


def unsteady(first: ProgramRun, second: ProgramRun) -> frozenset[int]:
    """The lines of an output, by index, that a program does not repeat when it is run again: times, mostly."""
    one, two = mask(first.completed.stdout), mask(second.completed.stdout)
    if len(one) != len(two):
        return frozenset()
    return frozenset(i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b)


def compare_runs(original: ProgramRun, translated: ProgramRun, open_lines: Collection[int] = frozenset()) -> Outcome:
    """The outcome of two runs. A program that launches nothing, or that the limits end, tells nothing.

    ``open_lines`` are lines of the output in which the numbers say nothing.
    """
    mine, theirs = original.completed, translated.completed
    if original.unsupported:
        return Outcome("not-checkable", original.unsupported, ())
    if mine.ended != "exit":
        return Outcome("not-checkable", f"the original: {mine.describe()}", ())
    if not original.launches:
        return Outcome("not-checkable", "the original launches no kernel with these arguments", ())
    unfinished = [each for each in original.launches if each.facts.get("reason") in _TELLS_NOTHING]
    if unfinished:
        why = unfinished[0].facts["reason"]
        return Outcome("not-checkable", f"the original's kernel {unfinished[0].kernel} does not end here: {why}", ())
    stubs = [each for each in translated.launches if each.facts.get("reason") == "stub"]
    if stubs:
        return Outcome("unchecked", f"{stubs[0].kernel} reaches what is left unsettled", ())
    if "stub" in translated.faults:
        return Outcome("unchecked", f"host code reaches what is left unsettled: {translated.faults['stub']}", ())
    lines, other = (without_numbers(each.stdout, open_lines) for each in (mine, theirs))
    buffers = (
        Buffer("exit status", 1, False, 0.0),
        Buffer("stdout", len(lines), bool(lines), 0.0),
        Buffer("launches", len(original.launches), True, 0.0),
    )
    first = first_launch(original.launches, translated.launches)
    if theirs.ended != "exit":
        where = f"; {first}" if first else ""
        return Outcome("differs", f"the translation: {theirs.describe()}{where}", buffers)
    if mine.code != theirs.code:
        where = f"; {first}" if first else ""
        return Outcome("differs", f"exit status {mine.code} became {theirs.code}{where}", buffers)
    if lines != other:
        at = next(
            (i for i, (a, b) in enumerate(zip(lines, other, strict=False)) if a != b), min(len(lines), len(other))
        )
        shown = [_line(each, at) for each in (lines, other)]
        where = f"; {first}" if first else ""
        return Outcome("differs", f"line {at + 1} of stdout: {shown[0]} became {shown[1]}{where}", buffers)
    if first:
        return Outcome("differs", first, buffers)
    new = [f"{kind}: {translated.faults[kind]}" for kind in sorted(translated.faults.keys() - original.faults.keys())]
    assumed = tuple(sorted({*translated.assumptions, *(OF_THE_ORIGINAL & set(original.assumptions))}))
    if new:
        return Outcome("equal-weak", f"{ONLY_TRANSLATION}{new[0]}", buffers, assumed)
    if assumed:
        rests = [f"rests on {', '.join(assumed)}", *passed_over(mine.stdout, theirs.stdout)]
        return Outcome("equal-assumed", "; ".join(rests), buffers, assumed)
    ended = [f"both end with exit status {mine.code}"] if mine.code else []
    return Outcome("equal-emulated", "; ".join([*ended, *passed_over(mine.stdout, theirs.stdout)]), buffers)


def _line(lines: Sequence[bytes], at: int) -> str:
    return repr(lines[at].decode("utf-8", "replace")[:120]) if at < len(lines) else "nothing"


def first_launch(mine: Sequence[Launched], theirs: Sequence[Launched]) -> str:
    """The first launch that differs and in what, in words; nothing where all are alike."""
    for number, (left, right) in enumerate(zip(mine, theirs, strict=False)):
        if left.kernel != right.kernel:
            return f"launch {number + 1} is of {left.kernel} in the original and of {right.kernel} in the translation"
        for key in sorted(left.facts.keys() | right.facts.keys()):
            if left.facts.get(key) != right.facts.get(key):
                return f"launch {number + 1} ({left.kernel}) differs in {key}"
    if len(mine) != len(theirs):
        return f"{len(mine)} launches became {len(theirs)}"
    return ""
