"""Kernel launches as written: ``callee<<<grid, block, shared, stream>>>(arguments)``.

Read from tokens, so that those in macro bodies and in broken code are seen like any other.
"""

from typing import NamedTuple

from musify_ai.kernels.parameters import split
from musify_ai.kernels.view import Reader, View
from musify_ai.records import Launch
from musify_ai.source import Lines, tokens


class Site(NamedTuple):
    """A launch by token indices: its callee from ``first``, its brackets, the last parenthesis at ``last``."""

    view: View
    first: int
    opening: int
    closing: int
    last: int


def launch_sites(reader: Reader) -> list[Site]:
    """Where a file launches kernels, in macro bodies and under any live condition too, in order."""
    if b"<<<" not in reader.src:
        return []
    views = list(reader.views)
    for line in reader.directives:
        if line.keyword == b"define" and b"<<<" in reader.src[line.start : line.end] and not reader.is_dead(line.start):
            body = View(reader.src, tokens(reader.src, line.argument_start, line.end))
            views.append((body, line.start, line.end))
    found = []
    for view, start, end in views:
        for index, token in enumerate(view.tokens):
            if token.text == b"<<<" and token.kind == "punct" and start <= token.start < end:
                site = _site(view, index)
                if site is not None:
                    found.append(site)
    return sorted(found, key=lambda site: site.view.tokens[site.first].start)


def find_launches(src: bytes, path: str, reader: Reader | None = None) -> tuple[Launch, ...]:
    """The launches of a file in order, under any live condition; an absent shared size or stream is ``""``."""
    if b"<<<" not in src:
        return ()
    lines = Lines(src)
    return tuple(_launch(site, path, lines) for site in launch_sites(Reader(src) if reader is None else reader))


def callee_name(launch: Launch) -> str:
    """The unqualified name a launch calls, template arguments cut off; ``""`` for a call through an expression.

    >>> callee_name(Launch("", 1, 0, 0, "ns::k<float>", "", "", "", "", ()))
    'k'
    """
    name = launch.callee.split("<", 1)[0].rsplit("::", 1)[-1].strip().removeprefix("template ").strip()
    name = name.rsplit("->", 1)[-1].rsplit(".", 1)[-1].strip()
    return name if name.isidentifier() else ""


def _site(view: View, opening: int) -> Site | None:
    closing = _configuration_end(view, opening)
    first = _callee_start(view, opening) if closing >= 0 else -1
    if first < 0 or first == opening:
        return None
    return Site(view, first, opening, closing, view.match[closing + 1])


def _launch(site: Site, path: str, lines: Lines) -> Launch:
    view = site.view
    configuration = [view.text(a, b) for a, b in split(view, site.opening + 1, site.closing)][:4]
    grid, block, shared, stream = configuration + [""] * (4 - len(configuration))
    start, end = view.tokens[site.first].start, view.tokens[site.last].end
    arguments = tuple(view.text(a, b) for a, b in split(view, site.closing + 2, site.last))
    callee = view.text(site.first, site.opening)
    return Launch(path, lines.line_of(start), start, end, callee, grid, block, shared, stream, arguments)


def _configuration_end(view: View, opening: int) -> int:
    """The ``>>>`` that ends a launch configuration: followed by a parenthesis and not the end of template brackets."""
    toks = view.tokens
    position = opening + 1
    while position < len(toks):
        token = toks[position]
        if token.kind == "punct":
            if token.text == b">>>":
                following = position + 1
                return position if following < len(toks) and _opens_arguments(view, following) else -1
            if token.text in (b";", b"}", b")", b"]", b"<<<"):
                return -1
            if token.text == b"<" and toks[position - 1].kind == "identifier":
                close = view.angle(position)
                if close > 0 and (toks[close].text != b">>>" or _another_follows(view, close)):
                    position = close
            elif view.match[position] > position:
                position = view.match[position]
        position += 1
    return -1


def _opens_arguments(view: View, index: int) -> bool:
    return view.tokens[index].text == b"(" and view.match[index] > index


def _another_follows(view: View, close: int) -> bool:
    """Whether a second ``>>>`` follows before the statement ends: then the one at ``close`` closes templates."""
    for token in view.tokens[close + 1 : close + 200]:
        if token.kind == "punct" and token.text in (b";", b"{", b"<<<"):
            return False
        if token.text == b">>>":
            return True
    return False


def _callee_start(view: View, opening: int) -> int:
    """The first token of the expression that a launch calls; -1 where nothing callable stands there."""
    toks = view.tokens
    index = opening - 1
    while index >= 0:
        token = toks[index]
        if token.kind == "punct" and token.text in (b">", b">>", b">>>"):
            index = view.angle_open(index) - 1
            if index < 0 or toks[index].kind != "identifier":
                return -1
        elif token.kind == "punct" and token.text in (b")", b"]"):
            index = view.match[index]
            if index < 0:
                return -1
            if index > 0 and (toks[index - 1].kind == "identifier" or toks[index - 1].text == b"]"):
                index -= 1
                continue
            return index
        elif token.kind != "identifier":
            return -1
        # At an identifier: on through what qualifies it.
        while index > 0 and toks[index - 1].text == b"template":
            index -= 1
        if index > 0 and toks[index - 1].kind == "punct" and toks[index - 1].text in (b"::", b".", b"->"):
            if index > 1 and toks[index - 1].text == b"::" and not _qualifies(view, index - 2):
                return index - 1
            index -= 2
            continue
        return index
    return -1


def _qualifies(view: View, index: int) -> bool:
    token = view.tokens[index]
    if token.kind == "identifier":
        return token.text not in (b"return", b"else", b"do", b"case")
    return token.text in (b">", b">>", b">>>")
