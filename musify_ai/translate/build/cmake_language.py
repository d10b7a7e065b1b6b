"""MUS803: CMake's language CUDA and its packages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_moves import ARCH_WORD
from musify_ai.translate.build.cmake_view import CMakeFile, Command, cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.words import removal
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS803"
TITLE = "CMake's language CUDA"
WHY = """
CMake knows no language MUSA. The SDK brings two modules instead, FindMUSA with functions that compile `.cu` and `.mu`
files, and FindMUSAToolkit with the libraries as imported targets; both lie in the SDK, so their folder has to be added
to the module path first. The archs are named as flags, once for a directory.
"""
EXAMPLE = """
project(app LANGUAGES CXX CUDA)
find_package(CUDAToolkit 11.4 REQUIRED)
"""
INSTEAD = """
`project(app LANGUAGES CXX)`, then the module path, `find_package(MUSA REQUIRED)` and, for the libraries,
`find_package(MUSAToolkit REQUIRED)`. `MUSA_ARCHITECTURES` (`22;31`) takes the place of `CMAKE_CUDA_ARCHITECTURES`, and
is turned into `--offload-arch` flags before the first target is added. A version that was asked for is left out: MUSA's
versions are on another scale (MUS809).
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start (FindMUSA, FindMUSAToolkit, MUSA_MCC_FLAGS)",
    "MUSA SDK 5.2 programming guide: building with CMake",
    "MooreThreads/muAlg: cmake/CubMusaConfig.cmake",
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt (MUSA_ARCHITECTURES)",
)
TRIGGERS = frozenset((b"CUDA", b"CUDAToolkit"))
_MODULE_PATH = 'list(APPEND CMAKE_MODULE_PATH "$ENV{MUSA_HOME}/cmake" /usr/local/musa/cmake)'
_BLOCK = (
    "if(NOT DEFINED MUSA_ARCHITECTURES)\n  set(MUSA_ARCHITECTURES 22 31)\nendif()\n"
    "foreach(arch IN LISTS MUSA_ARCHITECTURES)\n  list(APPEND MUSA_MCC_FLAGS --offload-arch=mp_${arch})\nendforeach()\n"
)
VALID = ("project(app LANGUAGES CXX)\n", "find_package(Threads)\n")
INVALID = (
    Case(
        "project(app LANGUAGES CXX CUDA)\nset(X 1)\n",
        output=f"project(app LANGUAGES CXX)\n{_MODULE_PATH}\nfind_package(MUSA REQUIRED)\n{_BLOCK}set(X 1)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "project(app CUDA)\nadd_subdirectory(src)\n",
        output=f"project(app CXX)\n{_MODULE_PATH}\nfind_package(MUSA REQUIRED)\n{_BLOCK}add_subdirectory(src)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "if(USE_GPU)\n  enable_language(CUDA)\nendif()\n",
        output=f"if(USE_GPU)\n  {_MODULE_PATH}\n  find_package(MUSA REQUIRED)\n"
        + "".join(f"  {line}\n" for line in _BLOCK.splitlines())
        + "endif()\n",
        path="CMakeLists.txt",
    ),
    Case(
        "find_package(CUDAToolkit 11.4 REQUIRED)\n",
        output=f"{_MODULE_PATH}\nfind_package(MUSAToolkit REQUIRED)\n",
        path="cmake/Deps.cmake",
    ),
    Case(
        "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n",
        output="set_source_files_properties(a.cpp PROPERTIES MUSA_SOURCE_PROPERTY_FORMAT OBJ)\n",
        path="CMakeLists.txt",
    ),
)

_PACKAGES = {"CUDA": "MUSA", "CUDAToolkit": "MUSAToolkit"}
_PROJECT_KEYS = frozenset(("VERSION", "DESCRIPTION", "HOMEPAGE_URL", "LANGUAGES", "COMPAT_VERSION"))
_VERSION = late_pattern(r"\d+(?:\.\d+)*(?:\.\.\.<?\d+(?:\.\d+)*)?")
_RUN_APART = frozenset(("add_custom_command", "add_custom_target", "execute_process", "message", "add_test", "if",
                        "elseif", "try_compile", "try_run"))  # fmt: skip
