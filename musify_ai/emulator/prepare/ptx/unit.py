"""Every ``asm`` statement of a file, those in macros included."""

from collections.abc import Iterator

from musify_ai.emulator.prepare.ptx.emit import of_the_host, statement_text
from musify_ai.emulator.prepare.ptx.macros import DEEPEST, Definitions, expandable, uses
from musify_ai.emulator.prepare.ptx.statements import find_asm, string_macros
from musify_ai.emulator.prepare.scan import Replacement, Scan, apply

# How much text the macros of one file may become in all: macros that use each other grow without bound.
_MOST_TEXT = 1 << 20


class _Budget:
    """What is left of the text that a file's macros may become."""

    def __init__(self) -> None:
        self.left = _MOST_TEXT

    def take(self, size: int) -> bool:
        """Whether so much is left; if so, it is taken."""
        self.left -= size
        return self.left >= 0


def asm_statements(scan: Scan) -> Iterator[tuple[Replacement, tuple[int, str] | None]]:
    """For each ``asm`` statement what stands in its place and, where part of it is not had, a token and a message.

    A statement in a macro whose parameters make up its text is emulated where the macro is used: there the macro is
    expanded.
    """
    strings = string_macros(scan)
    statements = [statement for statement in find_asm(scan, strings) if not of_the_host(statement)]
    definitions = expandable(scan, [item.start for item in statements if item.template is None], strings)
    used: set[bytes] = set()
    budget = _Budget()
    for use in uses(scan, definitions):
        if not budget.take(len(use.text)):
            break
        used.add(use.name)
        text, unsupported = _expanded(use.text, definitions, 0, budget)
        yield Replacement(scan.toks[use.start].start, scan.toks[use.stop].end, text), _problem(use.start, unsupported)
    for statement in statements:
        unsupported = []
        text = statement_text(scan, statement, unsupported)
        macro = scan.macro[statement.start]
        if statement.template is None and macro and macro.name in used:
            unsupported = []  # its uses say what is missing
        start, end = scan.toks[statement.start].start, scan.toks[statement.stop].end
        yield Replacement(start, end, text), _problem(statement.start, unsupported)


def _problem(index: int, unsupported: list[str]) -> tuple[int, str] | None:
    return (index, "inline PTX without an emulation: " + ", ".join(unsupported)) if unsupported else None


def _expanded(body: bytes, definitions: Definitions, depth: int, budget: _Budget) -> tuple[bytes, list[str]]:
    """A macro's body with its arguments in place: ``asm`` statements emulated, macros in it expanded in turn."""
    scan = Scan(b"void f() {" + body + b"}")
    unsupported: list[str] = []
    replacements: list[Replacement] = []
    for use in uses(scan, definitions) if depth < DEEPEST else ():
        if not budget.take(len(use.text)):
            break
        text, more = _expanded(use.text, definitions, depth + 1, budget)
        unsupported += more
        replacements.append(Replacement(scan.toks[use.start].start, scan.toks[use.stop].end, text))
    for statement in find_asm(scan, definitions.strings):
        text = statement_text(scan, statement, unsupported)
        replacements.append(Replacement(scan.toks[statement.start].start, scan.toks[statement.stop].end, text))
    return apply(scan, replacements).removeprefix(b"void f() {").removesuffix(b"}"), unsupported
