"""Building and running a candidate in its place, and what the verdicts say of it: what the gates that run share."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from musify_ai.records import Verdict
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said, Site
from musify_ai.rewrite.gates.rounds import is_round
from musify_ai.translate import translate

ACCEPTED = frozenset(("equal-emulated", "equal-assumed", "equal-on-nvidia", "equal-on-hardware"))
"""The headlines that a rewrite has to come to, on every target arch."""

_UNREACHED = re.compile(r"not reached, and other than in the original: ([^;]+)")
_NEVER = re.compile(r"([^\s:]+):(\d+) \((\w+ != \w+) never holds\)")
"""How `musify_ai.verify.coverage` says it."""


def verdicts(candidate: Candidate, *, draw: int, mutants: bool = False) -> tuple[Verdict, ...]:
    """The verdicts of the kernels through which the candidate runs, on all target archs, with inputs of a draw."""
    from musify_ai.verify import verify

    unit, site = candidate.unit, candidate.site
    changed = candidate.texts()
    unsettled = {place: found for place, found in site.unsettled.items() if place not in changed}
    for place, text in changed.items():
        left = [f for f in translate(text, place, site.options).findings if not f.settled]
        if left:
            unsettled[place] = tuple((f.start, f.end, f.code) for f in left)
    options = site.options._replace(draw=draw, mutants=mutants, ptx_identity=False, time_budget=0)
    with TemporaryDirectory(prefix="musify-rewrite-") as folder:
        tree = Path(folder)
        _lay_out(tree, site, changed)
        checked = verify(
            site.original,
            tree,
            files=site.files,
            unsettled=unsettled,
            options=options,
            kernels=unit.kernels,
            paths=unit.kernel_paths,
        )
    return checked.verdicts


def said(found: Sequence[Verdict], candidate: Candidate) -> Said:
    """What verdicts say of a candidate: passed where every kernel that ran is equal on every arch, and some ran.

    Further rounds of a compare-and-swap, which no run comes to, count for equal where the first ones are.
    """
    if not found:
        return Refused("infra", "no kernel was found to check it with")
    notes = []
    for verdict in found:
        if verdict.headline in ACCEPTED:
            notes.append(f"{verdict.name}: {verdict.headline}")
        elif verdict.headline == "equal-weak" and _lacks_rounds_alone(verdict.reason or "", candidate):
            notes.append(
                f"{verdict.name}: equal in the first round of a compare-and-swap, and the others begin as it does"
            )
        else:
            return _refused(verdict)
    return Passed(tuple(dict.fromkeys(notes)), tuple(found))


def _lacks_rounds_alone(reason: str, candidate: Candidate) -> bool:
    """Whether nothing but rounds that begin anew is why a verdict says less."""
    listed = _UNREACHED.fullmatch(reason)
    texts = candidate.texts()
    for each in listed[1].split(", ") if listed else ():
        named = _NEVER.fullmatch(each)
        if named is None or named[1] not in texts or not is_round(texts[named[1]], int(named[2]), named[3].encode()):
            return False
    return listed is not None


def _refused(verdict: Verdict) -> Refused:
    """The class and report of a verdict that is not equal."""
    rows = [row for row in verdict.evidence if row.outcome not in ACCEPTED] or list(verdict.evidence)
    by_detail: dict[str, list[str]] = {}
    for row in rows:
        by_detail.setdefault(f"{row.outcome}: {row.detail}", []).append(f"{row.arch} ({row.lanes} lanes a warp)")
    report = "\n".join(f"{', '.join(archs)}: {text}" for text, archs in by_detail.items())
    reason = f"{verdict.name} is {verdict.headline}: {verdict.reason or 'no reason given'}"
    detail = " ".join([verdict.reason or "", *(row.detail for row in rows)])
    outcomes = {row.outcome for row in rows}
    if "differs" in outcomes:
        if "timeout:" in detail:
            return Refused("timeout", reason, report)
        ended = "the translation ends with" in detail
        return Refused("runtime" if ended else "numeric", reason, report)
    if "build-failed" in outcomes and "original" not in detail.split(":")[0]:
        return Refused("compile", reason, report)
    if "equal-weak" in outcomes:
        return Refused("numeric", reason, report)
    return Refused("infra", f"it could not be checked: {reason}", report)


def _lay_out(tree: Path, site: Site, changed: Mapping[str, bytes]) -> None:
    """The translation with the candidate in it: its own files written, everything else of the project linked."""
    for place, text in site.texts.items():
        target = tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(changed.get(place, text))
    for folder, names, files in os.walk(site.original):
        names[:] = [name for name in names if not name.startswith(".")]
        inside = Path(folder).relative_to(site.original)
        for name in files:
            path = (inside / name).as_posix()
            if path in site.files or path in site.texts:
                continue
            target = tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.symlink_to((Path(folder) / name).resolve())
