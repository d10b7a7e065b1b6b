"""A file's edits and findings, from the name tier and every rule that has something to say."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.records import Edit, Finding, Options
from musify_ai.source.patterns import late_pattern
from musify_ai.source.splicing import resolve, splice
from musify_ai.source.tokens import tokens
from musify_ai.translate.build import build_system, found_in_build_file
from musify_ai.translate.names import translate_names, without_repeats
from musify_ai.translate.names.messages import DERIVED, TABLE_ONLY, YIELDING
from musify_ai.translate.registry import RuleEntry, asked, load, triggered_in_python
from musify_ai.translate.suppression import exclusions
from musify_ai.translate.surroundings import Surroundings
from musify_ai.translate.unit import Unit

_WORD = late_pattern(rb"[A-Za-z_]\w*")
INTERNAL_ERROR = "MUS000"
ALREADY_MUSA = "MUS001"
UNUSED_SUPPRESSION = "MUS002"
_OF_NAMES = YIELDING | {DERIVED, TABLE_ONLY}
# Without one of these no string of a C++ file is device source.
SOURCE_WORDS = frozenset((b"__global__", b"n__global__", b"t__global__", b"r__global__", b"nvrtcCreateProgram"))


class Translation(NamedTuple):
    """What `translate` says of a file.

    ``edits`` are in order and do not overlap. Those of safety ``safe`` are to be applied; the ``unsafe`` ones among
    them only with ``options.unsafe_fixes`` (each of these is also the ``edit`` of a finding, or stands with one).
    ``findings`` are sorted by start and code. ``excluded`` are the spans that a comment keeps the tool out of, or that
    are MUSA source already: what is left there is explained. ``withheld`` are the edits that a file which is MUSA
    source already would have got otherwise, in order of place; they may overlap.
    """

    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    excluded: tuple[tuple[int, int], ...] = ()
    withheld: tuple[Edit, ...] = ()


_PYTHON = (".py", ".pyi")


def translate(
    src: bytes, path: str, options: Options | None = None, surroundings: Surroundings | None = None
) -> Translation:
    """The edits and findings of one file; never raises for what the file holds.

    A file that is MUSA already gets findings only. ``surroundings`` is what its project knows of the names it uses.
    """
    unit = Unit(path, src, options, surroundings)
    if build_system(path) is not None:
        # `setup.py` holds CUDA source in its strings as any Python file may.
        found = found_in_build_file(unit) if unit.options.direction == "c2m" else []
        return _settled(unit, [*found, *_python(unit)] if path.endswith(_PYTHON) else found)
    if path.endswith(_PYTHON):
        return _settled(unit, _python(unit))
    if unit.options.direction == "m2c":
        return _settled(unit, _back(unit))
    found = _names(unit) + _embedded(unit)
    entries = asked(unit)
    late = [entry for entry in entries if entry.late and _selected(unit.options, entry.code)]
    left_out: list[Edit | Finding] = []
    for entry in entries:
        selected = _selected(unit.options, entry.code)
        # What a late rule asks for is there whether or not it is to be reported, so all rules run before one.
        if not entry.late and (selected or late):
            (found if selected else left_out).extend(run_rule(entry, unit))
    unit.unsettled = _unsettled(unit, found, left_out)
    for entry in late:
        found += run_rule(entry, unit)
    return _settled(unit, without_repeats(_without_replaced_names(unit, found)))


def run_rule(entry: RuleEntry, unit: Unit) -> list[Edit | Finding]:
    """What one rule finds. A rule that raises says nothing of the file but that it failed: one finding over it all."""
    try:
        return list(load(entry).find(unit))
    except Exception as error:
        return [_internal_error(unit, entry.code, error)]


def unsettled_spans(found: list[Edit | Finding]) -> tuple[tuple[int, int], ...]:
    """The spans of the findings that stand in the way of building the translation as written, related places of the
    same file included."""
    unsettled = [each for each in found if isinstance(each, Finding) and not each.settled]
    spans = [(each.start, each.end) for each in unsettled]
    spans += [(place.start, place.end) for each in unsettled for place in each.related if not place.path]
    return tuple(sorted(spans))


def _without_replaced_names(unit: Unit, found: list[Edit | Finding]) -> list[Edit | Finding]:
    """What was found, without what the name tier says of names that are not there after the rules' safe edits."""
    replaced = sorted(
        (each.start, each.end, each.new)
        for each in found
        if isinstance(each, Edit) and each.safety == "safe" and not each.rule.startswith(("names.", "headers."))
    )

    def gone(name: bytes) -> bool:
        # A header's name, or one of several words, is no identifier and stands nowhere as one: nothing is known of it.
        places = list(unit.occurrences((name,)))
        for place in places:
            index = bisect_right(replaced, place.start, key=lambda span: span[0]) - 1
            if index < 0 or place.end > replaced[index][1] or name in replaced[index][2]:
                return False
        return bool(places)

    return [
        each
        for each in found
        if not (replaced and isinstance(each, Finding) and each.code in _OF_NAMES and gone(each.name.encode()))
    ]


