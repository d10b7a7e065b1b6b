"""Running one kernel: inputs chosen on the original, every case on both sides, the difference fetched and described."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from musify_ai.backends.emulated import Built, Emulated
from musify_ai.kernels.launches import callee_name
from musify_ai.records import Buffer, Coverage, Launch, Mutants
from musify_ai.verify.choosing import Chosen, choose
from musify_ai.verify.comparing import compare, values_of
from musify_ai.verify.described import DescribedKernel, Description
from musify_ai.verify.given import Given, GivenBuffer
from musify_ai.verify.hostvalues import Definitions
from musify_ai.verify.judging import Judgement, judge
from musify_ai.verify.mutation.teeth import Toothless, look
from musify_ai.verify.mutation.trying import MutatedUnit
from musify_ai.verify.pairing import Pair
from musify_ai.verify.patches import BUILD, base_name
from musify_ai.verify.patterns import Grid, where_inputs
from musify_ai.verify.probing import Probed, seeds_of
from musify_ai.verify.results import OK, Case, CaseRun, Place, SideRuns
from musify_ai.verify.running import POISONS, SCHEDULES, Matrix, Section, Side, describe, fetch, run_cases
from musify_ai.verify.shapes import Shape, Shaping, Unfillable, places_of, slot_names, threads_of

RACE_SECONDS = 60  # watching costs some twenty times the run


class Outcome(NamedTuple):
    """A judgement with what it was made from; ``seen`` are the places of both sides' text that were reached."""

    judgement: Judgement
    seeds: tuple[int, ...]
    buffers: tuple[Buffer, ...]
    shapes: tuple[str, ...]
    schedules: tuple[str, ...] = ()
    poison: tuple[int, ...] = ()
    mutants: Mutants | None = None
    coverage: Coverage | None = None
    seen: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