_STANDARD = ("CMAKE_CUDA_STANDARD_REQUIRED", "CMAKE_CUDA_EXTENSIONS")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits of a CMake file."""
    if build_system(unit.path) != "cmake":
        return
    view = cmake_file(unit)
    home = _home(view)
    has_path: list[tuple[int, ...]] = []
    for command in view.commands:
        if command is home:
            yield from _home_edits(view, command, unit.options.archs)
            has_path.append(command.path)
        elif command.name in ("project", "enable_language") and _language(command) is not None:
            yield from _language_out(view, command)
        elif command.name == "check_language" and command.texts == ["CUDA"]:
            lines = ([] if _reaches(has_path, command) else [_MODULE_PATH]) + ["find_package(MUSA)"]
            has_path.append(command.path)
            yield _edit(view, command.start, command.end, _lines(view, command, lines))
        elif (
            command.name in ("find_package", "find_dependency") and command.texts[:1] and command.texts[0] in _PACKAGES
        ):
            yield from _package(view, command, (home is not None and _reaches([home.path], command)
                                and home.start < command.start) or _reaches(has_path, command))  # fmt: skip
            has_path.append(command.path)
        elif command.name == "set" and command.texts[:1] and command.texts[0] in _STANDARD:
            yield _edit(view, *view.whole_line(command), "")
        elif command.name == "set" and command.texts[:1] == ["CMAKE_CUDA_STANDARD"] and len(command.arguments) > 1:
            yield from _standard(view, command)
    for _, key, value in view.language_files():
        yield _edit(view, key.start, key.end, "MUSA_SOURCE_PROPERTY_FORMAT")
        yield _edit(view, value.start, value.end, "OBJ")


def arch_block(view: CMakeFile, archs: Sequence[str]) -> tuple[int, str] | None:
    """Where the archs become flags, and the lines for it: before the first command of the top level that adds targets
    and stands behind the one that enables CUDA; None where that is right behind the latter."""
    home = _home(view)
    if home is None or home.path or _names_archs(view):
        return None
    for command in view.commands:
        if command.start < home.end or command.function:
            continue
        adds = "add_executable" in command.name or "add_library" in command.name or command.name == "add_subdirectory"
        if adds:
            place = command.path[0] if command.path else command.start
            return place, "".join(f"{line}{view.newline}" for line in _block(view, archs, place))
    return None


def _home(view: CMakeFile) -> Command | None:
    """The command that brings CUDA into the project: the first that enables the language, else finds FindCUDA."""
    candidates = [c for c in view.named("project", "enable_language") if _language(c) is not None]
    candidates += [c for c in view.named("find_package") if c.texts[:1] == ["CUDA"]]
    return candidates[0] if candidates else None


def _names_archs(view: CMakeFile) -> bool:
    """Whether flags of mcc's name archs: those of a command of the project's own do not reach FindMUSA."""
    return any(
        ARCH_WORD.search(view.src, argument.start, argument.end)
        for c in view.commands
        if c.name not in _RUN_APART
        for argument in c.arguments
    )


def _language(command: Command) -> int | None:
    """The index of the argument CUDA among a command's languages."""
    texts = command.texts
    if command.name == "enable_language":
        return texts.index("CUDA") if "CUDA" in texts else None
    begin = texts.index("LANGUAGES") + 1 if "LANGUAGES" in texts else 1
    if begin == 1 and _PROJECT_KEYS & set(texts):
        return None
    return next((i for i in range(begin, len(texts)) if texts[i] == "CUDA" and texts[i - 1] != "VERSION"), None)


def _home_edits(view: CMakeFile, command: Command, archs: Sequence[str]) -> Iterator[Edit]:
    after: list[str] = []
    if command.name == "find_package":
        quiet = [text for text in command.texts if text in ("REQUIRED", "QUIET")]
        lines = [_MODULE_PATH, f"find_package({' '.join(['MUSA', *quiet])})"]
    else:
        lines = [_MODULE_PATH, "find_package(MUSA REQUIRED)"]
    if arch_block(view, archs) is None and not _names_archs(view):
        after = _block(view, archs, command.start)
    whole = command.name == "find_package" or (command.name == "enable_language" and len(command.arguments) == 1)
    if whole:
        yield _edit(view, command.start, command.end, _lines(view, command, [*lines, *after]))
    else:
        yield from _language_out(view, command)
        indent = view.indentation(command.start)
        text = "".join(f"{view.newline}{indent}{line}" for line in [*lines, *after])
        yield _edit(view, command.end, command.end, text)
    block = arch_block(view, archs)
    if block is not None and not _with_target(view, block[0]):
        yield _edit(view, block[0], block[0], block[1])


