"""Small pictures in SVG, drawn from records alone: shares as a bar, and where a buffer's elements differ."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from musify_ai.report.html.visible import attribute, visible

_WIDTH = 560
# What the checker says of a difference; a phrase that reads otherwise has no picture, and stands as text.
_DIFFERENCE = re.compile(
    r"(?P<buffer>\S+) differs?: element (?P<first>\d+) is (?P<was>.+?) in the original and (?P<became>.+?) in the"
    r" translation; (?P<differing>\d+) of (?P<elements>\d+) elements differ, worst error (?P<worst>[^\s,(]+)"
    r"(?:, (?P<pattern>.+?))?(?: \((?:[^()]*\bseed\b[^()]*)\))?$",
    re.DOTALL,
)
_RUNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], tuple[int, int, int]]], ...] = (
    (re.compile(r"every element\b"), lambda found, last: (0, last, 1)),
    (re.compile(r"only element (\d+)"), lambda found, last: (int(found[1]), int(found[1]), 1)),
    (re.compile(r"from element (\d+) on"), lambda found, last: (int(found[1]), last, 1)),
    (re.compile(r"the first (\d+) elements"), lambda found, last: (0, int(found[1]) - 1, 1)),
    (re.compile(r"elements (\d+) to (\d+)"), lambda found, last: (int(found[1]), int(found[2]), 1)),
    (re.compile(r"only even elements"), lambda found, last: (0, last, 2)),
    (re.compile(r"only odd elements"), lambda found, last: (1, last, 2)),
    (
        re.compile(r"every (\d+)(?:st|nd|rd|th) element(?: from element (\d+) on)?(?: up to element (\d+))?$"),
        lambda found, last: (int(found[2] or 0), int(found[3] or last), int(found[1])),
    ),
)
_WARPS: tuple[tuple[re.Pattern[str], Callable[[int, int], tuple[int, int]]], ...] = (
    (re.compile(r"lanes (\d+) and up(?: of each warp of (\d+))?"), lambda n, warp: (n, warp)),
    (re.compile(r"lanes below (\d+)(?: of each warp of (\d+))?"), lambda n, warp: (0, n)),
    (re.compile(r"the ()upper half of each warp of (\d+)"), lambda n, warp: (warp // 2, warp)),
    (re.compile(r"the ()lower half of each warp of (\d+)"), lambda n, warp: (0, warp // 2)),
    (re.compile(r"the ()first lane of each warp of (\d+)"), lambda n, warp: (0, 1)),
    (re.compile(r"the ()last lane of each warp of (\d+)"), lambda n, warp: (warp - 1, warp)),
)


class Difference(NamedTuple):
    """Where the sides of a kernel part: buffer, first element, both values there, how many of how many elements,
    the worst error, and what the differing elements have in common (empty where nothing was noticed)."""

    buffer: str
    first: int
    was: str
    became: str
    differing: int
    elements: int
    worst: str
    pattern: str


def difference(detail: str) -> Difference | None:
    """The difference that an evidence row's detail tells of, None where it tells of none."""
    found = _DIFFERENCE.search(detail)
    if found is None:
        return None
    return Difference(
        found["buffer"],
        int(found["first"]),
        found["was"],
        found["became"],
        int(found["differing"]),
        int(found["elements"]),
        found["worst"],
        found["pattern"] or "",
    )


def where(found: Difference) -> Markup:
    """The buffer as a strip from its first element to its last, with the elements that differ as far as they are known.

    Drawn is only what is recorded: the first place, and runs, steps and lanes where the pattern names them.
    """
    label = (
        f"{found.differing:,} of {found.elements:,} elements of {found.buffer} differ, the first at {found.first:,}"
        + (f"; {found.pattern}" if found.pattern else "")
    )
    parts = [f'<rect class="s0" x="0" y="18" width="{_WIDTH}" height="16" rx="2"/>', *_runs(found)]
    x = 1 + (_WIDTH - 2) * found.first / max(found.elements, 1)
    anchor, shift = ("start", 4) if x < _WIDTH * 0.7 else ("end", -4)
    parts.append(f'<path class="s2" d="M{x:.1f} 14v24"/>')
    parts.append(f'<text x="{x + shift:.1f}" y="11" text-anchor="{anchor}">first: element {found.first:,}</text>')
    parts.append(f'<text x="0" y="50">0</text><text x="{_WIDTH}" y="50" text-anchor="end">')
    parts.append(f"{found.elements - 1:,}</text>")
    lanes = _lanes(found.pattern)
    parts.append(_lane_map(*lanes) if lanes else "")
    return Markup(  # noqa: S704
        f'<svg class="where" viewBox="0 0 {_WIDTH} {92 if lanes else 54}" role="img" aria-label="{attribute(label)}">'
        + "".join(parts)
        + "</svg>"
    )


def _runs(found: Difference) -> list[str]:
    """The elements that a pattern names outright, as boxes: a run, or each so-many-th one (a tint where they are too
    close to be told apart)."""
    last = found.elements - 1
    for phrase, span in _RUNS:
        match = phrase.match(found.pattern)
        if match is None:
            continue
        begin, end, step = span(match, last)
        if not 0 <= begin <= end <= last or step < 1:
            return []
        scale = _WIDTH / found.elements
        if step > 1 and scale * step >= 3:
            starts = range(begin, end + 1, step)
            return [_box("s1", at * scale, max(1.0, scale)) for at in starts]
        return [_box("s1" if step == 1 else "s1 tint", begin * scale, max(1.5, (end - begin + 1) * scale))]
    return []


def _box(kind: str, x: float, width: float) -> str:
    return f'<rect class="{kind}" x="{x:.2f}" y="18" width="{width:.2f}" height="16"/>'


def _lanes(pattern: str) -> tuple[int, int, int] | None:
    """The lanes that a pattern names, from and up to, and the width of the warp."""
    for phrase, span in _WARPS:
        if match := phrase.search(pattern):
            warp = int(match[2] or 128)
            return (*span(int(match[1] or 0), warp), warp)
    return None


def _lane_map(first: int, last: int, warp: int) -> str:
    cell = _WIDTH / warp
    on = f'<rect class="s1" x="{first * cell:.1f}" y="62" width="{(last - first) * cell:.1f}" height="10"/>'
    ticks = "".join(f'<text x="{lane * cell:.1f}" y="86">lane {lane}</text>' for lane in range(0, warp, warp // 4))
    return f'<rect class="s0" x="0" y="62" width="{_WIDTH}" height="10"/>{on}{ticks}'


def bar(parts: Sequence[tuple[str, int, str]]) -> Markup:
    """Shares of a whole: name, number and CSS class of each. Nothing where there is nothing to share."""
    total = sum(number for _, number, _ in parts)
    if not total:
        return Markup("")
    out, x = [], 0.0
    # A share too small to see is drawn two units wide: none of them may vanish.
    widths = [max(2.0, number / total * 400) if number else 0.0 for _, number, _ in parts]
    scale = 400 / sum(widths)
    for (name, number, kind), wide in zip(parts, widths, strict=True):
        if number:
            width = wide * scale
            out.append(
                f'<rect class="{kind}" x="{x:.2f}" width="{width:.2f}" height="10"><title>{number:,}'
                f" {visible(name)}</title></rect>"
            )
            x += width
    said = ", ".join(f"{number:,} {name}" for name, number, _ in parts if number)
    return Markup(  # noqa: S704
        f'<svg class="bar" viewBox="0 0 400 10" preserveAspectRatio="none" role="img" aria-label="{attribute(said)}">'
        + "".join(out)
        + "</svg>"
    )
