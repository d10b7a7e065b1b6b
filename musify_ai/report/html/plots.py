"""Small pictures in SVG, drawn from records alone: shares as a bar, and where a buffer's elements differ."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from musify_ai.report.html.visible import attribute, visible

_WIDTH = 560
# What the checker says of a difference (the phrase is its own; a phrase that reads otherwise has no picture).
_DIFFERENCE = re.compile(
    r"(?P<buffer>\S+) differs?: element (?P<first>\d+) is (?P<was>.+?) in the original and (?P<became>.+?) in the"
    r" translation; (?P<differing>\d+) of (?P<elements>\d+) elements differ, worst error (?P<worst>[^\s,(]+)"
    r"(?:, (?P<pattern>[^(]+?))?(?: \(|$)"
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
    """The buffer as a strip from its first element to its last: the first place that differs, and how much does.

    Only what is recorded is drawn: the first place, the share, and the lanes or the whole where the pattern says so.
    """
    elements = max(found.elements, 1)
    share = found.differing / elements
    label = (
        f"{found.differing:,} of {found.elements:,} elements of {found.buffer} differ, the first at {found.first:,}"
        + (f"; {found.pattern}" if found.pattern else "")
    )
    x = 1 + (_WIDTH - 2) * found.first / elements
    parts = [f'<rect class="s0" x="0" y="18" width="{_WIDTH}" height="16" rx="2"/>']
    if share >= 1:
        parts.append(f'<rect class="s1" x="0" y="18" width="{_WIDTH}" height="16" rx="2"/>')
    parts.append(f'<path class="s2" d="M{x:.1f} 14v24"/>')
    anchor = "start" if x < _WIDTH * 0.7 else "end"
    parts.append(f'<text x="{x + (4 if anchor == "start" else -4):.1f}" y="11" text-anchor="{anchor}">')
    parts.append(f"first: element {found.first:,}</text>")
    parts.append(
        f'<text x="0" y="50">0</text><text x="{_WIDTH}" y="50" text-anchor="end">{found.elements - 1:,}</text>'
    )
    height = 54
    lanes = _lanes(found.pattern)
    if lanes:
        height = 92
        parts.append(_lane_map(*lanes))
    return Markup(  # noqa: S704
        f'<svg class="where" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{attribute(label)}">'
        + "".join(parts)
        + "</svg>"
    )


def _lanes(pattern: str) -> tuple[int, int] | None:
    """The lanes that a pattern names, of 128."""
    if found := re.search(r"lanes (\d+) and up", pattern):
        return int(found[1]), 128
    if found := re.search(r"lanes below (\d+)", pattern):
        return 0, int(found[1])
    return None


def _lane_map(first: int, last: int) -> str:
    cell = _WIDTH / 128
    on = f'<rect class="s1" x="{first * cell:.1f}" y="62" width="{(last - first) * cell:.1f}" height="10"/>'
    ticks = "".join(f'<text x="{lane * cell:.1f}" y="86">lane {lane}</text>' for lane in (0, 32, 64, 96))
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
