"""MUS804: targets with CUDA sources in CMake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.build.cmake_language import arch_block
from musify_ai.translate.build.cmake_moves import KEYWORDS, moves
from musify_ai.translate.build.cmake_view import CMakeFile, Command, cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS804"
TITLE = "CMake target with CUDA sources"
WHY = """
Without a language of its own, `add_executable` does not know what to do with a `.cu` file: CMake leaves it out of the
build without a word. FindMUSA's `musa_add_executable` and `musa_add_library` compile such files with mcc. They link the
runtime themselves, in CMake's plain signature unless `MUSA_LINK_LIBRARIES_KEYWORD` says otherwise, and CMake refuses a
target that is linked in both ways. Compile options of a target do not reach mcc, so those for the language CUDA move
into the call.
"""
EXAMPLE = """
add_executable(app main.cpp kernels.cu)
target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-DX=1>)
target_link_libraries(app PRIVATE m)
"""
INSTEAD = """
`musa_add_executable(app main.cpp kernels.cu OPTIONS -DX=1)`, with `set(MUSA_LINK_LIBRARIES_KEYWORD PRIVATE)` before it
where the target is linked with keywords.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/muAlg: musa_add_executable for add_executable (its guide for developers)",
    "MooreThreads/mutlass: MUSA.cmake (MUSA_LINK_LIBRARIES_KEYWORD)",
    "MooreThreads/tutorial_on_musa: musa_quick_start (.cu and .mu are taken for device code)",
)
TRIGGERS = frozenset((b"cu", b"CUDA", b"cuda_add_executable", b"cuda_add_library", b"cuda_include_directories",
                      b"cuda_compile"))  # fmt: skip
VALID = (
    "add_executable(app main.cpp)\n",
    "add_library(cuda_shims INTERFACE)\n",
    "# add_executable(a a.cu)\n",
)
INVALID = (
    Case(
        "add_executable(app main.cpp k.cu)\ntarget_link_libraries(app PRIVATE m)\n",
        output="set(MUSA_LINK_LIBRARIES_KEYWORD PRIVATE)\nmusa_add_executable(app main.cpp k.cu)\n"
        "target_link_libraries(app PRIVATE m)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "set(SRCS a.cpp)\nlist(APPEND SRCS b.cu)\nadd_library(l STATIC ${SRCS})\n",
        output="set(SRCS a.cpp)\nlist(APPEND SRCS b.cu)\nmusa_add_library(l STATIC ${SRCS})\n",
        path="CMakeLists.txt",
    ),
    Case(
        "add_executable(app\n  k.cu)\n"
        "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-DX=1>)\n",
        output="musa_add_executable(app\n  k.cu\n  OPTIONS -DX=1)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "function(add_one name)\n  add_library(${name} ${ARGN})\nendfunction()\nadd_one(a a.cu)\nadd_one(b b.cpp)\n",
        findings=("add_library",),
        fixed="function(add_one name)\n  musa_add_library(${name} ${ARGN})\nendfunction()\n"
        "add_one(a a.cu)\nadd_one(b b.cpp)\n",
        path="CMakeLists.txt",
    ),
    Case("cuda_add_executable(a a.cu)\n", output="musa_add_executable(a a.cu)\n", path="CMakeLists.txt"),
    Case(
        "function(add_bench name)\n  add_executable(${name} ${ARGN})\nendfunction()\nadd_bench(a a.cu)\n",
        output="function(add_bench name)\n  musa_add_executable(${name} ${ARGN})\nendfunction()\nadd_bench(a a.cu)\n",
        path="CMakeLists.txt",
    ),
)

_SOURCE = "MooreThreads/muAlg: guide for developers; MooreThreads/mutlass: MUSA.cmake"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits of a CMake file."""
    if build_system(unit.path) != "cmake":
        return
    view = cmake_file(unit)
    moved = moves(view, unit.options.archs)
    block = arch_block(view, unit.options.archs)
    keyword = ""
    for command, cuda in view.targets:
        if not cuda or command.name.startswith("musa_"):
            continue
        prefix = block[1] if block is not None and block[0] == command.start else ""
        wanted = _link_keyword(view, command)
        if wanted != keyword and wanted is not None:
            value = wanted or '""'
            prefix += f"set(MUSA_LINK_LIBRARIES_KEYWORD {value}){view.newline}{view.indentation(command.start)}"
            keyword = "" if command.path else wanted  # what a block sets may not have been run later
        edit = _edit(view, command.start, command.name_end, prefix + "musa_" + command.name.removeprefix("cuda_"))
        if view.is_shared(command):
            yield Finding(
                CODE, "warning", command.start, command.name_end,
                f"{command.function} adds targets with CUDA sources and targets without. With {edit.new.split()[-1].decode()} "
                "all of them link MUSA's runtime, and none can be added where find_package(MUSA) was not called: give those "
                "with CUDA sources a function of their own.",
                effort="hours", edit=edit._replace(safety="unsafe"), name=command.function,
            )  # fmt: skip
            continue
        yield edit
        options = moved.options.get(command.start)
        if options:
            yield _options(view, command, list(dict.fromkeys(options)))
    for start, end in moved.taken:
        yield _edit(view, start, end, "")
    for command in view.commands:
        counterpart = names("functions").get(command.name)
        if counterpart is not None and counterpart.musa and not command.name.startswith("cuda_add_"):
            yield _edit(view, command.start, command.name_end, counterpart.musa)


def _link_keyword(view: CMakeFile, command: Command) -> str | None:
    """How a target is linked later in the file: with keywords, plainly (``""``), or not at all (None)."""
    name = command.texts[0]
    for link in view.named("target_link_libraries"):
        if link.texts[:1] == [name] and link.function == command.function:
            return "PRIVATE" if set(KEYWORDS) & set(link.texts) else ""
    return None


def _options(view: CMakeFile, command: Command, options: list[str]) -> Edit:
    last = command.arguments[-1]
    indent = view.indentation(last.start)
    lead = f"{view.newline}{indent}" if indent else " "
    word = "" if "OPTIONS" in command.texts else "OPTIONS "
    return _edit(view, last.end, last.end, f"{lead}{word}{' '.join(options)}")


def _edit(view: CMakeFile, start: int, end: int, new: str) -> Edit:
    return Edit(start, end, view.src[start:end], new.encode("utf-8", "surrogateescape"), CODE, "rule", "safe", _SOURCE)
