"""Which kernels a file defines."""

from __future__ import annotations

from musify_ai.kernels.calls import called_names
from musify_ai.kernels.functions import qualified
from musify_ai.kernels.instantiations import written_instantiations
from musify_ai.kernels.launches import callee_name, find_launches
from musify_ai.kernels.outline import Item, Outline
from musify_ai.kernels.parameters import parameters, template_parameters
from musify_ai.records import Kernel, Launch
from musify_ai.source import Lines, words

_GLOBAL = b"__global__"


def find_kernels(src: bytes, path: str, outline: Outline | None = None) -> tuple[Kernel, ...]:
    """The ``__global__`` function definitions of a file by start, with the launches seen in that file.

    Any live condition counts, ``#if 0`` does not; neither do declarations, nor kernels that a macro's body defines.
    Types are as written, and so are the instantiations (`written_instantiations`): `signatures.resolve` knows more.
    """
    if _GLOBAL not in src:
        return ()
    known = Outline(src) if outline is None else outline
    items = kernel_items(known)
    if not items:
        return ()
    src = known.src
    lines = Lines(src)
    launches = find_launches(src, path, known.reader)
    found = [_kernel(item, path, lines, launches) for item in items]
    return written_instantiations(known, found, launches)


def kernel_items(outline: Outline) -> list[Item]:
    """The function definitions that are kernels, by start."""
    if _GLOBAL not in words(outline.src):
        return []
    return [item for item in outline.functions if outline.decorators(item) & {_GLOBAL}]


def _kernel(item: Item, path: str, lines: Lines, launches: tuple[Launch, ...]) -> Kernel:
    declaration, view = item.declaration, item.view
    group = declaration.parameters
    assert group is not None  # every function has one
    name = qualified(item)
    base = name.split("<", 1)[0].rsplit("::", 1)[-1]
    template = tuple(
        each for opening, close in declaration.templates for each in template_parameters(view, opening, close)
    )
    return Kernel(
        path=path,
        name=name,
        line=lines.line_of(view.tokens[declaration.name].start),
        start=item.start,
        end=item.end,
        body_start=item.body[0],
        body_end=item.body[1],
        parameters=parameters(view, group.opening, group.closing),
        template=template,
        launches=tuple(launch for launch in launches if callee_name(launch) == base),
        calls=called_names(view, declaration.body, declaration.body_end),
    )
