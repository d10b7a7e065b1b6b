"""How a project's own build compiles its files: include folders and macros, from what build systems leave or say.

In this order: ``compile_commands.json`` at the root or in a build folder (CMake's CMAKE_EXPORT_COMPILE_COMMANDS, Meson,
Bear; https://clang.llvm.org/docs/JSONCompilationDatabase.html), else a dry run of ``make`` (``make -nB``), which runs
no recipe but what a makefile evaluates, so only in a sandbox. A macro or folder asked for by hand comes before both.
"""

import json
import posixpath
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends import sandbox
from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access

DATABASE = "compile_commands.json"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")

_BUILD_FOLDERS = ("", "build", "out", "_build", "cmake-build-release", "cmake-build-debug", "builddir")
_COMPILERS = frozenset(
    ("nvcc", "mcc", "cc", "gcc", "g++", "c++", "clang", "clang++", "hipcc", "mpicc", "mpicxx", "mpic++")
)
_SOURCES = frozenset((".cu", ".mu", ".cpp", ".cc", ".cxx", ".c", ".C"))
_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote", "--include-path", "--system-include")
_LIMITS = Limits(cpu=20, wall=60, memory=2048, output=8_000_000)


class Flags(NamedTuple):
    """Of one file: folders below the root (``.`` is the root), and macros as they stand after ``-D``."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


class Known(NamedTuple):
    """The flags of a project by file, and those for a file that nothing is known of. ``source`` says where they are
    from, in words; empty where nothing was found."""

    by_file: Mapping[str, Flags]
    common: Flags
    source: str = ""

    def of(self, path: str) -> Flags:
        """The flags of a file; those by hand first."""
        own = self.by_file.get(path, Flags())
        return Flags(
            tuple(dict.fromkeys((*self.common.include_dirs, *own.include_dirs))),
            tuple(dict.fromkeys((*self.common.defines, *own.defines))),
        )

    def options(self, path: str) -> tuple[str, ...]:
        """A file's macros as a compiler takes them."""
        return tuple(f"-D{each}" for each in self.of(path).defines)

    def moved(self, files: Mapping[str, str]) -> "Known":
        """The same for a tree in which each file has another path."""
        return self._replace(by_file={files.get(path, path): flags for path, flags in self.by_file.items()})


def flags_of(root: Path, includes: Sequence[str] = (), defines: Sequence[str] = ()) -> Known:
    """What is known of how the files below ``root`` are compiled. ``includes`` (relative to it) and ``defines`` hold
    for all."""
    base = root.resolve()
    folders = [relative for each in includes if (relative := _below(base, base / each)) is not None]
    common = Flags(tuple(folders), tuple(defines))
    for folder in _BUILD_FOLDERS:
        database = base / folder / DATABASE
        if database.is_file():
            return Known(from_database(database.read_bytes(), base), common, f"{folder}/{DATABASE}".lstrip("/"))
    if any((base / name).is_file() for name in MAKEFILES):
        return Known(from_make(base), common, "make -n")
    return Known({}, common)


def from_database(text: bytes, root: Path) -> dict[str, Flags]:
    """The flags by file of a compilation database; what cannot be read in it is passed over."""
    try:
        rows = json.loads(text)
    except ValueError:
        return {}
    found: dict[str, Flags] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict) or not isinstance(row.get("file"), str):
            continue
        words = row.get("arguments")
        if not isinstance(words, list):
            words = _split(str(row.get("command", "")))
        place = Path(str(row.get("directory", "")) or root)
        path = _below(root, place / row["file"])
        if path is not None:
            found.setdefault(path, flags_in([str(word) for word in words], place, root))
    return found


def from_make(root: Path) -> dict[str, Flags]:
    """The flags by file of what ``make`` would run; nothing where there is no make, or no sandbox to ask it in."""
    if shutil.which("make") is None or sandbox.detect() is None:
        return {}
    with scratch() as work:
        command = ["make", "-nBik", "--no-print-directory", "-C", str(root)]
        done = run_limited(command, cwd=work, limits=_LIMITS, env=clean_environment(work), access=Access((root,)))
    return in_recipes(done.stdout.decode("utf-8", "replace"), root)


def in_recipes(text: str, root: Path) -> dict[str, Flags]:
    """The flags by file of compilers' calls in a text of commands; ``cd FOLDER &&`` before a call counts."""
    found: dict[str, Flags] = {}
    for line in text.replace("\\\n", " ").splitlines():
        place = root
        for part in line.replace("&&", ";").split(";"):
            words = _split(part)
            if words[:1] == ["cd"] and len(words) > 1:
                place = place / words[1]
            if not any(posixpath.basename(word) in _COMPILERS for word in words[:2]):
                continue
            flags = flags_in(words, place, root)
            for word in words[1:]:
                path = _below(root, place / word) if Path(word).suffix in _SOURCES else None
                if path is not None:
                    found.setdefault(path, flags)
    return found


def flags_in(words: Sequence[str], place: Path, root: Path) -> Flags:
    """The include folders below ``root`` and the macros of one call, made in the folder ``place``."""
    folders: dict[str, None] = {}
    defines: dict[str, None] = {}
    waiting = iter(words)
    for word in waiting:
        option, value = _option(word, waiting)
        if option == "-D" and value:
            defines[value] = None
        elif option in _FOLDER_OPTIONS and value:
            relative = _below(root, place / value)
            if relative is not None:
                folders[relative] = None
    return Flags(tuple(folders), tuple(defines))


def _option(word: str, further: Iterable[str]) -> tuple[str, str]:
    """An option and its value, joined (``-Iinclude``), with ``=``, or as two words; empty for any other."""
    for option in ("-D", "--define-macro", *_FOLDER_OPTIONS):
        plain = "-D" if option == "--define-macro" else option
        if word == option:
            return plain, next(iter(further), "")
        if word.startswith(f"{option}="):
            return plain, word[len(option) + 1 :]
        if len(option) == 2 and word.startswith(option):
            return plain, word[2:]
    return "", ""


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=False)
    except ValueError:  # a quote that is never closed
        return text.split()


def _below(root: Path, path: Path) -> str | None:
    """A path relative to the root with ``/``; None outside of it."""
    plain = Path(posixpath.normpath(path.as_posix()))
    try:
        return plain.relative_to(root).as_posix()
    except ValueError:
        return None
