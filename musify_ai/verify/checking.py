"""Verifying a whole translation: unit by unit, in parallel, to one verdict a kernel and instantiation."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.cache import Cache
from musify_ai.backends.devices import machines_of, pair_of
from musify_ai.backends.emulated import Companions, DeviceBuildError, Emulated
from musify_ai.backends.machines import Machine
from musify_ai.backends.nvidia import NO_NVCC, Nvcc
from musify_ai.backends.toolchain import Toolchain, no_compiler
from musify_ai.records import ARCHS, Evidence, Failure, Headline, Options, Program, Verdict, headline_of
from musify_ai.records.verdicts import HEADLINES
from musify_ai.verify.budget import Budget
from musify_ai.verify.building import Unsettled
from musify_ai.verify.closures import Sources
from musify_ai.verify.device_rows import with_devices
from musify_ai.verify.flags import flags_of
from musify_ai.verify.gating import with_types
from musify_ai.verify.identity import identities, with_identity
from musify_ai.verify.instantiating import NEEDS_LIBCLANG, Instantiator
from musify_ai.verify.on_devices import DeviceError, Opened
from musify_ai.verify.pairing import GUESSED, Pair, UnitPlan, plan_units
from musify_ai.verify.proposing import given_for
from musify_ai.verify.remembering import Done, Memory, given_bytes, tree_key, unit_key
from musify_ai.verify.repeating import Repeat
from musify_ai.verify.unit_parts import ArchOutcome
from musify_ai.verify.units import UnitCheck

UNPROVEN = "name-unproven"
INPUTS_GIVEN = "inputs-given"
"""The note of a kernel whose inputs a person gave, or a run of the program."""


class CompilerMissing(RuntimeError):
    """There is no C++ compiler on this machine, so nothing can be checked."""


class Checked(NamedTuple):
    """What checking found: a verdict for each kernel and instantiation, failures apart from them, whole programs, and
    the errors of real compilers over the translation."""

    verdicts: tuple[Verdict, ...]
    failures: tuple[Failure, ...] = ()
    programs: tuple[Program, ...] = ()
    errors: tuple[DeviceError, ...] = ()


def verify(
    original: Path,
    translation: Path,
    *,
    files: Mapping[str, str],
    unsettled: Mapping[str, Sequence[tuple[int, int, str]]] | None = None,
    options: Options | None = None,
    progress: Callable[[str], None] | None = None,
    kernels: Collection[str] = (),
    cache: Cache | None = None,
    companions: Companions | None = None,
    paths: Collection[str] = (),
    memory: Memory | None = None,
    machines: Mapping[str, Machine] | None = None,
) -> Checked:
    """Compare the kernels of ``original`` with those of ``translation``, both folders.

    ``files`` gives for each file of the original (units and headers, relative, with ``/``) its translation;
    ``unsettled`` by translated file what no build can take as it is. ``kernels`` limits the check to some names,
    ``paths`` to what some files of the original define, and ``companions`` are headers that a build of the translation
    needs besides. With ``memory`` a unit that was checked before, with nothing changed since, is not checked again.
    ``machines`` are where real backends run, by key, instead of those that the options name.
    Raises `CompilerMissing` where there is no C++ compiler, `GivenError` for a file of inputs that is none.
    """
    toolchain = Toolchain.detect()
    if toolchain is None:
        raise CompilerMissing(no_compiler())
    options = options or Options()
    nvcc = Nvcc.detect() if options.ptx_identity else None
    if options.ptx_identity and nvcc is None:
        raise CompilerMissing(NO_NVCC)
    devices = [pair_of(each) for each in options.backends]
    places = machines_of(options.remotes) if machines is None else machines
    backend = Emulated(toolchain, cache, companions=companions)
    flags = flags_of(original, options.includes, options.defines)
    originals = Sources(original, files, with_macro=False, flags=flags)
    translations = Sources(translation, files.values(), with_macro=True, flags=flags.moved(files))
    instantiator = Instantiator(backend.cache.root / "headers", companions=companions)
    plans = plan_units(originals, translations, files, kernels, instantiator, paths)
    if not plans:
        return Checked(())
    given = given_for(original, options, plans)
    try:
        backend.core()
    except DeviceBuildError as error:
        failure = Failure("", "check", str(error), "try another compiler: set CXX")
        return Checked(_untried(plans, options, str(error)), (failure,))
    jobs = options.jobs or os.cpu_count() or 1
    spans = {path: [Unsettled(*each) for each in found] for path, found in (unsettled or {}).items()}

    begun, budget = count(1), Budget.of(options.time_budget)
    key = ""
    if memory is not None and not devices:  # what a real device gave is of that device, on that day
        key = tree_key(
            ((original, files), (translation, files.values())),
            options,
            (
                repr((toolchain, nvcc, flags, companions, instantiator.missing, os.environ.get("MUSIFY_AI_SANDBOX"))),
                repr(sorted((path, [tuple(each) for each in found]) for path, found in spans.items())),
                *given_bytes(original, options),
            ),
        )

    def one(plan: UnitPlan) -> _One:
        if progress is not None:
            progress(f"checking {next(begun)}/{len(plans)} {plan.original}")
        if memory is None or not key:
            return examined(plan)

        def check() -> Done:
            verdicts, failures, _ = examined(plan)
            return Done(tuple(verdicts), failures)

        named = unit_key(key, plan.original, (pair.id for pair in plan.pairs))
        done = memory.around(named, (original, translation), check)
        return list(done.verdicts), done.failures, ()

    def examined(plan: UnitPlan) -> _One:
        repeat = Repeat(original, translation, options)
        try:
            check = UnitCheck(backend, plan, originals, translations, spans, options, given, budget)
            done = check.check()
            unproven = {pair.id for pair, _ in done.outcomes if check.unproven(pair)}
        except Exception as problem:  # one unit's trouble must not take the others' verdicts along
            why = f"internal error: {type(problem).__name__}: {problem}"
            failure = Failure(plan.original, "check", why, "This is a fault of musify-ai. Please report it.")
            return list(_untried([plan], options, f"the checker failed ({why})")), (failure,), ()
        verdicts = [
            _verdict(pair, rows, repeat, toolchain.name, unproven=pair.id in unproven) for pair, rows in done.outcomes
        ]
        verdicts = [
            verdict._replace(notes=(*verdict.notes, INPUTS_GIVEN)) if check.is_given(pair) else verdict
            for verdict, (pair, _) in zip(verdicts, done.outcomes, strict=True)
        ]
        if nvcc is not None:
            arch = ARCHS[options.archs[0]]
            same = identities(nvcc, plan, originals, translations, arch)
            verdicts = [
                with_identity(verdict, same[pair.id], nvcc, arch, repeat.command(pair.original.name, arch.name))
                for verdict, (pair, _) in zip(verdicts, done.outcomes, strict=True)
            ]
        errors: list[DeviceError] = []
        if devices:
            pairs = [pair for pair, _ in done.outcomes]
            verdicts, errors = with_devices(devices, opened, check, pairs, verdicts, repeat)
        if not instantiator.missing:
            verdicts = _with_types(check, verdicts, [pair for pair, _ in done.outcomes], repeat)
        if instantiator.missing:
            verdicts = [_unknown(v) if GUESSED in v.notes else v for v in verdicts]
        return verdicts, done.failures, tuple(errors)

    with Opened(places) as opened:
        results = _each(one, plans, jobs)
    verdicts = [verdict for found, *_ in results for verdict in found]
    failures = dict.fromkeys(failure for _, found, _ in results for failure in found)
    errors = dict.fromkeys(error for *_, found in results for error in found)
    verdicts.sort(key=lambda each: (each.path, each.line, each.name, each.instantiation or ""))
    return Checked(tuple(verdicts), tuple(failures), (), tuple(errors))


def _with_types(check: UnitCheck, verdicts: Sequence[Verdict], pairs: Sequence[Pair], repeat: Repeat) -> list[Verdict]:
    """The verdicts, with a row where the type gate says something against a kernel."""
    arch = ARCHS[check.options.archs[0]]
    said = check.types(arch)
    return [
        with_types(verdict, said[pair.id], arch, repeat.command(pair.original.name, arch.name))
        for verdict, pair in zip(verdicts, pairs, strict=True)
    ]


def _unknown(verdict: Verdict) -> Verdict:
    """The verdict of a template whose arguments only libclang could have told."""
    by_arch: dict[str, Headline] = dict.fromkeys(verdict.by_arch, "unchecked")
    return verdict._replace(
        headline="unchecked", reason=NEEDS_LIBCLANG, instantiation=None, notes=(), by_arch=by_arch, evidence=()
    )


def _untried(plans: Sequence[UnitPlan], options: Options, why: str) -> tuple[Verdict, ...]:
    """Verdicts for kernels that nothing can run."""
    by_arch: dict[str, Headline] = dict.fromkeys(options.archs, "not-checkable")
    return tuple(
        Verdict(
            pair.original.path, pair.original.name, pair.original.line, pair.instantiation, "not-checkable", why, (),
            by_arch, (),
        )
        for plan in plans
        for pair in plan.pairs
    )  # fmt: skip


_One = tuple[list[Verdict], tuple[Failure, ...], tuple[DeviceError, ...]]


def _each(one: Callable[[UnitPlan], _One], plans: Sequence[UnitPlan], jobs: int) -> list[_One]:
    if jobs == 1 or len(plans) == 1:
        return [one(plan) for plan in plans]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, plans))


def _verdict(
    pair: Pair, rows: Sequence[ArchOutcome], repeat: Repeat, compiler: str, *, unproven: bool
) -> Verdict:  # fmt: skip
    by_arch: dict[str, Headline] = {row.arch.name: row.outcome.judgement.outcome for row in rows}
    varies = any(row.outcome.judgement.original_varies for row in rows)
    headline = headline_of(by_arch, original_varies=varies)
    notes = list(dict.fromkeys(note for row in rows for note in row.outcome.judgement.notes))
    if unproven and headline.startswith(("equal", "arch")):
        notes.append(UNPROVEN)
    if pair.guessed:
        notes.append(GUESSED)
    worst = min(rows, key=lambda row: HEADLINES.index(row.outcome.judgement.outcome))
    evidence = tuple(_evidence(pair, row, repeat, compiler) for row in rows)
    kernel = pair.original
    return Verdict(
        kernel.path, kernel.name, kernel.line, pair.instantiation, headline, worst.outcome.judgement.detail or None,
        tuple(notes), by_arch, evidence,
    )  # fmt: skip


def _evidence(pair: Pair, row: ArchOutcome, repeat: Repeat, compiler: str) -> Evidence:
    outcome, judgement = row.outcome, row.outcome.judgement
    return Evidence(
        method="emulated",
        backend=(f"cuda emulated ({compiler})", f"musa emulated ({compiler})"),
        arch=row.arch.name,
        lanes=row.arch.lanes,
        seeds=outcome.seeds,
        schedules=outcome.schedules,
        poison=outcome.poison,
        buffers=outcome.buffers,
        tolerance=0,
        assumptions=judgement.assumptions,
        outcome=judgement.outcome,
        detail=judgement.detail,
        repeat=repeat.command(pair.original.name, row.arch.name),
        mutants=outcome.mutants,
        coverage=outcome.coverage,
    )
