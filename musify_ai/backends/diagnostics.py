"""What g++ and clang++ print, read back: file, line, message."""

import posixpath
import re
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """An error of the compiler or linker. ``file`` is as the compiler named it, empty where it named none; ``line``
    counts from 1, 0 where unknown. ``needed_by`` are the places whose template instantiation led there."""

    file: str
    line: int
    message: str
    fatal: bool = False
    needed_by: tuple[tuple[str, int], ...] = ()


_AT = r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)?"
_PLACE = re.compile(_AT + r" (?P<kind>fatal error|error|Error): (?P<text>.*)$")
_BARE = re.compile(r"^(?:cc1plus|g\+\+|clang\+\+|clang|c\+\+)[^:]*: (?P<kind>fatal error|error): (?P<text>.*)$")
# g++ says what needed an instantiation before the error, clang++ in notes after it.
_BEFORE = re.compile(_AT + r"   (?:recursively )?required (?:from|by) ")
_AFTER = re.compile(_AT + r" note: in instantiation of ")
# GNU's linker, and LLD.
_LINK = re.compile(r"undefined reference to [`']([^'\n]+)'|^ld\.lld: (?:error|warning): undefined symbol: (.+)$", re.M)
_LLD = re.compile(r"^ld\.lld: error: (?!undefined symbol: )(?P<text>.*)$", re.M)
_MISSING = re.compile(r"^(?P<name>[^:]+): No such file or directory$|^'(?P<clang>[^']+)' file not found$")


def parse(stderr: bytes) -> list[Diagnostic]:
    """The errors among the lines of a compiler's output, each once, in order."""
    found: list[Diagnostic] = []
    needed: list[tuple[str, int]] = []
    for line in stderr.decode("utf-8", "replace").splitlines():
        match = _PLACE.match(line)
        if match:
            fatal = match["kind"] == "fatal error"
            found.append(Diagnostic(_file(match), int(match["line"]), match["text"], fatal, tuple(needed)))
            needed = []
            continue
        match = _BEFORE.match(line)
        if match:
            needed.append((_file(match), int(match["line"])))
            continue
        match = _AFTER.match(line)
        if match and found:
            last = found[-1]
            found[-1] = last._replace(needed_by=(*last.needed_by, (_file(match), int(match["line"]))))
            continue
        match = _BARE.match(line)
        if match:
            found.append(Diagnostic("", 0, match["text"], match["kind"] == "fatal error"))
    if not found:
        # Nothing of the compiler's: the linker's complaints, which name no line.
        names = undefined_references(stderr)
        found = [Diagnostic("", 0, f"undefined reference to {name}") for name in names]
        found += [Diagnostic("", 0, match["text"]) for match in _LLD.finditer(stderr.decode("utf-8", "replace"))]
    return list(dict.fromkeys(found))


def _file(match: re.Match[str]) -> str:
    """The file as the tree has it: ``a/../b.h``, as an include of ``../b.h`` makes it, is ``b.h``."""
    return posixpath.normpath(match["file"])


def missing_header(diagnostic: Diagnostic) -> str | None:
    """The header that an error says is not there."""
    match = _MISSING.match(diagnostic.message)
    return (match["name"] or match["clang"]) if match else None


def undefined_references(stderr: bytes) -> list[str]:
    """The names that the linker did not find, each once, in order."""
    found = _LINK.finditer(stderr.decode("utf-8", "replace"))
    return list(dict.fromkeys(match[1] or match[2] for match in found))
