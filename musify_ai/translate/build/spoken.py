"""What a CMake file or Makefile says to a build: no comments, and nothing that is only printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.cmake_view import cmake_file
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.make_view import makefile

if TYPE_CHECKING:
    from musify_ai.translate.unit import Unit

_PRINTING = late_pattern(rb"[\t @+-]*(?:echo|printf)\b|[ \t]*\$\((?:info|warning|error)\b")


def spoken(unit: Unit) -> Iterator[tuple[int, int]]:
    """The spans of a file that its build acts upon, in order."""
    system = build_system(unit.path)
    if system == "cmake":
        for command in cmake_file(unit).commands:
            if command.name != "message":
                yield command.start, command.name_end
                yield from ((argument.start, argument.end) for argument in command.arguments if argument.text)
    elif system == "make":
        for line in makefile(unit).lines:
            if not _PRINTING.match(unit.src[line.value : line.value_end]):
                yield line.start, line.value_end
