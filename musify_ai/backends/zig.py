"""The ``ziglang`` wheel where no other compiler is: ``zig c++`` compiles, the linker that zig carries links.

zig has clang and LLD but no C++ library that is built: its first link builds one (about a minute), into a folder of
our cache. What the linker is then called with is learnt from that link and kept, since ``zig c++`` takes few of a
linker's options (not the ones that leave names open) while ``zig ld.lld`` takes them all. Nothing of this machine's
headers or libraries is used but the C library that programs find when they start.
"""

import json
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.cache import digest
from musify_ai.backends.limits import ASKING, Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access

FAMILY = "zig c++"

# zig instruments for undefined behaviour unless told not to, and its run-time library would have to be linked.
_WORDS = ("-fno-sanitize=undefined",)
_LIBRARY_LIMITS = Limits(cpu=1200, wall=3600, memory=16384, file=1024, scratch=4096)
_OBJECT = "first.o"


class Link(NamedTuple):
    """What a linker is called with before and after the objects."""

    before: tuple[str, ...]
    after: tuple[str, ...]


class LibraryError(RuntimeError):
    """zig could not build its C++ library here: its words."""


def wheel() -> Path | None:
    """The zig of the ``ziglang`` wheel beside our own packages, if it is installed."""
    from importlib.util import find_spec

    try:
        spec = find_spec("ziglang")
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "zig"
    return program if program.is_file() else None


def command_of(words: Sequence[str]) -> tuple[str, ...] | None:
    """A user's ``zig c++`` or ``python -m ziglang c++`` as this module calls it; None for any other compiler."""
    program: str | None
    if tuple(words[1:4]) == ("-m", "ziglang", "c++"):
        found, rest = wheel(), words[4:]
        program = str(found) if found is not None else None
    elif Path(words[0]).name == "zig" and tuple(words[1:2]) == ("c++",):
        program, rest = shutil.which(words[0]), words[2:]
    else:
        return None
    return _command(program, rest) if program is not None else None


def command_here() -> tuple[str, ...] | None:
    """The command where no compiler was named or found: the wheel's zig, else one on ``PATH``."""
    found = wheel()
    program = str(found) if found is not None else shutil.which("zig")
    return _command(program) if program is not None and sys.platform == "linux" else None


def _command(program: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    return (program, "c++", "-target", _target(), *_WORDS, *more)


def _target() -> str:
    """This machine by zig's names: without them zig would use what it finds of gcc's, and this processor's own set."""
    return f"{platform.machine()}-linux-{'gnu' if platform.libc_ver()[0] == 'glibc' else 'musl'}"


def environment(folder: Path) -> dict[str, str]:
    """What zig needs besides: places for files of its own, in a folder that the command may write."""
    return {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig-global"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig-local")}


def place_of(root: Path, command: Sequence[str], version: str) -> Path:
    """Where under a cache's root the library is kept, and nothing but it."""
    return root / "zig" / digest([*command, version])[:16]


def library_there(root: Path, command: Sequence[str], version: str) -> bool:
    """Whether the library has been built."""
    return _read(place_of(root, command, version)) is not None


def link_line(root: Path, command: Sequence[str], version: str) -> Link:
    """What the linker is called with; builds the library where that has not been done.

    Raises `LibraryError` where it cannot be built. Several processes may ask at once: zig's own locks have one of
    them build each part.
    """
    place = place_of(root, command, version)
    return _read(place) or _build(place, command)


def _build(place: Path, command: Sequence[str]) -> Link:
    zig = command[0]
    target = command[command.index("-target") + 1]
    place.mkdir(parents=True, exist_ok=True)
    with scratch() as work:
        (work / "first.cpp").write_text("int main() { return 0; }\n", "utf-8")
        env = clean_environment(
            work, {"ZIG_GLOBAL_CACHE_DIR": str(place), "ZIG_LOCAL_CACHE_DIR": str(work / "zig-local")}
        )
        first = [*command, "-c", "first.cpp", "-o", _OBJECT]
        # Small and without debugging information: the library is built in two thirds of the time.
        second = [
            zig, "build-exe", _OBJECT, "-target", target, "-lc", "-lc++", "-O", "ReleaseSmall", "-fstrip", "-fno-PIE",
            "--verbose-link", "--name", "first", f"-femit-bin={work / 'first'}",
        ]  # fmt: skip
        said = ""
        for words in (first, second):
            done = run_limited(words, cwd=work, limits=_LIBRARY_LIMITS, env=env, access=Access((), (place,)))
            said = done.stderr.decode("utf-8", "replace")
            if not done.ok:
                raise LibraryError(f"zig cannot build its C++ library here ({done.describe()}): {said.strip()[-1500:]}")
        link = parsed(said, str(work / "first"))
        if link is None:
            raise LibraryError(f"zig does not say how it links: {said.strip()[-1500:]}")
        fresh = work / "link.json"
        fresh.write_text(json.dumps(link), "utf-8")
        aside = place / f".link-{os.getpid()}.json"
        shutil.copyfile(fresh, aside)
        aside.replace(place / "link.json")
    return link


def parsed(said: str, program: str) -> Link | None:
    """The last line that calls the linker to make ``program``, taken apart around the object."""
    for line in reversed(said.splitlines()):
        words = shlex.split(line) if re.match(r"(?:\S*/)?ld\.lld ", line) else []
        if _OBJECT in words and program in words:
            at, out = words.index(_OBJECT), words.index(program)
            # Programs keep their names and lines: findings are told by them.
            kept = [word for word in [*words[1 : out - 1], *words[out + 1 : at]] if word != "-s"]
            return Link(tuple(kept), tuple(words[at + 1 :]))
    return None


def _read(place: Path) -> Link | None:
    try:
        before, after = json.loads((place / "link.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    # Somebody may have tidied up: what is not there any more is built again.
    if not all(Path(word).exists() for word in (*before, *after) if word.startswith(str(place))):
        return None
    return Link(tuple(before), tuple(after))


def plain(flags: Sequence[str]) -> list[str]:
    """A compiler's flags for linking as the linker itself takes them."""
    words: list[str] = []
    for flag in flags:
        words += flag.removeprefix("-Wl,").split(",") if flag.startswith("-Wl,") else [flag]
    return words


@cache
def version_of(program: str) -> str | None:
    """What zig says of its version; None where it does not start, or says nothing."""
    done = run_limited([program, "version"], cwd=Path.cwd(), limits=ASKING)
    return (done.stdout.decode("utf-8", "replace").strip() or None) if done.ok else None
