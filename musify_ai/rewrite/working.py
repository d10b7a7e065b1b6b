"""Working through all units of a project: equal constructs once, each place checked for itself, in a fixed order."""

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from musify_ai import __version__
from musify_ai.rewrite.answering import Ask
from musify_ai.rewrite.canonical import VERSION, Canonical, canonical, from_slots, in_slots
from musify_ai.rewrite.gates.protocol import Candidate, Check, Gate, Passed, Said, Site
from musify_ai.rewrite.loop import NO_SANDBOX, Judge, Policy, looked_at, placed, rewrite, shown_to_model
from musify_ai.rewrite.outcomes import Rewritten, Tried, tried_from_json, tried_to_json
from musify_ai.rewrite.prompting import request_for, template_version
from musify_ai.rewrite.providers.protocol import Request, Sampling
from musify_ai.rewrite.store import Kept, Store
from musify_ai.rewrite.units import WorkUnit

IN_FLIGHT = 8
"""How many constructs are worked on at once; most of that time is waiting for a server."""


class Setting(NamedTuple):
    """What a run works with. ``ask`` and ``identity`` are the provider's, ``prefetch`` asks
    for many at once, where it likes that; ``jobs`` is how many candidates are built and run at a time."""

    store: Store
    ask: Ask
    identity: str
    judge: Judge
    policy: Policy = Policy()
    jobs: int = 2
    prefetch: Callable[[Sequence[Request]], object] | None = None
    progress: Callable[[str], None] | None = None


def key_of(unit: WorkUnit) -> Canonical:
    """The canonical hash of a unit, with everything that a rewrite of it follows from."""
    # The text besides the version: who edits a fact and forgets the number would be given what the old one led to.
    versions = [" ".join((sheet.name, str(sheet.version), *sheet.facts)) for sheet in unit.sheets]
    versions += [f"{each.before}\0{each.after}" for each in unit.examples]
    versions += [
        template_version(unit.kind),
        f"checker {__version__} {VERSION}",
        " ".join(f.code for f in unit.everything),
    ]
    region = b"\n\n".join(piece.region for piece in unit.pieces)
    return canonical(region, unit.context, kind=unit.kind, archs=unit.archs, sdk=unit.sdk, versions=versions)


def grouped(units: Sequence[WorkUnit]) -> list[list[tuple[WorkUnit, Canonical]]]:
    """The units by canonical hash, groups and their members in the order of the units."""
    groups: dict[str, list[tuple[WorkUnit, Canonical]]] = {}
    for unit in units:
        known = key_of(unit)
        groups.setdefault(known.key, []).append((unit, known))
    return list(groups.values())


def work(units: Sequence[WorkUnit], site: Site, setting: Setting) -> list[Rewritten]:
    """What comes of each unit, in order. Of equal ones the first is put to the model.

    Where code of a model may not be run nobody is asked: no answer could be taken, and each may cost something.
    """
    from concurrent.futures import ThreadPoolExecutor

    if not setting.judge.may_run and any(gate.runs for gate in setting.judge.gates):
        nobody = Tried("greedy", "", "", "infra", "", NO_SANDBOX)
        return [Rewritten(unit, setting.identity, (nobody,)) for unit in units]
    groups = grouped(units)
    _prefetch([group[0] for group in groups], setting)
    judge = setting.judge._replace(gates=bounded(setting.judge.gates, setting.jobs))
    setting = setting._replace(judge=judge)
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        results = list(pool.map(lambda group: _group(group, site, setting), groups))
    found = {id(done.unit): done for group in results for done in group}
    return [found[id(unit)] for unit in units]


def bounded(gates: Sequence[Gate], jobs: int) -> tuple[Gate, ...]:
    """The gates such that no more than so many of those that build and run are at it at a time."""
    slots = threading.Semaphore(max(jobs, 1))
    return tuple(_guarded(gate, slots) for gate in gates)


def _guarded(gate: Gate, slots: threading.Semaphore) -> Gate:
    """A gate that builds and runs, held to so many at a time."""
    if not gate.runs:
        return gate
    check: Check = gate.check

    def guarded(candidate: Candidate) -> Said:
        with slots:
            return check(candidate)

    return gate._replace(check=guarded)


def _prefetch(firsts: Sequence[tuple[WorkUnit, Canonical]], setting: Setting) -> None:
    """Ask for all first answers in batches, where the provider likes that and none is known."""
    if setting.prefetch is None:
        return
    policy = f"{setting.identity} {setting.policy.text}"
    open_ = [
        unit
        for unit, known in firsts
        if setting.store.accepted(known.key) is None and setting.store.refused(known.key, policy) is None
    ]
    setting.prefetch(first_requests(open_, setting.policy))