def _unsettled(unit: Unit, found: list[Edit | Finding], left_out: list[Edit | Finding]) -> tuple[tuple[int, int], ...]:
    """The unsettled spans of a file: what findings leave so, and what edits would settle that are not made because
    their rule is not selected or a comment keeps it out."""
    spans = [*unsettled_spans(found), *unsettled_spans(left_out)]
    spans += [(each.start, each.end) for each in left_out if isinstance(each, Edit)]
    if unit.exclusions:
        edits = (each for each in found if isinstance(each, Edit))
        spans += [(each.start, each.end) for each in edits if unit.excluded(each.start, each.end, each.rule)]
    return tuple(sorted(spans))


def _names(unit: Unit) -> list[Edit | Finding]:
    try:
        return list(translate_names(unit, unit.surroundings))
    except Exception as error:
        return [_internal_error(unit, "names", error)]


def _embedded(unit: Unit) -> list[Edit | Finding]:
    """What the strings of a file want that are device source."""
    if unit.words.isdisjoint(SOURCE_WORDS):
        return []
    from musify_ai.translate.embedded import embedded, holds_source

    try:
        return list(embedded(unit, translate)) if holds_source(unit) else []
    except Exception as error:
        return [_internal_error(unit, "MUS117", error)]


def _python(unit: Unit) -> list[Edit | Finding]:
    """What a Python file wants: the rules that read Python, and the CUDA source in its strings."""
    from musify_ai.source.literals import python_texts
    from musify_ai.translate.embedded import embedded_in_python

    # This reads C++: a Python file has no macros of MUSA's, and its comments begin otherwise.
    unit.exclusions, unit.is_musa = [], False
    if unit.options.direction == "m2c":
        return []
    try:
        read = python_texts(unit.src)
        unit.exclusions = exclusions(unit.src, read.comments)
        found, unit.memo["explained"] = embedded_in_python(unit.src, read, unit.options, translate)
        for entry in triggered_in_python(unit.words, unit.options.pytorch):
            if _selected(unit.options, entry.code):
                found += run_rule(entry, unit)
        return found
    except Exception as error:
        return [_internal_error(unit, "MUS117", error)]


def _back(unit: Unit) -> list[Edit | Finding]:
    from musify_ai.translate.names.backward import translate_back

    try:
        return list(translate_back(unit))
    except Exception as error:
        return [_internal_error(unit, "names", error)]


def _internal_error(unit: Unit, rule: str, error: Exception) -> Finding:
    return Finding(
        INTERNAL_ERROR,
        "error",
        0,
        len(unit.src),
        f"internal error in rule {rule} ({type(error).__name__}: {error}): the file was translated without it. "
        "Please report this with the file; until then look through the file by hand for what the rule covers.",
        effort="hours",
        settled=False,
        name=rule,
    )


def _selected(options: Options, code: str) -> bool:
    if options.select and not code.startswith(options.select):
        return False
    return not (options.ignore and code.startswith(options.ignore))


