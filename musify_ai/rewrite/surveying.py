"""From a translated project to its work units: which functions hold what no rule settled, and what each needs told."""

import posixpath
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from musify_ai.kernels import FunctionSpan, find_kernels, find_launches, function_at
from musify_ai.kernels.dependencies import Part, parts
from musify_ai.kernels.launches import callee_name
from musify_ai.records import Edit, Finding, Options
from musify_ai.rewrite.sheets import Known, sheet_of
from musify_ai.rewrite.units import WorkUnit
from musify_ai.source import OffsetMap, blank, words
from musify_ai.verify.closures import includes
from musify_ai.verify.patches import FileParts, Mentions, base_name

MOST_CONTEXT = 12_000
"""The most characters of definitions that go with a function."""

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


def survey(files: Sequence[FileView], options: Options, sheets: Sequence[Known]) -> Survey:
    """All work units of a project.

    A finding is taken where a build cannot take it as it is, or where a sheet speaks of its code; notes are not.
    """
    project = _Project(files)
    units: list[WorkUnit] = []
    left: list[Left] = []
    for view in files:
        wanted = [f for f in view.findings if _is_wanted(f, sheets)]
        if wanted:
            found, missed = _of_file(view, wanted, project, options, sheets)
            units += found
            left += missed
    return Survey(tuple(units), tuple(left))


def _is_wanted(finding: Finding, sheets: Sequence[Known]) -> bool:
    if finding.severity == "note":
        return False
    return not finding.settled or sheet_of(finding, sheets) is not None


def _of_file(
    view: FileView, wanted: Sequence[Finding], project: "_Project", options: Options, sheets: Sequence[Known]
) -> tuple[list[WorkUnit], list[Left]]:
    offsets = OffsetMap(view.edits)
    here = project.parts[view.place]
    before = FileParts(view.path, view.original)
    by_function: dict[FunctionSpan, list[Finding]] = {}
    left: list[Left] = []
    for finding in wanted:
        function = function_at(here.functions, offsets.to_output(finding.start))
        if function is None:
            in_macro = any(start <= finding.start < end for start, end in before.macros.values())
            left.append(Left(view.path, finding, "in a macro" if in_macro else "outside of functions"))
        elif function.kind not in _DEVICE:
            left.append(Left(view.path, finding, "in host code, which no kernel's check covers"))
        else:
            by_function.setdefault(function, []).append(finding)
    units = []
    for function, findings in sorted(by_function.items()):
        original = function_at(before.functions, findings[0].start)
        kernels = project.kernels_reaching(base_name(function.name))
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
        units.append(_unit(view, function, original, findings, kernels, project, options, sheets))
    return units, left


def _unit(
    view: FileView, function: FunctionSpan, original: FunctionSpan, findings: Sequence[Finding],
    kernels: tuple[str, ...], project: "_Project", options: Options, sheets: Sequence[Known],
) -> WorkUnit:  # fmt: skip
    known = list(dict.fromkeys(s for each in findings if (s := sheet_of(each, sheets)) is not None))
    known.sort(key=lambda each: each.order)
    return WorkUnit(
        path=view.path,
        place=view.place,
        name=function.name,
        kind=known[0].kind if known else "construct",
        findings=tuple(findings),
        text=view.translated,
        start=function.start,
        body_start=function.body_start,
        end=function.end,
        original=view.original,
        original_start=original.start,
        original_end=original.end,
        context=project.context(view.place, function),
        launches=project.launches_of(kernels),
        kernels=kernels,
        archs=options.archs,
        sdk=options.sdk,
        sheets=tuple(each.sheet for each in known),
        examples=tuple(example for each in known for example in each.examples)[:2],
        slower=any(each.slower for each in known),
    )


class _Project:
    """What functions of a project reach and need, over its translated files."""

    def __init__(self, files: Sequence[FileView]) -> None:
        self.texts: Mapping[str, bytes] = {each.place: each.translated for each in files}
        self.parts = {place: FileParts(place, text) for place, text in self.texts.items()}
        self._pieces: dict[str, list[Part]] = {}

    @cached_property
    def _reaching(self) -> dict[bytes, list[str]]:
        """For each function and macro the kernels that reach it."""
        mentions = Mentions(self.parts)
        found: dict[bytes, list[str]] = {}
        for place, text in self.texts.items():
            for kernel in find_kernels(text, place) if b"__global__" in text else ():
                for name in mentions.reached(base_name(kernel.name)):
                    found.setdefault(name, []).append(kernel.name)
        return found

    def kernels_reaching(self, function: bytes) -> tuple[str, ...]:
        """The kernels through which a function runs, by name; a few of them where there are many."""
        return tuple(dict.fromkeys(self._reaching.get(function, ())))[:4]

    def launches_of(self, kernels: Sequence[str]) -> tuple[str, ...]:
        """How the project launches some kernels, as it says itself."""
        names = {base_name(each).decode("utf-8", "replace") for each in kernels}
        found = []
        for place, text in self.texts.items():
            for launch in find_launches(text, place) if b"<<<" in text else ():
                if callee_name(launch) in names:
                    found.append(text[launch.start : launch.end].decode("utf-8", "replace"))
        return tuple(dict.fromkeys(found))[:3]

    def context(self, place: str, function: FunctionSpan) -> tuple[str, ...]:
        """The definitions that a function needs, from its file and what that includes, in order of file and place; as
        many as there is room for, the nearest first."""
        by_name: dict[bytes, list[tuple[str, Part]]] = {}
        order = self._visible(place)
        for file in order:
            for part in self._parts_of(file):
                if not part.inside and not (file == place and part.start <= function.start < part.end):
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

    def _visible(self, place: str) -> list[str]:
        """A file and those of the project that it includes, directly or not."""
        found = [place]
        for file in found:
            for include in includes(self.texts[file]):
                beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), include.name))
                tail = "/" + include.name.rsplit("../", 1)[-1]
                named = beside if beside in self.texts else next((p for p in self.texts if f"/{p}".endswith(tail)), "")
                if named and named not in found:
                    found.append(named)
        return found
