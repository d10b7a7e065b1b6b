"""Which change makes a program differ: parts of a translation taken back until original and translation agree.

The parts are the lines in which a port departs from our own translation of its original; where our own translation
differs already, the edits of each construct rule. Edits of names are never taken back: without them nothing builds.
"""

import difflib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai.backends.limits import scratch
from musify_ai.records import Edit, Options
from musify_ai.source import Lines, splice

Result = Literal["agree", "differ", "broken"]

MOST_TRIES = 40
"""Builds and runs of the translation; each takes seconds."""


class Part(NamedTuple):
    """Something that can be taken back: a hunk of a file (lines of our translation, and what the port has instead), or
    all edits of a rule. ``label`` is how it is named to people."""

    label: str
    path: str = ""
    lines: tuple[int, int] = (0, 0)
    text: bytes = b""
    rule: str = ""


class Ours(NamedTuple):
    """Our translation of a file: where the port keeps it, the original's bytes, and the edits."""

    path: str
    src: bytes
    edits: tuple[Edit, ...]

    def without(self, rules: frozenset[str]) -> bytes:
        """The translation without the edits of some rules."""
        return splice(self.src, [each for each in self.edits if each.rule not in rules])


def culprits(parts: Sequence[Part], test: Callable[[Sequence[Part]], Result]) -> tuple[list[Part], bool]:
    """A smallest set of parts that makes the program differ, and whether it was found within `MOST_TRIES`.

    ``test`` says how the program comes out with some of the parts in place. Delta debugging (Zeller and Hildebrandt,
    Simplifying and Isolating Failure-Inducing Input, 2002); what does not build counts as neither.
    """
    tries = 0

    def differs(some: Sequence[Part]) -> bool:
        nonlocal tries
        tries += 1
        return test(some) == "differ"

    left, pieces = list(parts), 2
    while len(left) > 1 and tries < MOST_TRIES:
        size = -(-len(left) // pieces)
        chunks = [left[at : at + size] for at in range(0, len(left), size)]
        # One chunk alone, then all but one.
        smaller = next((chunk for chunk in chunks if tries < MOST_TRIES and differs(chunk)), None)
        if smaller is not None:
            left, pieces = smaller, 2
            continue
        rest = [[each for each in left if each not in chunk] for chunk in chunks] if len(chunks) > 2 else []
        smaller = next((some for some in rest if tries < MOST_TRIES and differs(some)), None)
        if smaller is not None:
            left, pieces = smaller, max(pieces - 1, 2)
        elif size == 1:
            break
        else:
            pieces = min(pieces * 2, len(left))
    return left, tries < MOST_TRIES


def hunks(ours: Ours, port: bytes) -> list[Part]:
    """The lines in which a port departs from our translation."""
    mine, theirs = ours.without(frozenset()).splitlines(True), port.splitlines(True)
    found = []
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            label = f"{ours.path}:{c + 1}" + (f"-{d}" if d > c + 1 else "") + " (changed by hand)"
            found.append(Part(label, ours.path, (a, b), b"".join(theirs[c:d])))
    return found


def rules_of(all_ours: Sequence[Ours]) -> list[Part]:
    """The construct rules that made edits, each with the places of its first few."""
    places: dict[str, list[str]] = {}
    for ours in all_ours:
        lines = Lines(ours.src)
        for edit in ours.edits:
            if edit.evidence == "rule":
                places.setdefault(edit.rule, []).append(f"{ours.path}:{lines.at(edit.start)[0]}")
    return [
        Part(f"{rule} ({', '.join(found[:3])}{', ...' if len(found) > 3 else ''})", rule=rule)
        for rule, found in sorted(places.items())
    ]


def with_hunks(ours: Ours, kept: Sequence[Part]) -> bytes:
    """Our translation with some of a port's hunks."""
    lines = ours.without(frozenset()).splitlines(True)
    for part in sorted((each for each in kept if each.path == ours.path), key=lambda each: each.lines, reverse=True):
        first, last = part.lines
        lines[first:last] = [part.text]
    return b"".join(lines)


def explain(
    translation: Path, all_ours: Sequence[Ours], port: Mapping[str, bytes], run: Callable[[Path], Result]
) -> str:
    """What makes the program differ, in a phrase. ``run`` builds and runs a tree that stands for the translation."""
    with scratch() as work:
        tree = work / "tree"
        shutil.copytree(translation, tree, symlinks=True, copy_function=_linked)

        def outcome(texts: Mapping[str, bytes]) -> Result:
            for path, text in texts.items():
                place = tree / path
                place.unlink(missing_ok=True)  # it may be the user's own file by another name
                place.write_bytes(text)
            return run(tree)

        own = outcome({each.path: each.without(frozenset()) for each in all_ours})
        by_hand = [part for each in all_ours for part in hunks(each, port[each.path])]
        if own == "agree" and by_hand:
            found, sure = culprits(
                by_hand, lambda kept: outcome({each.path: with_hunks(each, kept) for each in all_ours})
            )
            return _said(found, sure)
        if own != "differ":
            return "what makes it differ was not found: our own translation of the original does not build or run here"
        rules = rules_of(all_ours)
        every = frozenset(part.rule for part in rules)

        def without(kept: Sequence[Part]) -> Result:
            gone = every - {part.rule for part in kept}
            return outcome({each.path: each.without(gone) for each in all_ours})

        if not rules or without(()) != "agree":
            return "what makes it differ is no rule's edit: it differs with the names alone"
        return _said(*culprits(rules, without))


def _said(found: Sequence[Part], sure: bool) -> str:
    names = " together with ".join(part.label for part in found[:4])
    more = f" and {len(found) - 4} more" if len(found) > 4 else ""
    return f"made by {names}{more}" + ("" if sure else f" (not narrowed down further within {MOST_TRIES} tries)")


def _linked(source: str, target: str) -> None:
    """A file by a second name where that goes, else a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def ours_of(original: Path, files: Mapping[str, str], options: Options) -> list[Ours]:
    """Our translation of each file of an original that a port has."""
    from musify_ai.pipeline import process

    found = []
    for path, counterpart in sorted(files.items()):
        src = (original / path).read_bytes()
        done = process(src, path, options)
        edits = tuple(each for each in done.result.edits if each.safety == "safe" or options.unsafe_fixes)
        found.append(Ours(counterpart, src, edits))
    return found
