"""The LLM stage over a translated project: what rules left is put to a model, and what passes every gate is applied."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.pipeline.answered import Accepted, NotApplied, with_rewrites
from musify_ai.project.company import company_of
from musify_ai.project.refusals import Refused
from musify_ai.project.scheduling import Progress, treat_all
from musify_ai.project.treating import Manner, Treated
from musify_ai.records import Attempt, Edit, Options, Rewrite
from musify_ai.rewrite.gates.protocol import Site
from musify_ai.rewrite.opening import Asked, SpecInvalid, opened
from musify_ai.rewrite.outcomes import Rewritten
from musify_ai.rewrite.providers.protocol import Unusable
from musify_ai.rewrite.showing import plain
from musify_ai.rewrite.store import StoreInvalid
from musify_ai.rewrite.surveying import FileView, Survey, survey
from musify_ai.rewrite.units import Drop, WorkUnit


class Surveyed(NamedTuple):
    """A project as the stage sees it: its units, what none was made of, and what surrounds them."""

    survey: Survey
    site: Site


def surveyed(source: Path, treated: Sequence[Treated], options: Options) -> Surveyed:
    """The work units of a translated project; ``source`` is the file or folder that was translated."""
    from musify_ai.rewrite.sheets import load

    root = source if source.is_dir() else source.parent
    readable = any(item.kept is not None for item in treated)
    others = treat_all(root, company_of(source), Manner("out", options)) if not source.is_dir() and readable else []
    views = [_view(item) for item in treated if _is_translated(item)]
    around = [_view(item) for item in others if _is_translated(item)]
    everything = [*views, *around]
    texts = {view.place: view.translated for view in everything}
    spans = {item.place: item.processed.unsettled for item in (*treated, *others) if item.processed.unsettled}
    site = Site(root.resolve(), {v.path: v.place for v in everything}, texts, spans, options)
    found = survey(everything, options, load())
    own = {view.path for view in views}
    units = tuple(unit for unit in found.units if unit.path in own)
    return Surveyed(Survey(units, tuple(each for each in found.left if each.path in own)), site)


def rewritten(
    source: Path, treated: Sequence[Treated], manner: Manner, asked: Asked, progress: Progress | None = None
) -> tuple[list[Treated], tuple[Rewrite, ...]]:
    """The files with accepted rewrites in them, and what came of every unit.

    `Refused` for a provider or a store that cannot be had, and for options that the stage does not go with.
    """
    from musify_ai.backends import sandbox
    from musify_ai.rewrite.gates.sequence import GATES
    from musify_ai.rewrite.loop import Judge
    from musify_ai.rewrite.working import Setting, work

    options = manner.options
    if options.style != "tokens" or options.direction != "c2m":
        raise Refused("--llm goes with --style tokens and the way from CUDA to MUSA only")
    known = surveyed(source, treated, options)
    try:
        with opened(asked) as somebody:
            judge = Judge(GATES, may_run=not sandbox.missing())
            setting = Setting(
                somebody.store, somebody.ask, somebody.identity, judge, asked.policy, options.jobs or 2,
                somebody.ask_all if somebody.batch > 1 else None, progress,
            )  # fmt: skip
            done = work(known.survey.units, known.site, setting)
    except (SpecInvalid, StoreInvalid, Unusable) as problem:
        raise Refused(str(problem)) from None
    by_path: dict[str, list[Rewritten]] = {}
    for each in done:
        for path in dict.fromkeys(piece.path for piece in each.unit.pieces):
            by_path.setdefault(path, []).append(each)
    out = [_applied(item, by_path.get(item.entry.path, [])) for item in treated]
    return out, tuple(_record(each) for each in done)


def _is_translated(item: Treated) -> bool:
    return (
        item.entry.role == "source"
        and item.entry.kind == "file"
        and item.kept is not None
        and item.processed.kept is not None
        and item.processed.result.status in ("changed", "unchanged")
    )


def _view(item: Treated) -> FileView:
    result = item.processed.result
    edits = tuple(edit for edit in result.edits if edit.applied)
    return FileView(
        item.entry.path, item.place, item.before or b"", item.processed.output or b"", edits, result.findings
    )


def _applied(item: Treated, done: Sequence[Rewritten]) -> Treated:
    """A file with what came of its units: accepted rewrites made, refusals told with the findings that stay."""
    before = item.before
    if not done or before is None:
        return item
    path = item.entry.path
    accepted = [
        _accepted(each, piece, code)
        for each in done
        for piece, code in zip(each.unit.pieces, each.codes, strict=False)
        if piece.path == path and code != piece.region
    ]
    accepted += [
        _dropped(each, drop) for each in done if each.codes for drop in each.unit.drops if drop.place == item.place
    ]
    accepted.sort(key=lambda each: each.start)
    remarks = {f: _remark(each) for each in done if not each.codes for f in each.unit.everything}
    try:
        processed = with_rewrites(item.processed, before, accepted, remarks)
    except NotApplied as problem:
        remarks |= {f: f"A model's rewrite was accepted, and not made: {problem}." for a in accepted for f in a.settles}
        processed = with_rewrites(item.processed, before, [], remarks)
    return item._replace(processed=processed)


def _accepted(each: Rewritten, piece: WorkUnit, code: bytes) -> Accepted:
    unit = each.unit
    first = (piece.findings or unit.findings)[0]
    codes = ", ".join(dict.fromkeys(finding.code for finding in piece.findings or unit.everything))
    checked = "; ".join(each.notes)
    slower = " It is slower by design." if unit.slower else ""
    attempts = f"after {len(each.tries)} attempt{'s' * (len(each.tries) != 1)}"
    how = attempts if each.origin == "model" else "kept earlier"
    message = (
        f"`{piece.name}` was rewritten by a model ({plain(each.model, 80)}, {how}) for {codes}, and passed every gate "
        f"on {', '.join(unit.archs)}: {checked}.{slower} Read it before you rely on it."
    )
    source = f"model {plain(each.model, 80)}"
    return Accepted(piece.original_start, piece.original_end, code, first.code, piece.findings, message, source)


def _dropped(each: Rewritten, drop: Drop) -> Accepted:
    message = f"{drop.finding.name} was taken out with what needed it: a model rewrote `{each.unit.names}`."
    source = f"model {plain(each.model, 80)}"
    return Accepted(
        drop.original_start, drop.original_end, b"", drop.finding.code, (drop.finding,), message, source
    )  # fmt: skip


def _remark(each: Rewritten) -> str:
    """What is said of a refusal, at the finding that stays."""
    best = each.best
    if best is None:
        return ""
    attempts = f"{len(each.tries)} attempt{'s' * (len(each.tries) != 1)}"
    gate = f" at the gate `{best.gate}`" if best.gate else ""
    if best.outcome in ("infra", "budget"):
        return f"No rewrite by a model: {plain(best.reason, 300)}."
    return f"A model's rewrite was refused ({attempts}; the best one{gate}, {best.outcome}: {plain(best.reason, 300)})."


def _record(each: Rewritten) -> Rewrite:
    unit = each.unit
    first = unit.findings[0]
    attempts = tuple(
        Attempt(t.prompt_sha256, t.outcome, _detail(t.gate, t.reason), t.usage.tokens_in, t.usage.tokens_out)
        for t in each.tries
    )
    edit = None
    if each.code is not None:  # of its first function; those of further ones are among their files' edits
        edit = Edit(
            unit.original_start, unit.original_end, unit.original_region, each.code, first.code, "llm", "unsafe",
            f"model {plain(each.model, 80)}", True,
        )  # fmt: skip
    return Rewrite(f"{unit.path}:{first.start}:{first.code}", unit.path, plain(each.model, 200), attempts, edit)


def _detail(gate: str, reason: str) -> str:
    return plain(f"{gate}: {reason}" if gate else reason, 600)
