"""Which build system a file belongs to, by its name alone."""

from __future__ import annotations

import re
from typing import Literal

BuildSystem = Literal["cmake", "make", "python", "bazel", "meson", "docker", "shell", "other"]

_KINDS: tuple[tuple[re.Pattern[str], BuildSystem], ...] = (
    (re.compile(r"(?:^|/)cmakelists\.txt(?:\.in)?$|\.cmake(?:\.in)?$", re.IGNORECASE), "cmake"),
    (re.compile(r"(?:^|/)(?:gnu)?makefile(?:\.[\w.]+)?$|\.(?:mk|mak)(?:\.in)?$", re.IGNORECASE), "make"),
    (re.compile(r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml)$", re.IGNORECASE), "python"),
    (re.compile(r"(?:^|/)(?:build|workspace)(?:\.bazel)?$|(?:^|/)module\.bazel$|\.(?:bzl|bazel)$", re.I), "bazel"),
    (re.compile(r"(?:^|/)meson(?:\.build|_options\.txt|\.options)$", re.IGNORECASE), "meson"),
    (re.compile(r"(?:^|/)(?:dockerfile|containerfile)(?:\.[\w.-]+)?$|\.dockerfile$", re.IGNORECASE), "docker"),
    (re.compile(r"\.(?:sh|bash|zsh)(?:\.in)?$", re.IGNORECASE), "shell"),
    (
        re.compile(
            r"(?:^|/)(?:xmake\.lua|sconstruct|sconscript|configure\.(?:ac|in)|premake5\.lua)$"
            r"|\.(?:vcxproj|gyp|gypi|pri|pro)$",
            re.IGNORECASE,
        ),
        "other",
    ),
)

MIGRATED: frozenset[BuildSystem] = frozenset(("cmake", "make"))
"""The systems whose files are edited; in `setup.py` the extensions are, and nothing else of Python's."""


def build_system(path: str) -> BuildSystem | None:
    """The system of a build file; None for what is none. ``path`` has ``/`` between its parts."""
    return next((system for pattern, system in _KINDS if pattern.search(path)), None)


def is_edited(path: str) -> bool:
    """Whether files of this name are edited rather than only spoken of."""
    system = build_system(path)
    return system in MIGRATED or path.lower().rpartition("/")[2] == "setup.py"
