"""The page of a code as HTML: the few marks of Markdown that those pages use."""

from collections.abc import Iterable

from markupsafe import Markup

from musify_ai.report.html.colouring import coloured, language
from musify_ai.report.html.visible import prose, visible

# Parts that a reader of a report has no use for.
_LEFT_OUT = frozenset({"Constructs it covers", "What the fix does", "Effort"})


def title_of(page: str) -> str:
    """What a code is about: its page's first line after the code."""
    return page.partition("\n")[0].partition(": ")[2]


def body_of(page: str) -> Markup:
    """The page without its title, as HTML."""
    out: list[str] = []
    for part in page.split("\n## ")[1:]:
        head, _, text = part.partition("\n")
        if head.strip() not in _LEFT_OUT:
            out.append(f"<h4>{visible(head.strip())}</h4>")
            out += _blocks(text.strip("\n").split("\n"))
    return Markup("".join(out))  # noqa: S704


def _blocks(lines: list[str]) -> Iterable[str]:
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("```"):
            end = next((i for i in range(index + 1, len(lines)) if lines[i].startswith("```")), len(lines))
            yield f"<pre>{_highlighted(lines[index + 1 : end])}</pre>"
            index = end + 1
        elif line.startswith("- "):
            yield "<ul>"
            while index < len(lines) and lines[index].startswith("- "):
                yield f"<li>{prose(lines[index][2:])}</li>"
                index += 1
            yield "</ul>"
        elif line.strip():
            start = index
            while index < len(lines) and lines[index].strip() and not lines[index].startswith(("- ", "```")):
                index += 1
            yield f"<p>{prose(' '.join(lines[start:index]))}</p>"
        else:
            index += 1


def _highlighted(lines: list[str]) -> str:
    shown = coloured(lines, language("a.cu"))
    return "\n".join(
        "".join(f'<i class="{kind}">{visible(text)}</i>' if kind else str(visible(text)) for kind, text in line)
        for line in shown
    )
