"""A kernel on real devices: the inputs that were chosen on the CPU device, run by other backends, and compared within
what two right devices may part in.

Such a row adds to the verdict of the CPU device and never stands alone: that one has chosen inputs that keep inside
their buffers, and knows what no device tells (races, schedules, reads of what nobody wrote).
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from threading import Lock
from typing import NamedTuple

from musify_ai.backends.device_programs import UNIT, DeviceRun, Loaded, OnDevice
from musify_ai.backends.devices import BUILDERS, EMULATED, DevicePair
from musify_ai.backends.emulated import BuildStoppedError
from musify_ai.backends.hardware import DeviceReport
from musify_ai.backends.machines import Machine, MachineError
from musify_ai.records import Arch, Buffer, Headline
from musify_ai.verify.building import SideBuild, first_error
from musify_ai.verify.choosing import Chosen
from musify_ai.verify.comparing import compare
from musify_ai.verify.described import read_description
from musify_ai.verify.judging import Judgement, judge
from musify_ai.verify.kernelrun import KernelRun, case_text, grid_of, is_silent
from musify_ai.verify.nearness import settle
from musify_ai.verify.results import Case, Place, SideRuns
from musify_ai.verify.running import Matrix, Section, Side, fetch, plan_of, read_runs, run_cases
from musify_ai.verify.tolerances import ASSUMED, FUNCTIONS, Tolerated

RUNS = 2
"""How often each case is run: what differs from run to run depends on the order of threads."""


class DeviceError(NamedTuple):
    """An error of a real compiler: where in the unit, its message, and which backend said it."""

    path: str
    line: int
    message: str
    backend: str


class DeviceRow(NamedTuple):
    """What came of a kernel on one arch: the judgement, both backends by name, lanes of the device."""

    judgement: Judgement
    backend: tuple[str, str]
    lanes: int
    seeds: tuple[int, ...] = ()
    buffers: tuple[Buffer, ...] = ()
    tolerance: float = 0.0
    errors: tuple[DeviceError, ...] = ()


class _Ran(NamedTuple):
    """One side's runs in the original's order of places, and the contents of what they changed."""

    runs: SideRuns
    contents: Mapping[tuple[Case, int], bytes]
    report: DeviceReport | None
    on: OnDevice | None


class _Stop(Exception):
    """There is no comparison; the row says why."""

    def __init__(self, outcome: Headline, detail: str, errors: Sequence[DeviceError] = ()) -> None:
        super().__init__(detail)
        self.outcome, self.detail, self.errors = outcome, detail, tuple(errors)


class Opened:
    """The backends of a check, each in a session on its machine, opened when first asked for.

    A context, which ends the sessions. Units are checked by several threads, and a device is one: they take turns.
    """

    def __init__(self, machines: Mapping[str, Machine]) -> None:
        self.machines = machines
        self.lock = Lock()
        self._open: dict[str, OnDevice | MachineError] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "Opened":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def known(self, key: str) -> OnDevice | None:
        """A backend that was opened before."""
        found = self._open.get(key)
        return found if isinstance(found, OnDevice) else None

    def on(self, key: str) -> OnDevice:
        """A backend. Raises `MachineError` where it cannot be had."""
        if key not in self._open:
            try:
                machine = self.machines[key]
                self._open[key] = OnDevice(BUILDERS[key], machine, self._stack.enter_context(machine.session()))
            except MachineError as error:
                self._open[key] = error
        found = self._open[key]
        if isinstance(found, MachineError):
            raise found
        return found


class Devices:
    """A pair of backends among those that are open."""

    def __init__(self, pair: DevicePair, opened: Opened) -> None:
        self.pair, self.opened = pair, opened

    def _on(self, key: str) -> OnDevice | None:
        """A backend, None for the CPU device."""
        return None if key == EMULATED else self.opened.on(key)

    def row(self, run: KernelRun, builds: tuple[SideBuild, SideBuild], arch: Arch, tolerated: Tolerated) -> DeviceRow:
        """What comes of a kernel whose sides were built and run on the CPU device."""
        errors: tuple[DeviceError, ...] = ()
        try:
            with self.opened.lock:
                return self._row(run, builds, arch, tolerated)
        except _Stop as stop:
            judgement, errors = Judgement(stop.outcome, stop.detail), stop.errors
        except MachineError as error:
            judgement = Judgement("unchecked", str(error))
        except BuildStoppedError as error:
            judgement = Judgement("not-checkable", str(error))
        return DeviceRow(judgement, self._names(None, None), arch.lanes, errors=errors)

    def _names(self, mine: DeviceReport | None, theirs: DeviceReport | None) -> tuple[str, str]:
        names = []
        for side, key, report in (("cuda", self.pair.original, mine), ("musa", self.pair.translation, theirs)):
            on = self.opened.known(key)
            name = on.name if on is not None else f"{side} {key}"
            names.append(f"{name}, {report.name}" if report is not None else name)
        return names[0], names[1]

    def _row(self, run: KernelRun, builds: tuple[SideBuild, SideBuild], arch: Arch, tolerated: Tolerated) -> DeviceRow:
        chosen = run.inputs()
        if isinstance(chosen, Judgement):
            raise _Stop("unchecked", f"no inputs to run it with: {chosen.detail}")
        sections = [_once(each) for each in chosen.sections[: chosen.loose]]
        cases = [case for number, each in enumerate(sections) for case in each.matrix.cases(number)]
        places = [run.places(each.shape) for each in sections]
        # Both are built before one runs: what does not build is told where there is no device, too.
        programs = [self._program(side, builds[side], arch) for side in (0, 1)]
        mine, theirs = (
            self._emulated(side, run, builds[side], arch, chosen, sections)
            if program is None
            else self._device(side, *program, run, sections)
            for side, program in enumerate(programs)
        )
        musa = theirs.on is not None and theirs.on.builder.maker == "Moore Threads"
        if musa and theirs.report is not None and theirs.report.arch != arch.name:
            raise _Stop("unchecked", f"the device is an {theirs.report.arch}, not an {arch.name}")
        original, translated = run.quiet(mine.runs, theirs.runs, places[0])
        held = _Held(run, chosen, builds, arch)

        sides = held.of(0, mine), held.of(1, theirs)
        settled = settle(cases, places, original, translated, sides, tolerated)
        judgement = judge(cases, places[0], original, settled.runs)
        judgement, error = self._detailed(judgement, chosen, places, sides, tolerated)
        judgement = self._ranked(judgement, mine, theirs, settled.relative > 0, tolerated)
        worst = {**settled.worst, **error}
        buffers = tuple(
            Buffer(each.name, each.elements, i < len(judgement.varies) and judgement.varies[i], worst.get(i, 0.0))
            for i, each in enumerate(places[0])
            if not is_silent(original, i)
        )
        lanes = arch.lanes if theirs.report is None else theirs.report.lanes
        detail = judgement.detail
        if settled.relative and judgement.outcome.startswith("equal"):
            detail = "; ".join([*([detail] if detail else []), f"within {', '.join(settled.why)}"])
        seeds = tuple(seed for seed, _ in chosen.probed.seeds)
        names = self._names(mine.report, theirs.report)
        return DeviceRow(judgement._replace(detail=detail), names, lanes, seeds, buffers, settled.relative)

    def _program(self, side: int, build: SideBuild, arch: Arch) -> tuple[OnDevice, Loaded] | None:
        """A side's program, None for the CPU device's, which is there."""
        on = self._on(self.pair[side])
        if on is None:
            return None
        if build.unit is None:
            raise _Stop("unchecked", "there is no unit that could be built")
        program = on.build(build.unit, arch)
        if isinstance(program, Loaded):
            return on, program
        sources = build.unit.sources
        errors = [
            DeviceError(_within(each.file, sources), each.line, each.message, on.name) for each in program.diagnostics
        ]
        who = "translation" if side else "original"
        # An error that names no line of the unit is about the installation, as far as anybody can tell.
        named = any(each.line and each.path in sources for each in errors)
        outcome: Headline = "build-failed" if side and named else "not-checkable"
        raise _Stop(outcome, f"{who}: {on.name} does not build it: {first_error(program)}", errors if side else ())

    def _device(self, side: int, on: OnDevice, program: Loaded, run: KernelRun, sections: Sequence[Section]) -> _Ran:
        described = read_description(on.describe(program))
        mismatch = run.mismatch(described.kernels.get(run.pair.id))
        if mismatch:
            raise _Stop("not-checkable", f"{on.name} sees other parameters than the CPU device: {mismatch}")
        names = [each.name for each in described.symbols]
        theirs = [run.as_translated(each, names) for each in sections]
        done = on.run(program, plan_of(32, run.pair.id, theirs))
        if done.trouble and not any('"state": "ok"' in line for line in done.lines):
            built = "it builds" if EMULATED in self.pair else "both sides build"
            raise _Stop("unchecked", f"{built}, and nothing ran: {on.name}: {done.trouble}")
        runs, contents = _read(done, [run.places(each.shape) for each in theirs])
        places = run.places(sections[0].shape)
        order = run.order(names, places)
        moved = {(case, order.index(at)): data for (case, at), data in contents.items() if at in order}
        return _Ran(run.aligned(runs, names, places), moved, done.report, on)

    def _emulated(
        self, side: int, run: KernelRun, build: SideBuild, arch: Arch, chosen: Chosen, sections: Sequence[Section]
    ) -> _Ran:  # fmt: skip
        if side == 0:
            return _Ran(chosen.runs, {}, None, None)
        assert build.built is not None
        names = [each.name for each in run.described(build.built).symbols]
        theirs = [run.as_translated(each, names) for each in sections]
        runs = run_cases(Side(run.backend, build.built, arch.lanes), run.pair.id, theirs)
        return _Ran(run.aligned(runs, names, run.places(sections[0].shape)), {}, None, None)

    def _ranked(
        self, judgement: Judgement, mine: _Ran, theirs: _Ran, tolerance: bool, tolerated: Tolerated
    ) -> Judgement:  # fmt: skip
        """An equal outcome as high as what ran allows: a GPU's only where a GPU ran."""
        missing = [
            f"{name}: {why}"
            for name, ran in (("original", mine), ("translation", theirs))
            if ran.on is not None and (why := ran.on.why_no_gpu(ran.report))
        ]
        if missing and judgement.outcome.startswith(("equal", "differs")):
            text = f"no GPU ran this ({'; '.join(missing)})"
            judgement = judgement._replace(detail="; ".join(each for each in (judgement.detail, text) if each))
        if missing or judgement.outcome != "equal-emulated" or theirs.on is None:
            return judgement
        if theirs.on.builder.maker == "NVIDIA":
            return judgement._replace(outcome="equal-on-nvidia")
        if tolerance and tolerated.operations & FUNCTIONS:
            # Bounds of functions are published for CUDA's alone.
            return judgement._replace(outcome="equal-assumed", assumptions=(ASSUMED,), detail=f"rests on {ASSUMED}")
        return judgement._replace(outcome="equal-on-hardware")

    def _detailed(
        self, judgement: Judgement, chosen: Chosen, places: Sequence[Sequence[Place]], sides: Sequence["_Contents"],
        tolerated: Tolerated,
    ) -> tuple[Judgement, dict[int, float]]:  # fmt: skip
        """The judgement with its first difference spelled out."""
        if judgement.where is None or judgement.where[1] < 0:
            return judgement, {}
        case, index = judgement.where
        left, right = sides[0](case, index), sides[1](case, index)
        place = places[case.shape][index]
        grid = grid_of(chosen.sections[case.shape].shape)
        known = left is not None and right is not None
        found = compare(left or b"", right or b"", place, grid, tolerated=tolerated) if known else None
        if found is None:
            return judgement, {}
        text = (
            f"{place.name} differs: element {found.first} is {found.original} in the original and {found.translated} in"
            f" the translation; {found.differing} of {place.elements} elements differ, worst error"
            f" {found.worst_error:.6g}" + (f", {found.pattern}" if found.pattern else "")
        )
        return judgement._replace(detail=f"{text} ({case_text(case, chosen)})"), {index: found.worst_error}


