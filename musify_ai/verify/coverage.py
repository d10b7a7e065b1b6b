"""How much of a kernel's code its runs reached, from the places that both sides noted, and what that leaves unshown.

A way out of a condition that no run takes is shown by nothing. Where its text is the original's, names of the vendor's
apart, little is lost; where it is not, a fault in it would pass, whatever the share of lines. So the first kind counts
by lines, the second always.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from musify_ai.records import Coverage
from musify_ai.source import blank
from musify_ai.verify.branches import Place, Span, Watched, neutral

ENOUGH = 0.75
"""The share of lines below which a verdict says little."""
_SHOWN = 4


class Gap(NamedTuple):
    """A way that no run took: out of which place, whether it is that of what holds, the bytes that were not run."""

    place: Place
    held: bool
    unrun: Span


def covered(watched: tuple[Watched | None, Watched | None], seen: tuple[frozenset[int], frozenset[int]]) -> tuple[
    Coverage | None, list[str]
]:  # fmt: skip
    """The coverage of a translation and the reasons for which its verdict says less; ``watched`` and ``seen`` are the
    original's and the translation's. Without notes in the translation nothing is known."""
    mine, theirs = watched
    if theirs is None or not seen[1]:
        return None, []
    gaps = list(gaps_in(theirs, seen[1]))
    left_out = list(gaps_in(mine, seen[0])) if mine is not None and seen[0] else []
    coverage = _counted(theirs, seen[1], gaps)
    reasons = []
    if mine is not None:
        new = _changed(theirs, gaps, mine)
        gone = _changed(mine, left_out, theirs)
        if new:
            reasons.append(f"not reached, and other than in the original: {_listed(theirs, new)}")
        elif gone:
            reasons.append(f"not reached in the original, and other in the translation: {_listed(mine, gone)}")
    if coverage.lines_reached < ENOUGH * coverage.lines:
        with_lines = [gap for gap in gaps if gap.unrun.end] or gaps
        reasons.append(
            f"{coverage.lines_reached} of {coverage.lines} lines are reached; not {_listed(theirs, with_lines)}"
        )
    return coverage, reasons


def gaps_in(watched: Watched, seen: Collection[int]) -> Iterator[Gap]:
    """The ways that were not taken out of what was come to, outermost ones: what they hold is not told again."""
    switches = [place for place in watched.places if place.kind == "switch"]
    for place in watched.places:
        number = place.number
        if place.kind in ("condition", "loop"):
            failed, held, fixed = (each in seen for each in (number, number + 1, number + 2))
            if fixed or not (failed or held):
                continue
            if not held:
                yield Gap(place, True, place.held)
            if not failed:
                yield Gap(place, False, place.failed)
        elif place.kind == "case" and number not in seen:
            around = [each for each in switches if each.path == place.path and _holds(each.held, place.when)]
            inner = max(around, key=lambda each: each.held.start, default=None)
            if inner is not None and inner.number in seen and inner.number + 2 not in seen:
                yield Gap(place, True, place.held)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _counted(watched: Watched, seen: Collection[int], gaps: Collection[Gap]) -> Coverage:
    entered: dict[str, set[int]] = {}
    without: dict[str, set[int]] = {}
    branches = 0
    for place in watched.places:
        src, number = watched.sources[place.path], place.number
        if place.kind == "function" and number in seen:
            entered.setdefault(place.path, set()).update(_lines(src, place.held))
        elif place.kind in ("condition", "loop") and (number in seen or number + 1 in seen):
            if number + 2 not in seen:
                branches += 2
            elif not (number in seen and number + 1 in seen):
                span = place.failed if number + 1 in seen else place.held
                without.setdefault(place.path, set()).update(_lines(src, span))
        elif place.kind == "case" and number in seen:
            branches += 1
    branches += sum(gap.place.kind == "case" for gap in gaps)
    missed: dict[str, set[int]] = {}
    for gap in gaps:
        missed.setdefault(gap.place.path, set()).update(_lines(watched.sources[gap.place.path], gap.unrun))
    lines = {path: found - without.get(path, set()) for path, found in entered.items()}
    reached = {path: found - missed.get(path, set()) for path, found in lines.items()}
    ordered = sorted(gaps, key=lambda gap: (gap.place.path, gap.place.when.start))
    return Coverage(
        lines=sum(map(len, lines.values())), lines_reached=sum(map(len, reached.values())), branches=branches,
        branches_reached=branches - len(gaps), unreached=tuple(_described(watched, gap) for gap in ordered),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _starts(src: bytes) -> tuple[tuple[int, int], ...]:
    """Where the code of each line begins and ends; (0, 0) for one that has none but braces. Lines that the
    preprocessor leaves out count like those around them."""
    out, at = [], 0
    for line in blank(src).split(b"\n"):
        code = line.strip()
        first = at + len(line) - len(line.lstrip())
        out.append((first, at + len(line.rstrip())) if code.strip(b"{}();") else (0, 0))
        at += len(line) + 1
    return tuple(out)


def _lines(src: bytes, span: Span) -> set[int]:
    """The lines, from 1, all of whose code lies in a span."""
    if not span.end:
        return set()
    starts = _starts(src)
    first = src.count(b"\n", 0, span.start)
    last = first + src.count(b"\n", span.start, span.end)
    return {
        number + 1
        for number in range(first, min(last + 1, len(starts)))
        if starts[number][1] and span.start <= starts[number][0] and starts[number][1] <= span.end
    }


def _changed(watched: Watched, gaps: Collection[Gap], other: Watched) -> list[Gap]:
    """Those gaps whose text, condition and unrun code, is nowhere on the other side."""
    texts = {_text(other.sources, gap) for place in other.places for gap in _ways(place)} if gaps else set()
    return [gap for gap in gaps if _text(watched.sources, gap) not in texts]


def _ways(place: Place) -> tuple[Gap, ...]:
    if place.kind in ("function", "switch"):
        return ()
    return Gap(place, True, place.held), Gap(place, False, place.failed)


def _text(sources: Mapping[str, bytes], gap: Gap) -> tuple[object, ...]:
    src = sources[gap.place.path]
    return gap.place.kind, gap.held, neutral(src, gap.place.when), neutral(src, gap.unrun)


def _listed(watched: Watched, gaps: Collection[Gap]) -> str:
    texts = [_described(watched, gap) for gap in gaps]
    return ", ".join(texts[:_SHOWN]) + (f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else "")


def _described(watched: Watched, gap: Gap) -> str:
    """A gap in words: the lines, and what would lead there."""
    src = watched.sources[gap.place.path]
    when = " ".join(src[gap.place.when.start : gap.place.when.end].decode("utf-8", "replace").split())
    when = when if len(when) <= 60 else f"{when[:57]}..."
    span = gap.unrun if gap.unrun.end else gap.place.when
    found = sorted(_lines(src, span)) or [src.count(b"\n", 0, span.start) + 1]
    where = f"{gap.place.path}:{found[0]}" + (f"-{found[-1]}" if found[-1] > found[0] else "")
    if gap.place.kind == "case":
        return f"{where} ({when})"
    return f"{where} ({when} {'never' if gap.held else 'always'} holds)"
