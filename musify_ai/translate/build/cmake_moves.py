"""Where FindMUSA's functions differ from CMake's own language support: what has to move, and what has no place.

FindMUSA works as CMake's old FindCUDA did: ``musa_add_executable`` makes a command for each ``.cu`` file when it is
called. Such a command takes the directory's ``MUSA_MCC_FLAGS`` and the call's ``OPTIONS``, but no compile options of
the target, no ``CUDA_*`` properties and nothing from a generator expression over the language CUDA.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.source.splicing import splice
from musify_ai.translate.build.cmake_view import Argument, CMakeFile, Command
from musify_ai.translate.build.flagging import Arch, Change, Remark, translate_flags
from musify_ai.translate.build.words import Word, edits_of, removal, words_in

KEYWORDS = ("PUBLIC", "PRIVATE", "INTERFACE")
_ONLY_CUDA = late_pattern(r"\$<\$<COMPILE_LANGUAGE:CUDA>:(.*)>", re.DOTALL)
_SPEAKS_OF_CUDA = late_pattern(
    r"\$<(?:COMPILE|LINK)_LANG(?:UAGE|_AND_ID):(?:[\w,]+,)?CUDA\b|\$<DEVICE_LINK:|\$<CUDA_COMPILER_"
)
_WARNS = late_pattern(r"-[Ww]|\$\{\w*WARN", re.IGNORECASE)
_PROPERTIES = ("CUDA_STANDARD", "CUDA_STANDARD_REQUIRED", "CUDA_EXTENSIONS")
ARCH_WORD = late_pattern(rb"(?:-gencode|--generate-code|-arch\b|--gpu-architecture|--offload-arch)")


class Moves(NamedTuple):
    """What moves into the calls that add targets.

    ``options`` are the flags for each call, by its start; ``taken`` are the spans that go from elsewhere for it;
    ``remarks`` are what the flags' translation had to say, with ``Arch`` for flags that speak through a variable.
    ``homeless`` are the places that have nowhere to go, with the reason.
    """

    options: dict[int, list[str]]
    taken: list[tuple[int, int]]
    remarks: list[Remark | Arch]
    homeless: list[tuple[int, int, str]]


def moves(view: CMakeFile, archs: Sequence[str]) -> Moves:
    """What moves in a file."""
    found = Moves({}, [], [], [])
    for command in view.commands:
        if command.name == "target_compile_options":
            _options(view, command, archs, found)
        elif command.name == "target_compile_features":
            _features(view, command, found)
        elif command.name in ("set_target_properties", "set_property") and "SOURCE" not in command.texts[:1]:
            _properties(view, command, found)
        elif command.name in ("set_source_files_properties", "set_property"):
            _source_options(view, command, found)
        elif command.name != "add_compile_options":
            for argument in command.arguments:
                if _SPEAKS_OF_CUDA.search(argument.text) and not _only_host(argument.text):
                    found.homeless.append((argument.start, argument.end, NO_LANGUAGE))
    return found


NO_LANGUAGE = (
    "there is no language CUDA in a build for MUSA, so this generator expression is empty now. What .cu files need "
    "goes into MUSA_MCC_FLAGS before the target is added, or behind OPTIONS in its musa_add_ call"
)


def _only_host(text: str) -> bool:
    """Whether the expression asks for files that are not CUDA: that stays true of the host's."""
    return all(
        text[: match.start()].endswith("$<NOT:") for match in _SPEAKS_OF_CUDA.finditer(text)
    )  # fmt: skip


def target_call(view: CMakeFile, name: str, command: Command) -> Command | None:
    """The call that adds a CUDA target, where it stands before a command and in the same block."""
    calls = [
        call
        for call, cuda in view.targets
        if cuda and call.texts[0] == name and call.start < command.start and call.function == command.function
    ]
    return calls[-1] if len(calls) == 1 and calls[0].path == command.path else None


def _is_cuda_target(view: CMakeFile, name: str) -> bool:
    return name in view.cuda_targets