def _settled(unit: Unit, found: list[Edit | Finding]) -> Translation:
    """Suppressions, unsafe suggestions and overlaps settled."""
    options = unit.options
    explained: tuple[tuple[int, int], ...] = tuple(unit.memo.get("explained", ()))
    if not found and not unit.exclusions:
        return Translation((), (), explained)
    findings = [
        each
        for each in found
        if isinstance(each, Finding)
        and (each.code == INTERNAL_ERROR or not unit.excluded(each.start, each.end, each.code))
        and (not options.ignore or not each.code.startswith(options.ignore))
    ]
    proposed = [each for each in found if isinstance(each, Edit)]
    proposed += [each.edit for each in findings if each.edit is not None and each.edit.safety != "display"]
    edits = [each for each in proposed if not unit.excluded(each.start, each.end, each.rule)]
    excluded = (*explained, *((each.start, each.end) for each in unit.exclusions if not each.codes))
    if any(each.codes for each in unit.exclusions):
        dropped = {
            (each.start, each.end)
            for each in (*found, *proposed)
            if unit.excluded(each.start, each.end, _code(each)) and not unit.excluded(each.start, each.end, "")
        }
        # One byte more than the name: what is suppressed in one place is not explained in every other.
        excluded += tuple((start, end + 1) for start, end in sorted(dropped))
    if unit.exclusions and not (options.select or options.ignore):
        findings += _unused_suppressions(unit, found)
    withheld: tuple[Edit, ...] = ()
    if unit.is_musa and options.direction == "c2m":
        findings = [each._replace(edit=None) for each in findings]
        if any(each.safety == "safe" for each in edits):
            findings.append(_already_musa(edits))
            excluded = ((0, len(unit.src)),)
        withheld = tuple(sorted(each for each in edits if each.safety == "safe" or options.unsafe_fixes))
        edits = []
    safe = [each for each in edits if each.safety == "safe" or options.unsafe_fixes]
    kept, refused = resolve(safe)
    if not options.unsafe_fixes:
        # A suggestion never displaces an edit that is applied.
        unsafe, _ = resolve(each for each in edits if each.safety != "safe")
        kept = sorted(kept + [each for each in unsafe if not _overlaps(each, kept)], key=lambda e: (e.start, e.end))
    if refused:
        kept = [_with_names(each, refused, unit) for each in kept]
    findings.sort(key=lambda each: (each.start, each.code, each.end, each.name))
    return Translation(tuple(kept), tuple(findings), excluded, withheld)


def _code(each: Edit | Finding) -> str:
    return each.code if isinstance(each, Finding) else each.rule


def _overlaps(edit: Edit, kept: list[Edit]) -> bool:
    index = bisect_right(kept, edit.start, key=lambda each: each.start)
    before, after = kept[index - 1 : index], kept[index : index + 1]
    return any(each.end > edit.start or each.start == edit.start for each in before) or any(
        each.start < edit.end for each in after
    )


def _with_names(edit: Edit, refused: list[Edit], unit: Unit) -> Edit:
    """A rule's edit whose new text carries source on (an ``asm`` operand), with the names in that text translated, and
    the words in it that another rule would replace (``warpSize``): a second run would else find them there."""
    inside = [each for each in refused if edit.start <= each.start and each.end <= edit.end]
    new = edit.new
    if any(each.rule.startswith(("names.", "headers.")) for each in inside):
        found = _names(Unit(unit.path, new, unit.options, unit.surroundings))
        renamed = [each for each in found if isinstance(each, Edit)]
        kept, _ = resolve(each for each in renamed if each.safety == "safe" or unit.options.unsafe_fixes)
        new = splice(new, kept)
    words = {
        each.old: each.new
        for each in inside
        if not each.rule.startswith(("names.", "headers.")) and _WORD.fullmatch(each.old)
    }
    if words:
        new = b"".join(words.get(token.text, token.text) for token in tokens(new, trivia=True))
    return edit if new == edit.new else edit._replace(new=new)


def _unused_suppressions(unit: Unit, found: list[Edit | Finding]) -> Iterator[Finding]:
    """A note for each exclusion that keeps nothing out; its comment may go, or its code is mistaken."""
    lines = unit.exclusions
    used: set[int] = set()
    for item in found:
        code = item.rule if isinstance(item, Edit) else item.code
        index = bisect_right(lines, item.start, key=lambda each: each.end)
        while index < len(lines) and lines[index].start < max(item.end, item.start + 1):
            if lines[index].covers(code):
                used.add(index)
            index += 1
    for index, each in enumerate(lines):
        newline = unit.src.find(b"\n", each.start, each.end)
        if index in used:
            if each.line_start == len(unit.src):
                yield Finding(
                    UNUSED_SUPPRESSION,
                    "note",
                    each.start,
                    each.end if newline < 0 else newline,
                    "MUSIFY_EXCL_START has no MUSIFY_EXCL_STOP: all from here to the end of the file was left. Close "
                    "it where the part ends.",
                )
            continue
        codes = f" of {', '.join(each.codes)}" if each.codes else ""
        yield Finding(
            UNUSED_SUPPRESSION,
            "note",
            each.start,
            each.end if newline < 0 else newline,
            f"the suppression{codes} that begins here keeps nothing out: take it away, or correct its code.",
        )


def _already_musa(edits: list[Edit]) -> Finding:
    first = min(edits, key=lambda each: each.start)
    return Finding(
        ALREADY_MUSA,
        "note",
        first.start,
        first.end,
        f"this file is MUSA source already (by its suffix, an include or a guard), so {len(edits)} edits that a CUDA "
        "file would get, the first of them here, were not made. If the CUDA names are meant for another branch, "
        "leave them; if the file is half ported, take the MUSA include or guard out and run again.",
    )
