"""MUS816: CUDA source, and names of CUDA's interface, inside a CMake file: what it compiles to find something out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_view import Argument, CMakeFile, Command, cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS816"
TITLE = "CUDA source in a CMake file"
WHY = """
CMake compiles a few lines to find out whether something is there, and goes on either way. Where the lines still say
CUDA on MUSA, or are of the language CUDA, which such a build has not, the answer is no without an error, and what hangs
on it is built otherwise. A file that CMake writes is source like any other.
"""
EXAMPLE = """
check_source_compiles(CUDA "__global__ void k() {} int main() { k<<<1, 1>>>(); }" HAVE_LAUNCH)
"""
INSTEAD = """
Names are translated where they stand. What has to be compiled by mcc cannot be asked by `try_compile`: run mcc with
`execute_process` and look at its result, or set the answer where it is known.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "CMake's manual: try_compile, CheckSourceCompiles, CheckSymbolExists, CheckLibraryExists, CheckTypeSize",
    "MooreThreads/tutorial_on_musa: musa_quick_start/2_example_cmakelist (FindMUSA makes commands, no language)",
)
TRIGGERS = frozenset((b"CUDA", b"cu", b"cuda_runtime", b"cudaMalloc", b"__global__"))
VALID = (
    'check_cxx_source_compiles("int main() { return 0; }" HAVE_CXX)\n# CUDA\n',
    'message("cudaMalloc(p); failed")\n',
    'option(USE_CUDA "Use cudaMallocAsync (slow)" OFF)\n',
    "check_symbol_exists(mmap sys/mman.h HAVE_MMAP)\n# cudaMalloc\n",
)
INVALID = (
    Case(
        'check_cxx_source_compiles("\n#include <cuda_runtime.h>\nint main() { cudaFree(0); }\n" HAVE_RT)\n',
        output='check_cxx_source_compiles("\n#include <musa_runtime.h>\nint main() { musaFree(0); }\n" HAVE_RT)\n',
        path="CMakeLists.txt",
    ),
    Case(
        "set(SRC [[\n#include <cuda_runtime.h>\nint main() { cudaFree(0); }\n]])\nfile(WRITE a.cpp ${SRC})\n",
        output="set(SRC [[\n#include <musa_runtime.h>\nint main() { musaFree(0); }\n]])\nfile(WRITE a.cpp ${SRC})\n",
        path="CMakeLists.txt",
    ),
    Case(
        'check_source_compiles(CUDA "int main() { return 0; }" HAVE_NVCC)\n',
        findings=('check_source_compiles(CUDA "int main() { return 0; }" HAVE_NVCC)',),
        path="CMakeLists.txt",
    ),
    Case(
        "try_compile(OK ${CMAKE_BINARY_DIR} SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/probe.cu)\n",
        findings=("try_compile(OK ${CMAKE_BINARY_DIR} SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/probe.cu)",),
        path="CMakeLists.txt",
    ),
    Case(
        'set(S [[__global__ void k() {}]])\ncheck_cxx_source_compiles("${S}" OK)\n',
        findings=('check_cxx_source_compiles("${S}" OK)',),
        path="CMakeLists.txt",
    ),
    Case(
        "check_function_exists(cudaMalloc HAVE_MALLOC)\ncheck_type_size(cudaStream_t STREAM)\n",
        output="check_function_exists(musaMalloc HAVE_MALLOC)\ncheck_type_size(musaStream_t STREAM)\n",
        path="CMakeLists.txt",
    ),
)

