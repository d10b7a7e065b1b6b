"""Whole programs: both sides built with their own ``main``, run with the same arguments, and what they did compared.

Exit status, standard output (times and addresses masked) and the launch log; the first launch that differs names the
kernel. One schedule, forward: a program is not run for every order, that is what the kernels' own check is for.
"""

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from musify_ai.backends.cache import Cache
from musify_ai.backends.diagnostics import Diagnostic, missing_header
from musify_ai.backends.emulated import (
    BuildFailure,
    BuildStoppedError,
    Built,
    Companions,
    Emulated,
    Side,
    Unit,
)
from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access
from musify_ai.backends.toolchain import Toolchain, no_compiler
from musify_ai.records import ARCHS, Arch, Evidence, Options, Program
from musify_ai.verify.absence import missing_text
from musify_ai.verify.building import Unsettled, functions_to_stub
from musify_ai.verify.checking import CompilerMissing
from musify_ai.verify.closures import HOST_SUFFIXES, Sources, includes
from musify_ai.verify.flags import flags_of
from musify_ai.verify.mutation.host import MutatedProgram, tried
from musify_ai.verify.mutation.teeth import weak_because
from musify_ai.verify.noticed import OWN, Reported, findings, rows, settings
from musify_ai.verify.pairing import is_unit
from musify_ai.verify.patches import FileParts, Patch, apply, refuse_asm
from musify_ai.verify.runs import Launched, Outcome, ProgramRun, compare_runs, first_launch, unsteady
from musify_ai.verify.whole_units import whole_unit

_MAIN = re.compile(rb"\bmain\s*\(")
_CALL = re.compile(r"^(?:cuda|musa|cu|mu)(?=(?:Launch|Graph)[A-Z])")

FIGURES, IDENTITY = "device-figures", "device-identity"
"""The assumptions that a comparison rests on where the original's device reported what the target's does."""

AT_ONCE = "at-once"
"""How streams work where nothing asks for more."""
MUTANT_SECONDS = 20
"""Processor time for a program with a mutant in it, which may never end."""
AGAIN = 2
"""How often the original is run once more where the sides differ, to see which lines it repeats."""


