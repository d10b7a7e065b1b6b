"""Template arguments that the source spells out for its kernels."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from musify_ai.kernels.parameters import read_template_parameter, split, template_parameters
from musify_ai.records import Instantiation, Kernel, Launch
from musify_ai.source import Lines, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from musify_ai.kernels.outline import Item, Outline
    from musify_ai.kernels.view import View

# Words of a template argument that mean the same everywhere.
_ANYWHERE = frozenset(
    b"void bool char short int long float double signed unsigned const volatile true false sizeof typename struct "
    b"wchar_t".split()
)


def written_instantiations(
    outline: Outline, kernels: Sequence[Kernel], launches: Sequence[Launch]
) -> tuple[Kernel, ...]:
    """The kernels with the instantiations that stand in the file as text: at launches, in explicit instantiations,
    and where a kernel's address is taken. Arguments that name a template parameter or a local of the function they
    stand in say nothing on their own, and neither do those that leave parameters to deduction.
    """
    bases = {_base(kernel) for kernel in kernels if kernel.template}
    if not {base.encode() for base in bases} & words(outline.src):
        return tuple(kernels)
    seen = _mentions(outline, bases)
    out = []
    for kernel in kernels:
        if kernel.template:
            needed = _needed(kernel)
            chosen: dict[tuple[str, ...], Instantiation] = {}
            for base, found in seen:
                count = len(found.arguments)
                if base == _base(kernel) and needed <= count and (count <= len(kernel.template) or _packed(kernel)):
                    chosen.setdefault(found.arguments, found)
            kernel = kernel._replace(instantiations=tuple(chosen.values()))
        out.append(kernel)
    return tuple(out)


def _base(kernel: Kernel) -> str:
    return kernel.name.split("<", 1)[0].rsplit("::", 1)[-1]


def _needed(kernel: Kernel) -> int:
    """How many arguments must be written where nothing is deduced."""
    read = [read_template_parameter(each) for each in kernel.template]
    return sum(1 for each in read if not each.default and not each.pack)


def _packed(kernel: Kernel) -> bool:
    return any(read_template_parameter(each).pack for each in kernel.template)


def _mentions(outline: Outline, bases: set[str]) -> list[tuple[str, Instantiation]]:
    """Each ``name<arguments>`` in live code outside the kernel's own head, with how it is used."""
    src = outline.src
    lines = Lines(src)
    wanted = {base.encode() for base in bases}
    explicit = [(i.start, i.end) for i in outline.items if i.declaration.kind == "instantiation"]
    heads = [(item.start, item.body[0]) for item in outline.functions]
    found = []
    for view, start, end in outline.reader.views:
        for index, token in enumerate(view.tokens[:-1]):
            if token.text not in wanted or view.tokens[index + 1].text != b"<" or not start <= token.start < end:
                continue
            close = view.angle(index + 1)
            if close < 0 or _within(heads, token.start):
                continue
            if not _closed(view, index + 2, close, _holder(outline, token.start)):
                continue
            following = view.tokens[close + 1].text if close + 1 < len(view.tokens) else b""
            how = "function-pointer"
            if following == b"<<<":
                how = "launch"
            elif _within(explicit, token.start):
                how = "explicit"
            arguments = tuple(view.text(a, b) for a, b in split(view, index + 2, close))
            line = lines.line_of(token.start)
            found.append((token.text.decode("utf-8", "replace"), Instantiation(arguments, line, how)))
    return sorted(found, key=lambda each: each[1].line)


def _within(spans: list[tuple[int, int]], offset: int) -> bool:
    """Whether one of some spans, in order of start and disjoint, holds an offset."""
    at = bisect_right(spans, (offset, offset)) - 1
    return (at >= 0 and spans[at][0] <= offset < spans[at][1]) or (at + 1 < len(spans) and spans[at + 1][0] == offset)


def _holder(outline: Outline, offset: int) -> Item | None:
    """The function definition that holds an offset."""
    at = bisect_right(outline.functions, offset, key=lambda item: item.start) - 1
    return outline.functions[at] if at >= 0 and offset < outline.functions[at].end else None


def _closed(view: View, first: int, stop: int, holder: Item | None) -> bool:
    """Whether template arguments mean something outside the function they stand in."""
    named = {token.text for token in view.tokens[first:stop] if token.kind == "identifier"} - _ANYWHERE
    if not named or holder is None:
        return True
    declaration, inner = holder.declaration, holder.view
    for opening, close in declaration.templates:
        for written in template_parameters(inner, opening, close):
            if read_template_parameter(written).name.encode() in named:
                return False
    # Declared in the function: a name that follows a type (a word, `*`, `&` or `>`) and is followed by what ends a
    # declarator. `using X = ...` counts too.
    toks = inner.tokens
    for index in range(declaration.name, min(declaration.body_end, len(toks) - 1)):
        token = toks[index]
        if token.text in named and token.kind == "identifier":
            before, after = toks[index - 1], toks[index + 1]
            typed = before.kind == "identifier" and before.text not in (b"return", b"case", b"else")
            if (typed or before.text in (b"*", b"&", b">")) and after.text in (b"=", b";", b",", b")", b"{", b"["):
                return False
    return True
