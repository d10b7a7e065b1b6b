"""What files of a project have to know of each other: names that one defines, and what leads to unsettled code."""

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from musify_ai.project.includes import includes_of
from musify_ai.project.texts import Texts
from musify_ai.project.treating import Treated, quotes_cuda_header
from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.source import words
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.names.messages import MISSPELT
from musify_ai.translate.surroundings import (
    Defined,
    Surroundings,
    choosing_in,
    defined_for_others,
    usage_in,
)

if TYPE_CHECKING:
    from musify_ai.translate.guards.obstacles import Usage

_SETS_ARCH = late_pattern(rb"^[ \t]*#[ \t]*(?:define|undef)[ \t]+__CUDA_ARCH__\b", re.MULTILINE)
_QUOTED = late_pattern(rb'#[ \t]*include[ \t]*"([^"\n]{1,200})"')
_RECORDS = frozenset((b"struct", b"class", b"union"))
Again = Callable[[Treated, Surroundings], Treated]


def with_surroundings(root: Path, treated: Sequence[Treated], options: Options, again: Again) -> list[Treated]:
    """The files, those treated once more whose translation depends on a file that they include.

    That is so where a file includes a header of the project's own under the name of one of CUDA's, where it renames a
    name that an included one defines itself, and where a guard in it would be switched over code that leads, through
    an included file, to something unsettled.
    """
    index = _Index(root, treated, options)
    treated = [index.without_declared(each) for each in treated]
    if not index.matters:
        return treated
    return [
        index.without_declared(again(each, around)) if (around := index.around(each)) is not None else each
        for each in treated
    ]