class KernelRun:
    """A kernel of a built original; compared with as many translations (archs) as asked."""

    def __init__(
        self, backend: Emulated, built: Built, pair: Pair, body: bytes, launches: Sequence[Launch],
        definitions: Mapping[str, Definitions], seeds: int, mentioned: Collection[bytes], given: Given | None = None,
        draw: int = 0, constants: tuple[str, ...] = (), schedules: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.schedules = schedules or SCHEDULES
        self.given, self.constants = given, constants
        self.backend, self.pair = backend, pair
        self.side = Side(backend, built, 32)
        name = base_name(pair.original.name).decode()
        self.launches = [each for each in launches if callee_name(each) == name]
        self.definitions = definitions
        self.body = body
        self.mentioned = mentioned
        self.seeds = seeds_of(seeds, draw)
        self._chosen: Chosen | Judgement | None = None
        self.description = describe(backend, built)
        self.names: list[str] = []
        self._strict: Side | None = None

    def described(self, built: Built) -> Description:
        """What a built side holds."""
        return describe(self.backend, built)

    def places(self, shape: Shape) -> list[Place]:
        """The buffers of a shape."""
        return places_of(self.names, self.description.kernels[self.pair.id], self.description.symbols, shape)

    def against(self, built: Built, lanes: int) -> Outcome:
        """The outcome against a built translation at a number of lanes."""
        chosen = self.inputs()
        if isinstance(chosen, Judgement):
            return Outcome(chosen, (), (), ())
        side = Side(self.backend, built, lanes)
        theirs = describe(self.backend, built)
        mismatch = self.mismatch(theirs.kernels.get(self.pair.id))
        if mismatch:
            return Outcome(Judgement("differs", mismatch), (), (), ())
        names = [each.name for each in theirs.symbols]
        sections = [self.as_translated(each, names) for each in chosen.sections]
        places = self.places(sections[0].shape)
        ran = run_cases(side, self.pair.id, sections, stop=True)
        seen = chosen.runs.reached(), ran.reached()
        translated = self.aligned(ran, names, places)
        original, translated = self.quiet(chosen.runs, translated, places)
        judgement = judge(chosen.cases(0, chosen.loose), places, original, translated)
        judgement = self._with_loose(judgement, chosen, places, original, translated)
        if judgement.outcome == "unchecked" and judgement.detail.startswith(BUILD):
            judgement = judgement._replace(
                outcome="build-failed", detail="translation: " + judgement.detail.removeprefix(BUILD)
            )
        judgement, errors = self._detailed(judgement, side, sections, chosen, names)
        buffers = tuple(
            Buffer(
                place.name,
                place.elements,
                index < len(judgement.varies) and judgement.varies[index],
                errors.get(index, 0.0),
            )
            for index, place in enumerate(places)
            if not is_silent(original, index)
        )
        numbers = tuple(seed for seed, _ in chosen.probed.seeds)
        texts = tuple(_shape_text(section.shape) for section in sections)
        return Outcome(judgement, numbers, buffers, texts, self.schedules, POISONS, seen=seen)

    def teeth(
        self, mutated: MutatedUnit, built: Built, lanes: int, functions: Collection[bytes], code: bytes,
        excused: Collection[str],
    ) -> Mutants:  # fmt: skip
        """What becomes of a built translation's mutants in all cases that it was compared in. Raises `Toothless`."""
        chosen = self.inputs()
        if isinstance(chosen, Judgement):
            raise Toothless(chosen.detail)
        names = [each.name for each in describe(self.backend, built).symbols]
        sections = [self.as_translated(each, names) for each in chosen.sections]
        expected = run_cases(Side(self.backend, built, lanes), self.pair.id, sections)
        return look(mutated, self.pair.id, functions, code, sections, lanes, self.names, expected, excused)

    def race(self, original: Side, built: Side) -> str:
        """The first race of the translation in one of the chosen cases, where the original has none; else empty. Both
        sides are builds that watch for them."""
        section = self._first_case()
        if section is None:
            return ""
        names = [each.name for each in describe(built.backend, built.built).symbols]
        theirs = _races(run_cases(built, self.pair.id, [self.as_translated(section, names)]))
        if not theirs or _races(run_cases(original, self.pair.id, [section])):
            return ""
        return theirs[0]

    def own_race(self, original: Side) -> str:
        """The first race of the original in the first of the chosen cases; ``original`` is a build that watches."""
        section = self._first_case()
        found = _races(run_cases(original, self.pair.id, [section])) if section is not None else []
        return found[0] if found else ""

    def _first_case(self) -> Section | None:
        """The chosen shape in one case, for a build in which it takes long."""
        chosen = self.inputs()
        if isinstance(chosen, Judgement):
            return None
        section = chosen.sections[0]
        case = Matrix(section.matrix.seeds[:1], SCHEDULES[:1], POISONS[:1])
        return section._replace(matrix=case, seconds=RACE_SECONDS)

    def _with_loose(
        self, judgement: Judgement, chosen: Chosen, places: Sequence[Place], original: SideRuns, translated: SideRuns
    ) -> Judgement:
        """The judgement, weaker where the sides differ under launches that the program does not make."""
        if not judgement.outcome.startswith("equal") or chosen.loose == len(chosen.sections):
            return judgement
        other = judge(chosen.cases(), places, original, translated)
        if other.outcome.startswith("equal"):
            return judgement
        return other._replace(
            outcome="equal-weak", detail=f"under a launch that the program does not make: {other.detail}",
            assumptions=judgement.assumptions, written=judgement.written, varies=judgement.varies,
        )  # fmt: skip

    def quiet(self, mine: SideRuns, theirs: SideRuns, places: Sequence[Place]) -> tuple[SideRuns, SideRuns]:
        """Both sides' runs without the contents of device variables that this kernel neither names nor writes: what
        they hold is another kernel's matter."""
        first = len(places) - len(self.description.symbols)
        silent = [
            index
            for index, place in enumerate(places)
            if index >= first
            and base_name(place.name) not in self.mentioned
            and not any(_written(run, index) for runs in (mine, theirs) for run in runs.cases.values())
        ]
        return (_silenced(mine, silent), _silenced(theirs, silent)) if silent else (mine, theirs)

    def chosen(self) -> Given | str:
        """The inputs that the kernel is run with, to be written down; else why there are none."""
        chosen = self.inputs()
        if isinstance(chosen, Judgement):
            return chosen.detail
        shape = chosen.sections[0].shape
        values, ranges, buffers = {}, {}, {}
        slots = zip(self.names, self.description.kernels[self.pair.id].slots, shape.slots, strict=True)
        for name, slot, text in slots:
            words = text.split()
            if words[0] == "buffer" and slot.pointer:
                buffers[name] = GivenBuffer(
                    int(words[1]), words[3], int(words[2]) if set(slot.kinds) & set("iu") else 0
                )
            elif words[0] == "int":
                values[name] = int(words[1])
            elif words[0] == "float":
                ranges[name] = (float(words[1]), float(words[2]))
        return Given(shape.grid, shape.block, shape.shared, values, ranges, buffers)

    @property
    def values(self) -> dict[str, int]:
        """The chosen values of the integer parameters."""
        return dict(self._chosen.sections[0].shape.values) if isinstance(self._chosen, Chosen) else {}

    @property
    def threads(self) -> int:
        """The threads of a block of the chosen shape; 0 where there is none."""
        if not isinstance(self._chosen, Chosen):
            return 0
        x, y, z = self._chosen.sections[0].shape.block
        return x * y * z

    @property
    def is_strict(self) -> bool:
        """Whether the chosen inputs are known to keep inside arrays of fixed size."""
        return self._strict is not None

    def keeps_inside(self, strict: Built) -> bool:
        """Whether the chosen inputs keep inside arrays of fixed size, by a build of the original that ends where they
        do not; then others are looked for, and the next `against` takes them."""
        self._strict = Side(self.backend, strict, 32)
        chosen = self.inputs()
        if isinstance(chosen, Judgement):
            return True
        runs = run_cases(self._strict, self.pair.id, chosen.sections)
        if all(run.state == OK for run in runs.cases.values()):
            return True
        self._chosen = None
        return False

    def inputs(self) -> Chosen | Judgement:
        """What the kernel is run with, and what the original made of it; or why there is nothing."""
        if self._chosen is None:
            self._chosen = self._search()
        return self._chosen

    def _search(self) -> Chosen | Judgement:
        described = self.description.kernels.get(self.pair.id)
        if described is None:
            return Judgement("not-checkable", "the kernel is not among those of the built program")
        self.names = slot_names(self.pair.original, described)
        try:
            shaping = Shaping(
                self.pair.original, described, self.description.symbols, self.body, self.launches, self.definitions,
                threads_of(self.pair.original.template, self.pair.arguments[0] if self.pair.arguments else ()),
                self.given, self.constants,
            )  # fmt: skip
        except Unfillable as error:
            return Judgement("not-checkable", f"inputs: {error}")
        found = choose(self.side, self._strict, self.pair.id, shaping, self.seeds, self.places, self.schedules)
        return self._refused(found) if isinstance(found, Probed) else found

    def _refused(self, probed: Probed) -> Judgement:
        if not probed.states:
            return Judgement("not-checkable", "missing result: the original reported nothing")
        for run in probed.states:
            if run.state == "unsupported":
                return Judgement("not-checkable", f"{run.message or 'an instruction'}: not emulated")
            if run.state == "stub":
                return Judgement("not-checkable", f"original does not build here: {run.message.removeprefix(BUILD)}")
        last = probed.states[-1]
        if all(run.state == "time-limit" for run in probed.states):
            return Judgement("not-checkable", "timeout: the original did not end in time with any inputs tried")
        text = f"{last.state} ({self._named(last.message)})" if last.message else last.state
        tried = len(probed.states)
        return Judgement("not-checkable", f"inputs: the original ends with {text} under all {tried} choices tried")

    def _named(self, message: str) -> str:
        """A fault's place with the buffer's name in it."""
        parts = message.split()
        if "place" in parts[:-1]:
            at = parts.index("place")
            described = self.description.kernels[self.pair.id]
            pointers = [name for name, slot in zip(self.names, described.slots, strict=True) if slot.pointer]
            index = int(parts[at + 1])
            if index < len(pointers):
                return " ".join([*parts[:at], "at", pointers[index], *parts[at + 2 :]])
        return message

    def mismatch(self, theirs: DescribedKernel | None) -> str:
        """In what a kernel's parameters are not those of the original, in words."""
        if theirs is None:
            return "the translation's program does not hold the kernel"
        mine = self.description.kernels[self.pair.id]
        if len(mine.types) != len(theirs.types):
            return f"parameters: {len(mine.types)} became {len(theirs.types)}"
        for index, (left, right) in enumerate(zip(mine.slots, theirs.slots, strict=False)):
            if (left.pointer, left.size, left.kinds) != (right.pointer, right.size, right.kinds):
                return f"parameter {self.names[index]}: {left.type} became {right.type}"
        if len(mine.slots) != len(theirs.slots):
            return "parameters: their members became others"
        return ""

    def as_translated(self, section: Section, theirs: Sequence[str]) -> Section:
        """A section as the translation is run with it."""
        shape = section.shape
        return section._replace(shape=shape._replace(symbols=tuple(self._symbols(shape, theirs))))

    def _symbols(self, shape: Shape, theirs: Sequence[str]) -> list[str]:
        """The plan's lines for the translation's device variables, which may stand in another order."""
        mine = [each.name for each in self.description.symbols]
        return [line for name, line in zip(mine, shape.symbols, strict=True) if name in theirs]

    def order(self, theirs: Sequence[str], places: Sequence[Place]) -> list[int]:
        """For each of our places, the number of the translation's; -1 where it has none."""
        pointers = len(places) - len(self.description.symbols)
        order = list(range(pointers))
        for place in places[pointers:]:
            order.append(pointers + theirs.index(place.name) if place.name in theirs else -1)
        return order

    def aligned(self, runs: SideRuns, theirs: Sequence[str], places: Sequence[Place]) -> SideRuns:
        """A translation's buffers in the order of the original's; a variable that is gone ends the row: missing."""
        order = self.order(theirs, places)
        if order == list(range(len(places))):
            return runs
        cases = {}
        for case, run in runs.cases.items():
            picked = []
            for index in order:
                if not 0 <= index < len(run.buffers):
                    break
                picked.append(run.buffers[index])
            cases[case] = run._replace(buffers=tuple(picked))
        return SideRuns(cases, runs.varies)

    def _detailed(
        self, judgement: Judgement, side: Side, sections: Sequence[Section], chosen: Chosen, theirs: Sequence[str]
    ) -> tuple[Judgement, dict[int, float]]:
        """The judgement with the first difference spelled out, and the worst error by place."""
        if judgement.where is None:
            return judgement, {}
        case, index = judgement.where
        if index < 0:
            return judgement._replace(detail=_with_names(judgement.detail, self._named)), {}
        shape = sections[case.shape].shape
        places = self.places(shape)
        order = self.order(theirs, places)
        mine = fetch(self.side, self.pair.id, chosen.sections[case.shape].shape, case, chosen.mode(case), len(places))
        other = fetch(side, self.pair.id, shape, case, chosen.mode(case), max(order) + 1)
        place = places[index]
        further = [
            part
            for each, data in zip(places, mine, strict=True)
            if each.const and each.elements == place.elements
            for part in where_inputs(each.name, values_of(data, each))
        ]
        difference = compare(mine[index], other[order[index]], place, grid_of(shape), further)
        if difference is None:
            return judgement, {}
        lead = judgement.detail.split(" (", 1)[0]
        text = (
            f"{lead}: element {difference.first} is {difference.original} in the original and {difference.translated}"
            f" in the translation; {difference.differing} of {place.elements} elements differ, worst error"
            f" {difference.worst_error:.6g}" + (f", {difference.pattern}" if difference.pattern else "")
        )
        return judgement._replace(detail=f"{text} ({case_text(case, chosen)})"), {index: difference.worst_error}


def grid_of(shape: Shape) -> Grid:
    """How a shape gives out elements, for the patterns of those that differ."""
    x, y, z = shape.block
    return Grid(x * y * z, (x, y) if y > 1 else (0, 0), tuple(value for _, value in shape.values))


def _with_names(detail: str, named: Callable[[str], str]) -> str:
    before, mark, rest = detail.partition("(memory ")
    if not mark:
        return detail
    inner, close, after = rest.partition(")")
    return f"{before}({named('memory ' + inner)}{close}{after}"


def case_text(case: Case, chosen: Chosen) -> str:
    """A case in words, with the values that it was run with."""
    text = f"seed {case.seed}, schedule {case.schedule}, poison 0x{case.poison:02x}"
    mode, shape = chosen.mode(case), chosen.sections[case.shape].shape
    if case.shape:
        text += f", {mode} values" + "".join(f", {name} = {value}" for name, value in shape.values[:6])
        text += ", grid {}x{}x{}".format(*shape.grid)
    return text


def _races(runs: SideRuns) -> list[str]:
    return [each.message for run in runs.cases.values() for each in run.noticed if each.kind == "race"]


def _written(run: CaseRun, index: int) -> bool:
    return index < len(run.buffers) and run.buffers[index].written > 0


def _silenced(runs: SideRuns, places: Sequence[int]) -> SideRuns:
    cases = {}
    for case, run in runs.cases.items():
        buffers = [each._replace(hash="", bag="") if i in places else each for i, each in enumerate(run.buffers)]
        cases[case] = run._replace(buffers=tuple(buffers))
    return SideRuns(cases, runs.varies)


def is_silent(runs: SideRuns, index: int) -> bool:
    """Whether a place was left out of the comparison, and so is no buffer of the evidence."""
    return any(index < len(run.buffers) and not run.buffers[index].hash for run in runs.cases.values())


def _shape_text(shape: Shape) -> str:
    return f"grid {shape.grid} block {shape.block} shared {shape.shared}"
