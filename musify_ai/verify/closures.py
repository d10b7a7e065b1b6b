"""Which files of a project a translation unit takes in, and the folders its includes are found in."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from musify_ai.source import directives
from musify_ai.source.branches import visible
from musify_ai.verify.flags import Flags, Known

_NAME = re.compile(rb'[<"]([^<">\n]+)[">]')

UNIT_SUFFIXES = frozenset({".cu", ".mu"})
HOST_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++", ".c", ".C"})


class Include(NamedTuple):
    """An ``#include``: the name, whether in quotes, and the bytes of the line."""

    name: str
    quoted: bool
    start: int
    end: int


class Closure(NamedTuple):
    """The files of a unit, itself first, the folders that includes are searched in, and macros given from outside."""

    files: tuple[str, ...]
    include_dirs: tuple[str, ...]
    defines: tuple[str, ...] = ()


def includes(src: bytes) -> list[Include]:
    """The includes of a file, in order, those in inactive branches too."""
    out = []
    for directive in directives(src):
        if directive.keyword in (b"include", b"include_next", b"import"):
            argument = src[directive.argument_start : directive.end]
            match = _NAME.match(argument.strip())
            if match:
                name = match[1].decode("utf-8", "surrogateescape").strip()
                out.append(Include(name, argument.strip()[:1] == b'"', directive.start, directive.end))
    return out


COMPILER = b"__MUSACC__"
"""What MUSA's compiler defines and no other does: a tree that builds for both asks for it."""


class Sources:
    """The files of one side, read once: those that are listed, and others under the root that they include.

    ``with_macro`` says whether the side's compiler defines `COMPILER`; branches that it does not see come out blank,
    so that nothing is read off them. ``flags`` are the project's own, by file.
    """

    def __init__(
        self, root: Path, listed: Iterable[str], *, with_macro: bool | None = None, flags: Known | None = None
    ) -> None:
        self.root = root
        self.flags = flags or Known({}, Flags())
        self.with_macro = with_macro
        self.listed = tuple(dict.fromkeys(listed))
        self._bytes: dict[str, bytes | None] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in self.listed:
            self._by_name.setdefault(PurePosixPath(path).name, []).append(path)

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where it cannot be read."""
        if path not in self._bytes:
            try:
                src = (self.root / path).read_bytes()
            except OSError:
                self._bytes[path] = None
            else:
                macro = self.with_macro
                self._bytes[path] = src if macro is None else visible(src, COMPILER, defined=macro)
        return self._bytes[path]

    def closure(self, unit: str) -> Closure:
        """The unit and whatever it takes in from the project, directly or not."""
        files = {unit: None}
        flags = self.flags.of(unit)
        folders: dict[str, None] = dict.fromkeys(flags.include_dirs)
        waiting = [unit]
        while waiting:
            path = waiting.pop()
            src = self.read(path)
            for include in includes(src) if src is not None else ():
                given = () if include.quoted else flags.include_dirs
                found = self._given(include.name, given) or self._resolve(path, include.name, folders)
                if found is not None and found not in files:
                    files[found] = None
                    waiting.append(found)
        return Closure(tuple(files), tuple(folders), self.flags.options(unit))

    def _given(self, name: str, folders: Iterable[str]) -> str | None:
        """A file by the folders that the build gives: what stands in brackets is not looked for beside the file."""
        plain = posixpath.normpath(name)
        if plain.startswith(("..", "/")):
            return None
        places = (posixpath.normpath(posixpath.join(folder, plain)) for folder in folders)
        return next((place for place in places if self._exists(place)), None)

    def _resolve(self, path: str, name: str, folders: dict[str, None]) -> str | None:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not beside.startswith("..") and self._exists(beside):
            return beside
        plain = posixpath.normpath(name)
        if plain.startswith(("..", "/")):
            return None
        for folder in [*folders, "", "include", "src", "inc"]:
            candidate = posixpath.join(folder, plain)
            if self._exists(candidate):
                folders.setdefault(folder or ".", None)
                return candidate
        matches = [each for each in self._by_name.get(PurePosixPath(plain).name, ()) if each.endswith("/" + plain)]
        if not matches:
            return None
        best = max(matches, key=lambda each: (len(posixpath.commonpath([each, path])), -len(each), each))
        folders.setdefault(best[: -len(plain)].rstrip("/") or ".", None)
        return best

    def _exists(self, path: str) -> bool:
        if path in self._bytes:
            return self._bytes[path] is not None
        return path in self.listed or ((self.root / path).is_file() and self.read(path) is not None)


def mentions_arch(sources: Mapping[str, bytes]) -> bool:
    """Whether some file's text could come out different for another arch of the same side."""
    return any(b"_ARCH" in src for src in sources.values())