def _options(view: CMakeFile, command: Command, archs: Sequence[str], found: Moves) -> None:
    taken: list[Argument] = []
    rest: list[Argument] = []
    interface = False
    for argument in command.arguments[1:]:
        if argument.text in ("BEFORE", *KEYWORDS):
            interface = argument.text == "INTERFACE"
            continue
        if not _SPEAKS_OF_CUDA.search(argument.text) or _only_host(argument.text):
            rest.append(argument)
            continue
        match = _ONLY_CUDA.fullmatch(argument.text)
        call = None if not command.arguments else target_call(view, command.texts[0], command)
        if (
            match is None
            or interface
            or call is None
            or "$<" in match[1]
            or "\\" in match[1]
            or (_set_between(view, match[1], call, command))
        ):
            found.homeless.append((argument.start, argument.end, NO_LANGUAGE))
            rest.append(argument)
            continue
        start = argument.inner[0] + argument.text.encode("utf-8", "surrogateescape").index(b":CUDA>:") + 7
        flags = _translated(view, start, argument.inner[1] - 1, archs, found)
        found.options.setdefault(call.start, []).extend(flags)
        taken.append(argument)
    if taken and not rest:
        found.taken.append(view.whole_line(command))
    else:
        found.taken.extend(removal(view.src, argument.start, argument.end) for argument in taken)
    if command.arguments and _is_cuda_target(view, command.texts[0]) and not interface:
        for argument in rest:
            flags = [w.text for w in words_in(view.src, *argument.inner)]
            told = [flag for flag in flags if flag.startswith(("-", "${")) and not _WARNS.match(flag)]
            if told and not _SPEAKS_OF_CUDA.search(argument.text) and "COMPILE_LANG" not in argument.text:
                found.homeless.append(
                    (
                        argument.start,
                        argument.end,
                        f"{told[0]} reaches the host's compiler only: FindMUSA's commands for .cu files take no "
                        "compile options of the target. Give it behind OPTIONS in the musa_add_ call too, if those "
                        "need it",
                    )
                )


def _set_between(view: CMakeFile, text: str, call: Command, command: Command) -> bool:
    """Whether a variable of a text is set behind the call that the text would move to."""
    held = set(re.findall(r"\$\{([^${}]+)\}", text))
    return bool(held) and any(
        call.start < each.start < command.start and held & set(each.texts[:2])
        for each in view.named("set", "list", "string", "option", "unset", "set_property", "include")
    )


def _source_options(view: CMakeFile, command: Command, found: Moves) -> None:
    """Options of single files: no public MUSA build gives them to a ``.cu`` file in this way."""
    texts = command.texts
    begin = next((i for i, text in enumerate(texts) if text in ("PROPERTIES", "PROPERTY")), len(texts))
    if not any(view.holds_cuda(text, command.function) for text in texts[:begin]):
        return
    for index in range(begin + 1, len(texts)):
        if texts[index] in ("COMPILE_OPTIONS", "COMPILE_FLAGS", "COMPILE_DEFINITIONS"):
            found.homeless.append(
                (
                    command.arguments[index].start,
                    command.arguments[index].end,
                    f"whether FindMUSA gives {texts[index]} of a single .cu file to mcc is not public. Put the file "
                    "into a target of its own, with what it needs behind OPTIONS in its musa_add_ call",
                )
            )


def _translated(view: CMakeFile, start: int, end: int, archs: Sequence[str], found: Moves) -> list[str]:
    words: list[Word] = words_in(view.src, start, end)
    said = list(translate_flags(view.src, words, archs))
    found.remarks.extend(each for each in said if isinstance(each, Remark | Arch))
    # Inside a text that moves no edit shows what was left out, so it is said.
    noted = {each.start for each in said if isinstance(each, Remark)}
    for change in said:
        if isinstance(change, Change) and not change.new and change.topic == "flag":
            word = view.src[change.start : change.end].decode("utf-8", "replace").strip("; \t\r\n\"'")
            begin = change.start + view.src[change.start : change.end].index(word.encode("utf-8", "surrogateescape"))
            if (
                word.startswith("-")
                and begin not in noted
                and not word.startswith(("-Xcompiler", "--compiler-options"))
            ):
                message = (
                    "it tunes or describes nvcc's own work, and was left out as the flags moved into the musa_add_ call"
                )
                found.remarks.append(Remark(begin, begin + len(word), word, message, "flag", False))
    changes = [each for each in said if isinstance(each, Change)]
    changes += [
        Change(each.start, each.end, " ".join(f"--offload-arch={arch}" for arch in archs))
        for each in said
        if isinstance(each, Arch)
    ]
    # The edits' offsets are the file's; the text around the flags falls away.
    edits = edits_of(view.src, [(each.start, each.end, each.new, "") for each in changes if each.end <= end])
    text = splice(view.src, edits)
    shift = sum(len(edit.new) - len(edit.old) for edit in edits)
    return [word.text for word in words_in(text, start, end + shift)]


