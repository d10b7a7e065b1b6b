"""Where in CMake files and Makefiles compiler flags stand, and what becomes of those that are nvcc's.

Shared by the rules for flags (MUS807) and for archs (MUS808), whose edits may touch the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from musify_ai.records import Edit
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_moves import NO_LANGUAGE, moves
from musify_ai.translate.build.cmake_view import CMakeFile, Command, cmake_file
from musify_ai.translate.build.flagging import Arch, Change, Remark, translate_flags
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.make_view import Makefile, makefile
from musify_ai.translate.build.words import Word, edits_of, removal, words_in
from musify_ai.translate.unit import Unit

FLAGS, ARCHS = "MUS807", "MUS808"
_SOURCE = "rules/build/flags.toml"
# Nobody but nvcc takes these.
_CERTAIN = late_pattern(
    rb"-gencode|--generate-code|-Xcompiler|-Xptxas|--ptxas-options|--compiler-options|--?expt-|--?extended-lambda"
    rb"|use_fast_math|-arch[= ](?:sm|compute)_|--gpu-architecture|-lineinfo|--maxrregcount|-maxrregcount|-Xcudafe"
    rb"|--forward-unknown|-ccbin|--compiler-bindir|-rdc=|--relocatable-device-code|--default-stream|-x[ \t;\"]+cu\b"
    rb"|-Xfatbin|--diag-suppress|-allow-unsupported-compiler|-Wno-deprecated-gpu-targets"
)
_OURS = late_pattern(r"NVCC|CUDA|GENCODE|NVFLAGS|CUFLAGS|CU_FLAGS", re.IGNORECASE)
_HOLDING = frozenset(("set", "list", "string", "add_compile_options", "target_compile_options", "set_target_properties",
                      "set_property", "set_source_files_properties", "cuda_add_executable", "cuda_add_library",
                      "musa_add_executable", "musa_add_library", "target_link_options", "add_link_options",
                      "append_if", "target_link_libraries"))  # fmt: skip
_CONTINUED = late_pattern(r"\\\r?\n")
_CONTINUED_BYTES = late_pattern(_CONTINUED.pattern.encode())
_FLAG_VARIABLES = ("CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS")


class Places(NamedTuple):
    """All edits over flags and archs, and what is to be said: (start, end, name, message, code, severity)."""

    edits: list[Edit]
    said: list[tuple[int, int, str, str, str, str]]


def flag_places(unit: Unit) -> Places:
    """The places of a file, found once."""
    found = unit.memo.get("flags")
    if found is None:
        system = build_system(unit.path)
        collected = _Collected(unit.src, unit.options.archs)
        if system == "cmake":
            _cmake(cmake_file(unit), collected)
        elif system == "make":
            _make(makefile(unit), collected)
        found = unit.memo["flags"] = Places(edits_of(unit.src, collected.changes, _SOURCE), collected.said)
    assert isinstance(found, Places)
    return found


class _Collected:
    def __init__(self, src: bytes, archs: Sequence[str]) -> None:
        self.src, self.archs = src, archs
        self.changes: list[tuple[int, int, str, str]] = []
        self.said: list[tuple[int, int, str, str, str, str]] = []

    def change(self, start: int, end: int, new: str, code: str = FLAGS) -> None:
        self.changes.append((start, end, new, code))

    def say(self, start: int, end: int, name: str, message: str, code: str, severity: str = "warning") -> None:
        self.said.append((start, end, name, message, code, severity))

    def run(self, words: Sequence[Word], lists: Sequence[tuple[int, int]] = ()) -> list[Arch]:
        """The changes to a run of words; arch flags that speak through a variable come back. Within ``lists`` elements
        stand apart by semicolons."""
        archs = []
        for each in translate_flags(self.src, words, self.archs):
            if isinstance(each, Change):
                inside = any(start <= each.start < end for start, end in lists)
                new = each.new.replace(" ", ";") if inside else each.new
                self.change(each.start, each.end, new, FLAGS if each.topic == "flag" else ARCHS)
            elif isinstance(each, Remark):
                self.remark(each)
            else:
                archs.append(each)
        return archs

    def remark(self, each: Remark) -> None:
        code = FLAGS if each.topic == "flag" else ARCHS
        left = ". It is left as it is, and mcc refuses it" if each.left else ""
        message = f"{each.flag}: {each.message}{left}."
        self.say(each.start, each.end, each.flag, message, code, "warning" if each.left else "note")

    def fixed(self, arch: Arch, why: str) -> None:
        """An arch that comes from elsewhere: the targets of the run stand for it."""
        ours = " ".join(f"--offload-arch={each}" for each in self.archs)
        self.change(arch.start, arch.end, ours, ARCHS)
        self.say(arch.start, arch.end, arch.reference, why, ARCHS, "note")


def numbers(archs: Sequence[str]) -> list[str]:
    """The archs without their prefix, as CMake's lists have them."""
    return [arch.removeprefix("mp_") for arch in archs]