class _Contents:
    """The contents of places after cases, of one side."""

    def __init__(self, held: "_Held", side: int, ran: _Ran) -> None:
        self.held, self.side, self.ran = held, side, ran

    def __call__(self, case: Case, index: int) -> bytes | None:
        if self.ran.on is not None:
            return self.ran.contents.get((case, index))
        return self.held.fetched(self.side, case, index)


class _Held:
    """Contents that the CPU device is asked for again, case by case."""

    def __init__(self, run: KernelRun, chosen: Chosen, builds: tuple[SideBuild, SideBuild], arch: Arch) -> None:
        self.run, self.chosen, self.builds, self.arch = run, chosen, builds, arch
        self._fetched: dict[tuple[int, Case], list[bytes]] = {}

    def of(self, side: int, ran: _Ran) -> _Contents:
        """The contents of a side."""
        return _Contents(self, side, ran)

    def fetched(self, side: int, case: Case, index: int) -> bytes | None:
        """A place's contents on the CPU device."""
        key = side, case
        run = self.run
        section = self.chosen.sections[case.shape]
        places = run.places(section.shape)
        built = self.builds[side].built
        if built is None:
            return None
        names = [each.name for each in run.described(built).symbols]
        order = run.order(names, places) if side else list(range(len(places)))
        if key not in self._fetched:
            shape = run.as_translated(section, names).shape if side else section.shape
            lanes = self.arch.lanes if side else 32
            self._fetched[key] = fetch(
                Side(run.backend, built, lanes), run.pair.id, shape, case, self.chosen.mode(case), max(order) + 1
            )
        found = self._fetched[key]
        return found[order[index]] if 0 <= order[index] < len(found) else None


