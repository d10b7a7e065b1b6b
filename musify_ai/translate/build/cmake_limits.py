"""MUS805: what a CMake file says of CUDA that FindMUSA has no place for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.build.cmake_conditions import is_behind_a_condition
from musify_ai.translate.build.cmake_moves import moves
from musify_ai.translate.build.cmake_view import CMakeFile, cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS805"
TITLE = "CMake for CUDA without a place in FindMUSA"
WHY = """
FindMUSA makes a command of its own for each `.cu` file. What CMake does for a language reaches no such command: compile
options of a target, sources that are added later, properties like `CUDA_SEPARABLE_COMPILATION`, and generator
expressions over the language CUDA, which are simply empty. None of this is an error, so a build would go on without it.
"""
EXAMPLE = """
set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
"""
INSTEAD = """
Flags go into `MUSA_MCC_FLAGS` before the target is added, or behind `OPTIONS` in its `musa_add_` call; sources into the
call itself. Where one project has to link device code across files, no public MUSA build shows how with CMake.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start/2_example_cmakelist",
    "MooreThreads/muAlg and muThrust: cmake/*HeaderTesting.cmake (no OBJECT, sources by their full path)",
    "MooreThreads/mutlass: MUSA.cmake (mutlass_target_sources compiles them as C++ with -x musa)",
)
TRIGGERS = frozenset((b"CUDA", b"cu", b"cuda_compile_ptx", b"cuda_select_nvcc_arch_flags", b"cuda_wrap_srcs",
                      b"CUDA_SEPARABLE_COMPILATION", b"CUDA_RESOLVE_DEVICE_SYMBOLS", b"CUDA_ARCHITECTURES",
                      b"CUDA_RUNTIME_LIBRARY", b"CUDA_PTX_COMPILATION", b"CUDA_STANDARD"))  # fmt: skip
VALID = (
    "add_executable(app main.cpp)\ntarget_compile_options(app PRIVATE -O3)\n",
    "target_compile_options(a PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-Wall>)\n",
)
INVALID = (
    Case(
        "set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n",
        findings=("CUDA_SEPARABLE_COMPILATION ON",),
        path="CMakeLists.txt",
    ),
    Case("target_sources(app PRIVATE k.cu)\n", findings=("k.cu",), path="CMakeLists.txt"),
    Case(
        "target_compile_definitions(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:ON_GPU>)\n",
        findings=("$<$<COMPILE_LANGUAGE:CUDA>:ON_GPU>",),
        path="CMakeLists.txt",
    ),
    Case(
        "musa_add_executable(a a.cu)\nset(CMAKE_CUDA_FLAGS -O3)\n",
        findings=("CMAKE_CUDA_FLAGS",),
        path="CMakeLists.txt",
    ),
    Case(
        "add_executable(a a.cpp $<$<BOOL:${GPU}>:k.cu>)\n", findings=("$<$<BOOL:${GPU}>:k.cu>",), path="CMakeLists.txt"
    ),
    Case("set(L CXX)\nlist(APPEND L CUDA)\nproject(a LANGUAGES ${L})\n", findings=("CUDA",), path="CMakeLists.txt"),
    Case('if("CUDA" IN_LIST langs)\nendif()\n', findings=('"CUDA" IN_LIST',), path="CMakeLists.txt"),
    Case(
        "target_link_options(a PRIVATE $<DEVICE_LINK:-v>)\n# CUDA\n",
        findings=("$<DEVICE_LINK:-v>",),
        path="CMakeLists.txt",
    ),
    Case("add_library(o OBJECT a.cu)\n", findings=("OBJECT",), path="CMakeLists.txt"),
    Case("cuda_compile_ptx(P a.cu)\n", findings=("cuda_compile_ptx",), path="CMakeLists.txt"),
)

