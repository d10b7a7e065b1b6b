"""Kernels as the page shows them: by headline, the worst first, each with what it rests on."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from musify_ai.records import Evidence, Headline, Verdict
from musify_ai.report.headlines import GRAVEST_FIRST, MEANS, mood
from musify_ai.report.html.plots import Difference, difference, where
from musify_ai.report.json_report import number
from musify_ai.report.reasons import why


class BufferRow(NamedTuple):
    """One buffer over all archs: elements, whether it varies with the input, the worst error by arch."""

    name: str
    elements: int
    varies: bool
    errors: tuple[str, ...]
    differs: bool


class Shown(NamedTuple):
    """A kernel as the page shows it."""

    number: int
    record: Verdict
    name: str
    why: str
    mood: str
    outcomes: tuple[tuple[str, str, str], ...]  # arch, outcome, mood
    archs: tuple[str, ...]
    buffers: tuple[BufferRow, ...]
    differences: tuple[tuple[str, Difference, Markup], ...]
    inputs: tuple[str, ...]


class Group(NamedTuple):
    """The kernels of one headline."""

    headline: Headline
    means: str
    mood: str
    kernels: tuple[Shown, ...]

    @property
    def why(self) -> str:
        """The one reason that all of several have; empty where they differ."""
        reasons = {kernel.why for kernel in self.kernels}
        return reasons.pop() if len(reasons) == 1 and len(self.kernels) > 1 else ""


def groups(verdicts: Sequence[Verdict]) -> list[Group]:
    """The kernels by headline, from the worst; within one as the run has them."""
    shown = [_shown(number, verdict) for number, verdict in enumerate(verdicts)]
    return [
        Group(headline, MEANS[headline], mood(headline), kernels)
        for headline in GRAVEST_FIRST
        if (kernels := tuple(each for each in shown if each.record.headline == headline))
    ]


def _shown(number_: int, verdict: Verdict) -> Shown:
    archs = tuple(dict.fromkeys(row.arch for row in verdict.evidence if row.buffers))
    found = [(row.arch, each, where(each)) for row in verdict.evidence if (each := difference(row.detail)) is not None]
    return Shown(
        number_,
        verdict,
        verdict.name + (f"<{verdict.instantiation}>" if verdict.instantiation else ""),
        why(verdict),
        mood(verdict.headline),
        tuple((arch, outcome, mood(outcome)) for arch, outcome in sorted(verdict.by_arch.items())),
        archs,
        tuple(_buffers(verdict.evidence, archs)),
        tuple(found),
        tuple(dict.fromkeys(_inputs(row) for row in verdict.evidence if row.seeds)),
    )


def _buffers(evidence: Iterable[Evidence], archs: Sequence[str]) -> Iterable[BufferRow]:
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for row in evidence:
        for buffer in row.buffers:
            held = rows.setdefault((buffer.name, buffer.elements), {"varies": False, "errors": {}})
            held["varies"] = held["varies"] or buffer.varies
            held["errors"][row.arch] = buffer.worst_error
    for (name, elements), held in rows.items():
        errors = held["errors"]
        yield BufferRow(
            name,
            elements,
            held["varies"],
            tuple(_error(errors[arch]) if arch in errors else "" for arch in archs),
            any(error != 0 for error in errors.values()),
        )


def _error(value: float) -> str:
    plain = number(value)
    return plain if isinstance(plain, str) else f"{plain:g}"


def _inputs(row: Evidence) -> str:
    """What a kernel was run with, in words."""
    poison = ", ".join(f"0x{each:02x}" for each in row.poison)
    parts = [
        f"{len(row.seeds)} sets of inputs (seeds {', '.join(map(str, row.seeds))})",
        f"orders of threads: {', '.join(row.schedules)}" if row.schedules else "",
        f"fresh memory filled with {poison}" if poison else "",
        f"tolerance {_error(row.tolerance)}" if row.tolerance else "compared bit for bit",
    ]
    return "; ".join(part for part in parts if part)
