"""The C++ compiler of this machine."""

import os
import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends import zig
from musify_ai.backends.limits import ASKING, clean_environment, run_limited


class Toolchain(NamedTuple):
    """A C++17 compiler: the command (with words of its own, as ``CXX`` may have), its family and what it says it is."""

    command: tuple[str, ...]
    family: str
    version: str

    @property
    def name(self) -> str:
        """The compiler's short name with its version, for evidence rows."""
        return f"{self.family} {self.version}"

    @property
    def is_clang(self) -> bool:
        """Whether it takes clang's options: clang++, and zig, which has clang inside."""
        return self.family != "g++"

    @property
    def is_zig(self) -> bool:
        """Whether it is zig's, which links by a linker of its own (`musify_ai.backends.zig`)."""
        return self.family == zig.FAMILY

    @staticmethod
    def detect() -> "Toolchain | None":
        """The compiler that ``CXX`` names, else g++, clang++ or c++ on ``PATH``, else zig; None where there is none."""
        return _detect(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


NO_COMPILER = (
    "no C++ compiler was found: install g++ or clang++ (Debian: apt install g++), or pip install ziglang, or"
    " name one in the environment variable CXX"
)


def no_compiler() -> str:
    """Why no compiler was found, and what to do: the environment's own choice is at fault where it makes one."""
    named = os.environ.get("CXX", "").strip()
    if not named:
        return NO_COMPILER
    return (
        f"the environment variable CXX names {named!r} as the C++ compiler, and that cannot be run: mend it, or unset "
        "it to have g++ or clang++ looked for"
    )


@cache
def _detect(named: str, _path: str) -> Toolchain | None:
    candidates = [tuple(shlex.split(named))] if named.strip() else [("g++",), ("clang++",), ("c++",)]
    for command in candidates:
        zigs = zig.command_of(command)
        if zigs is not None:
            return _zig(zigs)
        found = shutil.which(command[0])
        if found is None:
            continue
        done = run_limited([*command, "--version"], cwd=Path.cwd(), limits=ASKING, env=clean_environment(Path.cwd()))
        if not done.ok:
            continue
        text = done.stdout.decode("utf-8", "replace")
        first = text.splitlines()[0] if text else ""
        family = "clang++" if "clang" in text else "g++"
        version = next((word for word in reversed(first.split()) if word[0].isdigit() and "." in word), "unknown")
        return Toolchain(command, family, version)
    # A compiler that was named and does not work is not replaced by another in silence.
    here = None if named.strip() else zig.command_here()
    return _zig(here) if here is not None else None


def _zig(command: tuple[str, ...]) -> Toolchain | None:
    version = zig.version_of(command[0])
    return Toolchain(command, zig.FAMILY, version) if version is not None else None
