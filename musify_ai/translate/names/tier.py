"""The name tier over one file: words, occurrences, roles, edits and findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from musify_ai.records import Edit, Finding, Grade, Options
from musify_ai.rules import Rules, load
from musify_ai.source.lexing import Occurrence, Region, occurrences
from musify_ai.translate.names import messages
from musify_ai.translate.names.context import Role, brace_scopes, in_record_body, role
from musify_ai.translate.names.includes import includes
from musify_ai.translate.names.namespaces import cuda_namespaces
from musify_ai.translate.names.strings import names_in_strings

# Libraries of which the most names are in the bulk part: it is loaded for a file that includes one of their headers.
_BULK_LIBRARIES = frozenset(("npp", "cupti"))
# Names of PyTorch's C++ API (CUDAStream, CUDAGuard) are ordinary words elsewhere.
_TORCH_WORDS = frozenset((b"torch", b"ATen", b"c10", b"THC"))
_SOURCES = {"seen": "seen in MUSA code or headers", "table": "in a published table", "prefix": "by the prefix rule"}


class FileView(Protocol):
    """What the tier needs of a file under translation."""

    @property
    def src(self) -> bytes:
        """The file's bytes."""

    @property
    def options(self) -> Options:
        """The run's options."""

    @property
    def words(self) -> set[bytes]:
        """Every word of the file."""

    @property
    def regions(self) -> list[Region]:
        """What is not code."""


def translate_names(unit: FileView, own: Collection[bytes] = ()) -> Iterator[Edit | Finding]:
    """The edits and findings of the names and headers in a file.

    Edits of derived names are ``unsafe``; the caller decides whether to apply them. ``own`` holds names that the
    project is known to define elsewhere; those that the file itself defines are found here.
    """
    options = unit.options
    rules = load("main", options.sdk, options.overlay)
    held = unit.words
    names: set[bytes] = rules.classes.keys() & held
    if not rules.header_words.isdisjoint(held):
        libraries = set()
        for each, library in includes(unit.src, unit.regions, held, rules, unit.options):
            libraries.add(library)
            yield each
        if libraries & _BULK_LIBRARIES:
            bulk = load("bulk", options.sdk, options.overlay)
            more = (bulk.classes.keys() & held) - names
            if more:
                yield from _names(unit, more, bulk, own)
    if held.isdisjoint(_TORCH_WORDS):
        names = {name for name in names if rules.label(name).library != "torch"}
    if names:
        yield from _names(unit, names, rules, own)
    if b"cuda" in held:
        yield from cuda_namespaces(unit.src, unit.regions)
    # Most files hold none of this, so what reads it is not even imported for them.
    if b"##" in unit.src:
        from musify_ai.translate.names.macros import pasted_fragments

        yield from pasted_fragments(unit.src, unit.regions, rules)
    if b"\\\n" in unit.src or b"\\\r\n" in unit.src:
        from musify_ai.translate.names.macros import spliced_names

        yield from spliced_names(unit.src, unit.regions, rules)


def own_symbols(unit: FileView) -> frozenset[bytes]:
    """The names of the table that a file defines itself: what an index over a project collects for ``own``."""
    rules = load("main", unit.options.sdk, unit.options.overlay)
    names = rules.classes.keys() & unit.words
    return frozenset(_defined(unit, names)[1]) if names else frozenset()


def without_repeats(found: Iterable[Edit | Finding]) -> list[Edit | Finding]:
    """What a file's rules found, without the tier's general findings about names of which a construct rule speaks.

    Where one of these said that the place does not build, the construct's finding says so in its stead.
    """
    held = list(found)
    spans = sorted(
        {(each.start, each.end) for each in held if isinstance(each, Finding) and each.code not in messages.YIELDING}
    )
    unsettled: set[tuple[int, int]] = set()
    kept: list[Edit | Finding] = []
    for each in held:
        if isinstance(each, Finding) and each.code in messages.YIELDING:
            index = bisect_right(spans, each.start, key=lambda span: span[0]) - 1
            if index >= 0 and each.end <= spans[index][1]:
                if not each.settled:
                    unsettled.add(spans[index])
                continue
        kept.append(each)
    return [
        each._replace(settled=False) if isinstance(each, Finding) and (each.start, each.end) in unsettled else each
        for each in kept
    ]