# CMake


def _cmake(view: CMakeFile, found: _Collected) -> None:
    moved = moves(view, found.archs)
    taken = [*moved.taken, *((start, end) for start, end, why in moved.homeless if why == NO_LANGUAGE)]
    for each in moved.remarks:
        if isinstance(each, Remark):
            found.remark(each)
    assigned: list[Command] = []
    for command in view.commands:
        certain = _CERTAIN.search(view.src, command.start, command.end) is not None
        holds = command.name in _HOLDING or (certain and command.name in view.own_functions)
        if not holds or any(start <= command.start and command.end <= end for start, end in taken):
            continue
        variable = _variable(command)
        if variable in _FLAG_VARIABLES:
            _assignment(view, command, assigned, found)
            assigned.append(command)
        elif command.name == "add_compile_options":
            _directory_options(view, command, found)
        elif command.name == "set" and command.texts[:1] == ["CMAKE_CUDA_ARCHITECTURES"]:
            _architectures(command, found)
            continue
        elif command.name == "list" and command.texts[1:2] == ["CMAKE_CUDA_ARCHITECTURES"]:
            if command.texts[0] == "APPEND":
                _architectures(command._replace(arguments=command.arguments[1:]), found)
            continue
        if not (certain or _OURS.search(variable) or "COMPILE_LANGUAGE:CUDA" in "".join(command.texts)):
            continue
        words: list[Word] = []
        lists = [a.inner for a in command.arguments if a.quoted and ";" in a.text and " " not in a.text]
        for argument in command.arguments[0 if command.name.startswith("add_") else 1 :]:
            if not any(start <= argument.start < end for start, end in taken):
                words += words_in(view.src, *argument.inner)
        for arch in found.run(words, lists):
            _cmake_arch(view, arch, found)


_WRITE_NUMBERS = "write MUSA's archs as their numbers: 22 for mp_22, 31 for mp_31."


def _variable(command: Command) -> str:
    position = 0 if command.name == "set" else 1
    return command.texts[position] if len(command.texts) > position else ""


