"""MUS806: names of CUDA's in build files: variables, imported targets, libraries, the environment, folders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_view import Argument, Command, cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.make_view import makefile
from musify_ai.translate.build.vocabulary import Counterpart, names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS806"
TITLE = "CUDA name in a build file"
WHY = """
CMake's variables and imported targets, libraries, and the environment's variables have counterparts where a public
MUSA build uses them. The others are derived at best: FindMUSA is made after FindCUDA, yet which of its variables it
sets is known for a few only, and a variable that nobody sets is empty in CMake, without an error.
"""
EXAMPLE = """
target_link_libraries(app PRIVATE CUDA::cublas CUDA::nvToolsExt)
"""
INSTEAD = """
`MUSA::mublas`, `-lmusart`, `MUSA_HOME`, `/usr/local/musa/lib`. A name with no counterpart is left, so that the build
stops there. A derived variable is renamed with `--unsafe-fixes`: look it up in the SDK's `cmake/FindMUSA.cmake` first.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start/3_example_fft (MUSA::mufft)",
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt (MUSA::musart, MUSA::mublas, MUSA::musa_driver)",
    "MooreThreads/mutlass: MUSA.cmake (MUSA_FOUND, MUSA_INCLUDE_DIRS)",
)
TRIGGERS = frozenset((b"CUDA", b"cuda", b"cudart", b"cublas", b"CUDA_HOME", b"CUDA_PATH", b"CUDA_FOUND"))
VALID = ("set(MY_CUDA_SOURCES a.cpp)\n", "option(USE_CUDA_FAST OFF)\n", 'message("CUDA::cudart")\n')
INVALID = (
    Case(
        "target_link_libraries(a PRIVATE CUDA::cublas CUDA::nvToolsExt cuda)\n",
        findings=("CUDA::nvToolsExt",),
        output="target_link_libraries(a PRIVATE MUSA::mublas CUDA::nvToolsExt musa)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "target_link_libraries(a CUDA::curand)\n",
        findings=("CUDA::curand",),
        fixed="target_link_libraries(a MUSA::murand)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "if(CUDA_FOUND)\n  include_directories(${CUDA_INCLUDE_DIRS})\nendif()\n# cuda\n",
        output="if(MUSA_FOUND)\n  include_directories(${MUSA_INCLUDE_DIRS})\nendif()\n# cuda\n",
        path="CMakeLists.txt",
    ),
    Case(
        "CUDA_HOME ?= /usr/local/cuda\nLIBS = -L$(CUDA_HOME)/lib64 -lcudart -lnvToolsExt\n",
        findings=("-lnvToolsExt",),
        output="MUSA_HOME ?= /usr/local/musa\nLIBS = -L$(MUSA_HOME)/lib -lmusart -lnvToolsExt\n",
        path="Makefile",
    ),
    Case(
        "set(X ${CUDA_TOOLKIT_ROOT_DIR}) # CUDA\n",
        findings=("CUDA_TOOLKIT_ROOT_DIR",),
        fixed="set(X ${MUSA_TOOLKIT_ROOT_DIR}) # CUDA\n",
        path="a.cmake",
    ),
)

_SOURCE = "rules/build/names.toml"
_TARGET = late_pattern(rb"\bCUDA::[A-Za-z]\w*")
_WORD = late_pattern(rb"(?<![\w:-])(?:CMAKE_CUDA|CUDA|CUDAToolkit)_\w+(?![\w:])")
_LIBRARY = late_pattern(rb"(?<![\w-])-l([A-Za-z][\w-]*)|\blib([A-Za-z][\w-]*)\.(?:so|a)\b")
_FOLDER = late_pattern(rb"/(?:usr/local|opt)/cuda(?:-\d+(?:\.\d+)*)?(?:/lib64\b)?(?![\w-])")
_LIB64 = late_pattern(rb"(?:\$[({]|\$ENV\{)\w*(?:CUDA|cuda)\w*[)}](/lib64)\b")
_ENVIRONMENT = late_pattern(rb"(?<![\w.-])(?:CUDA_HOME|CUDA_PATH|CUDA_LAUNCH_BLOCKING|CUDA_VISIBLE_DEVICES"
                          rb"|TORCH_CUDA_ARCH_LIST)(?![\w-])")  # fmt: skip
_LINKING = frozenset(("target_link_libraries", "link_libraries", "find_library", "cuda_add_executable",
                      "cuda_add_library"))  # fmt: skip
_NAMING = frozenset(("if", "elseif", "while", "set", "unset", "list", "string", "mark_as_advanced", "option",
                     "separate_arguments", "foreach", "get_filename_component"))  # fmt: skip