def _with_target(view: CMakeFile, offset: int) -> bool:
    """Whether a command whose name is edited begins there: its edit then brings the lines (MUS804)."""
    return any(command.start == offset and (cuda or command.name.startswith("cuda_")) for command, cuda in view.targets)


def _language_out(view: CMakeFile, command: Command) -> Iterator[Edit]:
    index = _language(command)
    assert index is not None
    argument = command.arguments[index]
    texts = command.texts
    begin = texts.index("LANGUAGES") + 1 if "LANGUAGES" in texts else (0 if command.name == "enable_language" else 1)
    others = [text for text in texts[begin:] if text != "CUDA" and text not in _PROJECT_KEYS]
    if others and command.name == "project" and not {"C", "CXX"} & set(others):
        yield _edit(view, argument.start, argument.end, "CXX")  # the host's half needs a compiler still
    elif others:
        yield _edit(view, *removal(view.src, argument.start, argument.end), "")
    elif command.name == "project":
        yield _edit(view, argument.start, argument.end, "CXX")
    else:
        yield _edit(view, *view.whole_line(command), "")


def _package(view: CMakeFile, command: Command, has_path: bool) -> Iterator[Edit]:
    name = command.arguments[0]
    prefix = "" if has_path else _MODULE_PATH + view.newline + view.indentation(command.start)
    yield _edit(
        view,
        command.start,
        name.end,
        prefix + view.src[command.start : name.start].decode("utf-8", "replace") + _PACKAGES[name.text],
    )
    for argument in command.arguments[1:]:
        if _VERSION.fullmatch(argument.text) or argument.text == "EXACT":
            yield _edit(view, *removal(view.src, argument.start, argument.end), "")


def _standard(view: CMakeFile, command: Command) -> Iterator[Edit]:
    value = command.arguments[1].text
    if "PARENT_SCOPE" in command.texts or not re.fullmatch(r"\d+|\$\{\w+\}", value):
        return
    if "CACHE" in command.texts and "FORCE" not in command.texts:
        # The user may have chosen another: the variable stays, and is read.
        yield Edit(command.end, command.end, b"", f"{view.newline}{view.indentation(command.start)}list(APPEND "
                   "MUSA_MCC_FLAGS "
                   "-std=c++${CMAKE_CUDA_STANDARD})".encode(), CODE, "rule", "safe", _SOURCE)  # fmt: skip
        return
    yield _edit(view, command.start, command.end, f"list(APPEND MUSA_MCC_FLAGS -std=c++{value})")


def _block(view: CMakeFile, archs: Sequence[str], place: int) -> list[str]:
    """The archs as flags, after a default for them unless the file sets one on every way to the place."""
    default = [
        "if(NOT DEFINED MUSA_ARCHITECTURES)",
        f"  set(MUSA_ARCHITECTURES {' '.join(arch.removeprefix('mp_') for arch in archs)})",
        "endif()",
    ]
    return [
        *([] if _sets_archs(view, place) else default),
        "foreach(arch IN LISTS MUSA_ARCHITECTURES)",
        "  list(APPEND MUSA_MCC_FLAGS --offload-arch=mp_${arch})",
        "endforeach()",
    ]


def _sets_archs(view: CMakeFile, place: int) -> bool:
    """Whether the archs are set before a place: at the top level, or where nobody has set them."""
    guards = {
        command.start
        for command in view.named("if")
        if command.texts in (["NOT", "DEFINED", "CMAKE_CUDA_ARCHITECTURES"], ["NOT", "CMAKE_CUDA_ARCHITECTURES"])
    }
    return any(
        command.texts[:1] == ["CMAKE_CUDA_ARCHITECTURES"]
        and command.start < place
        and (not command.path or (len(set(command.path)) == 1 and command.path[0] in guards))
        for command in view.named("set")
    )


def _lines(view: CMakeFile, command: Command, lines: Sequence[str]) -> str:
    return f"{view.newline}{view.indentation(command.start)}".join(lines)


def _reaches(paths: Sequence[tuple[int, ...]], command: Command) -> bool:
    """Whether what stands in one of some blocks has been run where a command is."""
    return any(command.path[: len(path)] == path for path in paths)


def _edit(view: CMakeFile, start: int, end: int, new: str) -> Edit:
    return Edit(start, end, view.src[start:end], new.encode("utf-8", "surrogateescape"), CODE, "rule", "safe", _SOURCE)


_SOURCE = "MooreThreads/tutorial_on_musa: musa_quick_start"