def _assignment(view: CMakeFile, command: Command, earlier: Sequence[Command], found: _Collected) -> None:
    """Flags for all of CUDA become elements of MUSA_MCC_FLAGS, which holds the archs and the standard too."""
    position = 0 if command.name == "set" else 1
    variable, values = command.arguments[position], command.arguments[position + 1 :]
    name = variable.text
    kept = {"CACHE", "PARENT_SCOPE"} & set(command.texts) or not values
    appending = command.name in ("list", "string") and command.texts[0].upper() == "APPEND"
    if kept or (command.name != "set" and not appending):
        found.change(variable.start, variable.end, "MUSA_MCC_FLAGS")
        for value in values:
            _renamed_reference(view, value.start, value.end, name, found)
        return
    first, begin = values[0], variable.end
    own = f"${{{name}}}"
    if command.name == "set":
        found.change(command.start, command.name_end, "list")
        found.change(variable.start, variable.end, "APPEND MUSA_MCC_FLAGS")
        if first.text.strip() == own and len(values) > 1:
            found.change(begin, first.end, "")
            values = values[1:]
        elif not first.text.startswith(own) and any(command.path[: len(e.path)] == e.path for e in earlier):
            found.say(
                variable.start, variable.end, name,
                f"{name} was set anew here, which dropped what was in it. MUSA_MCC_FLAGS holds the archs as well, so "
                "the flags are added instead: take the earlier ones out by hand if they must not be there.", FLAGS,
            )  # fmt: skip
    else:
        found.change(command.start, command.name_end, "list")
        found.change(variable.start, variable.end, "MUSA_MCC_FLAGS")
    for value in values:
        if value.quoted and "\\" not in _CONTINUED.sub("", value.text):
            start, end = value.inner
            for match in _CONTINUED_BYTES.finditer(view.src, start, end):
                found.change(match.start(), match.start() + 1, "")  # without quotes a line may end anywhere
            rest = value.text.removeprefix(own).lstrip() if value.text.startswith(own) else value.text.lstrip()
            stripped = value.text[: len(value.text) - len(rest)]
            found.change(value.start, start + len(stripped.encode("utf-8", "surrogateescape")), "")
            trailing = len(rest) - len(rest.rstrip())
            found.change(end - trailing, value.end, "")
        else:
            _renamed_reference(view, value.start, value.end, name, found)
            if value.quoted and " " in value.text:
                found.say(
                    value.start, value.end, name,
                    "MUSA_MCC_FLAGS is a list, and this string holds several flags with escapes between them: mcc "
                    "would be handed it as one. Write each flag as an argument of its own", FLAGS,
                )  # fmt: skip


def _renamed_reference(view: CMakeFile, start: int, end: int, name: str, found: _Collected) -> None:
    for match in re.finditer(re.escape(f"${{{name}}}").encode(), view.src[start:end]):
        found.change(start + match.start() + 2, start + match.end() - 1, "MUSA_MCC_FLAGS")


def _directory_options(view: CMakeFile, command: Command, found: _Collected) -> None:
    """``add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:...>)`` speaks of the directory, as MUSA_MCC_FLAGS does."""
    spoken = [a for a in command.arguments if "COMPILE_LANGUAGE:CUDA" in a.text]
    if not spoken:
        return
    whole = [re.fullmatch(r"\$<\$<COMPILE_LANGUAGE:CUDA>:([^$<>\\]*)>", a.text) for a in command.arguments]
    if all(match is not None for match in whole):
        found.change(command.start, command.name_end, "list")
        for index, argument in enumerate(command.arguments):
            lead = argument.inner[0] + len("$<$<COMPILE_LANGUAGE:CUDA>:")
            found.change(argument.start, lead, "APPEND MUSA_MCC_FLAGS " if index == 0 else "")
            found.change(argument.inner[1] - 1, argument.end, "")
        return
    for argument in spoken:
        found.say(
            argument.start, argument.end, "COMPILE_LANGUAGE:CUDA",
            "there is no language CUDA in a build for MUSA, so this is empty now. Put what .cu files need into "
            "MUSA_MCC_FLAGS.", FLAGS,
        )  # fmt: skip


def _architectures(command: Command, found: _Collected) -> None:
    values = []
    for argument in command.arguments[1:]:
        if argument.text in ("CACHE", "PARENT_SCOPE", "FORCE"):
            break
        values.append(argument)
    literal = re.compile(r"(?:\d{2,3}[a-z]?(?:-real|-virtual)?|native|all|all-major|OFF|;)+")
    if values and all(literal.fullmatch(value.text) for value in values):
        separator = ";" if values[0].quoted else " "
        new = separator.join(numbers(found.archs))
        found.change(values[0].inner[0], values[-1].inner[1], new, ARCHS)
    else:
        for value in values:
            found.say(value.start, value.end, value.text, _WRITE_NUMBERS, ARCHS)