class _Index:
    """The includes of a tree's source files, resolved by path, and what the files that matter export."""

    def __init__(self, root: Path, treated: Sequence[Treated], options: Options) -> None:
        rules = load("main", options.sdk, options.overlay, options.rules)
        self._names, self._headers = rules.classes.keys(), rules.headers.keys()
        self._own_headers = {t.entry.path: beside for t in treated if (beside := self._beside(root, t))}
        self._files = {
            t.entry.path: t for t in treated if t.entry.role == "source" and t.kept and t.processed.kept is not None
        }
        self._words: dict[str, set[bytes]] = {}
        self._declared: dict[bytes, bool] = {}
        self._chosen_by: dict[str, frozenset[bytes]] = {}
        self.defined: dict[str, Defined] = {}
        for path in self._includers:
            if self._may_define(path):
                found = defined_for_others(self._files[path].before or b"", path, options)
                if found.own or found.members:
                    self.defined[path] = found
        self._setting = sorted(p for p in self._includers if _SETS_ARCH.search(self._files[p].before or b""))
        self.unsettled = {path for path, file in self._files.items() if file.processed.unsettled}

    @property
    def matters(self) -> bool:
        """Whether anything was found that a file has to know of another."""
        return bool(self.defined or self.unsettled or self._setting or self._own_headers)

    def _beside(self, root: Path, file: Treated) -> dict[bytes, str]:
        """The CUDA headers that a file includes in quotes while a file of that name stands beside it."""
        if not quotes_cuda_header(file):
            return {}
        folder, found = posixpath.dirname(file.entry.path), {}
        for token in {match[1] for match in _QUOTED.finditer(file.before or b"")} & self._headers:
            place = posixpath.normpath(posixpath.join(folder, token.decode("utf-8", "surrogateescape")))
            if (root / place).is_file():
                found[token] = place
        return found

    def _may_define(self, path: str) -> bool:
        """Whether a file may define names of the table: it says so, or has classes with members of such names."""
        if any(finding.code == "MUS107" for finding in self._files[path].processed.result.findings):
            return True
        held = self._held(path)
        return not held.isdisjoint(_RECORDS) and not held.isdisjoint(self._names)

    def around(self, file: Treated) -> Surroundings | None:
        """What a file has to know, None where that changes nothing."""
        path = file.entry.path
        if path not in self._files:
            return None
        own: dict[bytes, str] = {}
        members: dict[bytes, frozenset[bytes]] = {}
        renamed = {edit.old for edit in file.processed.result.edits if edit.rule.startswith("names.")}
        for other in sorted(self._providers.get(path, ())):
            found = self.defined[other]
            own.update((name, other) for name in found.own & renamed)
            for name in found.members.keys() & renamed:
                members[name] = members.get(name, frozenset()) | found.members[name]
        tainted: dict[bytes, str] = {}
        includes: dict[bytes, str] = {}
        chosen: dict[bytes, str] = {}
        if any(edit.rule == "MUS201" and edit.safety == "safe" for edit in file.processed.result.edits):
            held = self._held(path)
            tainted = {name: other for name, other in self._tainted_before(path).items() if name in held}
            includes = {
                token: other
                for token, other in self._includes[path].items()
                if other in self.unsettled or self._leading.get(other)
            }
            for other in sorted(self._reached_from(path) & self.unsettled, reverse=True):
                chosen.update((name, other) for name in self._choosing(other) if name in held)
        sets_arch = ""
        if any(edit.rule in ("MUS201", "MUS203") and edit.safety == "safe" for edit in file.processed.result.edits):
            sets_arch = next((other for other in self._setting if path in self._reached[other]), "")
        headers = self._own_headers.get(path, {})
        if not (own or members or tainted or includes or sets_arch or chosen or headers):
            return None
        return Surroundings(own, members, tainted, includes, sets_arch, chosen, headers=headers)

    def without_declared(self, file: Treated) -> Treated:
        """The file without the findings that a word is a CUDA name misspelt, where another file holds the word and
        has no such finding: that one declares it."""
        result = file.processed.result
        if not any(finding.code == MISSPELT for finding in result.findings):
            return file
        kept = tuple(f for f in result.findings if f.code != MISSPELT or not self._is_declared(f.name.encode()))
        return file._replace(processed=file.processed._replace(result=result._replace(findings=kept)))

    def _is_declared(self, word: bytes) -> bool:
        if word not in self._declared:
            self._declared[word] = any(
                word in (file.before or b"") and word in self._held(path) and not _speaks_of(file, word)
                for path, file in self._files.items()
            )
        return self._declared[word]

    def _choosing(self, path: str) -> frozenset[bytes]:
        """The names by which a file chooses something unsettled."""
        if path not in self._chosen_by:
            file = self._files[path].processed
            spans = [(start, end) for start, end, _ in file.unsettled]
            self._chosen_by[path] = choosing_in(file.output or b"", path, spans)
        return self._chosen_by[path]

    def _held(self, path: str) -> set[bytes]:
        if path not in self._words:
            self._words[path] = words(self._files[path].before or b"")
        return self._words[path]

    @cached_property
    def _includes(self) -> dict[str, dict[bytes, str]]:
        """For each file the tokens of its includes that are files of the tree, and which."""
        return includes_of(Texts({path: file.kept for path, file in self._files.items() if file.kept}))

    @cached_property
    def _includers(self) -> dict[str, set[str]]:
        """For each file those that include it, at first hand."""
        found: dict[str, set[str]] = {}
        for path, included in self._includes.items():
            for other in included.values():
                found.setdefault(other, set()).add(path)
        return found

    def _reached_from(self, path: str) -> set[str]:
        """The files that include a file, at any remove."""
        seen: set[str] = set()
        pending = [path]
        while pending:
            more = self._includers.get(pending.pop(), set()) - seen
            seen |= more
            pending += more
        return seen - {path}

    @cached_property
    def _reached(self) -> Mapping[str, set[str]]:
        """For each file that sets ``__CUDA_ARCH__`` those that include it."""
        return {path: self._reached_from(path) for path in self._setting}

    @cached_property
    def _providers(self) -> Mapping[str, Iterable[str]]:
        """For each file those that it includes and that define names."""
        found: dict[str, set[str]] = {}
        for path in self.defined:
            for user in self._reached_from(path):
                found.setdefault(user, set()).add(path)
        return found

    @cached_property
    def _leading(self) -> dict[str, frozenset[bytes]]:
        """For each file its names that lead to something unsettled, in it or in what it includes."""
        leading: dict[str, frozenset[bytes]] = {}
        usages: dict[str, Usage] = {}
        before: dict[str, dict[bytes, str]] = {}
        pending = sorted(self.unsettled)
        while pending:
            path = pending.pop()
            if path not in usages:
                file = self._files[path].processed
                spans = [(start, end) for start, end, _ in file.unsettled]
                usages[path] = usage_in(file.output or b"", path, spans)
            known = before.get(path, {})
            found = usages[path].tainted(known) - known.keys()
            new = found - leading.get(path, frozenset())
            if not new:
                continue
            leading[path] = leading.get(path, frozenset()) | new
            for user in self._reached_from(path):
                if fresh := {name: path for name in new if name not in before.setdefault(user, {})}:
                    before[user] |= fresh
                    if not self._held(user).isdisjoint(fresh):
                        pending.append(user)
        self._before = before
        return leading

    def _tainted_before(self, path: str) -> Mapping[bytes, str]:
        return self._before.get(path, {}) if self._leading else {}


def _speaks_of(file: Treated, word: bytes) -> bool:
    findings = file.processed.result.findings
    return any(finding.code == MISSPELT and finding.name.encode() == word for finding in findings)
