"""How much of each library the rules know, and how well: a table over all, and a page a library."""

from collections import Counter
from collections.abc import Iterable

from musify_ai.rules.lookup import MEANING
from musify_ai.rules.reading import Row
from musify_ai.rules.treatments import TREATMENTS

_ORDER = tuple(treatment for treatment in TREATMENTS if treatment != "left-out")


def table(rows: Iterable[Row]) -> str:
    """A line a library: names by treatment, most names first; a last line with the sums. Plain text in columns."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        if row.treatment != "left-out":
            counts.setdefault(row.library, Counter())[row.treatment] += 1
    total: Counter[str] = sum(counts.values(), Counter())
    used = [treatment for treatment in _ORDER if total[treatment]]
    lines = [["library", "names", *used]]
    for library, found in sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])):
        lines.append([library, str(found.total()), *(str(found[treatment] or "") for treatment in used)])
    lines.append(["all", str(total.total()), *(str(total[treatment]) for treatment in used)])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in lines
    )


def page(library: str, rows: Iterable[Row]) -> str:
    """The names of one library by treatment, with their MUSA names, sources, SDK ranges and notes, in Markdown."""
    parts = [f"# {library}\n"]
    own = sorted((row for row in rows if row.library == library), key=lambda row: (row.name, row.since))
    for treatment in TREATMENTS:
        held = [row for row in own if row.treatment == treatment]
        if not held:
            continue
        parts.append(f"\n## {treatment} ({len(held)})\n\n{MEANING[treatment].capitalize()}.\n")
        parts.append("\n| CUDA | MUSA | SDK | source | note |\n|---|---|---|---|---|\n")
        parts += [_line(row) for row in held]
    return "".join(parts)


def _line(row: Row) -> str:
    bounds = " ".join(part for part in (row.since and f"from {row.since}", row.until and f"below {row.until}") if part)
    cells = (f"`{row.name}`", f"`{row.musa}`" if row.musa else "", bounds, row.source, row.note)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
