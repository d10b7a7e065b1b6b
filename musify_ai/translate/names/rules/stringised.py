"""MUS105: a macro that makes text of an argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS105"
TITLE = "Macro prints its argument, which now shows MUSA names"
WHY = """
A macro that makes text of its argument (`#x`) now prints `musaMalloc(...)`. That is right in a log; it is not where
something compares or parses the text. One note a macro.
"""
EXAMPLE = """
#define CHECK(x) check((x), #x)
CHECK(cudaFree(p));
"""
INSTEAD = """
Nothing, unless the text is compared or parsed.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("the C++ standard, [cpp.stringize]",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "#define CHECK(x) check(x)\nCHECK(cudaFree(p));",
    "#define CHECK(x) check(x, #x)\nCHECK(1);",
)
INVALID = (
    Case("#define C(x) f(x, #x)\nC(cudaFree(p));", findings=("C",), output="#define C(x) f(x, #x)\nC(musaFree(p));"),
)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
