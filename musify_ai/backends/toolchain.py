"""The C++ compiler of this machine."""

import os
import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends.limits import Limits, clean_environment, run_limited


class Toolchain(NamedTuple):
    """A C++17 compiler: the command (with words of its own, as ``CXX`` may have), its family and what it says it is."""

    command: tuple[str, ...]
    family: str
    version: str

    @property
    def name(self) -> str:
        """The compiler's short name with its version, for evidence rows."""
        return f"{self.family} {self.version}"

    @staticmethod
    def detect() -> "Toolchain | None":
        """The compiler that ``CXX`` names, else g++, clang++ or c++ on ``PATH``; None where there is none."""
        return _detect(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


NO_COMPILER = (
    "no C++ compiler was found: install g++ or clang++ (Debian: apt install g++), or name one in the environment"
    " variable CXX"
)


@cache
def _detect(named: str, _path: str) -> Toolchain | None:
    candidates = [tuple(shlex.split(named))] if named.strip() else [("g++",), ("clang++",), ("c++",)]
    for command in candidates:
        found = shutil.which(command[0])
        if found is None:
            continue
        done = run_limited(
            [*command, "--version"], cwd=Path.cwd(), limits=Limits(cpu=20, wall=60), env=clean_environment(Path.cwd())
        )
        if not done.ok:
            continue
        text = done.stdout.decode("utf-8", "replace")
        first = text.splitlines()[0] if text else ""
        family = "clang++" if "clang" in text else "g++"
        version = next((word for word in reversed(first.split()) if word[0].isdigit() and "." in word), "unknown")
        return Toolchain(command, family, version)
    return None