def findings_of(unit: FileView, code: str) -> Iterator[Finding]:
    """The tier's findings of one code."""
    return (each for each in translate_names(unit) if isinstance(each, Finding) and each.code == code)


def _defined(unit: FileView, names: set[bytes]) -> tuple[list[Occurrence], dict[bytes, Occurrence]]:
    """The occurrences that are uses, in order, and the first definition of each name that the file defines."""
    src = unit.src
    pasting = b"##" in src
    used: list[Occurrence] = []
    declared: list[Occurrence] = []
    definitions: list[Occurrence] = []
    for found in occurrences(src, names, known_regions=unit.regions):
        kind = role(src, found, pasting=pasting)
        if kind is Role.USE:
            used.append(found)
        elif kind is Role.DECLARATOR:
            declared.append(found)
        elif kind is Role.DEFINITION:
            definitions.append(found)
    scopes = brace_scopes(src) if declared else ([], [])
    definitions += (found for found in declared if not in_record_body(scopes, found.start))
    if definitions:
        from musify_ai.translate.names.platforms import OTHER_PLATFORMS, split_by_platform

    if definitions and not unit.words.isdisjoint(OTHER_PLATFORMS):
        definitions, elsewhere = split_by_platform(src, unit.regions, definitions)
        used = sorted([*used, *elsewhere])
    first: dict[bytes, Occurrence] = {}
    for found in sorted(definitions):
        first.setdefault(found.name, found)
    return used, first


def _names(unit: FileView, names: set[bytes], rules: Rules, own: Collection[bytes]) -> Iterator[Edit | Finding]:
    src = unit.src
    used, defined = _defined(unit, names)
    for found in defined.values():
        yield messages.own_symbol(found.start, found.end, _text(found.name))
    renamed: list[Edit] = []
    counts: dict[bytes, int] = {}
    first: dict[bytes, Occurrence] = {}
    for found in used:
        name = found.name
        if name in defined or name in own:
            continue
        counts[name] = counts.get(name, 0) + 1
        once = name not in first
        first.setdefault(name, found)
        label = rules.label(name)
        target = rules.names.get(name)
        if target is not None:
            edit = _edit(found, target, label.treatment, label.library)
            renamed.append(edit)
            yield edit
            if label.treatment == "prefix":
                yield messages.derived(edit, _text(name), rules.note(name), applied=unit.options.unsafe_fixes)
        elif label.treatment != "unproven" or once:
            yield _unrenamed(found, rules)
    for name, count in counts.items():
        if name in rules.names and rules.label(name).treatment == "table":
            place = first[name]
            yield messages.table_only(
                place.start, place.end, _text(name), _text(rules.names[name]), rules.note(name), count
            )
    if renamed and b"define" in unit.words:
        from musify_ai.translate.names.macros import stringised

        yield from stringised(src, unit.regions, renamed)
    yield from names_in_strings(src, unit.regions, unit.words, rules)


def _edit(found: Occurrence, target: bytes, treatment: str, library: str) -> Edit:
    grade: Grade = "seen" if treatment == "seen" else "table" if treatment == "table" else "prefix"
    return Edit(
        found.start,
        found.end,
        found.name,
        target,
        f"names.{library}",
        grade,
        "unsafe" if grade == "prefix" else "safe",
        _SOURCES[grade],
    )


def _unrenamed(found: Occurrence, rules: Rules) -> Finding:
    label, name, note = rules.label(found.name), _text(found.name), rules.note(found.name)
    start, end = found.start, found.end
    if label.treatment == "unproven":
        return messages.unproven(start, end, name)
    if label.treatment == "version":
        return messages.library_version(start, end, name)
    if label.treatment == "differs":
        return messages.differs(start, end, name, rules.nearest(found.name), label, note)
    return messages.no_counterpart(start, end, name, label, note)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
