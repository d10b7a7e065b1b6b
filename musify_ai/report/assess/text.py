"""An assessment for the terminal."""

import textwrap
from collections.abc import Sequence

from musify_ai.report.assess.figures import Assessment
from musify_ai.report.assess.telling import UNCERTAIN, sentences, share, step_name
from musify_ai.report.merging import counted
from musify_ai.report.placing import readable

_WIDTH = 110
# The longest lists: what is left out is counted, and in the other formats.
_FILES, _A_STEP = 15, 6


def render(found: Assessment) -> str:
    """The sentences, then libraries, constructs, hard files and the order of work as tables."""
    parts = ["\n".join(textwrap.fill(text.replace("`", ""), _WIDTH) for text in sentences(found))]
    if found.libraries:
        rows = [
            [lib.name, f"{lib.names:,}", f"{lib.uses:,}", share(lib.seen, lib.uses), *map(_or_dot, lib[4:])]
            for lib in found.libraries
        ]
        head = ["library", "names", "uses", "seen in MUSA code", "table only", "derived", "left, unproven", "none"]
        parts.append(_table(head, rows, numbers=range(1, 8)))
    open_ = [row for row in found.constructs if row.open]
    if open_:
        rows = [[row.code, f"{row.open:,}", f"{row.files:,}", row.effort, row.hours.text, row.title] for row in open_]
        parts.append(_table(["code", "places", "files", "effort each", "in all", "what"], rows, numbers=(1, 2)))
    if found.work:
        rows = [
            [readable(w.path), w.hours.text, f"{w.waiting:,}", " ".join(f"{c}x{n}" for c, n in w.codes[:4])]
            for w in found.work[:_FILES]
        ]
        parts.append(_table(["hard files", "work", "included by", "places"], rows, numbers=(2,), of=len(found.work)))
    if found.steps:
        parts.append("\n".join(_order(found)))
    parts.append(textwrap.fill(UNCERTAIN, _WIDTH))
    return "\n\n".join(parts) + "\n"


def _order(found: Assessment) -> list[str]:
    last = max((number for number, _ in found.steps), default=0)
    lines = ["order of work"]
    for number, work in found.steps:
        lines.append(f"  {step_name(number, last)} ({counted(len(work), 'file')})")
        lines += [
            f"    {readable(w.path)}{f', {w.waiting:,} wait for it' if w.waiting else ''}" for w in work[:_A_STEP]
        ]
        if len(work) > _A_STEP:
            lines.append(f"    and {len(work) - _A_STEP:,} more")
    return lines


def _or_dot(number: object) -> str:
    return f"{number:,}" if number else "."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int], of: int = 0) -> str:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        return "  ".join(
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()

    lines = [line(head), line(["-" * width for width in widths]), *map(line, rows)]
    if of > len(rows):
        lines.append(f"and {of - len(rows):,} more files: --format json has all")
    return "\n".join(lines)
