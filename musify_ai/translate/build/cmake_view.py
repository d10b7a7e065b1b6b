"""A CMake file as its commands, read by tree-sitter's grammar; the targets and variables that carry CUDA sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from musify_ai.source.lexing import Region
from musify_ai.source.patterns import late_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from musify_ai.translate.unit import Unit

_COMMANDS = late_pattern(r"(?:normal|if|elseif|else|endif|foreach|endforeach|while|endwhile|function|endfunction|macro|"
                       r"endmacro|block|endblock)_command")  # fmt: skip
_BLOCKS = frozenset(("if_condition", "foreach_loop", "while_loop", "function_def", "macro_def", "block_def"))
_CUDA_FILE = late_pattern(r"\.cu[\"'>)]?$", re.IGNORECASE)
_REFERENCE = late_pattern(r"\$\{([^${}]+)\}")
_ASSIGNING = frozenset(("set", "list", "file", "foreach", "string", "filter_list"))
# CMake's own commands that hold no flags of a compiler's; the rest of its commands are asked for by name.
_OF_CMAKE = frozenset((
    "if", "elseif", "else", "endif", "message", "foreach", "endforeach", "while", "endwhile", "function", "endfunction",
    "macro", "endmacro", "block", "endblock", "execute_process", "add_custom_command", "add_custom_target", "add_test",
    "option", "find_package", "find_program", "find_path", "find_library", "find_file", "include", "install", "project",
    "configure_file", "file", "return", "cmake_minimum_required", "cmake_policy", "enable_language", "export", "math",
    "get_filename_component", "get_target_property", "get_property", "mark_as_advanced", "unset", "add_subdirectory",
    "check_language", "enable_testing", "set_tests_properties", "separate_arguments", "cmake_parse_arguments",
))  # fmt: skip
_TARGETS = frozenset(("add_executable", "add_library", "cuda_add_executable", "cuda_add_library",
                      "musa_add_executable", "musa_add_library"))  # fmt: skip


class Argument(NamedTuple):
    """One argument: its bytes with quotes, and its text without."""

    start: int
    end: int
    text: str
    quoted: bool

    @property
    def inner(self) -> tuple[int, int]:
        """The bytes without the quotes."""
        return (self.start + 1, self.end - 1) if self.quoted else (self.start, self.end)


class Command(NamedTuple):
    """One invocation. ``name`` is in lower case; ``path`` are the starts of the blocks it stands in, outermost first,
    and of their branches; ``function`` is the name of the function or macro whose body holds it."""

    name: str
    start: int
    end: int
    name_end: int
    arguments: tuple[Argument, ...]
    path: tuple[int, ...]
    function: str

    @property
    def texts(self) -> list[str]:
        """The arguments' texts."""
        return [argument.text for argument in self.arguments]