def verify_program(
    original: Path,
    translation: Path,
    *,
    files: Mapping[str, str],
    unsettled: Mapping[str, Sequence[tuple[int, int, str]]] | None = None,
    arguments: Sequence[str] = (),
    units: Collection[str] = (),
    options: Options | None = None,
    stdin: bytes = b"",
    seconds: int = 60,
    data: Path | None = None,
    cache: Cache | None = None,
    observe: Callable[[Side, ProgramRun], None] | None = None,
    companions: Companions | None = None,
) -> Program:
    """Build and run a program on both sides, for each arch. ``units`` are the original's files to link, all that are
    compiled by themselves where empty; ``data`` is a folder that is copied to where the program runs. Functions of
    the translation that hold an ``unsettled`` span are stubs; a run that reaches one is ``unchecked``. ``observe`` is
    told of each run.

    Raises `CompilerMissing` where there is no C++ compiler.
    """
    toolchain = Toolchain.detect()
    if toolchain is None:
        raise CompilerMissing(no_compiler())
    options = options or Options()
    backend = Emulated(toolchain, cache, companions=companions)
    flags = flags_of(original, options.includes, options.defines)
    sources = (
        Sources(original, files, with_macro=False, flags=flags),
        Sources(translation, files.values(), with_macro=True, flags=flags.moved(files)),
    )
    chosen = sorted(units) if units else _units(sources[0], files)
    mains = [path for path in chosen if _MAIN.search(sources[0].read(path) or b"")]
    name = mains[0] if mains else (chosen[0] if chosen else "")
    spans = {path: [Unsettled(*each) for each in found] for path, found in (unsettled or {}).items()}
    runs: dict[tuple[str, int, int, int, Reported, str], ProgramRun | str] = {}

    def side(
        which: Side, macro: int, lanes: int, time: int = 1, reported: Reported = OWN, streams: str = AT_ONCE
    ) -> ProgramRun | str:
        key = (which, macro, lanes, time, reported, streams)
        if key not in runs:
            paths = chosen if which == "cuda" else [files.get(path, path) for path in chosen]
            built = _built(
                backend,
                sources[which == "musa"],
                paths,
                which,
                macro,
                max((options.jobs or 2) // 2, 1),
                spans if which == "musa" else {},
            )
            if isinstance(built, str):
                runs[key] = built
            else:
                runs[key] = ran = _run(built, lanes, arguments, stdin, seconds, data, reported, streams)
                if observe is not None:
                    observe(which, ran)
        return runs[key]

    evidence: list[Evidence] = []
    for arch in (ARCHS[each] for each in options.archs):
        outcome = _outcome(mains, side, arch)
        if options.mutants and outcome.headline.startswith("equal") and not any(each.mutants for each in evidence):
            mine = side("cuda", arch.cuda_macro, 32)
            theirs = _units_of(sources[1], [files.get(path, path) for path in chosen], "musa", spans)
            jobs = max((options.jobs or 2) // 2, 1)

            def run(built: Built, mutant: int, arch: Arch = arch) -> ProgramRun:
                return _run(
                    built, arch.lanes, arguments, stdin, min(seconds, MUTANT_SECONDS), data, OWN, AT_ONCE, mutant
                )

            assert isinstance(mine, ProgramRun)  # else there were no equal outcome
            excused = [text for name, text, _ in options.excused if name == "main"]
            outcome = _with_teeth(outcome, mine, MutatedProgram(backend, theirs, arch.macro, jobs), run, excused)
        evidence.append(_evidence(outcome, arch, toolchain, original, translation))
    return Program(name, tuple(evidence))


def _with_teeth(
    outcome: Outcome, original: ProgramRun, program: MutatedProgram, run: Callable[[Built, int], ProgramRun],
    excused: Sequence[str],
) -> Outcome:  # fmt: skip
    """An equal outcome, weaker where the comparison would not have noticed what changes in host code."""
    built = program.built
    plain = run(built, 0) if built is not None else None
    base = compare_runs(original, plain).headline if plain is not None else ""
    if built is None or plain is None or not base.startswith("equal"):
        why = program.failure or "with mutants in its text it does something else even where none is chosen"
        return outcome._replace(detail="; ".join(each for each in (outcome.detail, f"no mutants: {why}") if each))

    def differs(number: int) -> bool:
        return compare_runs(original, run(built, number)).headline != base

    mutants, untried = tried(program.sites, plain.reached, differs, excused)
    why = weak_because(mutants)
    notes = [*([why] if why else []), *([f"{untried} further mutants were not tried"] if untried else [])]
    detail = "; ".join(each for each in (*notes, outcome.detail) if each)
    return outcome._replace(headline="equal-weak" if why else outcome.headline, detail=detail, mutants=mutants)


def _outcome(mains: Sequence[str], side: Any, arch: Arch) -> Outcome:
    if len(mains) != 1:
        what = "no file has a main" if not mains else f"several files have a main: {', '.join(mains[:3])}"
        return Outcome("not-checkable", what, ())
    outcome, mine = _compared(side, arch)
    if isinstance(mine, ProgramRun) and "time-limit" in mine.faults:
        # A kernel may wait for what the host does after launching it.
        later, mine = _compared(partial(side, streams="late"), arch)
        if isinstance(mine, ProgramRun) and "time-limit" not in mine.faults:
            why = "with streams that work as late as they may, since at the call a kernel of the original does not end"
            return later._replace(detail=f"{later.detail}; {why}" if later.detail else why)
    return outcome


def _compared(side: Any, arch: Arch) -> tuple[Outcome, ProgramRun | str]:
    """The outcome of a run of each side, and what the original's first run was."""
    from concurrent.futures import ThreadPoolExecutor

    try:
        with ThreadPoolExecutor(2) as pool:
            original = pool.submit(side, "cuda", arch.cuda_macro, 32)
            translation = pool.submit(side, "musa", arch.macro, arch.lanes)
            mine, theirs = original.result(), translation.result()
        if isinstance(mine, str):
            return Outcome("not-checkable", f"original does not build here: {mine}", ()), mine
    except BuildStoppedError as error:
        return Outcome("not-checkable", str(error), ()), str(error)
    if isinstance(theirs, str):
        return Outcome("build-failed", f"translation: {theirs}", ()), mine
    outcome = compare_runs(mine, theirs)
    return (_explained(outcome, mine, theirs, side, arch) if outcome.headline == "differs" else outcome), mine


def _explained(outcome: Outcome, mine: ProgramRun, theirs: ProgramRun, side: Any, arch: Arch) -> Outcome:
    """The outcome of two runs that differ, less what the original does not repeat and what its device tells it."""
    # What the original does not repeat by itself is no difference between the sides. The translation has no such
    # excuse: numbers that only it fails to repeat (memory that nothing wrote, for one) are what is looked for.
    open_lines: frozenset[int] = frozenset()
    for again in _again(side, arch, OWN):
        first = first_launch(mine.launches, again.launches)
        if first:
            return Outcome("not-checkable", f"the original does not repeat itself: {first}", outcome.buffers)
        open_lines |= unsteady(mine, again)
    outcome = compare_runs(mine, theirs, open_lines)
    if outcome.headline == "differs":
        outcome = _on_the_same_device(mine, theirs, open_lines, side, arch) or outcome
    return _with_left_out(outcome, open_lines)


def _again(side: Any, arch: Arch, reported: Reported) -> Iterator[ProgramRun]:
    """Further runs of the original."""
    for time in range(2, 2 + AGAIN):
        again = side("cuda", arch.cuda_macro, 32, time, reported)
        assert isinstance(again, ProgramRun)
        yield again


def _on_the_same_device(
    mine: ProgramRun, theirs: ProgramRun, open_lines: frozenset[int], side: Any, arch: Arch
) -> Outcome | None:
    """The outcome where the original's device reports what the translation's does; None where that changes nothing.

    A program may print the device's figures, or size its work by them: given the same ones, it has to do the same. By
    its compute capability it may choose what to do; then the run says nothing of the original on a device of its own.
    """

    def compared(run: ProgramRun, reported: Reported, *assumptions: str) -> Outcome:
        lines = open_lines
        if run.completed.stdout.count(b"\n") != mine.completed.stdout.count(b"\n"):
            # Told something else it says more, or less: which of these lines does it not repeat?
            lines = frozenset(i for again in _again(side, arch, reported) for i in unsteady(run, again))
        return compare_runs(run, _resting(theirs, *assumptions), lines)

    alike = side("cuda", arch.cuda_macro, 32, reported=Reported(arch.macro))
    given = compared(alike, Reported(arch.macro), FIGURES)
    if given.headline.startswith("equal"):
        return given
    alike_but_for_text = alike.completed.code == theirs.completed.code and not first_launch(
        alike.launches, theirs.launches
    )
    # The width of a warp is what a program computes with: it is told to one that does the same without knowing it.
    told = Reported(arch.macro, arch.macro, arch.lanes if alike_but_for_text else 0)
    capable = side("cuda", arch.cuda_macro, 32, reported=told)
    given = compared(capable, told, FIGURES, IDENTITY)
    if not given.headline.startswith("equal"):
        return None
    if alike_but_for_text:
        return given
    why = "only where the original is told the target's compute capability, by which this program chooses what it does"
    return given._replace(headline="equal-weak", detail=why)


def _resting(run: ProgramRun, *assumptions: str) -> ProgramRun:
    return run._replace(assumptions=(*run.assumptions, *assumptions))


def _with_left_out(outcome: Outcome, lines: Collection[int]) -> Outcome:
    """The outcome, which says what of the output was not compared."""
    if not lines or not outcome.headline.startswith("equal"):
        return outcome
    text = f"without the numbers in {len(lines)} lines of stdout, which the original does not repeat itself"
    return outcome._replace(detail=f"{outcome.detail}; {text}" if outcome.detail else text)


def _units(sources: Sources, files: Mapping[str, str]) -> list[str]:
    """The files that are compiled by themselves: not those that another of them takes in."""
    found = []
    for path in sorted(files):
        src = sources.read(path)
        if src is not None and (is_unit(path, src) or Path(path).suffix in HOST_SUFFIXES):
            found.append(path)
    taken_in = {each for path in found for each in sources.closure(path).files if each != path}
    return [path for path in found if path not in taken_in] or found


def _built(
    backend: Emulated, sources: Sources, paths: Sequence[str], side: Side, macro: int, jobs: int,
    unsettled: Mapping[str, Sequence[Unsettled]],
) -> Built | str:  # fmt: skip
    units = _units_of(sources, paths, side, unsettled)
    built = backend.build_program(units, side, macro, jobs)
    if isinstance(built, BuildFailure):
        first = built.diagnostics[0]
        header = missing_header(first)
        if header is not None:
            return _absent(first, header, units)
        return f"{first.file}:{first.line}: {first.message}" if first.line else first.message
    return built


def _units_of(
    sources: Sources, paths: Sequence[str], side: Side, unsettled: Mapping[str, Sequence[Unsettled]]
) -> list[Unit]:
    """The units of a program, with stubs where something is left unsettled."""
    units = []
    for path in paths:
        closure = sources.closure(path)
        parts = {each: FileParts(each, sources.read(each) or b"") for each in closure.files}
        patches: dict[str, dict[tuple[int, int], Patch]] = {}
        for file, function, reason in functions_to_stub(parts, unsettled):
            span = (function.body_start, function.body_end)
            patches.setdefault(file.path, {})[span] = Patch(*span, "stub", reason)
        texts = {each: apply(found.src, patches.get(each, {})) for each, found in parts.items()}
        if side == "musa":
            texts = {each: refuse_asm(parts[each], src) for each, src in texts.items()}
        units.append(whole_unit(path, texts, closure.include_dirs, closure.defines))
    return units


def _absent(diagnostic: Diagnostic, header: str, units: Sequence[Unit]) -> str:
    """That a header is missing, and which file asks for it."""
    src = next((each.sources[diagnostic.file] for each in units if diagnostic.file in each.sources), b"")
    quoted = any(each.quoted for each in includes(src) if each.name == header)
    return f"{diagnostic.file}:{diagnostic.line}: {missing_text(header, quoted=quoted)}"


def _run(
    built: Built,
    lanes: int,
    arguments: Sequence[str],
    stdin: bytes,
    seconds: int,
    data: Path | None,
    reported: Reported,
    streams: str,
    mutant: int = 0,
) -> ProgramRun:
    import shutil

    with scratch() as work:
        place = work / "run"
        if data is not None:
            shutil.copytree(data, place, symlinks=True)
        else:
            place.mkdir()
        # Many programs print the name they are called by: it is the same on both sides.
        called = _free_name(place)
        (place / called).symlink_to(built.program)
        env = settings(work, lanes=lanes, schedule="forward", poison=255, seconds=seconds, reported=reported)
        env |= {"MUSIFY_EMU_LOG": str(work / "log"), "MUSIFY_EMU_STREAMS": streams}
        env |= {"MUSIFY_MUTANT": str(mutant), "MUSIFY_MUTANTS_REACHED": str(work / "reached")}
        limits = Limits(cpu=seconds, wall=seconds * 8.0, memory=16384)
        access = Access((built.program.parent,), (work,))
        done = run_limited(
            [f"./{called}", *arguments], cwd=place, limits=limits, env=clean_environment(place, env), stdin=stdin,
            access=access,
        )  # fmt: skip
        launches = tuple(_launched(row) for row in rows(work / "log"))
        noticed = findings(work)
        ids = sorted({str(row["assumption"]) for row in noticed if "assumption" in row})
        lacking = [str(row.get("message", "")) for row in noticed if row.get("kind") == "unsupported"]
        faults: dict[str, str] = {}
        for row in noticed:
            if "assumption" not in row:
                faults.setdefault(str(row.get("kind", "")), str(row.get("message", "")))
        reached = (work / "reached").read_text("utf-8").split() if (work / "reached").exists() else []
        return ProgramRun(
            done, launches, tuple(ids), lacking[0] if lacking else "", faults, tuple(int(each) for each in reached)
        )


def _free_name(place: Path) -> str:
    """A name for the program in its folder that none of its data has."""
    name = "program"
    while (place / name).exists():
        name += "_"
    return name


def _launched(row: Mapping[str, Any]) -> Launched:
    facts = {key: row.get(key) for key in ("grid", "block", "shared", "error", "reason")}
    for number, argument in enumerate(row.get("arguments", ())):
        for key, value in argument.items():
            facts[f"argument {number + 1} ({key})"] = value
    # Without a name of its own, a launch by pointer goes by the call that made it.
    return Launched(_CALL.sub("", str(row.get("kernel", "")).split("<", 1)[0]), facts)


def _evidence(outcome: Outcome, arch: Arch, toolchain: Toolchain, original: Path, translation: Path) -> Evidence:
    return Evidence(
        method="emulated-program",
        backend=(f"cuda emulated ({toolchain.name})", f"musa emulated ({toolchain.name})"),
        arch=arch.name,
        lanes=arch.lanes,
        seeds=(),
        schedules=("forward",),
        poison=(255,),
        buffers=outcome.buffers,
        tolerance=0,
        assumptions=outcome.assumptions,
        outcome=outcome.headline,
        detail=outcome.detail,
        mutants=outcome.mutants,
        repeat=shlex.join(["musify-ai", "verify", str(original), str(translation), "--arch", arch.name]),
    )
