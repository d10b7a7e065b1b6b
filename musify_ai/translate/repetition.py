"""Whether a translation that is translated once more could come out otherwise, found without translating it all."""

from __future__ import annotations

from collections.abc import Iterable

from musify_ai.records import Edit, Finding, Options
from musify_ai.rules import load as load_names
from musify_ai.translate.build import build_system
from musify_ai.translate.embedded import holds_source
from musify_ai.translate.names import translate_names
from musify_ai.translate.names.tier import LOOKING_UP
from musify_ai.translate.registry import asked, load
from musify_ai.translate.unit import Unit


def may_change(src: bytes, path: str, options: Options) -> bool:
    """Whether `translate` might make an edit in a file, or say that it held one back (MUS001).

    False is certain, True is not: then the file has to be translated to know. What is asked is what makes edits, the
    name tier where a word of the file can be renamed and the rules that are no display only; each without what could
    hold an edit back (other rules' findings, the project's own names, suppressions, selection). A rule that fails
    counts as one that might.
    """
    if options.direction != "c2m":
        return True
    unit = Unit(path, src, options)
    if path.endswith(".py") or build_system(path) is not None:  # few, and read by other rules than what follows asks
        return True
    try:
        return (
            holds_source(unit)
            or _names_change(unit)
            or any(_edits(load(entry).find(unit), options) for entry in asked(unit) if load(entry).SAFETY != "display")
        )
    except Exception:  # whatever it is, `translate` makes a finding of it
        return True


def _names_change(unit: Unit) -> bool:
    options, held = unit.options, unit.words
    rules = load_names("main", options.sdk, options.overlay, options.rules)
    renamed = not rules.names.keys().isdisjoint(held) or b"cuda" in held
    if not renamed and held.isdisjoint(LOOKING_UP) and rules.header_words.isdisjoint(held):
        return False
    return _edits(translate_names(unit), options)


def _edits(found: Iterable[Edit | Finding], options: Options) -> bool:
    """Whether an edit that a run with these options makes is among what was found."""
    for each in found:
        edit = each if isinstance(each, Edit) else each.edit
        if edit is not None and (edit.safety == "safe" or (edit.safety == "unsafe" and options.unsafe_fixes)):
            return True
    return False
