"""From a translated project to its work units: which functions hold what no rule settled, and what each needs told."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from musify_ai.kernels import FunctionSpan, find_kernels, find_launches, function_at
from musify_ai.kernels.dependencies import Part, parts
from musify_ai.kernels.launches import callee_name
from musify_ai.records import Edit, Finding, Options
from musify_ai.rewrite.canonical import same
from musify_ai.rewrite.dropping import drops_of, with_drops
from musify_ai.rewrite.including import visible
from musify_ai.rewrite.parting import parted
from musify_ai.rewrite.sheets import Known, sheet_of
from musify_ai.rewrite.units import WorkUnit
from musify_ai.source import OffsetMap, blank, words
from musify_ai.verify.patches import FileParts, Mentions, base_name

MOST_FUNCTIONS = 8
MOST_CODE = 16_000
"""The most functions of a unit, and the most bytes of them."""

MOST_KERNELS = 2
"""The most kernels that are put to a model together with a construct which they may have to change with."""

MOST_CHECKED = 6
"""The most kernels through which a unit is checked."""

MOST_CONTEXT = 12_000
"""The most characters of definitions that go with a function."""

MOST_EXAMPLES = 2
"""The most examples that go with a unit; the unit itself is never one."""

Kernel = tuple[str, str]
"""A kernel by the place of its file and its name."""

_OUTSIDE = "outside of functions"
_DEVICE = ("kernel", "device", "host-device")


class FileView(NamedTuple):
    """A translated file: both texts, the edits that were made, and the findings that are left, in the original."""

    path: str
    place: str
    original: bytes
    translated: bytes
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]


class Left(NamedTuple):
    """A finding that no unit was made of, and why."""

    path: str
    finding: Finding
    why: str


class Survey(NamedTuple):
    """The units in order of file and place, and what none was made of."""

    units: tuple[WorkUnit, ...]
    left: tuple[Left, ...]


class _Found(NamedTuple):
    """A function that holds findings, in both texts, and the kernels that run it."""

    view: FileView
    function: FunctionSpan
    original: FunctionSpan
    findings: tuple[Finding, ...]
    kernels: tuple[Kernel, ...]


def survey(files: Sequence[FileView], options: Options, sheets: Sequence[Known]) -> Survey:
    """All work units of a project.

    A finding is taken where a build cannot take it as it is, or where a sheet speaks of its code; notes are not.
    Functions that share a kernel are one unit.
    """
    project = _Project(files, {view.place for view in files if any(_is_wanted(f, sheets) for f in view.findings)})
    found: list[_Found] = []
    left: list[Left] = []
    for view in files:
        wanted = [f for f in view.findings if _is_wanted(f, sheets)]
        if wanted:
            functions, missed = _of_file(view, wanted, project)
            found += functions
            left += missed
    units: list[WorkUnit] = []
    for group in _sharing(found):
        parts, rest = _askable(group, project, sheets)
        units += [_unit(part, project, options, sheets) for part in parts]
        why = f"too much at once: {len(group)} functions that share kernels, {_size(group)} bytes"
        left += [Left(each.view.path, finding, why) for each in rest for finding in each.findings]
    return _without_lines(Survey(tuple(units), tuple(left)), files)


def _without_lines(found: Survey, files: Sequence[FileView]) -> Survey:
    """The survey with the lines of findings that go with a unit given to it."""
    for view in files:
        outside = [each.finding for each in found.left if each.path == view.path and each.why == _OUTSIDE]
        drops = tuple(drops_of(view, outside))
        units = with_drops(found.units, view, drops) if drops else None
        if units is not None:
            gone = {drop.finding for drop in drops}
            left = tuple(each for each in found.left if each.path != view.path or each.finding not in gone)
            found = Survey(units, left)
    return found


def _sharing(found: Sequence[_Found]) -> list[list[_Found]]:
    """The functions in groups that are connected by kernels, in the order of their first functions."""
    groups: list[tuple[set[Kernel], list[_Found]]] = []
    for each in found:
        kernels, members = set(each.kernels), [each]
        apart = []
        for group in groups:
            if group[0] & kernels:
                kernels |= group[0]
                members = [*group[1], *members]
            else:
                apart.append(group)
        groups = [*apart, (kernels, members)]
    order = {id(each): number for number, each in enumerate(found)}
    ordered = [sorted(members, key=lambda each: order[id(each)]) for _, members in groups]
    return sorted(ordered, key=lambda members: order[id(members[0])])


def _askable(
    group: Sequence[_Found], project: "_Project", sheets: Sequence[Known]
) -> tuple[list[list[_Found]], list[_Found]]:
    """What is asked of functions that share kernels: all at once with the kernels that may have to change, or without
    them, or in parts; and what is in no part."""
    for whole in ([*group, *_kernels_too(group, project, sheets)], list(group)):
        if len(whole) <= MOST_FUNCTIONS and _size(whole) <= MOST_CODE:
            return [whole], []
    parts = []
    in_parts: set[int] = set()
    sizes = [_size([each]) for each in group]
    for part in parted([each.kernels for each in group], sizes, MOST_FUNCTIONS, MOST_CODE):
        own = [
            group[index]._replace(kernels=tuple(k for k in part.kernels if k in group[index].kernels))
            for index in part.functions
        ]
        whole = [*own, *_kernels_too(own, project, sheets)]
        parts.append(whole if len(whole) <= MOST_FUNCTIONS and _size(whole) <= MOST_CODE else own)
        in_parts.update(part.functions)
    return parts, [each for index, each in enumerate(group) if index not in in_parts]


def _size(group: Sequence[_Found]) -> int:
    return sum(each.function.end - each.function.start for each in group)


def _kernels_too(group: Sequence[_Found], project: "_Project", sheets: Sequence[Known]) -> list[_Found]:
    """The kernels that run a construct which they may have to change with, where there are not many."""
    wanted = [e for e in group if any((s := sheet_of(f, sheets)) is not None and s.kernel for f in e.findings)]
    kernels = dict.fromkeys(kernel for each in wanted for kernel in each.kernels)
    if len(kernels) > MOST_KERNELS:
        return []
    inside = {(each.view.place, each.function.start) for each in group}
    found = [each for kernel in kernels for each in project.kernel_found(kernel)]
    return [each for each in found if (each.view.place, each.function.start) not in inside]


def _is_wanted(finding: Finding, sheets: Sequence[Known]) -> bool:
    if finding.severity == "note":
        return False
    return not finding.settled or sheet_of(finding, sheets) is not None


def _of_file(view: FileView, wanted: Sequence[Finding], project: "_Project") -> tuple[list[_Found], list[Left]]:
    offsets = OffsetMap(view.edits)
    here, before = project.parts[view.place], project.originals[view.place]
    by_function: dict[FunctionSpan, list[Finding]] = {}
    left: list[Left] = []
    for finding in wanted:
        function = function_at(here.functions, offsets.to_output(finding.start))
        if function is None:
            in_macro = any(start <= finding.start < end for start, end in before.macros.values())
            left.append(Left(view.path, finding, "in a macro" if in_macro else _OUTSIDE))
        elif function.kind not in _DEVICE:
            left.append(Left(view.path, finding, "in host code, which no kernel's check covers"))
        else:
            by_function.setdefault(function, []).append(finding)
    found = []
    for function, findings in sorted(by_function.items(), key=lambda item: item[0].start):
        original = function_at(before.functions, findings[0].start)
        kernels = project.kernels_reaching(view.place, base_name(function.name))
        why = ""
        if original is None or base_name(original.name) != base_name(function.name):
            why = "the function has no counterpart in the original"
        elif not all(original.start <= each.start and each.end <= original.end for each in findings):
            why = "it reaches over the end of its function"
        elif not kernels:
            why = "no kernel of the project reaches its function"
        if why or original is None:
            left += [Left(view.path, each, why) for each in findings]
            continue
        found.append(_Found(view, function, original, tuple(findings), kernels))
    return found, left


def _unit(group: Sequence[_Found], project: "_Project", options: Options, sheets: Sequence[Known]) -> WorkUnit:
    findings = [finding for each in group for finding in each.findings]
    known = list(dict.fromkeys(s for each in findings if (s := sheet_of(each, sheets)) is not None))
    known.sort(key=lambda each: each.order)
    checked = tuple(dict.fromkeys(kernel for each in group for kernel in each.kernels))[:MOST_CHECKED]
    kernels = tuple(dict.fromkeys(name for _, name in checked))
    paths = tuple(dict.fromkeys(project.views[place].path for place, _ in checked))
    context: dict[str, None] = {}
    inside = [(each.view.place, each.function) for each in group]
    for each in group:
        context |= dict.fromkeys(project.context(each.view.place, each.function, inside))
    region = b"\n\n".join(each.view.translated[each.function.start : each.function.end] for each in group)
    examples = [each for sheet in known[:1] for each in sheet.examples if not same(each.before.encode(), region)]
    first, *others = (
        WorkUnit(
            path=each.view.path,
            place=each.view.place,
            name=each.function.name,
            kind=known[0].kind if known else "construct",
            findings=each.findings,
            text=each.view.translated,
            start=each.function.start,
            body_start=each.function.body_start,
            end=each.function.end,
            original=each.view.original,
            original_start=each.original.start,
            original_end=each.original.end,
            context=tuple(context),
            launches=project.launches_of(checked),
            kernels=kernels,
            kernel_paths=paths,
            archs=options.archs,
            sdk=options.sdk,
            sheets=tuple(each.sheet for each in known),
            examples=tuple(examples[:MOST_EXAMPLES]),
            slower=any(each.slower for each in known),
            may_vanish=bool(each.findings)
            and all((s := sheet_of(f, sheets)) is not None and s.vanishes(f) for f in each.findings),
            optional=not each.findings,
        )
        for each in group
    )
    return first._replace(also=tuple(others))


class _Project:
    """What functions of a project reach and need, over its translated files."""

    def __init__(self, files: Sequence[FileView], wanted: set[str]) -> None:
        self.wanted = wanted
        self.texts: Mapping[str, bytes] = {each.place: each.translated for each in files}
        self.views = {each.place: each for each in files}
        self.parts = {place: FileParts(place, text) for place, text in self.texts.items()}
        self.originals = {each.place: FileParts(each.path, each.original) for each in files}
        self._pieces: dict[str, list[Part]] = {}

    @cached_property
    def _reaching(self) -> dict[tuple[str, bytes], list[Kernel]]:
        """For each function and macro, by file and name, the kernels that reach it: through what their file includes,
        for another file's functions of the same name are others."""
        found: dict[tuple[str, bytes], list[Kernel]] = {}
        seen: dict[tuple[str, ...], Mentions] = {}
        for place, text in self.texts.items():
            kernels = find_kernels(text, place) if b"__global__" in text else ()
            reads = tuple(visible(place, self.texts)) if kernels else ()
            if not any(file in self.wanted for file in reads):
                continue
            if reads not in seen:
                seen[reads] = Mentions({file: self.parts[file] for file in reads})
            for kernel in kernels:
                for name in seen[reads].reached(base_name(kernel.name)):
                    for file in reads:
                        found.setdefault((file, name), []).append((place, kernel.name))
        return found

    def kernels_reaching(self, place: str, function: bytes) -> tuple[Kernel, ...]:
        """The kernels through which a function of a file runs."""
        return tuple(dict.fromkeys(self._reaching.get((place, function), ())))

    def kernel_found(self, kernel: Kernel) -> list[_Found]:
        """A kernel in both texts, with no findings; none where it is not one function of its name."""
        place, name = kernel
        here = [f for f in self.parts[place].functions if f.kind == "kernel" and f.name == name]
        same = [f for f in self.originals[place].functions if f.kind == "kernel" and f.name == name]
        if len(here) != 1 or len(same) != 1:
            return []
        return [_Found(self.views[place], here[0], same[0], (), (kernel,))]

    @cached_property
    def _launches(self) -> dict[str, list[tuple[str, str]]]:
        """The launches of the project by the kernel's name: the file, and the launch as it is written."""
        found: dict[str, list[tuple[str, str]]] = {}
        for place, text in self.texts.items():
            for launch in find_launches(text, place) if b"<<<" in text else ():
                written = text[launch.start : launch.end].decode("utf-8", "replace")
                found.setdefault(callee_name(launch), []).append((place, written))
        return found

    def launches_of(self, kernels: Sequence[Kernel]) -> tuple[str, ...]:
        """How the project launches some kernels, as it says itself: in their own files, or else anywhere."""
        found: dict[str, None] = {}
        for place, name in kernels:
            launches = self._launches.get(base_name(name).decode("utf-8", "replace"), [])
            here = [written for file, written in launches if file == place]
            found |= dict.fromkeys(here or [written for _, written in launches])
        return tuple(found)[:3]

    def context(
        self, place: str, function: FunctionSpan, inside: Sequence[tuple[str, FunctionSpan]]
    ) -> tuple[str, ...]:
        """The definitions that a function needs, from its file and what that includes, in order of file and place; as
        many as there is room for, the nearest first, and none of those ``inside`` the unit."""
        within = {(file, each.start) for file, each in inside}
        by_name: dict[bytes, list[tuple[str, Part]]] = {}
        order = visible(place, self.texts)
        for file in order:
            for part in self._parts_of(file):
                if not part.inside and (file, part.start) not in within:
                    for name in part.defines:
                        by_name.setdefault(name, []).append((file, part))
        text = self.texts[place]
        waiting = [words(blank(text[function.start : function.end]))]
        chosen: set[tuple[str, Part]] = set()
        room = MOST_CONTEXT
        seen: set[bytes] = set()
        while waiting:
            level: set[bytes] = set()
            for name in sorted(waiting.pop() - seen):
                seen.add(name)
                for each in by_name.get(name, ()):
                    size = each[1].end - each[1].start
                    if each not in chosen and size <= room and each[1].name != function.name:
                        room -= size
                        chosen.add(each)
                        level |= each[1].uses
            if level - seen:
                waiting.append(level)
        ordered = sorted(chosen, key=lambda each: (-order.index(each[0]), each[1].start))
        return tuple(self.texts[file][part.start : part.end].decode("utf-8", "replace") for file, part in ordered)

    def _parts_of(self, place: str) -> list[Part]:
        if place not in self._pieces:
            self._pieces[place] = parts(self.parts[place].outline)
        return self._pieces[place]