_NAMING = late_pattern(r"check_(?:cxx_|c_)?(?:symbol|function|library|prototype|struct|type|variable|include)_\w+")
_LANGUAGE = late_pattern(r"check_(?:source_(?:compiles|runs)|compiler_flag|linker_flag)|check_cuda_\w+")
_TRYING = frozenset(("try_compile", "try_run"))
_CODE = late_pattern(rb"#[ \t]*include\b|[;{}]")
_WORD = late_pattern(rb"[A-Za-z_]\w*")
_DEVICE = late_pattern(rb"\b__(?:global|device)__\b|<<<")
_UNSAFE_QUOTED, _UNSAFE_BRACKET = re.compile(rb'["\\$@;]'), re.compile(rb"\]=*\]")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a CMake file."""
    if build_system(unit.path) != "cmake":
        return
    view = cmake_file(unit)
    for command in view.commands:
        if command.name in ("message", "option"):
            continue
        if (why := _why_not_asked(view, command)) is not None:
            yield Finding(CODE, "warning", command.start, command.end, why, effort="hours", name=command.name)
            continue
        for argument in command.arguments:
            yield from _argument(unit, command, argument)


def _why_not_asked(view: CMakeFile, command: Command) -> str | None:
    """Why CMake cannot find out on MUSA what a command asks; None where it can, or where it asks nothing of CUDA."""
    texts = command.texts
    if command.name.startswith("check_cuda_") or (_LANGUAGE.fullmatch(command.name) and texts[:1] == ["CUDA"]):
        return _NO_LANGUAGE
    if command.name in _TRYING and any(text == "CUDA" or view.holds_cuda(text, command.function) for text in texts):
        return _NO_LANGUAGE
    if command.name.startswith("check_") and "_source_" in command.name:
        held = _device_variables(view)
        for argument in command.arguments:
            if _DEVICE.search(view.src, argument.start, argument.end) or argument.text.strip("${}") in held:
                return _NO_LANGUAGE
    return None


def _device_variables(view: CMakeFile) -> set[str]:
    """The variables that a file gives texts with device code in them."""
    if "device variables" not in view.memo:
        view.memo["device variables"] = {
            command.texts[0]
            for command in view.named("set")
            if command.arguments and _DEVICE.search(view.src, command.arguments[0].end, command.end)
        }
    found: set[str] = view.memo["device variables"]
    return found


_NO_LANGUAGE = (
    "CMake compiles this itself, as language CUDA or with device code in it, and a build for MUSA has no such "
    "language: the answer is no, without an error, and what hangs on it is built otherwise. Ask mcc by "
    "execute_process, or set the answer."
)


def _argument(unit: Unit, command: Command, argument: Argument) -> Iterator[Edit | Finding]:
    """The edits of one argument: of source in it, or of a name that a check looks for."""
    src = unit.src
    start, end, bracket = _inner(src, argument)
    whole = src[start:end]
    if _CODE.search(whole) and (argument.quoted or bracket):
        yield from _translated(unit, start, whole, whole if bracket else _unescaped(whole), bracket=bracket)
    elif _NAMING.fullmatch(command.name) and b"$" not in whole and not names("headers").get(argument.text):
        for word in _WORD.finditer(whole):
            at = start + word.start()
            header = src[at + len(word[0]) : at + len(word[0]) + 2] == b".h"
            text = b"#include <" + word[0] + b".h>\n" if header else word[0] + b";"
            shift = len(b"#include <") if header else 0
            yield from _translated(unit, at - shift, text, text, bracket=False, within=(at, at + len(word[0]) + 2))


def _inner(src: bytes, argument: Argument) -> tuple[int, int, bool]:
    """The bytes inside an argument's quotes or brackets, and whether these are brackets."""
    if argument.quoted:
        return argument.start + 1, argument.end - 1, False
    found = re.match(rb"\[(=*)\[", src[argument.start : argument.end])
    if found is not None and not argument.text:
        return argument.start + found.end(), argument.end - found.end(), True
    return argument.start, argument.end, False


def _unescaped(text: bytes) -> bytes:
    """A quoted argument as its escapes leave it, each escape with blanks to its length."""
    return re.sub(rb"\\([\s\S])", lambda m: b" \n" if m[1] == b"n" else b" \t" if m[1] == b"t" else b" " + m[1], text)


def _translated(
    unit: Unit, start: int, old: bytes, text: bytes, *, bracket: bool, within: tuple[int, int] | None = None
) -> Iterator[Edit | Finding]:
    """What translating a text as C++ gives, at its place in the file: names as edits, anything else as findings."""
    from musify_ai.translate.translation import translate

    inner = translate(text, "probe.cu", unit.options)
    unsafe = _UNSAFE_BRACKET if bracket else _UNSAFE_QUOTED
    found: list[Edit | Finding] = [*inner.edits, *inner.findings]
    for each in found:
        first, last = start + each.start, start + each.end
        if within is not None and not (within[0] <= first and last <= within[1]):
            continue
        if isinstance(each, Finding):
            if each.code != "MUS001":
                message = f"in the source in this argument: {each.message}"
                yield each._replace(start=first, end=last, message=message, edit=None, related=(), settled=True)
        elif each.safety == "display":
            continue
        elif (
            each.rule.startswith(("names.", "headers."))
            and unit.src[first:last] == each.old
            and not unsafe.search(each.new)
        ):
            source = f"{each.rule}: {each.source}"
            yield each._replace(start=first, end=last, rule=CODE, evidence="rule", source=source)
        elif each.safety == "safe":
            yield Finding(
                CODE, "warning", first, max(last, first + 1),
                f"the source in this argument wants an edit ({each.rule}) that is not made inside a CMake file: "
                f"{each.new.decode('utf-8', 'replace')[:120]!r} there. Write it by hand.",
                effort=EFFORT, name=each.rule,
            )  # fmt: skip
