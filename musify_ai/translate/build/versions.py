"""MUS809: a build file that asks for a version of CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_view import cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS809"
TITLE = "CUDA version in a build file"
WHY = """
MUSA's versions are on a scale of their own: SDK 5.2 has 50200 where CUDA 12.8 has 12080. A comparison that is carried
over is false or true for ever, and it decides which sources and flags a build has.
"""
EXAMPLE = """
if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.0)
"""
INSTEAD = """
Ask what the branch is for, and decide it for MUSA by that: a flag of nvcc's, an arch, a header. The variable is left as
it is. CMake takes one that nobody sets for empty, so every "at least" comparison with it is false. What
`nvcc --version` prints is no better: mcc prints its own number, in words of its own, and a search for `release 12`
finds nothing.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("torchada PR 100 (MUSA_VERSION against CUDA's numbers)",)
TRIGGERS = frozenset((b"CUDA", *(name.encode() for name in (
    "CUDAToolkit", "CMAKE_CUDA_COMPILER_VERSION", "CUDAToolkit_VERSION", "CUDAToolkit_VERSION_MAJOR",
    "CUDAToolkit_VERSION_MINOR", "CUDA_VERSION", "CUDA_VERSION_MAJOR", "CUDA_VERSION_MINOR", "CUDA_VERSION_STRING",
    "nvcc", "NVCC",
))))  # fmt: skip
VALID = (
    "find_package(CUDAToolkit REQUIRED)\n",
    'message("CUDA_VERSION")\n',
    "# $(shell nvcc --version)\n",
    "version:\n\t$(NVCC) --version\n",
)
INVALID = (
    Case(
        "if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.0)\nendif()\n",
        findings=("CUDAToolkit_VERSION",),
        path="CMakeLists.txt",
    ),
    Case("find_package(CUDAToolkit 11.4 REQUIRED)\n", findings=("11.4",), path="CMakeLists.txt"),
    Case(
        "ifneq (,$(findstring release 12,$(shell $(NVCC) --version)))\nF = -DX\nendif\n",
        findings=("$(NVCC) --version",),
        path="Makefile",
    ),
    Case("V := $(shell nvcc -V | grep -o '[0-9]*\\.[0-9]*')\n", findings=("nvcc -V",), path="Makefile"),
    Case('set(V "cu${CUDA_VERSION_MAJOR}")\n', findings=("CUDA_VERSION_MAJOR",), path="CMakeLists.txt"),
)

_VERSION = late_pattern(r"\d+(?:\.\d+)*(?:\.\.\.<?\d+(?:\.\d+)*)?")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The findings of a CMake file, and of a Makefile that reads what nvcc says of its version."""
    if build_system(unit.path) == "make":
        yield from _printed(unit)
    if build_system(unit.path) != "cmake":
        return
    view = cmake_file(unit)
    table = {name: row for name, row in names("variables").items() if row.grade == "version"}
    pattern = re.compile("|".join(sorted(table, key=len, reverse=True)))
    for command in view.commands:
        if (
            command.name in ("find_package", "find_dependency")
            and command.texts[:1]
            and command.texts[0] in ("CUDA", "CUDAToolkit")
        ):
            for argument in command.arguments[1:]:
                if _VERSION.fullmatch(argument.text):
                    yield Finding(
                        CODE, "note", argument.start, argument.end,
                        f"version {argument.text} of CUDA was asked for. It was left out, since MUSA's versions are on "
                        "another scale; ask for one of MUSA's if the build depends on it.",
                        effort=EFFORT, name=command.texts[0],
                    )  # fmt: skip
            continue
        for argument in command.arguments:
            whole = command.name in ("if", "elseif", "while") and argument.text in table and not argument.quoted
            if not whole and "${" not in argument.text:
                continue
            for match in pattern.finditer(argument.text):
                before, after = argument.text[: match.start()], argument.text[match.end() :]
                if not whole and not (before.endswith("${") and after.startswith("}")):
                    continue
                start = argument.inner[0] + len(before.encode("utf-8", "surrogateescape"))
                yield Finding(
                    CODE, "warning", start, start + len(match[0]),
                    f"{match[0]}: {table[match[0]].note}, and nothing sets this variable in a build for MUSA. Decide "
                    "what depends on it by what it is for.",
                    effort=EFFORT, name=match[0],
                )  # fmt: skip


_PRINTED = late_pattern(rb"(?:\bnvcc|\$[({]NVCC[)}])[\"']?[ \t]+(?:--version|-V)\b")


def _printed(unit: Unit) -> Iterator[Finding]:
    """Where a Makefile looks into what nvcc prints of its version: in a shell function, or through a pipe."""
    for match in _PRINTED.finditer(unit.src):
        start = unit.src.rfind(b"\n", 0, match.start()) + 1
        stop = unit.src.find(b"\n", match.end())
        before, after = unit.src[start : match.start()], unit.src[match.end() : stop if stop >= 0 else len(unit.src)]
        if b"#" in before or not (b"$(shell" in before or after.lstrip(b" \t2>&1").startswith(b"|")):
            continue
        yield Finding(
            CODE, "warning", match.start(), match.end(),
            "what nvcc prints of its version is looked into here: mcc prints a number of its own, on another scale and "
            "in other words. Decide what depends on it by what it is for.",
            effort=EFFORT, name="nvcc --version",
        )  # fmt: skip
