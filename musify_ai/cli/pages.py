"""The pages under ``docs/``: one a code, the API coverage by library, and the guides of ``templates/pages``."""

from collections import Counter
from collections.abc import Iterable

from musify_ai.rules.lookup import MEANING
from musify_ai.rules.reading import Row
from musify_ai.rules.treatments import TREATMENTS

# Names of these treatments are listed; of the others, which are thousands, a page gives the number and the file.
_LISTED = ("seen", "differs", "none", "version", "guard", "left-out")
_NOTE = "This folder is generated: `make docs` writes it anew. Do not edit it.\n"
_GUIDES = {
    "verdicts": "How verdicts are reached",
    "limits": "Limits, plainly",
    "settings": "Settings, compilers, flags",
    "styles": "House styles",
    "formats": "Formats and the JSON object",
    "ci": "In a pipeline: pre-commit, GitHub, GitLab, cache, time, offline",
    "scale": "Many files, many repositories: what it costs",
    "llm": "Asking a model: what an answer has to pass, what leaves the machine, cost",
    "extending": "Adding a name, adding a construct",
}
_FAMILIES = {
    "MUS0": "The tool itself",
    "MUS1": "Names and headers",
    "MUS2": "Guards and versions",
    "MUS3": "Warps",
    "MUS4": "Inline PTX",
    "MUS5": "Memory, barriers, atomics, limits",
    "MUS6": "Types and numerics",
    "MUS7": "Libraries",
    "MUS8": "Build files, Python, PyTorch",
    "MUS9": "Checking and rewriting",
}


def pages() -> dict[str, str]:
    """Every page by its path below the folder."""
    from musify_ai.rules.locating import data_dir
    from musify_ai.rules.reading import FOLDERS, read
    from musify_ai.translate.registry import codes, page

    rows = read(data_dir(), FOLDERS)
    bulk = read(data_dir(), ("bulk",))
    made = {f"codes/{code}.md": page(code).replace("\r", "") for code in codes()}
    made |= {f"guide/{name}.md": text for name, text in _guides().items()}
    made["README.md"] = _index(codes(), [*rows, *bulk])
    for library in sorted({row.library for row in rows}):
        made[f"api/{library}.md"] = _library(library, rows, bulk)
    return made


def _index(codes: Iterable[str], rows: list[Row]) -> str:
    from musify_ai.translate.registry import title

    parts = ["# What musify-ai knows\n\n", _NOTE, "\n## Guides\n\n"]
    parts += [f"- [{title}](guide/{name}.md)\n" for name, title in _GUIDES.items()]
    family = ""
    for code in codes:
        if code[:4] != family:
            family = code[:4]
            parts.append(f"\n## {_FAMILIES.get(family, family)}\n\n")
        parts.append(f"- [{code}](codes/{code}.md) {title(code)}\n")
    parts.append("\n## API coverage by library\n\n")
    used = [each for each in TREATMENTS if any(row.treatment == each for row in rows)]
    parts += [f"- `{each}`: {MEANING[each]}\n" for each in used]
    parts.append("\n| library | names | " + " | ".join(used) + " |\n|---")
    parts.append("|---:" * (len(used) + 1) + "|\n")
    for library, counts in _counted(rows):
        cells = " | ".join(str(counts[each] or "") for each in used)
        parts.append(f"| [{library}](api/{library}.md) | {counts.total()} | {cells} |\n")
    total: Counter[str] = Counter(row.treatment for row in rows)
    parts.append(f"| all | {total.total()} | " + " | ".join(str(total[each]) for each in used) + " |\n")
    return "".join(parts)


def _guides() -> dict[str, str]:
    """The guides, with what they tell of the product taken from it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from musify_ai.emulator.assumptions import ASSUMPTIONS
    from musify_ai.rewrite.sending import LONG
    from musify_ai.rules.locating import data_dir

    folder = data_dir().parent / "templates" / "pages"
    environment = Environment(  # noqa: S701 -- Markdown from our own data, shown by nothing that runs it
        loader=FileSystemLoader(folder), undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    names = sorted(place.name.removesuffix(".md.j2") for place in folder.glob("*.md.j2"))
    return {
        name: environment.get_template(f"{name}.md.j2").render(assumptions=ASSUMPTIONS, long=LONG) for name in names
    }


def _counted(rows: Iterable[Row]) -> list[tuple[str, Counter[str]]]:
    """The libraries with the numbers of their names by treatment, most names first."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row.library, Counter())[row.treatment] += 1
    return sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))


def _library(library: str, rows: Iterable[Row], bulk: Iterable[Row]) -> str:
    own = sorted((row for row in rows if row.library == library), key=lambda row: (row.name, row.since))
    more = sum(row.library == library for row in bulk)
    parts = [f"# {library}\n"]
    for treatment in TREATMENTS:
        held = [row for row in own if row.treatment == treatment]
        if not held:
            continue
        parts.append(f"\n## {treatment} ({len(held)})\n\n{MEANING[treatment].capitalize()}.\n")
        if treatment in _LISTED:
            parts.append("\n" + "".join(_lines(held)))
        elif treatment in ("table", "prefix"):
            parts.append("\nListed in `rules/names/`; `musify-ai query NAME` tells of each.\n")
        else:
            parts.append("\n" + ", ".join(f"`{row.name}`" for row in held) + "\n")
    if more:
        parts.append(f"\n## bulk ({more})\n\nPublished and unproven, read only for files that include such headers.\n")
    return "".join(parts)


def _lines(rows: Iterable[Row]) -> Iterable[str]:
    """A line for each thing that is told of some names, with all of them: most evidence is that of many names."""
    told: dict[str, list[str]] = {}
    for row in rows:
        bounds = (row.since and f"from {row.since}", row.until and f"below {row.until}")
        text = "; ".join(part for part in (*bounds, row.source, row.note) if part)
        told.setdefault(text, []).append(f"`{row.name}`" + (f" → `{row.musa}`" if row.musa else ""))
    return (f"- {', '.join(names)}" + (f" ({text})" if text else "") + "\n" for text, names in told.items())
