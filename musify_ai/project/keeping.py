"""The translations of a run in its ledger, and which of those that are there still hold."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from musify_ai import __version__
from musify_ai.project.discovery import Entry
from musify_ai.project.git_listing import commit_of
from musify_ai.project.ledger import Ledger
from musify_ai.project.recording import restored, told
from musify_ai.project.treating import Manner, Treated
from musify_ai.records import Verdict
from musify_ai.records.codec import plain
from musify_ai.source.aside import read_bytes

Aside = Callable[[Treated], Treated]
"""Puts the bytes of a file aside, or does nothing where a run has few."""
_TRANSLATION_CHOICES = ("style", "sdk", "archs", "unsafe_fixes", "select", "ignore", "direction", "pytorch")


class Keeping:
    """The translations of a run, written to its ledger as they come, and those found there that still hold: of the
    same bytes, by the same rules, options and code."""

    def __init__(self, ledger: Ledger, manner: Manner, rules: str) -> None:
        self.ledger = ledger
        self._style = manner.options.style
        self._usable = self._style == "tokens"  # what other styles say of a file is not all kept
        self._is_asked = self._usable and not manner.options.fresh
        self._states: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._manner = _digest(_manner_told(manner), rules, __version__, translator_digest())
        self.taken = 0
        self.listed: Mapping[str, str] = {}
        self.since = 0

    def begin(self, source: Path, entries: Sequence[Entry]) -> None:
        """Write what the run is about and which files there are."""
        clock = self.ledger.folder / "lock"
        clock.touch()
        self.since = clock.stat().st_mtime_ns
        self.ledger.note("source", str(source.resolve()))
        self.ledger.note("commit", commit_of(source))
        self.ledger.note("style", self._style)
        self.ledger.note("stage", "translating")
        self.ledger.discover(entry.path for entry in entries if entry.kind == "file")

    def known(self, root: Path, entries: Sequence[Entry], aside: Aside) -> dict[str, Treated]:
        """The files whose translation the ledger has, by path; ``aside`` is done with each."""
        found: dict[str, Treated] = {}
        if not self._is_asked:
            return found
        by_path = {entry.path: entry for entry in entries if entry.kind == "file"}
        begin = str(root) + "/"
        for path, state, key, first in self.ledger.translations():
            entry = by_path.get(path)
            if entry is None:
                continue
            try:
                src = read_bytes(begin + path)
            except OSError:
                continue  # translating it will say what is wrong
            if key == self._key(entry, src):
                with suppress(ValueError):  # a ledger that was damaged: translated anew
                    found[path] = aside(restored(entry, src, first))
                    self._states[path] = state
        self.taken = len(found)
        return found

    def unchecked(self) -> dict[str, tuple[Verdict, ...]]:
        """The kernels of files that the last run listed and did not check either, by path, where they are as then."""
        if self.ledger.noted("checks") != "none" or not self.taken:
            return {}
        texts = self.ledger.verdict_texts()
        known = {}
        for path, state in self._states.items():
            if state == "checked":
                with suppress(ValueError, TypeError, IndexError):  # a ledger that was damaged: listed anew
                    known[path] = _unchecked(texts.get(path, "[]"))
        self.listed = {path: texts[path] for path in known if path in texts}
        return known

    def record(self, treated: Treated) -> None:
        """Write what came of one file."""
        before = treated.before
        if before is None:
            return
        text = told(treated) if self._usable and not treated.target else ""
        self.ledger.translated(treated.entry.path, self._key(treated.entry, before), text)

    def settled(self, alone: Sequence[Treated], aside: Aside) -> list[Treated] | None:
        """The files with those around them, where none has changed since the ledger wrote that; None otherwise."""
        if self.taken != sum(each.kept is not None for each in alone):
            return None
        if not self._usable or self.ledger.noted("tree") != self._tree(alone):
            return None
        places = {each.entry.path: number for number, each in enumerate(alone)}
        together = list(alone)
        try:
            for path, final in self.ledger.finals():
                if (number := places.get(path)) is not None:
                    each = alone[number]
                    together[number] = aside(restored(each.entry, each.before or b"", final))
        except ValueError:
            return None
        return together

    def settle(self, alone: Sequence[Treated], together: Sequence[Treated]) -> None:
        """Write what came of files together with those around them."""
        changed = [new for old, new in zip(alone, together, strict=True) if new is not old]
        self.ledger.settled({each.entry.path: told(each) for each in changed} if self._usable else {})
        self.ledger.note("tree", self._tree(alone))

    def _key(self, entry: Entry, src: bytes) -> str:
        key = self._keys[entry.path] = _digest(self._manner, entry.role, sha256(src).hexdigest())
        return key

    def _tree(self, alone: Sequence[Treated]) -> str:
        # Of each file the key has been made by now, of the bytes that it was read as.
        parts = [(each.entry.path, self._keys[each.entry.path]) for each in alone if each.kept is not None]
        return _digest(repr(parts))


def _unchecked(text: str) -> tuple[Verdict, ...]:
    """Verdicts without evidence: of those a run has thousands, and a general reader takes its time."""
    return tuple(Verdict._make((*row[:6], tuple(row[6]), row[7], ())) for row in json.loads(text))


def verdicts_told(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """The verdicts of a check by path, as the ledger keeps them."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.path, []).append(verdict)
    return {path: json.dumps(plain(tuple(each))) for path, each in found.items()}


@cache
def translator_digest() -> str:
    """A digest of the code that translates: what another version says is another translation."""
    package = Path(__file__).resolve().parent.parent
    parts = []
    for name in ("records", "source", "syntax", "translate", "rules", "styles", "pipeline", "project"):
        for file in sorted((package / name).rglob("*.py")):
            parts.append(f"{file.relative_to(package)} {sha256(file.read_bytes()).hexdigest()}")
    return _digest(*parts)


def _manner_told(manner: Manner) -> str:
    """The manner of a run as text that is the same in every process."""
    options = [(name, getattr(manner.options, name)) for name in _TRANSLATION_CHOICES]
    others, called = sorted(manner.others.items()), sorted(manner.called_with_cuda)
    return repr((manner.way, options, manner.everything, sorted(manner.ignored), others, called))


def _digest(*parts: str) -> str:
    total = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()[:40]
