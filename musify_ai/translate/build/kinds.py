"""Which build system a file belongs to, by its name alone."""

from __future__ import annotations

from typing import Literal

from musify_ai.source.patterns import late_pattern

BuildSystem = Literal["cmake", "make", "python", "bazel", "meson", "docker", "shell", "other"]

_NAMES: dict[str, BuildSystem] = {
    "cmakelists.txt": "cmake",
    "makefile": "make",
    "gnumakefile": "make",
    "setup.py": "python",
    "setup.cfg": "python",
    "pyproject.toml": "python",
    "build": "bazel",
    "workspace": "bazel",
    "meson.build": "meson",
    "meson_options.txt": "meson",
    "meson.options": "meson",
    "dockerfile": "docker",
    "containerfile": "docker",
    "xmake.lua": "other",
    "sconstruct": "other",
    "sconscript": "other",
    "configure.ac": "other",
    "premake5.lua": "other",
    "pipfile": "python",
    "cmakepresets.json": "other",
    "cmakeuserpresets.json": "other",
}
_SUFFIXES: dict[str, BuildSystem] = {
    ".cmake": "cmake",
    ".mk": "make",
    ".mak": "make",
    ".bzl": "bazel",
    ".bazel": "bazel",
    ".dockerfile": "docker",
    ".sh": "shell",
    ".bash": "shell",
    ".zsh": "shell",
    ".vcxproj": "other",
    ".gyp": "other",
    ".gypi": "other",
    ".pri": "other",
    ".pro": "other",
    ".ninja": "other",
}
_BEGINNINGS: dict[str, BuildSystem] = {"makefile.": "make", "gnumakefile.": "make", "dockerfile.": "docker",
                                       "containerfile.": "docker"}  # fmt: skip
_EDITED = frozenset(("cmake", "make"))
# Lists of packages: pip's, conda's.
_PACKAGES = late_pattern(
    r"(?:[\w.-]*requirements?[\w.-]*|[\w.-]*constraints[\w.-]*)\.(?:txt|in)|(?:[\w-]*environment[\w.-]*|conda[\w.-]*|meta)\.ya?ml"
)


def build_system(path: str) -> BuildSystem | None:
    """The system of a build file; None for what is none. ``path`` has ``/`` between its parts."""
    name = path.rpartition("/")[2].lower()
    if name == "configure.in":
        return "other"
    if lists_packages(path):
        return "python"
    if is_pipeline(path):
        return "docker" if "compose" in name else "shell"
    plain = name.removesuffix(".in")
    found = _NAMES.get(plain) or _SUFFIXES.get("." + plain.rpartition(".")[2] if "." in plain else "")
    if found is not None:
        return found
    return next((system for start, system in _BEGINNINGS.items() if name.startswith(start)), None)


def lists_packages(path: str) -> bool:
    """Whether a file names the packages that a project needs: pip's requirements, a conda environment, the tables of
    pyproject.toml, setup.cfg and setup.py."""
    name = path.rpartition("/")[2].lower()
    if name in ("pyproject.toml", "setup.cfg", "setup.py", "pipfile") or _PACKAGES.fullmatch(name):
        return True
    return path.lower().rpartition("/")[0].endswith("requirements") and name.endswith((".txt", ".in"))


_PIPELINE = late_pattern(
    r"(?:.*/)?(?:\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile|(?:docker-)?compose[\w.-]*\.ya?ml)"
)


def is_pipeline(path: str) -> bool:
    """Whether a file says what a service runs: a workflow, or containers that belong together."""
    return _PIPELINE.fullmatch(path.lower()) is not None


def is_edited(path: str) -> bool:
    """Whether files of this name are edited rather than only spoken of: CMake's, Make's, and ``setup.py``."""
    return build_system(path) in _EDITED or path.rpartition("/")[2].lower() == "setup.py"