def _cmake_arch(view: CMakeFile, arch: Arch, found: _Collected) -> None:
    name = arch.reference.strip("${}()")
    holders = [
        command
        for command in view.named("set", "foreach")
        if command.texts[:1] == [name] and len(command.arguments) > 1
    ]
    literal = re.compile(r"(?:(?:sm_|compute_)?\d{2,3}[a-z]?;?)+")
    pure = [c for c in holders if all(literal.fullmatch(t) for t in c.texts[1:] if t not in ("IN", "LISTS", "ITEMS"))]
    if arch.only_ptx and len(holders) == len(pure) and any(c.name == "foreach" for c in pure):
        found.change(*removal(view.src, arch.start, arch.end), "", ARCHS)
        return
    loops = [c for c in pure if c.name == "foreach" and c.start < arch.start]
    if loops and len(pure) == len(holders) and arch.bare:
        for loop in loops:
            values = [a for a in loop.arguments[1:] if a.text != "ITEMS"]
            found.change(values[0].start, values[-1].end, " ".join(numbers(found.archs)), ARCHS)
        found.change(arch.start, arch.end, f"--offload-arch=mp_${{{name}}}", ARCHS)
        return
    found.fixed(
        arch,
        f"the arch came from {name}. The targets of this run stand here instead; what sets {name} no longer matters to "
        "this flag.",
    )


# Make


def _make(view: Makefile, found: _Collected) -> None:
    used = _used_by_nvcc(view)
    archs: list[Arch] = []
    for line in view.lines:
        certain = _CERTAIN.search(view.src, line.value, line.value_end) is not None
        if line.kind == "assign":
            if certain or line.name in used or _OURS.search(line.name):
                archs += found.run(words_in(view.src, line.value, line.value_end))
        elif line.kind == "recipe":
            for words in _nvcc_commands(view, line.value, line.value_end):
                archs += found.run(words)
        elif certain:
            archs += found.run(words_in(view.src, line.value, line.value_end))
    known: set[str] = set()
    for arch in archs:
        if arch.only_ptx and len(archs) > 1:
            found.change(*removal(view.src, arch.start, arch.end), "", ARCHS)
        else:
            _make_arch(view, arch, found, known)


def _nvcc_commands(view: Makefile, start: int, end: int) -> Iterator[list[Word]]:
    words = words_in(view.src, start, end)
    first = next((i for i, word in enumerate(words) if view.is_nvcc(word.text.lstrip("@-+"))), None)
    if first is not None:
        yield words[first + 1 :]
    elif _CERTAIN.search(view.src, start, end):
        yield words


def _used_by_nvcc(view: Makefile) -> frozenset[str]:
    """The variables that nvcc's commands use, at any remove."""
    found: set[str] = set()
    pending = [
        word.text
        for line in view.lines
        if line.kind == "recipe"
        for words in _nvcc_commands(view, line.value, line.value_end)
        for word in words
    ]
    while pending:
        for one, two in re.findall(r"\$(?:\(([\w.-]+)|\{([\w.-]+))", pending.pop()):
            name = one or two
            if name not in found:
                found.add(name)
                pending += view.values.get(name, [])
    return frozenset(found)


_LITERAL = late_pattern(r"(?:sm_|compute_)?\d{2,3}[a-z]?(?:[ \t]+(?:sm_|compute_)?\d{2,3}[a-z]?)*")


def _make_arch(view: Makefile, arch: Arch, found: _Collected, known: set[str]) -> None:
    name = arch.reference.strip("${}()")
    loops = re.findall(rf"\$\(foreach {re.escape(name)} *, *\$[({{]([\w.-]+)[)}}]", view.src.decode("utf-8", "replace"))
    source = loops[0] if loops else name
    lines = [line for line in view.lines if line.kind == "assign" and line.name == source]
    if not lines or not all(_LITERAL.fullmatch(view.text(line)) for line in lines):
        found.fixed(
            arch,
            f"the arch came from {arch.reference}, whose value is not written in this file. The targets of this run "
            "stand here instead.",
        )
        return
    prefix = "--offload-arch=mp_" if arch.bare else "--offload-arch="
    new = f"{prefix}{arch.reference}" if loops else f"$(addprefix {prefix},{arch.reference})"
    found.change(arch.start, arch.end, new, ARCHS)
    if source in known:
        return
    known.add(source)
    first = True
    for line in lines:
        values = numbers(found.archs) if arch.bare else list(found.archs)
        text = " ".join(values)
        if line.operator == "+=" and not first:
            text = ""
        end = line.value + len(view.src[line.value : line.value_end].rstrip())
        found.change(line.value, end, text, ARCHS)
        first = False