_ELSEWHERE = frozenset(("find_package", "project", "enable_language", "check_language"))
_FLAGS = frozenset(("CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS"))
_STANDARD = frozenset(("CMAKE_CUDA_STANDARD", "CMAKE_CUDA_STANDARD_REQUIRED", "CMAKE_CUDA_EXTENSIONS"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a CMake file or Makefile."""
    system = build_system(unit.path)
    if system == "cmake":
        for command in cmake_file(unit).commands:
            if command.name not in _ELSEWHERE:
                for index, argument in enumerate(command.arguments):
                    yield from _argument(unit, command, index, argument)
    elif system == "make":
        for line in makefile(unit).lines:
            yield from _anywhere(unit, line.start, line.value_end)


def _argument(unit: Unit, command: Command, index: int, argument: Argument) -> Iterator[Edit | Finding]:
    start, end = argument.inner
    src = unit.src
    if not argument.text:
        return
    spoken = command.name == "message"
    if not spoken:
        for match in _TARGET.finditer(src, start, end):
            row = names("targets").get(match[0].decode(), Counterpart("", "none", "no counterpart is known"))
            yield from _say(unit, match.start(), match.end(), match[0].decode(), row)
        linking = (command.name in _LINKING and index) or (command.name == "check_library_exists" and not index)
        if linking and (row_ := names("libraries").get(argument.text)) is not None:
            yield from _say(unit, start, end, argument.text, row_)
        if command.name != "install" and (header := names("headers").get(argument.text)) is not None:
            yield from _say(unit, start, end, argument.text, header)
        yield from _anywhere(unit, start, end)
    for match in _WORD.finditer(src, start, end):
        name = match[0].decode()
        held = names("variables").get(name)
        if name == "CMAKE_CUDA_COMPILER" and command.name in ("if", "elseif"):
            held = Counterpart("MUSA_FOUND", "seen")
        if held is None or held.grade == "version":
            continue
        referred = src[match.start() - 1 : match.start()] in (b"{", b"$") and src[match.end() : match.end() + 1] == b"}"
        whole = (match.start(), match.end()) == (start, end) and not argument.quoted and command.name in _NAMING
        defining = command.name in ("set", "list", "string") and whole and index <= 1
        if not (referred or whole) or (defining and (name in _FLAGS or name in _STANDARD)):
            continue
        if referred and name in _FLAGS and src[match.start() - 2 : match.start()] == b"${" and _extends(command, name):
            continue  # set(X "${X} ...") is the flags' own matter
        yield from _say(unit, match.start(), match.end(), name, held)


def _extends(command: Command, name: str) -> bool:
    return command.name == "set" and command.texts[:1] == [name]


def _anywhere(unit: Unit, start: int, end: int) -> Iterator[Edit | Finding]:
    """Libraries, folders and the environment's names, which look the same in every build system."""
    src = unit.src
    for match in _LIBRARY.finditer(src, start, end):
        name = (match[1] or match[2]).decode()
        row = names("libraries").get(name)
        if row is None:
            continue
        group = 1 if match[1] else 2
        if row.musa:
            yield from _say(unit, match.start(group), match.end(group), name, row)
        else:
            yield from _say(unit, match.start(), match.end(), name, row)
    for match in _FOLDER.finditer(src, start, end):
        new = match[0].split(b"/cuda")[0] + b"/musa" + (b"/lib" if match[0].endswith(b"/lib64") else b"")
        yield Edit(match.start(), match.end(), match[0], new, CODE, "rule", "safe", _SOURCE)
    for match in _LIB64.finditer(src, start, end):
        yield Edit(match.start(1), match.end(1), match[1], b"/lib", CODE, "rule", "safe", _SOURCE)
    for match in _ENVIRONMENT.finditer(src, start, end):
        row = names("environment")[match[0].decode()]
        yield from _say(unit, match.start(), match.end(), match[0].decode(), row)


def _say(unit: Unit, start: int, end: int, name: str, row: Counterpart) -> Iterator[Edit | Finding]:
    old = unit.src[start:end]
    if row.grade == "seen":
        yield Edit(start, end, old, row.musa.encode(), CODE, "rule", "safe", row.note or _SOURCE)
        if name == "CUDA::cudart_static":
            yield Finding(
                CODE, "note", start, end,
                "with the static runtime in an archive inside a shared library, launches throw on MUSA: link "
                "MUSA::musart there.",
                effort=EFFORT, name=name,
            )  # fmt: skip
    elif row.grade == "prefix":
        edit = Edit(start, end, old, row.musa.encode(), CODE, "rule", "unsafe", "FindCUDA's name with the prefix rule")
        message = (
            f"{name}: no public build names {row.musa} ({row.note}). CMake stops at a target that is not there."
            if row.note
            else f"{name}: whether MUSA's CMake modules set {row.musa} is not public, and one that nobody sets is "
            f"empty "
            "without an error. Look it up in the SDK's cmake folder."
        )
        yield Finding(CODE, "warning", start, end, message, effort=EFFORT, edit=edit, name=name)
    else:
        yield Finding(
            CODE, "warning", start, end, f"{name} has no counterpart for MUSA: {row.note}.", effort=EFFORT, name=name
        )