class CMakeFile:
    """What rules ask of a CMake file. Offsets are bytes."""

    def __init__(self, src: bytes, carrying: Iterable[str] = ()) -> None:
        self.src = src
        self.comments: list[Region] = []
        self.commands: list[Command] = []
        self.branches: dict[int, tuple[int, ...]] = {}  # a branch's start: the starts of all of its `if`'s
        self.has_error = False
        self.memo: dict[str, Any] = {}  # what rules have worked out of this file
        self._called_with_cuda = frozenset(carrying)
        self._read()

    def told(self, carrying: Iterable[str]) -> CMakeFile:
        """The same file, with more known of what other files hand its functions."""
        other = object.__new__(CMakeFile)
        other.src, other.comments, other.commands = self.src, self.comments, self.commands
        other.branches, other.memo = self.branches, {}
        other.has_error, other._called_with_cuda = self.has_error, frozenset(carrying)
        return other

    def _read(self) -> None:
        import tree_sitter
        import tree_sitter_cmake

        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cmake.language()))
        root = parser.parse(self.src).root_node
        self.has_error = root.has_error
        pending: list[tuple[Node, tuple[int, ...], str]] = [(root, (), "")]
        while pending:
            node, path, function = pending.pop()
            kind = node.type
            if kind in ("line_comment", "bracket_comment"):
                self.comments.append(Region("comment", node.start_byte, node.end_byte))
            elif _COMMANDS.fullmatch(kind):
                self._add(node, path, function)
            else:
                if kind in _BLOCKS:
                    path = (*path, node.start_byte)
                    if kind in ("function_def", "macro_def"):
                        function = _first_argument(node) or function
                # A branch of an if is a block of its own: what one branch sets is not there in another. The first
                # begins where the block does, so that offset stands twice.
                branch = (*path, node.start_byte) if kind == "if_condition" else path
                chain = [node.start_byte]
                for child in node.children:
                    if child.type in ("elseif_command", "else_command"):
                        branch = (*path, child.start_byte)
                        chain.append(child.start_byte)
                    pending.append((child, branch, function))
                if kind == "if_condition":
                    self.branches.update(dict.fromkeys(chain, tuple(chain)))
        self.commands.sort(key=lambda command: command.start)
        self.comments.sort(key=lambda region: region.start)

    def _add(self, node: Node, path: tuple[int, ...], function: str) -> None:
        first = node.children[0]
        arguments: list[Argument] = []
        pending = list(reversed(node.children[1:]))
        while pending:
            child = pending.pop()
            if child.type == "argument":
                text = self.src[child.start_byte : child.end_byte].decode("utf-8", "surrogateescape")
                quoted = text.startswith('"') and text.endswith('"') and len(text) > 1
                if text.startswith("[") and child.children and child.children[0].type == "bracket_argument":
                    arguments.append(Argument(child.start_byte, child.end_byte, "", False))  # text nobody expands
                else:
                    arguments.append(Argument(child.start_byte, child.end_byte, text[1:-1] if quoted else text, quoted))
            elif child.type in ("line_comment", "bracket_comment"):
                self.comments.append(Region("comment", child.start_byte, child.end_byte))
            else:
                pending.extend(reversed(child.children))
        name = self.src[first.start_byte : first.end_byte].decode("utf-8", "replace").lower()
        self.commands.append(
            Command(name, node.start_byte, node.end_byte, first.end_byte, tuple(arguments), path, function)
        )

    def named(self, *names: str) -> Iterator[Command]:
        """The invocations of some commands, in order."""
        return (command for command in self.commands if command.name in names)

    @cached_property
    def by_start(self) -> dict[int, Command]:
        """The invocations by the offset of their first byte."""
        return {command.start: command for command in self.commands}

    @cached_property
    def own_functions(self) -> frozenset[str]:
        """Commands that are none of CMake's: what projects define, here or elsewhere."""
        return frozenset(command.name for command in self.commands) - _OF_CMAKE

    @cached_property
    def carriers(self) -> frozenset[str]:
        """Variables and parameters that hold a CUDA source, and functions that are called with one.

        A function's name stands as ``name()``. What other files set is known only by name (``carrying``).
        """
        found: set[str] = {f"{name}()" for name in self._called_with_cuda if name.isidentifier()}
        parameters = {
            command.texts[0].lower(): command.texts[1:]
            for command in self.named("function", "macro")
            if command.arguments
        }
        for called in self._called_with_cuda:
            name, _, position = called.partition("#")
            if position and name in parameters and int(position) < len(parameters[name]):
                found.add(f"{name}:{parameters[name][int(position)]}")
        while True:
            before = len(found)
            for command in self.commands:
                self._carry(command, parameters, found)
            if len(found) == before:
                return frozenset(found)

    def _carry(self, command: Command, parameters: dict[str, list[str]], found: set[str]) -> None:
        held = [self._holds(text, command.function, found) for text in command.texts]
        if command.name == "foreach" and "LISTS" in command.texts:
            held += [text in found for text in command.texts[command.texts.index("LISTS") + 1 :]]
        if not any(held):
            return
        name = command.name
        if name in _ASSIGNING and command.arguments:
            position = 1 if name in ("list", "file", "string") else 0
            if len(command.arguments) > position:
                found.add(command.texts[position])
        elif name in ("cmake_parse_arguments",):
            found.add(f"{command.function.lower()}()")
        elif name in parameters:
            found.add(f"{name}()")
            named = parameters[name]
            for index, is_held in enumerate(held):
                if is_held and index < len(named):
                    found.add(f"{name}:{named[index]}")
        elif name in ("set_source_files_properties", "set_property") and "CUDA" in command.texts:
            for text in command.texts:
                if re.search(r"\.(?:c|cc|cpp|cxx)$", text):
                    found.add(f"file:{text}")

    @cached_property
    def cuda_calls(self) -> frozenset[str]:
        """The functions of projects' own that are handed a CUDA source here: by name, and by name and position
        (``add_bench``, ``add_bench#1``); with an exclamation mark those that are called without one too."""
        found = set()
        for command in self.commands:
            if command.name in self.own_functions:
                held = [self._holds(text, command.function, self.carriers) for text in command.texts]
                found |= {f"{command.name}#{index}" for index, is_held in enumerate(held) if is_held}
                found.add(command.name if any(held) else f"{command.name}!")
        return frozenset(found)

    def is_shared(self, command: Command) -> bool:
        """Whether a command stands in a function that is called with CUDA sources and without."""
        name = command.function.lower()
        return bool(name) and (f"{name}!" in self._called_with_cuda or f"{name}!" in self.cuda_calls)

    def holds_cuda(self, text: str, function: str) -> bool:
        """Whether an argument, inside a function or macro if one is named, is or holds a CUDA source."""
        return self._holds(text, function, self.carriers) or text in self.cuda_files

    def _holds(self, text: str, function: str, found: Set[str]) -> bool:
        if _CUDA_FILE.search(text) or f"file:{text}" in found:
            return True
        inside = function.lower()
        called = f"{inside}()" in found
        for name in _REFERENCE.findall(text):
            if name in found or f"{inside}:{name}" in found:
                return True
            if called and (
                name in ("ARGN", "ARGV")
                or re.search(r"(?:^|_)(?:SRCS?|SOURCES?|FILES?|UNPARSED_ARGUMENTS)$", name, re.I)
            ):
                return True
        return False

    def language_files(self) -> Iterator[tuple[Command, Argument, Argument]]:
        """Where files are given the language CUDA: the command, ``LANGUAGE`` and ``CUDA``."""
        for command in self.named("set_source_files_properties", "set_property"):
            for one, two in zip(command.arguments, command.arguments[1:], strict=False):
                if one.text == "LANGUAGE" and two.text == "CUDA":
                    yield command, one, two

    @cached_property
    def cuda_files(self) -> frozenset[str]:
        """Files that are given the language CUDA by name."""
        return frozenset(
            argument.text
            for command, _, two in self.language_files()
            for argument in command.arguments
            if argument.end < two.start and re.search(r"\.\w+$", argument.text)
        )

    @cached_property
    def targets(self) -> list[tuple[Command, bool]]:
        """The commands that add targets with sources, and whether CUDA is among them."""
        found = []
        for command in self.commands:
            if command.name not in _TARGETS or not command.arguments:
                continue
            texts = command.texts[1:]
            if {"ALIAS", "IMPORTED", "INTERFACE"} & set(texts[:2]):
                continue
            cuda = command.name.startswith(("cuda_", "musa_")) or any(
                self.holds_cuda(text, command.function) for text in texts
            )
            found.append((command, cuda))
        return found

    @cached_property
    def cuda_targets(self) -> frozenset[str]:
        """The names, as written, of the targets with CUDA sources."""
        return frozenset(command.texts[0] for command, cuda in self.targets if cuda)

    def indentation(self, offset: int) -> str:
        """The blanks that a line begins with, where nothing but blanks stands before the offset."""
        start = self.src.rfind(b"\n", 0, offset) + 1
        before = self.src[start:offset]
        return before.decode("ascii", "replace") if not before.strip(b" \t") else ""

    @property
    def newline(self) -> str:
        """The line end that the file uses."""
        return "\r\n" if b"\r\n" in self.src[:4096] else "\n"

    def whole_line(self, command: Command) -> tuple[int, int]:
        """The bytes that go with a command that is taken out: its lines, where nothing else stands in them."""
        start = self.src.rfind(b"\n", 0, command.start) + 1
        end = self.src.find(b"\n", command.end)
        end = len(self.src) if end < 0 else end + 1
        if self.src[start : command.start].strip(b" \t") or self.src[command.end : end].strip():
            return command.start, command.end
        return start, end


def cmake_file(unit: Unit) -> CMakeFile:
    """The view of a unit that is a CMake file, made once."""
    view = unit.memo.get("cmake")
    if view is None:
        view = unit.memo["cmake"] = CMakeFile(unit.src, unit.surroundings.called_with_cuda)
    assert isinstance(view, CMakeFile)
    return view


def _first_argument(node: Node) -> str:
    """The name in ``function(name ...)``."""
    pending = list(reversed(node.children[0].children)) if node.children else []
    while pending:
        child = pending.pop()
        if child.type == "argument":
            return (child.text or b"").decode("utf-8", "replace").lower()
        pending.extend(reversed(child.children))
    return ""
