"""MUS804: targets with CUDA sources in CMake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.build.cmake_conditions import standing
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
target that is linked in both ways. They exist only where the package was found, so a target that is added with CUDA and
without keeps its old call beside the new one. Compile options of a target do not reach mcc, so those for the language
CUDA move into the call.
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
        output="function(add_one name)\n  set(musa_sources_of_call ${ARGN})\n"
        '  list(FILTER musa_sources_of_call INCLUDE REGEX "\\\\.(cu|mu)$")\n'
        "  if(musa_sources_of_call AND COMMAND musa_add_library)\n    musa_add_library(${name} ${ARGN})\n  else()\n"
        "    add_library(${name} ${ARGN})\n  endif()\nendfunction()\nadd_one(a a.cu)\nadd_one(b b.cpp)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "if(GPU)\n  enable_language(CUDA)\n  list(APPEND SRCS k.cu)\nendif()\nadd_library(l ${SRCS})\n",
        findings=(),
        output="if(GPU)\n  enable_language(CUDA)\n  list(APPEND SRCS k.cu)\nendif()\nif(COMMAND musa_add_library)\n"
        "  musa_add_library(l ${SRCS})\nelse()\n  add_library(l ${SRCS})\nendif()\n",
        path="CMakeLists.txt",
    ),
    Case(
        "find_package(MUSA)\nif(MUSA_FOUND)\n  cuda_add_library(l k.cu)\nelse()\n  add_library(l k.cu)\nendif()\n",
        output="find_package(MUSA)\nif(MUSA_FOUND)\n  musa_add_library(l k.cu)\nelse()\n  add_library(l k.cu)\n"
        "endif()\n",
        path="CMakeLists.txt",
    ),
    Case("cuda_add_executable(a a.cu)\n", output="musa_add_executable(a a.cu)\n", path="CMakeLists.txt"),
    Case(
        "function(add_bench name)\n  add_executable(${name} ${ARGN})\nendfunction()\nadd_bench(a a.cu)\n",
        output="function(add_bench name)\n  musa_add_executable(${name} ${ARGN})\nendfunction()\nadd_bench(a a.cu)\n",
        path="CMakeLists.txt",
    ),
)

_OWN = "musa_sources_of_call"  # a variable of the migrated file: the CUDA sources of one call
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
        stands = "on" if command.name.startswith("cuda_") else standing(view, command)
        if stands == "off":
            continue
        prefix = block[1] if block is not None and block[0] == command.start else ""
        wanted = _link_keyword(view, command)
        if wanted != keyword and wanted is not None:
            value = wanted or '""'
            prefix += f"set(MUSA_LINK_LIBRARIES_KEYWORD {value}){view.newline}{view.indentation(command.start)}"
            keyword = "" if command.path else wanted  # what a block sets may not have been run later
        name = "musa_" + command.name.removeprefix("cuda_")
        shared = view.is_shared(command)
        if shared and (view.cuda_files or not command.arguments[1:]):
            edit = _edit(view, command.start, command.name_end, prefix + name)
            yield Finding(
                CODE, "warning", command.start, command.name_end,
                f"{command.function} adds targets with CUDA sources and targets without. With {name} all of them link "
                "MUSA's runtime, and none can be added where find_package(MUSA) was not called: give those with CUDA "
                "sources a function of their own.",
                effort="hours", edit=edit._replace(safety="unsafe"), name=command.function,
            )  # fmt: skip
            continue
        options = list(dict.fromkeys(moved.options.get(command.start, ())))
        if shared or stands == "open":
            yield from _either(view, command, prefix, name, options, by_sources=shared)
            continue
        yield _edit(view, command.start, command.name_end, prefix + name)
        if options:
            yield _options(view, command, options)
    for start, end in moved.taken:
        yield _edit(view, start, end, "")
    for command in view.commands:
        counterpart = names("functions").get(command.name)
        if counterpart is not None and counterpart.musa and not command.name.startswith("cuda_add_"):
            yield _edit(view, command.start, command.name_end, counterpart.musa)


def _either(
    view: CMakeFile, command: Command, prefix: str, name: str, options: list[str], *, by_sources: bool
) -> Iterator[Edit]:
    """A target that is CUDA's on some ways only: MUSA's call where there is one, and the call as it was elsewhere.

    ``by_sources`` is for a function that is handed CUDA sources and others: what a call holds decides.
    """
    line, indent = view.newline, view.indentation(command.start)
    condition = f"COMMAND {name}"
    if by_sources:
        first, last = command.arguments[1].start, command.arguments[-1].end
        given = _words(view.src[first:last])
        prefix += f"set({_OWN} {given}){line}{indent}"
        prefix += f'list(FILTER {_OWN} INCLUDE REGEX "\\\\.(cu|mu)$"){line}{indent}'
        condition = f"{_OWN} AND {condition}"
    yield _edit(view, command.start, command.name_end, f"{prefix}if({condition}){line}{indent}  {name}")
    if options:
        yield _options(view, command, options)
    plain = view.src[command.start : command.end].decode("utf-8", "surrogateescape")
    yield _edit(view, command.end, command.end, f"{line}{indent}else(){line}{indent}  {plain}{line}{indent}endif()")


def _words(given: bytes) -> str:
    """Arguments on one line, without the comments between them."""
    return " ".join(re.sub(rb"(?m)(?:^|(?<=\s))#[^\n]*", b"", given).decode("utf-8", "surrogateescape").split())


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
