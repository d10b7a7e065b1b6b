"""An assessment as one HTML page: the sentences first, then bars that can be compared."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from musify_ai.report.assess.figures import Assessment, Library
from musify_ai.report.assess.hours import DAY, Hours
from musify_ai.report.assess.telling import UNCERTAIN, sentences, share, step_name
from musify_ai.report.html.page import environment
from musify_ai.report.html.visible import attribute

TEMPLATE = "assess.html.j2"
_COLUMNS = ("seen", "table", "derived", "unproven", "none")
# Hard files and files of a step that are on the page; the JSON has all.
_FILES, _A_STEP = 200, 60


class Step(NamedTuple):
    """A step of the order of work: its name, its first files, and how many it has."""

    name: str
    files: Sequence[Any]
    number: int


def render(found: Assessment) -> str:
    """The page."""
    last = max((number for number, _ in found.steps), default=0)
    most = max((library.uses for library in found.libraries), default=1)
    longest = max((row.hours.high for row in found.constructs), default=1.0)
    hardest = max((each.hours.high for each in found.work), default=1.0)
    text: str = (
        environment()
        .get_template(TEMPLATE)
        .render(
            found=found,
            lead=sentences(found),
            uncertain=UNCERTAIN,
            libraries=[(library, _shares(library, most)) for library in found.libraries],
            columns=_COLUMNS,
            open=[(row, _range(row.hours, longest)) for row in found.constructs if row.open],
            settled=[row for row in found.constructs if not row.open],
            work=[(each, _range(each.hours, hardest)) for each in found.work[:_FILES]],
            steps=[Step(step_name(number, last), files[:_A_STEP], len(files)) for number, files in found.steps],
            share=share,
        )
    )
    return text


def _shares(library: Library, most: int) -> Markup:
    """The uses of a library as a bar as long as they are many (by square root, so that small ones can be seen)."""
    length = 320 * (library.uses / most) ** 0.5
    x, out = 0.0, []
    for name in _COLUMNS:
        number = getattr(library, name)
        if number:
            width = max(1.5, length * number / library.uses)
            out.append(f'<rect class="{name}" x="{x:.1f}" width="{width:.1f}" height="12"/>')
            x += width
    said = ", ".join(f"{getattr(library, name):,} {name}" for name in _COLUMNS if getattr(library, name))
    return _svg(said, "".join(out))


def _range(hours: Hours, longest: float) -> Markup:
    """A range of hours as a bar: what is at least, and from there to what is at most (by square root)."""
    low, high = (320 * (each / longest) ** 0.5 if longest else 0 for each in hours)
    return _svg(
        f"{hours.low:.1f} to {hours.high:.1f} hours, {hours.high / DAY:.1f} days at most",
        f'<rect class="most" width="{max(high, 1.5):.1f}" height="12"/>'
        f'<rect class="least" width="{low:.1f}" height="12"/>',
    )


def _svg(said: str, drawn: str) -> Markup:
    label = attribute(said)
    return Markup(  # noqa: S704
        f'<svg class="length" viewBox="0 0 324 12" role="img" aria-label="{label}"><title>{label}</title>{drawn}</svg>'
    )