def _features(view: CMakeFile, command: Command, found: Moves) -> None:
    for argument in command.arguments[1:]:
        match = re.fullmatch(r"cuda_std_(\d+)", argument.text)
        if match is None:
            continue
        call = target_call(view, command.texts[0], command)
        if call is None:
            found.homeless.append((argument.start, argument.end, f"give -std=c++{match[1]} in MUSA_MCC_FLAGS instead"))
            continue
        found.options.setdefault(call.start, []).append(f"-std=c++{match[1]}")
        others = [each for each in command.arguments[1:] if each is not argument and each.text not in KEYWORDS]
        found.taken.append(removal(view.src, argument.start, argument.end) if others else view.whole_line(command))


_NO_PROPERTY = {
    "CUDA_SEPARABLE_COMPILATION": "FindMUSA's way of linking device code across files is not public: build with "
    "-rdc=true and a device link of your own, or bring the kernels and what they call together in one file",
    "CUDA_RESOLVE_DEVICE_SYMBOLS": "FindMUSA's way of linking device code across files is not public",
    "CUDA_PTX_COMPILATION": "there is no PTX on MUSA",
    "CUDA_CUBIN_COMPILATION": "mcc makes .mubin files; no public CMake function does",
    "CUDA_FATBIN_COMPILATION": "mcc makes .mubin files; no public CMake function does",
    "CUDA_OPTIMIZATION": "leave it out",
    "CUDA_RUNTIME_LIBRARY": "link MUSA::musart: launches from a library with a runtime of its own fail on MUSA",
    "CUDA_ARCHITECTURES": "the target is built for MUSA_ARCHITECTURES, as all of the directory is",
    "CUDA_PROPAGATE_HOST_FLAGS": "leave it out",
    "CUDA_HOST_COMPILER": "mcc compiles the host's half itself",
}


def _properties(view: CMakeFile, command: Command, found: Moves) -> None:
    """Properties come in pairs after PROPERTIES; ``set_property`` has one, after PROPERTY."""
    texts = command.texts
    begin = next((i + 1 for i, text in enumerate(texts) if text in ("PROPERTIES", "PROPERTY")), len(texts))
    names = [text for text in texts[:begin] if text not in ("TARGET", "APPEND", "APPEND_STRING")][:-1]
    pairs = [(command.arguments[i], command.arguments[i + 1]) for i in range(begin, len(texts) - 1, 2)]
    taken: list[tuple[Argument, Argument]] = []
    for key, value in pairs:
        if key.text in _PROPERTIES:
            calls = [target_call(view, name, command) for name in names]
            if key.text != "CUDA_STANDARD":
                taken.append((key, value))
            elif all(call is not None for call in calls) and calls and re.fullmatch(r"\d+|\$\{\w+\}", value.text):
                for call in calls:
                    if call is not None:
                        found.options.setdefault(call.start, []).append(f"-std=c++{value.text}")
                taken.append((key, value))
            else:
                found.homeless.append((key.start, value.end, f"give -std=c++{value.text} in MUSA_MCC_FLAGS instead"))
        elif key.text in _NO_PROPERTY:
            if key.text == "CUDA_SEPARABLE_COMPILATION" and value.text.upper() in ("OFF", "FALSE", "NO", "0"):
                taken.append((key, value))
            else:
                found.homeless.append((key.start, value.end, _NO_PROPERTY[key.text]))
    if taken and len(taken) == len(pairs):
        found.taken.append(view.whole_line(command))
    else:
        found.taken.extend(removal(view.src, key.start, value.end) for key, value in taken)
