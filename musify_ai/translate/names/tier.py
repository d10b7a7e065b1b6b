"""The name tier over one file: words, occurrences, roles, edits and findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from musify_ai.records import Edit, Finding, Grade
from musify_ai.rules import Rules, load
from musify_ai.source.lexing import Occurrence, occurrences
from musify_ai.translate.names import messages
from musify_ai.translate.names.context import Role, is_global, role
from musify_ai.translate.names.includes import includes
from musify_ai.translate.names.namespaces import cuda_namespaces
from musify_ai.translate.names.scopes import Scopes
from musify_ai.translate.surroundings import Surroundings

if TYPE_CHECKING:
    from musify_ai.translate.names.views import FileView

# Libraries of which the most names are in the bulk part: it is loaded for a file that includes one of their headers.
_BULK_LIBRARIES = frozenset(("npp", "cupti"))
# Names of PyTorch's C++ API (CUDAStream, CUDAGuard) are ordinary words elsewhere.
_TORCH_WORDS = frozenset((b"torch", b"ATen", b"c10", b"THC"))
# What a file holds that pastes, or calls a macro which by its name does; and what begins CUDA names.
_PASTING = (b"##", b"CAT", b"PASTE", b"JOIN", b"GLUE")
_BEGINNINGS = frozenset(b"cuda cu cublas cufft curand cusparse cusolver cudnn nccl CUDA_ CU_ CU CUBLAS_ __nv_".split())
_ALIKE = (b"cu", b"CU", b"nccl")
# Calls that look symbols or libraries up by name.
LOOKING_UP = frozenset(
    b"dlsym dlvsym GetProcAddress cuGetProcAddress cuGetProcAddress_v2 cudaGetDriverEntryPoint QLibrary dlopen dlmopen "
    b"cudaGetDriverEntryPointByVersion LoadLibrary LoadLibraryA LoadLibraryEx LoadLibraryExA".split()
)
_ALONE = Surroundings()
_SOURCES = {"seen": "seen in MUSA code or headers", "table": "in a published table", "prefix": "by the prefix rule"}
_SOURCES["rule"] = "by the project's own rules"


def translate_names(unit: FileView, around: Surroundings = _ALONE) -> Iterator[Edit | Finding]:
    """The edits and findings of the names and headers in a file.

    Edits of derived names are ``unsafe``; the caller decides whether to apply them. ``around`` holds names that the
    project is known to define elsewhere; those that the file itself defines are found here.
    """
    options = unit.options
    rules = load("main", options.sdk, options.overlay, options.rules)
    held = unit.words
    names: set[bytes] = rules.classes.keys() & held
    if not rules.header_words.isdisjoint(held):
        libraries = set()
        for each, library in includes(unit.src, unit.regions, held, rules, options, around.headers):
            libraries.add(library)
            yield each
        if libraries & _BULK_LIBRARIES:
            bulk = load("bulk", options.sdk, options.overlay)
            more = (bulk.classes.keys() & held) - names
            if more:
                yield from _names(unit, more, bulk, around)
    if held.isdisjoint(_TORCH_WORDS):
        names = {name for name in names if rules.label(name).library != "torch"}
    if names:
        yield from _names(unit, names, rules, around)
    alike = [word for word in held if word.startswith(_ALIKE) and word not in rules.classes]
    if alike:
        from musify_ai.translate.names.misspelt import misspelt

        yield from misspelt(unit.src, unit.regions, alike, rules)
    if b"cuda" in held:
        yield from cuda_namespaces(unit.src, unit.regions)
    # Most files hold none of this, so what reads it is not even imported for them.
    if not held.isdisjoint(LOOKING_UP):
        from musify_ai.translate.names.strings import names_in_strings

        yield from names_in_strings(unit.src, unit.regions, held, rules)
    if b"##" in unit.src:
        from musify_ai.translate.names.macros import pasted_fragments

        yield from pasted_fragments(unit.src, unit.regions, rules)
    if (names or not held.isdisjoint(_BEGINNINGS)) and any(hint in unit.src for hint in _PASTING):
        from musify_ai.translate.names.pasting import pasted_arguments

        yield from pasted_arguments(unit.src, unit.regions, held, unit.directives, rules)
    if b"\\" in unit.src and (b"\\\n" in unit.src or b"\\\r\n" in unit.src):
        from musify_ai.translate.names.macros import spliced_names

        yield from spliced_names(unit.src, unit.regions, rules)


def exported(unit: FileView) -> tuple[frozenset[bytes], dict[bytes, frozenset[bytes]]]:
    """The names of the table that a file defines and that those who include it see: its own ones, and by name the
    classes that have a member of that name. Parameters and what functions declare for themselves are not seen."""
    options = unit.options
    rules = load("main", options.sdk, options.overlay, options.rules)
    names = rules.classes.keys() & unit.words
    if not names:
        return frozenset(), {}
    found = defined_in(unit, names, rules.own)
    own = {
        name
        for name, place in found.own.items()
        if role(unit.src, place, unit.regions) is Role.MACRO
        or found.scopes().at(place.start).kind not in ("code", "parentheses")
    }
    return frozenset(own), {name: frozenset(records) for name, records in found.members.items()}


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


class Definitions(NamedTuple):
    """What a file defines of the table's names: what is used in it, in order, the first definition of each name that
    is the project's own throughout, the classes that have each name that is only a member, and the first of those
    that do not look like members (functions, scoped enumerators)."""

    used: list[Occurrence]
    own: dict[bytes, Occurrence]
    members: dict[bytes, set[bytes]]
    noted: list[Occurrence]
    scopes: Callable[[], Scopes]


def defined_in(unit: FileView, names: set[bytes], renamed: Collection[bytes]) -> Definitions:
    """What a file does with some names. ``renamed`` are names that the project's own rules rename where they are
    defined, too."""
    src = unit.src
    pasting = b"##" in src
    used: list[Occurrence] = []
    candidates: list[tuple[Occurrence, Role]] = []
    has_enum = b"enum" in unit.words
    for found in occurrences(src, names, known_regions=unit.regions):
        kind = role(src, found, unit.regions, pasting=pasting)
        if kind is Role.USE or found.name in renamed or (kind is Role.ENUMERATOR and not has_enum):
            used.append(found)
        elif kind in _DEFINING:
            candidates.append((found, kind))
    scopes = cache(lambda: Scopes(unit.tokens, unit.directives))
    own: list[Occurrence] = []
    members: dict[bytes, set[bytes]] = {}
    noted: list[Occurrence] = []
    for found, kind in candidates:
        whose = "own" if kind is Role.MACRO else _whose(kind, scopes().at(found.start).kind, src, found)
        if whose == "members":
            members.setdefault(found.name, set()).add(scopes().at(found.start).record)
            whose = "" if kind is Role.DECLARATOR else "noted"
        if whose:
            {"own": own, "used": used, "noted": noted}[whose].append(found)
    if own:
        from musify_ai.translate.names.platforms import split_by_platform

        own, elsewhere = split_by_platform(src, unit.directives, own)
        used += elsewhere
    if candidates:
        used.sort()
    defined = _first(own)
    noted = [found for found in _first(noted).values() if found.name not in defined]
    return Definitions(used, defined, {n: r for n, r in members.items() if n not in defined}, noted, scopes)


_DEFINING = frozenset((Role.DECLARATOR, Role.DEFINITION, Role.MACRO, Role.PROTOTYPE, Role.ENUMERATOR))


def _whose(kind: Role, scope: str, src: bytes, found: Occurrence) -> Literal["own", "members", "used", "noted", ""]:
    """Whether what a name stands in defines the project's own, a member or a scoped enumerator, or nothing."""
    if kind is Role.ENUMERATOR:
        # An enumerator of a scoped enum is only ever qualified.
        return "own" if scope == "enum" else "noted" if scope == "enum-class" else "used"
    if kind is Role.PROTOTYPE and (scope not in ("record", "namespace") or _is_foreign(src, found.start)):
        return "used"
    return "members" if scope == "record" else "own"


