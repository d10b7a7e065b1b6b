"""Constructs of the corpus as units of the LLM stage: many of them as one project, each with its own unit."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.records import Options
from musify_ai.rewrite.corpus import Case, functions_of, laid_out
from musify_ai.rewrite.gates.protocol import Candidate, Site
from musify_ai.rewrite.loop import drawn
from musify_ai.rewrite.units import WorkUnit


class Posed(NamedTuple):
    """A construct and what the stage makes of it: its unit, None where nothing is to be asked, and for each of the
    findings that no unit was made of why. ``translated`` is the file as rules leave it."""

    case: Case
    unit: WorkUnit | None
    left: tuple[str, ...]
    translated: bytes


def posed(cases: Sequence[Case], folder: Path, options: Options) -> tuple[tuple[Posed, ...], Site]:
    """Constructs written into an empty folder as one project, translated and surveyed, in their order."""
    from musify_ai.project.rewriting import surveyed
    from musify_ai.project.running import translated

    options = options._replace(inputs=str(laid_out(cases, folder)))
    treated = translated(folder, options)
    known = surveyed(folder, treated, options)
    units = {unit.path: unit for unit in known.survey.units}
    left: dict[str, list[str]] = {}
    for each in known.survey.left:
        left.setdefault(each.path, []).append(f"{each.finding.code}: {each.why}")
    outputs = {item.entry.path: item.processed.output or item.before or b"" for item in treated}
    found = (Posed(c, units.get(c.path), tuple(left.get(c.path, ())), outputs[c.path]) for c in cases)
    return tuple(found), known.site


def answered(one: Posed, site: Site) -> Candidate:
    """The right answer to a construct, as if a model had given it."""
    assert one.unit is not None
    return candidate(one, functions_of(one.case.answer, one.unit), site)


def candidate(one: Posed, codes: Sequence[bytes], site: Site) -> Candidate:
    """New texts of a unit's functions in their place."""
    assert one.unit is not None
    whole = b"\n\n".join(codes)
    return Candidate(one.unit, codes[0], whole.decode("utf-8", "replace"), site, drawn(whole), tuple(codes[1:]))