_FLAG_VARIABLES = ("CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS", "CMAKE_CUDA_STANDARD", "CMAKE_CUDA_ARCHITECTURES")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The findings of a CMake file."""
    if build_system(unit.path) != "cmake":
        return
    view = cmake_file(unit)
    for start, end, reason in moves(view, unit.options.archs).homeless:
        yield _finding(view, start, end, reason)
    yield from _languages(view)
    for command, cuda in view.targets:
        for argument in command.arguments[1:]:
            if is_behind_a_condition(argument.text):
                yield _finding(
                    view, argument.start, argument.end,
                    "FindMUSA looks at the sources when it is called, and this expression is worked out later: the "
                    "file is left out of the build without an error. Add it to a list in an if() before the target",
                )  # fmt: skip
        if cuda and command.texts[1:2] == ["OBJECT"]:
            yield _finding(
                view, command.arguments[1].start, command.arguments[1].end,
                "musa_add_library makes static, shared and module libraries; the vendor's ports of CUB and Thrust take "
                "OBJECT out. Make it STATIC, and link it where its objects were used",
            )  # fmt: skip
    first = min((command.start for command, cuda in view.targets if cuda and not command.path), default=None)
    for command in view.commands:
        if command.name == "target_sources":
            for argument in command.arguments[1:]:
                if re.search(r"\.cu[\"'>)]?$", argument.text) or argument.text.strip("${}") in view.carriers:
                    yield _finding(
                        view, argument.start, argument.end,
                        "FindMUSA compiles the sources that stand in the musa_add_ call. Name this one there",
                    )  # fmt: skip
        elif command.name in ("if", "elseif", "while"):
            for one, two in pairwise(command.arguments):
                if one.text == "CUDA" and two.text == "IN_LIST":
                    yield _finding(
                        view, one.start, two.end,
                        "no language CUDA is enabled in a build for MUSA, so this is false for ever. Ask whether "
                        "FindMUSA's commands are there: COMMAND musa_add_library",
                    )  # fmt: skip
        elif command.name == "cmake_language" or (
            command.name in ("set_property", "set_target_properties") and "SOURCES" in command.texts
        ):
            for argument in command.arguments[1:]:
                if view.holds_cuda(argument.text, command.function):
                    yield _finding(
                        view, argument.start, argument.end,
                        "CMake leaves a .cu file out of a target that musa_add_executable or musa_add_library did not "
                        "add, without an error. Name this one in such a call",
                    )  # fmt: skip
        elif command.name in ("set", "list", "string") and first is not None and first < command.start:
            position = 0 if command.name == "set" else 1
            variable = command.arguments[position] if len(command.arguments) > position else None
            if variable is not None and variable.text in _FLAG_VARIABLES and not command.function:
                yield _finding(
                    view, variable.start, variable.end,
                    "FindMUSA reads the flags when a target is added, and one was added above: set them before it",
                )  # fmt: skip
        else:
            counterpart = names("functions").get(command.name)
            if counterpart is not None and not counterpart.musa:
                yield _finding(
                    view, command.start, command.name_end,
                    f"{command.name} has no counterpart in FindMUSA; use {counterpart.note}"
                    if not counterpart.note.startswith(("there", "mcc", "FindMUSA", "leave"))
                    else f"{command.name} has no counterpart in FindMUSA: {counterpart.note}",
                )  # fmt: skip


def _languages(view: CMakeFile) -> Iterator[Finding]:
    """CUDA among languages that a variable holds, and CUDA enabled in a function, whose variables end with it."""
    used = {
        name
        for command in view.named("project", "enable_language")
        for text in command.texts
        for name in re.findall(r"\$\{([^${}]+)\}", text)
    }
    for command in view.named("set", "list", "foreach"):
        position = 1 if command.name == "list" else 0
        name = command.texts[position] if len(command.texts) > position else ""
        for argument in command.arguments[position + 1 :] if name in used else ():
            if "CUDA" in argument.text.split(";"):
                yield _finding(
                    view, argument.start, argument.end,
                    f"CUDA comes among the languages through {name}, and CMake would ask for nvcc. Take it out here, "
                    "and call find_package(MUSA REQUIRED) behind project() in the same case, with the SDK's cmake "
                    "folder in CMAKE_MODULE_PATH",
                )  # fmt: skip
    functions = {command.texts[0].lower() for command in view.named("function") if command.arguments}
    for command in view.commands:
        brings = (command.name == "enable_language" and "CUDA" in command.texts) or (
            command.name == "find_package" and command.texts[:1] == ["CUDA"]
        )
        if brings and command.function in functions:
            yield _finding(
                view, command.start, command.end,
                f"the variables that find_package(MUSA) and MUSA_MCC_FLAGS set end with the function "
                f"{command.function}: "
                "targets outside of it would be built without the archs. Make it a macro, or move the call out",
            )  # fmt: skip


def _finding(view: CMakeFile, start: int, end: int, reason: str) -> Finding:
    text = view.src[start:end].decode("utf-8", "replace").split()
    return Finding(CODE, "warning", start, end, reason + ".", effort=EFFORT, name=text[0] if text else "")