def _is_foreign(src: bytes, start: int) -> bool:
    """Whether a declaration says that it is of a function defined elsewhere: a friend, or one with C's linkage."""
    head = src[max(start - 300, 0) : start]
    head = head[max(head.rfind(b";"), head.rfind(b"{"), head.rfind(b"}")) + 1 :]
    return b"friend" in head or b'extern "C"' in head


def _first(found: list[Occurrence]) -> dict[bytes, Occurrence]:
    first: dict[bytes, Occurrence] = {}
    for each in sorted(found):
        first.setdefault(each.name, each)
    return first


def _names(unit: FileView, names: set[bytes], rules: Rules, around: Surroundings) -> Iterator[Edit | Finding]:
    src = unit.src
    used, defined, members, noted, scopes = defined_in(unit, names, rules.own)
    for found in defined.values():
        yield messages.own_symbol(found.start, found.end, _text(found.name))
    for found in noted:
        yield messages.own_member(found.start, found.end, _text(found.name))
    renamed: list[Edit] = []
    counts: dict[bytes, int] = {}
    first: dict[bytes, Occurrence] = {}
    in_class: set[bytes] = set()
    for name, records in around.members.items():
        if name in names and name not in defined:
            members[name] = members.get(name, set()) | records
    for found in used:
        name = found.name
        if name in defined:
            continue
        if name in around.own:
            if name not in in_class:
                in_class.add(name)
                yield messages.own_elsewhere(found.start, found.end, _text(name), around.own[name])
            continue
        if (
            name in members
            and scopes().in_reach(found.start, members[name])
            and not is_global(src, found, unit.regions)
        ):
            if name not in in_class:
                in_class.add(name)
                yield messages.taken_as_member(found.start, found.end, _text(name))
            continue
        counts[name] = counts.get(name, 0) + 1
        once = name not in first
        first.setdefault(name, found)
        label = rules.label(name)
        target = rules.names.get(name)
        if target is not None:
            edit = _edit(found, target, "own" if name in rules.own else label.treatment, label.library)
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

        yield from stringised(src, unit.regions, unit.directives, renamed)


_GRADES: dict[str, Grade] = {"seen": "seen", "table": "table", "prefix": "prefix", "own": "rule"}


def _edit(found: Occurrence, target: bytes, treatment: str, library: str) -> Edit:
    grade = _GRADES[treatment]
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
    if label.code == messages.OWN_SYMBOL:
        return messages.kept(start, end, name, note)
    if label.treatment == "unproven":
        return messages.unproven(start, end, name)
    if label.treatment == "version":
        return messages.library_version(start, end, name)
    if label.treatment == "differs":
        return messages.differs(start, end, name, rules.nearest(found.name), label, note)
    return messages.no_counterpart(start, end, name, label, note)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