def first_requests(units: Sequence[WorkUnit], policy: Policy) -> list[Request]:
    """The first request of each unit under a policy."""
    sampling = Sampling(max_tokens=policy.max_tokens)
    return [request_for(shown_to_model(unit, redact=policy.redact), sampling) for unit in units]


def _group(group: Sequence[tuple[WorkUnit, Canonical]], site: Site, setting: Setting) -> list[Rewritten]:
    unit, known = group[0]
    if setting.progress is not None:
        setting.progress(f"rewriting {unit.path}: {unit.name}")
    open_ = [each for each in group if not stands(each[0], site, setting)]
    if len(open_) < len(group):
        done = iter(_group(open_, site, setting) if open_ else ())
        asked = {id(each) for each, _ in open_}
        return [next(done) if id(each) in asked else Rewritten(each, "", ()) for each, _ in group]
    first, kept = _first(unit, known, site, setting)
    if kept is None:
        return [first, *(first._replace(unit=each, origin="store") for each, _ in group[1:])]
    return [first, *(_again(each, names, kept, site, setting) for each, names in group[1:])]


def stands(unit: WorkUnit, site: Site, setting: Setting) -> bool:
    """Whether a function is right as it was translated: what was found in it can be built as written, and comes out
    equal on every target arch. Then there is nothing to ask."""
    if not all(finding.settled for finding in unit.everything) or not setting.judge.may_run:
        return False
    equality = next((gate for gate in setting.judge.gates if gate.name == "equality"), None)
    if equality is None:
        return False
    first, *others = (piece.region for piece in unit.pieces)
    return isinstance(equality.check(Candidate(unit, first, "", site, 1, tuple(others))), Passed)


def _first(unit: WorkUnit, known: Canonical, site: Site, setting: Setting) -> tuple[Rewritten, Kept | None]:
    """What comes of the first of equal units, and the accepted rewrite where there is one."""
    policy = f"{setting.identity} {setting.policy.text}"
    claim = f"rewrite:{known.key}"
    while True:
        kept = setting.store.accepted(known.key)
        if kept is not None:
            return _again(unit, known, kept, site, setting), kept
        refused = setting.store.refused(known.key, policy)
        if refused is not None:
            tries = tuple(tried_from_json(each) for each in refused.record["tries"])
            return Rewritten(unit, refused.record["model"], tries, origin="store"), None
        if setting.store.claim(claim):
            break
        setting.store.wait()
    try:
        done = rewrite(unit, site, setting.ask, setting.identity, setting.judge, setting.policy)
        kept = kept_of(done, known, policy)
        if kept is not None:
            setting.store.keep_rewrite(kept)
        return done, kept if kept is not None and kept.accepted else None
    finally:
        setting.store.release(claim)


def kept_of(done: Rewritten, known: Canonical, policy: str) -> Kept | None:
    """What is kept of a unit's outcome; nothing where it ended for a reason that lies elsewhere."""
    if done.code is None and any(each.outcome in ("infra", "budget") for each in done.tries):
        return None
    unit = done.unit
    record = {
        "kind": unit.kind,
        "model": done.model,
        "tries": [tried_to_json(each) for each in done.tries],
        "archs": list(unit.archs),
        "sdk": unit.sdk,
        "notes": list(done.notes),
    }
    if done.codes:
        bodies = [
            code[piece.body_start - piece.start :].decode("utf-8", "surrogateescape")
            for piece, code in zip(unit.pieces, done.codes, strict=True)
        ]
        record["bodies"] = [in_slots(body, known.names) for body in bodies]
    return Kept(known.key, policy, done.code is not None, record)


def _again(unit: WorkUnit, known: Canonical, kept: Kept, site: Site, setting: Setting) -> Rewritten:
    """An accepted rewrite in another place: put together with that place's names, and looked at as any other."""
    codes = tuple(
        placed(piece, piece.head.decode("utf-8", "surrogateescape") + from_slots(str(body), known.names))
        for piece, body in zip(unit.pieces, kept.record["bodies"], strict=True)
    )
    whole = b"\n\n".join(codes)
    candidate = Candidate(unit, codes[0], "", site, setting.judge.draw(whole), codes[1:])
    said, gate = looked_at(candidate, setting.judge)
    model = str(kept.record["model"])
    text = whole.decode("utf-8", "replace")
    if isinstance(said, Passed):
        tried = Tried("store", "", "", "accepted", code=text)
        return Rewritten(unit, model, (tried,), codes, said.notes, said.verdicts, "store")
    reason = f"accepted elsewhere, not here: {said.reason}"
    tried = Tried("store", "", "", said.failure, gate, reason, said.report, text)
    return Rewritten(unit, model, (tried,), origin="store")
