"""Checking the kernels of one translation unit: both sides built for each arch, every kernel run and judged."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from musify_ai.backends.emulated import BuildStoppedError, Built, DeviceBuildError, Emulated
from musify_ai.backends.modes import races
from musify_ai.kernels.launches import callee_name
from musify_ai.records import ARCHS, Arch, Failure, Kernel, Launch, Options
from musify_ai.source import words
from musify_ai.verify.alone import build_alone
from musify_ai.verify.budget import Budget
from musify_ai.verify.building import Registration, SideBuild, SideSource, Unsettled, build_side
from musify_ai.verify.closures import Sources, mentions_arch
from musify_ai.verify.constants import constants_in
from musify_ai.verify.coverage import covered
from musify_ai.verify.gating import UnitGate
from musify_ai.verify.given import Given
from musify_ai.verify.guesses import has_better_guess, is_of_another_guess
from musify_ai.verify.hostvalues import Dim
from musify_ai.verify.judging import Judgement, weakened
from musify_ai.verify.kernelrun import KernelRun, Outcome
from musify_ai.verify.launch_shapes import launched_as
from musify_ai.verify.mutation.teeth import Toothless, weak_because
from musify_ai.verify.mutation.trying import MutatedUnit
from musify_ai.verify.mutation.writing import find
from musify_ai.verify.pairing import Pair, UnitPlan
from musify_ai.verify.patches import Mentions, Reason, base_name
from musify_ai.verify.running import RunError, Side
from musify_ai.verify.unit_parts import ArchOutcome, Checked, definitions_of, failed, source_of
from musify_ai.verify.unshown import NOT_RACED, Text, launches_changed, unshown

CLOSURE = "closure-only"
"""The note of a kernel that was built with what it needs of its unit, since the whole unit does not build here."""

_DISAGREE = ("differs", "original-schedule-dependent")


class UnitCheck:
    """One unit, its sources on both sides and its builds."""

    def __init__(
        self, backend: Emulated, plan: UnitPlan, originals: Sources, translations: Sources,
        unsettled: Mapping[str, Sequence[Unsettled]], options: Options,
        given: Mapping[str, Given] = MappingProxyType({}), budget: Budget | None = None,
    ) -> None:  # fmt: skip
        self.given, self.budget = given, budget or Budget()
        self.backend, self.plan, self.options = backend, plan, options
        self.unsettled = unsettled
        self.original = source_of(originals, plan.original, plan.closures[0])
        self.translated = source_of(translations, plan.translated, plan.closures[1])
        self.mentions = (Mentions(self.original.files), Mentions(self.translated.files))
        self.definitions = definitions_of(originals, plan, 0)
        self.translated_definitions = definitions_of(translations, plan, 1)
        self._builds: dict[tuple[str, int], SideBuild] = {}
        self._closures: dict[tuple[int, int, str, int], SideBuild] = {}
        self._runs: dict[str, KernelRun] = {}
        self._compared: dict[str, tuple[KernelRun, SideBuild]] = {}
        self.compared_on: dict[tuple[str, str], tuple[KernelRun, tuple[SideBuild, SideBuild]]] = {}
        self._mutated: dict[str, MutatedUnit] = {}

    def check(self) -> Checked:
        """Every pair on every arch asked for."""
        failures: list[Failure] = []
        rows: dict[str, list[ArchOutcome]] = {pair.id: [] for pair in self.plan.pairs}
        for name in self.options.archs:
            arch = ARCHS[name]
            if self.budget.is_spent:
                for pair in self.plan.pairs:
                    rows[pair.id].append(ArchOutcome(arch, failed(self.budget.judgement)))
                continue
            try:
                builds = self._sides(arch)
            except (BuildStoppedError, DeviceBuildError) as error:
                judgement = Judgement("not-checkable", str(error))
                failures.append(Failure(self.plan.original, "check", str(error), "see musify-ai doctor"))
                for pair in self.plan.pairs:
                    rows[pair.id].append(ArchOutcome(arch, failed(judgement)))
                continue
            failures += self._failures(*builds)
            for pair in self.plan.pairs:
                if has_better_guess(pair, self.plan.pairs, rows):
                    continue
                try:
                    spent = self.budget.is_spent
                    outcome = failed(self.budget.judgement) if spent else self._outcome(pair, arch, builds)
                except BuildStoppedError as error:  # of a build that only this pair asked for
                    outcome = failed(Judgement("not-checkable", str(error)))
                known = any(row.outcome.mutants is not None for row in rows[pair.id])
                if self.options.mutants and not known and outcome.judgement.outcome.startswith("equal"):
                    outcome = self._with_teeth(pair, arch, outcome)
                rows[pair.id].append(ArchOutcome(arch, outcome))
        left = [pair for pair in self.plan.pairs if not has_better_guess(pair, self.plan.pairs, rows, last=True)]
        done = tuple((pair, tuple(rows[pair.id])) for pair in left)
        return Checked(done, tuple(dict.fromkeys(failures)))

    def types(self, arch: Arch) -> dict[str, str]:
        """By pair, what the type gate says of the translation."""
        macro = self._macro(self.translated, arch.macro, 220)
        sides = (self.original, self.translated)
        return UnitGate(self.backend, sides, self.mentions[1], self.plan.pairs, self.unsettled).rows(macro)

    def _sides(self, arch: Arch) -> tuple[SideBuild, SideBuild]:
        original = self._build("cuda", self._macro(self.original, arch.cuda_macro, 800), None)
        translated = self._build("musa", self._macro(self.translated, arch.macro, 220), original)
        return original, translated

    def _macro(self, source: SideSource, macro: int, common: int) -> int:
        """The arch to build for: one for all where no file of the unit can tell them apart."""
        return macro if mentions_arch({path: parts.src for path, parts in source.files.items()}) else common

    def _build(self, side: str, macro: int, original: SideBuild | None) -> SideBuild:
        key = (side, macro)
        if key not in self._builds:
            if side == "cuda":
                named = [self._registration(pair, 0) for pair in self.plan.pairs]
                self._builds[key] = build_side(self.backend, "cuda", macro, self.original, named)
            else:
                named = [self._registration(pair, 1) for pair in self.plan.pairs if pair.translated is not None]
                self._builds[key] = build_side(
                    self.backend, "musa", macro, self.translated, named, unsettled=self.unsettled, original=original
                )
        return self._builds[key]

    def _registration(self, pair: Pair, side: int) -> Registration:
        """A kernel's registration; where other functions share its name, a cast to its own type chooses it."""
        kernel = pair.translated if side and pair.translated is not None else pair.original
        expression = f"&{pair.expression(side)}"
        if pair.arguments is None:
            source = self.translated if side else self.original
            base = base_name(kernel.name)
            same = [f for parts in source.files.values() for f in parts.functions if base_name(f.name) == base]
            if len(same) > 1:
                written = ", ".join(parameter.type for parameter in kernel.parameters)
                expression = f"static_cast<void (*)({written})>({expression})"
        types = tuple(each.type for each in kernel.parameters)
        if pair.arguments is None:
            return Registration(pair.id, kernel.name, expression, types=types)
        label = ",".join(pair.arguments[0]).replace(" ", "")
        return Registration(
            pair.id, kernel.name, expression, pair.arguments[side], label, (*types, *pair.arguments[side]), pair.guessed
        )

    def _failures(self, original: SideBuild, build: SideBuild) -> list[Failure]:
        """What of the translation does not build although the original does, kernels apart."""
        hint = (
            "the translation does not build against MUSA's declared names; its own fault unless reported as a finding"
        )
        reasons = [*build.erased.values(), *build.stubbed.values()]
        if build.built is None and original.built is not None:
            reasons.append(Reason("", build.failure))
        return [
            Failure(self.plan.original, "check", each.message, hint)
            for each in dict.fromkeys(reasons)
            if not each.code and not each.shared
        ]

    def _outcome(self, pair: Pair, arch: Arch, builds: tuple[SideBuild, SideBuild]) -> Outcome:
        alone = pair.translated is not None and (builds[0].built is None or builds[1].built is None)
        if alone:
            builds = self._alone(pair, arch, builds)
        before = self._before_running(pair, builds)
        if before is not None and before.outcome != "unchecked":
            return failed(before)
        original, translated = builds
        left_out = pair.id in translated.dropped or base_name(pair.expression(1)) in translated.stubbed
        if before is not None and (left_out or translated.built is None):
            return failed(before)
        assert original.built is not None and translated.built is not None
        try:
            run = self._run_of(pair, original.built)
            self._compared[pair.id] = run, translated
            self.compared_on[pair.id, arch.name] = run, builds
            outcome = run.against(translated.built, arch.lanes)
            if outcome.judgement.outcome in _DISAGREE and not self._keeps_inside(run, original, arch):
                outcome = run.against(translated.built, arch.lanes)
            if outcome.judgement.outcome.startswith("equal"):
                coverage, unreached = covered((original.watched, translated.watched), outcome.seen)
                outcome = outcome._replace(coverage=coverage)
                reasons = [*self._unshown(pair, run), *unreached]
                race = self._race(run, builds, arch) if any(NOT_RACED in each for each in reasons) else ""
                judgement = weakened(outcome.judgement, reasons)
                if race:
                    judgement = judgement._replace(outcome="differs", detail=f"a race only in the translation: {race}")
                own = self._own_race(run, original, arch) if judgement.original_varies and not race else ""
                if own:
                    detail = f"the original depends on the order of threads, for with these inputs it has a race: {own}"
                    judgement = judgement._replace(outcome="original-schedule-dependent", detail=detail)
                outcome = outcome._replace(judgement=judgement)
        except RunError as error:
            return failed(Judgement("not-checkable", str(error)))
        if before is not None and outcome.judgement.outcome != "differs":
            # It got by without the stub, or never ran: what it reaches was left out all the same.
            outcome = outcome._replace(judgement=outcome.judgement._replace(outcome="unchecked", detail=before.detail))
        if alone:
            judgement = outcome.judgement
            outcome = outcome._replace(judgement=judgement._replace(notes=(*judgement.notes, CLOSURE)))
        return outcome

    def _with_teeth(self, pair: Pair, arch: Arch, outcome: Outcome) -> Outcome:
        """An equal outcome, weaker where the check would not have noticed that it is not; asked of one arch, for the
        others are compared in the same cases."""
        run, build = self._compared[pair.id]
        assert build.built is not None and build.unit is not None and pair.translated is not None
        kernel = base_name(pair.translated.name)
        reached = self.mentions[1].reached(kernel)
        macro = self._macro(self.translated, arch.macro, 220)
        key = f"{build.built.program}"
        if key not in self._mutated:
            kernels = {base_name(each.translated.name) for each in self.plan.pairs if each.translated is not None}
            alone = CLOSURE in outcome.judgement.notes
            names = {kernel} if alone else kernels
            within = reached if alone else set().union(*(self.mentions[1].reached(name) for name in names))
            self._mutated[key] = MutatedUnit(self.backend, build.unit, macro, find(build.unit, names, within))
        try:
            code, _ = self.mentions[1].text(kernel)
            excused = [text for name, text, _ in self.options.excused if name == kernel.decode("utf-8", "replace")]
            mutants = run.teeth(self._mutated[key], build.built, arch.lanes, reached, code, excused)
        except Toothless as error:
            note = f"no-mutants: {error}"
            judgement = outcome.judgement
            return outcome._replace(judgement=judgement._replace(notes=(*judgement.notes, note)))
        why = weak_because(mutants)
        judgement = weakened(outcome.judgement, [why] if why else [])
        return outcome._replace(judgement=judgement, mutants=mutants)

    def proposals(self, arch: Arch) -> list[tuple[Pair, Given | str]]:
        """The inputs that each kernel would be run with, or why there are none; only the original is built."""
        out: list[tuple[Pair, Given | str]] = []
        build = self._build("cuda", self._macro(self.original, arch.cuda_macro, 800), None)
        for pair in self.plan.pairs:
            built = build.built or self._closure(pair, 0, arch).built
            if built is None:
                out.append((pair, f"does not build here: {build.failure}"))
                continue
            try:
                out.append((pair, self._run_of(pair, built).chosen()))
            except RunError as error:
                out.append((pair, str(error)))
        return out

    def is_given(self, pair: Pair) -> bool:
        """Whether somebody gave inputs for a kernel."""
        return self._given(pair) is not None

    def _given(self, pair: Pair) -> Given | None:
        return self.given.get(pair.original.name) or self.given.get(base_name(pair.original.name).decode())

    def _run_of(self, pair: Pair, built: Built) -> KernelRun:
        key = f"{built.program} {pair.id}"
        if key not in self._runs:
            self._runs[key] = KernelRun(
                self.backend, built, pair, self._body(pair), self.plan.launches, self.definitions, self.options.seeds,
                self._mentioned(pair), self._given(pair), self.options.draw, self._constants(pair),
                self.options.schedules,
            )  # fmt: skip
        return self._runs[key]

    def _race(self, run: KernelRun, builds: tuple[SideBuild, SideBuild], arch: Arch) -> str:
        """The translation's race that the original does not have. Looked for only where the translation has less of
        what keeps threads apart: it takes two more builds."""
        mine, theirs = self._watching(builds[0], 0, arch), self._watching(builds[1], 1, arch)
        return run.race(mine, theirs) if mine is not None and theirs is not None else ""

    def _watching(self, build: SideBuild, side: int, arch: Arch) -> Side | None:
        """A side built so that races are seen."""
        if build.unit is None:
            return None
        toolchain = self.backend.toolchain
        watching = Emulated(toolchain, self.backend.cache, races(toolchain), self.backend.companions)
        source, macro, common = ((self.original, arch.cuda_macro, 800), (self.translated, arch.macro, 220))[side]
        built = watching.build(build.unit, "musa" if side else "cuda", self._macro(source, macro, common))
        return Side(watching, built, arch.lanes if side else 32) if isinstance(built, Built) else None

    def _own_race(self, run: KernelRun, original: SideBuild, arch: Arch) -> str:
        """The race by which an original varies with the order of its threads; where there is none, atomics do it."""
        side = self._watching(original, 0, arch)
        found = run.own_race(side) if side is not None else ""
        # In global memory made strides and indices let threads meet that the program keeps apart.
        return found if found.startswith("shared ") else ""

    def _keeps_inside(self, run: KernelRun, original: SideBuild, arch: Arch) -> bool:
        """Whether the inputs under which the sides disagree are ones that the original can take.

        Past the end of an array of fixed size lies whatever the linker put there, on each side something else.
        """
        if run.is_strict or original.unit is None:
            return True
        macro = self._macro(self.original, arch.cuda_macro, 800)
        strict = self.backend.build_strict(original.unit, "cuda", macro)
        return not isinstance(strict, Built) or run.keeps_inside(strict)

    def _alone(self, pair: Pair, arch: Arch, builds: tuple[SideBuild, SideBuild]) -> tuple[SideBuild, SideBuild]:
        """Both sides of a pair by its closure, since the whole of some side does not build.

        Where the original's whole does and only the translation's does not, its closure may still be compared: the
        failure of the whole is reported apart.
        """
        mine, theirs = self._closure(pair, 0, arch), self._closure(pair, 1, arch)
        whole = builds[1].built is None and builds[0].built is not None
        if theirs.built is None and whole and not theirs.stubbed:
            return mine, theirs._replace(failure=builds[1].failure, dropped={})
        return mine, theirs

    def _closure(self, pair: Pair, side: int, arch: Arch) -> SideBuild:
        """One side of a pair's kernel by itself, built once for all its instantiations."""
        source, macro, common = ((self.original, arch.cuda_macro, 800), (self.translated, arch.macro, 220))[side]
        value = self._macro(source, macro, common)
        key = (side, value, pair.original.path, pair.original.start)
        if key not in self._closures:
            kernel = pair.translated if side and pair.translated is not None else pair.original
            same = [
                each
                for each in self.plan.pairs
                if (each.original.path, each.original.start) == (pair.original.path, pair.original.start)
            ]
            self._closures[key] = build_alone(
                self.backend, "musa" if side else "cuda", value, source, kernel,
                [self._registration(each, side) for each in same], self.unsettled if side else {},
            )  # fmt: skip
        return self._closures[key]

    def _unshown(self, pair: Pair, run: KernelRun) -> list[str]:
        """What the translation changed that no run here can judge."""
        twin = pair.translated or pair.original
        mine, theirs = (
            Text(*mentions.text(base_name(kernel.name)))
            for mentions, kernel in zip(self.mentions, (pair.original, twin), strict=True)
        )
        found = unshown(mine, theirs)
        definitions = self.definitions, self.translated_definitions

        def evaluated(side: int, launch: Launch) -> tuple[Dim, Dim, int] | None:
            kernel = twin if side else pair.original
            return launched_as(kernel, run.values, launch, definitions[side])

        changed = launches_changed(run.launches, self._launches_of(twin), evaluated)
        return [*found, changed] if changed else found

    def _mentioned(self, pair: Pair) -> set[bytes]:
        """The words of both kernels and of all that they reach."""
        twin = pair.translated or pair.original
        names = base_name(pair.original.name), base_name(twin.name)
        return set().union(*(mentions.words_within(name) for mentions, name in zip(self.mentions, names, strict=True)))

    def _constants(self, pair: Pair) -> tuple[str, ...]:
        """The numbers in both kernels' text and in what they reach."""
        kernels = pair.original, pair.translated or pair.original
        return constants_in(each.text(base_name(k.name))[0] for each, k in zip(self.mentions, kernels, strict=True))

    def _body(self, pair: Pair) -> bytes:
        src = self.original.files[pair.original.path].src
        return src[pair.original.start : pair.original.end]

    def _before_running(self, pair: Pair, builds: tuple[SideBuild, SideBuild]) -> Judgement | None:
        """What is known of a pair from building alone; ``unchecked`` where it reaches what was left out."""
        original, translated = builds
        if pair.translated is None:
            return Judgement("build-failed", f"translation: there is no kernel {pair.original.name}")
        theirs = self._reason(pair, 1, translated)
        mine = self._reason(pair, 0, original)
        if theirs is not None and not theirs.code and pair.absent and pair.id in translated.dropped and mine is None:
            return Judgement("unchecked", "the translation does not instantiate the kernel so")
        if theirs is not None and not theirs.code and not theirs.shared and mine is None:
            return Judgement("build-failed", f"translation: {theirs.message}")
        if theirs is not None and theirs.code:
            return Judgement("unchecked", theirs.code)
        if mine is not None:
            return Judgement("not-checkable", f"original does not build here: {mine.code or mine.message}")
        if theirs is not None:
            return Judgement("not-checkable", f"does not build here on either side: {theirs.message}")
        return None

    def _reason(self, pair: Pair, side: int, build: SideBuild) -> Reason | None:
        """Why a side of a pair cannot be run, if so."""
        if pair.id in build.dropped:
            return build.dropped[pair.id]
        name = base_name(pair.expression(side))
        if name in build.stubbed:
            return build.stubbed[name]
        if build.built is None:
            return Reason("", build.failure)
        # What a template is instantiated with it calls as well: `apply<&helper>`.
        given = frozenset(words(" ".join(pair.arguments[side]).encode())) if pair.arguments is not None else frozenset()
        reached = self.mentions[side].reached(name, given)
        reasons = [build.stubbed[each] for each in sorted(reached & build.stubbed.keys())]
        within = self.mentions[side].words_within(name)
        for undefined in build.built.undefined:
            if is_of_another_guess(undefined, pair, self.plan.pairs, side):
                continue
            if base_name(undefined.split("(", 1)[0]) in within:
                reasons.append(Reason("", f"{undefined} is not defined in the unit"))
        if side == 1:
            reasons += self._launching(pair, build)
        return min(reasons, key=lambda each: (bool(each.code), each.shared), default=None)

    def _launching(self, pair: Pair, build: SideBuild) -> list[Reason]:
        """The reasons of translated host functions that launch the kernel and do not build for no known cause."""
        kernel = pair.translated or pair.original
        out = []
        for launch in self._launches_of(kernel):
            parts = self.translated.files.get(launch.path)
            if parts is None:
                continue
            for function in parts.functions:
                if function.start <= launch.start < function.end:
                    reason = build.stubbed.get(base_name(function.name))
                    if reason is not None and not reason.code and not reason.shared:
                        out.append(reason)
        return out

    def unproven(self, pair: Pair) -> bool:
        """Whether a translated kernel, what it reaches or who launches it uses a name known from a table only."""
        from musify_ai.emulator.manifest import unproven

        kernel = pair.translated
        if kernel is None:
            return False
        reached = self.mentions[1].reached(base_name(kernel.name))
        used: set[bytes] = set()
        for path, parts in self.translated.files.items():
            launched = [each.start for each in self._launches_of(kernel) if each.path == path]
            for function in parts.functions:
                holds = any(function.start <= start < function.end for start in launched)
                if holds or base_name(function.name) in reached:
                    used |= words(parts.src[function.start : function.end])
        found = {each.decode("utf-8", "replace") for each in used}
        if self.backend.companions is not None:
            found |= {target for name, target in self.backend.companions.names.items() if name in found}
        return bool(unproven(found))

    def _launches_of(self, kernel: Kernel) -> list[Launch]:
        name = base_name(kernel.name).decode()
        return [each for each in self.plan.translated_launches if callee_name(each) == name]
