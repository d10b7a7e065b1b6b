"""MUS815: packages that are built for CUDA among those that a project asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.kinds import build_system, lists_packages
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS815"
TITLE = "Package that is built for CUDA"
WHY = """
A list of requirements names wheels. Those built for CUDA install on any Linux and fail when they are used, or pull a
PyTorch for CUDA over the one that torch_musa needs: the environment is then broken by its own list.
"""
EXAMPLE = """
torch==2.5.0+cu124
nvidia-cublas-cu12
flash-attn>=2.5
"""
INSTEAD = """
`torch` without a suffix for CUDA and `torch_musa` of the same version, the SDK for NVIDIA's libraries, and what the
finding names for the others. What has no counterpart has to be built from migrated sources, or done without.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/torch_musa: README.md (versions)",
    "MooreThreads/MT-MegatronLM: README.md",
    "pip: requirements file format; PEP 503 (how names are compared)",
)
TRIGGERS = frozenset((b"nvidia", b"cupy", b"torch", b"triton", b"flash", b"cu121", b"cuda", b"apex"))
VALID = (
    "numpy\ntorch==2.5.0\n# cupy\n",
    "cupyx-docs-theme2\nmy-nvidia-thing\n",
)
INVALID = (
    Case(
        "--extra-index-url https://download.pytorch.org/whl/cu121\ntorch==2.1.0+cu121\nnumpy\nFlash_Attn>=2.3\n",
        findings=("https://download.pytorch.org/whl/cu121", "+cu121", "Flash_Attn"),
        fixed="--extra-index-url https://download.pytorch.org/whl/cu121\ntorch==2.1.0\nnumpy\nFlash_Attn>=2.3\n",
        path="requirements.txt",
    ),
    Case(
        '[project]\ndependencies = ["torch", "nvidia-nccl-cu12; sys_platform == \'linux\'", "cupy-cuda12x>=12"]\n',
        findings=("nvidia-nccl-cu12", "cupy-cuda12x"),
        path="pyproject.toml",
    ),
    Case(
        "channels: [nvidia]\ndependencies:\n  - pytorch-cuda=12.1\n  - nvidia::cuda-toolkit\n  - pip:\n"
        "      - xformers==0.0.2\n",
        findings=("pytorch-cuda", "cuda-toolkit", "xformers"),
        path="environment.yml",
    ),
    Case(
        "from setuptools import setup\nsetup(install_requires=['triton==2.1', 'numpy'])\n",
        findings=("triton",),
        path="setup.py",
    ),
)

_SOURCE = "rules/build/packages.toml"
_NAME = late_pattern(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?")
# Where a package's name may begin: a line of a list, a string of its own, a key of a table.
_BEGINS = {
    "list": late_pattern(r"(?m)^[ \t]*(?=[A-Za-z0-9])"),
    "yaml": late_pattern(r"(?m)^[ \t]*-[ \t]+[\"']?(?:[\w.-]+::)?(?=[A-Za-z0-9])"),
    "strings": late_pattern(r"[\[,][ \t\r\n]*[\"'](?=[A-Za-z0-9])"),  # of an array
    "keys": late_pattern(r"(?m)^[ \t]*[\"']?(?=[A-Za-z][\w.-]*[\"']?[ \t]*=)"),
}
# What may stand behind a requirement's name: a version, extras, a marker, an address, or its end.
_AFTER = late_pattern(r"[\"']?[ \t]*(?:[<>=!~;@\[#,\"']|\Z|\r?\n)")
_LOCAL = late_pattern(r"\+cu\d+(?:\.\w+)*")
_INDEX = late_pattern(r"https?://[^\s\"']*(?:/whl/(?:nightly/|test/)?cu\d+|pypi\.nvidia\.com|/cuda[\d.]*/)[^\s\"',]*")
# A command that installs, to the end of its line or the next command's beginning, continued lines included.
_INSTALLING = late_pattern(r"\b(?:pip3?|uv pip|conda|mamba)[ \t]+install\b(?:[^\n&|;\\#]|\\\r?\n|\\)*")
_COMMENT = late_pattern(r"(?m)(?:^|(?<=\s))#[^\n]*")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Each such package, suffix and index in a list of packages."""
    yield from packages_asked_for(unit.path, unit.src)


def packages_asked_for(path: str, src: bytes) -> Iterator[Finding]:
    """The same, for a file by its path and bytes; of scripts, what they hand to pip and conda."""
    if not lists_packages(path):
        if build_system(path) in ("shell", "docker"):
            yield from _installed(src)
        return
    text = src.decode("latin-1")  # a byte a letter
    name = path.rpartition("/")[2].lower()
    code = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    seen: set[int] = set()
    for kind in _kinds(name):
        for begin in _BEGINS[kind].finditer(code):
            found = _NAME.match(code, begin.end())
            if found is None or found.start() in seen or not (_AFTER.match(code, found.end())):
                continue
            note = _note(found[0])
            if note:
                seen.add(found.start())
                yield Finding(
                    CODE, "warning", found.start(), found.end(), f"{found[0]}: {note}.", effort=EFFORT, name=found[0]
                )
    for match in _LOCAL.finditer(code):
        edit = Edit(match.start(), match.end(), src[match.start() : match.end()], b"", CODE, "rule", "display", _SOURCE)
        message = f"{match[0]} asks for a build of PyTorch for CUDA; torch_musa takes the plain one of its own version."
        yield Finding(CODE, "warning", match.start(), match.end(), message, effort="minutes", edit=edit, name=match[0])
    for match in _INDEX.finditer(code):
        message = f"{match[0]} has builds for CUDA, which pip takes before the plain ones. Take the index out."
        yield Finding(CODE, "warning", match.start(), match.end(), message, effort="minutes", name=match[0])


def _installed(src: bytes) -> Iterator[Finding]:
    text = _COMMENT.sub(lambda match: " " * len(match[0]), src.decode("latin-1"))
    for command in _INSTALLING.finditer(text):
        for word in re.finditer(r"(?<=[\s\"'])[A-Za-z][\w.-]*", text[command.start() : command.end()]):
            note = _note(word[0])
            start = command.start() + word.start()
            if note:
                yield Finding(
                    CODE, "warning", start, start + len(word[0]), f"{word[0]}: {note}.", effort=EFFORT, name=word[0]
                )


def _kinds(name: str) -> tuple[str, ...]:
    if name.endswith((".yml", ".yaml")):
        return ("yaml",)
    if name == "setup.cfg":
        return ("list",)
    if name in ("pyproject.toml", "pipfile"):
        return ("strings", "keys")
    return ("strings",) if name == "setup.py" else ("list",)


@cache
def _table() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """What is said of packages by their names, and by their names' beginnings, the longest first."""
    import tomllib

    from musify_ai.rules.locating import data_dir

    with (data_dir() / "build" / "packages.toml").open("rb") as file:
        rows: dict[str, Any] = tomllib.load(file)["packages"]
    begun = sorted(
        ((name[:-1], note) for name, note in rows.items() if name.endswith("*")), key=lambda row: -len(row[0])
    )
    return {name: note for name, note in rows.items() if not name.endswith("*")}, tuple(begun)


def _note(name: str) -> str:
    plain = re.sub(r"[-_.]+", "-", name).lower()
    whole, begun = _table()
    if plain in whole:
        return whole[plain]
    return next((note for start, note in begun if plain.startswith(start)), "")