def _within(file: str, sources: Mapping[str, bytes]) -> str:
    """A compiler's name for a file, as the unit has it."""
    if file in sources:
        return file
    return next((path for path in sources if file.endswith(f"/{UNIT}/{path}")), file)


def _once(section: Section) -> Section:
    """A section as devices run it: no schedules to choose, so each case a few times, and nothing fills fresh memory."""
    matrix = section.matrix
    return section._replace(matrix=Matrix(matrix.seeds, matrix.schedules[:RUNS], matrix.poisons[:1]))


def _read(done: DeviceRun, places: Sequence[Sequence[Place]]) -> tuple[SideRuns, dict[tuple[Case, int], bytes]]:
    """The runs of a driver on a device, and the contents of the buffers that they changed."""
    lines, found = [], {}
    for line in done.lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue  # cut off: the case counts as missing
        case = Case(row["shape"], row["seed"], row["schedule"], row["poison"])
        known = places[case.shape] if case.shape < len(places) else ()
        for index, (place, buffer) in enumerate(zip(known, row["buffers"], strict=False)):
            at, size = int(buffer[4]), place.elements * place.size
            if at >= 0 and at + size <= len(done.contents):
                found[case, index] = done.contents[at : at + size]
        row["buffers"] = [each[:4] for each in row["buffers"]]
        lines.append(json.dumps(row))
    return read_runs(lines), found


def merged(emulated: Headline, row: DeviceRow, arch: Arch) -> Headline:
    """The outcome of an arch with a device's row: worse where that is a failure, better where a device that stands for
    the arch ran and nothing else weakens what is known."""
    outcome = row.judgement.outcome
    if outcome in ("differs", "build-failed"):
        return "differs" if "differs" in (outcome, emulated) else outcome
    if outcome == "equal-on-hardware" and emulated in ("equal-emulated", "equal-assumed"):
        return outcome
    if outcome == "equal-on-nvidia" and emulated == "equal-emulated" and row.lanes == arch.lanes:
        return outcome
    return emulated
