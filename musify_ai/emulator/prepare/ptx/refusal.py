"""Inline PTX on the MUSA side: it means nothing there, so it must not build, not even where it is never reached.

A C++ compiler drops ``if (0) asm(...)`` before its assembler sees the text, and would take such a translation.
"""

from collections.abc import Iterator

from musify_ai.emulator.prepare.ptx.statements import find_asm, string_macros, substitute
from musify_ai.emulator.prepare.ptx.text import Instruction, Unsupported, parse
from musify_ai.emulator.prepare.scan import Replacement, Scan

# PTX's opcodes carry types and modifiers behind dots; these few stand alone. Assembly of the host has no dots there.
_BARE = frozenset(("trap", "exit", "brkpt"))


def refusals(scan: Scan) -> Iterator[Replacement]:
    """In place of each ``asm`` statement that is PTX, a name that does not exist and says why."""
    strings = string_macros(scan)
    for statement in find_asm(scan, strings):
        if statement.template is None or not _is_ptx(substitute(statement) or ""):
            continue
        start, end = scan.toks[statement.start].start, scan.toks[statement.stop].end
        yield Replacement(start, end, b"::emu::there_is_no_inline_ptx_on_musa()")


def _is_ptx(text: str) -> bool:
    try:
        items = parse(text)
    except Unsupported:
        return False
    return any(isinstance(item, Instruction) and (len(item.parts) > 1 or item.parts[0] in _BARE) for item in items)
