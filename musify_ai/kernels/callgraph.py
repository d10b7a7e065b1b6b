"""Which functions a kernel may reach, by name: what becomes unchecked when one of them is stubbed out.

Any mention counts as a call, a class stands for all its members, an operator for every overload of it, a macro for
its body and for every name of a shape that it pastes together. So a kernel may be said to reach more than it does,
hardly ever less.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.kernels.dependencies import mentioned, parts, pastes
from musify_ai.kernels.find import find_kernels
from musify_ai.kernels.outline import Outline
from musify_ai.source import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from musify_ai.kernels.dependencies import Part
    from musify_ai.records import Kernel


class Reached(NamedTuple):
    """A function definition: the file it stands in, its qualified name, its bytes ``[start, end)``."""

    path: str
    name: str
    start: int
    end: int


class CallGraph:
    """The call graph of a translation unit: the file and its own headers, by path."""

    def __init__(self, files: Mapping[str, bytes], outlines: Mapping[str, Outline] | None = None) -> None:
        """``outlines`` are those of files that were read before."""
        self._edges: dict[bytes, set[bytes]] = {}
        self._functions: list[tuple[Reached, frozenset[bytes]]] = []
        self._kernels: list[tuple[Kernel, set[bytes]]] = []
        shapes: list[tuple[bytes, re.Pattern[bytes]]] = []
        for path, src in files.items():
            outline = (outlines or {}).get(path) or Outline(src)
            found = parts(outline)
            for part in found:
                self._add(path, part)
                shapes += [(part.name.encode(), paste.shape) for paste in pastes(outline.src, part)]
            by_span = {(part.start, part.end): part for part in found if part.kind == "function"}
            for kernel in find_kernels(src, path, outline):
                part = by_span[kernel.start, kernel.end]
                self._kernels.append((kernel, set(part.uses | part.members) | _instantiated(kernel)))

        names = set(self._edges).union(*self._edges.values(), *(uses for _, uses in self._kernels))
        for macro, shape in shapes:
            # A name of the shape may be made by the macro, and the macro may be made to name it.
            matching = {name for name in names if shape.fullmatch(name)}
            self._edges.setdefault(macro, set()).update(matching)
            for name in matching:
                self._edges.setdefault(name, set()).add(macro)

    def _add(self, path: str, part: Part) -> None:
        for name in part.defines:
            self._edges.setdefault(name, set()).update(part.uses, part.members)
        if part.kind == "function":
            self._functions.append((Reached(path, part.name, part.start, part.end), part.defines))

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of all files."""
        return tuple(kernel for kernel, _ in self._kernels)

    def reached(self, kernel: Kernel) -> frozenset[Reached]:
        """The functions that a kernel may reach, itself among them; also by what it is instantiated with."""
        start = next((uses for one, uses in self._kernels if one[:6] == kernel[:6]), set())
        return self._from(kernel, start | _instantiated(kernel))

    def reaches(self, kernel: Kernel, path: str, offset: int) -> bool:
        """Whether a kernel may reach the function which holds an offset of a file."""
        return any(f.path == path and f.start <= offset < f.end for f in self.reached(kernel))

    def kernels_reaching(self, path: str, offset: int) -> tuple[Kernel, ...]:
        """The kernels that may reach the function which holds an offset of a file.

        All of them where no function does: what stands outside functions may matter to any.
        """
        holders = {f for f, _ in self._functions if f.path == path and f.start <= offset < f.end}
        if not holders:
            return self.kernels
        return tuple(kernel for kernel, start in self._kernels if holders & self._from(kernel, start))

    def _from(self, kernel: Kernel, start: set[bytes]) -> frozenset[Reached]:
        names = _closed(start, self._edges)
        found = {function for function, defines in self._functions if defines & names}
        found |= {f for f, _ in self._functions if (f.path, f.start, f.end) == (kernel.path, kernel.start, kernel.end)}
        return frozenset(found)


def _closed(start: set[bytes], edges: Mapping[bytes, set[bytes]]) -> set[bytes]:
    """All names that follow from some names."""
    names = set(start)
    pending = list(start)
    while pending:
        for name in edges.get(pending.pop(), ()):
            if name not in names:
                names.add(name)
                pending.append(name)
    return names


def _instantiated(kernel: Kernel) -> set[bytes]:
    """The names in a kernel's template arguments and in what it is launched with."""
    texts = [argument for each in kernel.instantiations for argument in each.arguments]
    texts += [text for launch in kernel.launches for text in (launch.callee, *launch.arguments)]
    found: set[bytes] = set()
    for text in texts:
        found |= mentioned(tokens(text.encode()))[0]
    # A launch names its kernel, which is no call of another kernel of that name.
    found.discard(kernel.name.split("<", 1)[0].rsplit("::", 1)[-1].encode())
    return found
