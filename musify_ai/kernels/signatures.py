"""What only a compiler's front end knows of kernels: canonical parameter types, and every instantiation.

The unit is read as plain C++: launch configurations are blanked, so that a launch is a call, and ``__global__`` and
its like are whatever the given headers make of them. Instantiations are asked for, not searched for: an assertion that
depends on a template parameter and never holds is put in front of each kernel template's body, and libclang names
the arguments of each specialisation in which it fails. That sees through deduction, defaults, template host wrappers
and function pointers alike, because it is the language's own rules that instantiate.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from musify_ai.kernels.find import kernel_items
from musify_ai.kernels.launches import launch_sites
from musify_ai.kernels.outline import Item, Outline
from musify_ai.kernels.parameters import read_template_parameter, split, template_parameters
from musify_ai.kernels.view import View
from musify_ai.records import Instantiation, Kernel, Parameter
from musify_ai.source import Lines, directives, occurrences, tokens
from musify_ai.syntax import clang

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PROBE = "musify probe "
_ASKED = re.compile(re.escape(_PROBE) + r"(\d+)")
_SPECIALISATION = re.compile(r"in instantiation of .*specialization '(.+)' requested here", re.DOTALL)
_INCLUDED = re.compile(rb'\s*"([^"\n]+)"')
# Types that have no name to write them by.
_NAMELESS = ("(lambda", "(unnamed", "(anonymous struct", "(anonymous class", "(anonymous union", "type-parameter-")
_FILES = 400
# What headers made for a prepared source may leave undefined; a header's own definition takes over from these.
_WORDS = [
    *("-D__global__=", "-D__device__=", "-D__host__=", "-D__shared__=", "-D__constant__=", "-D__managed__="),
    *("-D__grid_constant__=", "-D__noinline__="),
    "-D__launch_bounds__(...)=",
    "-D__cluster_dims__(...)=",
    "-D__forceinline__=inline",
]


class _File(NamedTuple):
    """A project file as libclang is to read it: ``probes`` are offsets of the insertions and their lengths."""

    path: Path
    outline: Outline
    text: bytes
    probes: list[tuple[int, int]]


def resolve(
    kernels: Sequence[Kernel], *, unit: Path, include_dirs: Sequence[Path], arguments: Sequence[str] = ()
) -> tuple[Kernel, ...]:
    """The kernels, in the order given, with what libclang makes of them when it reads ``unit``.

    Kernels may stand in the unit or in project headers that it includes; their paths may be absolute or relative to
    any folder above the unit. ``include_dirs`` hold the declarations to read against (without any, our own few are
    used), ``arguments`` are further compiler arguments (``-D``, ``-include``). A kernel that the unit does not
    compile keeps what it had: so does one without instantiations that can be written down. Raises `LibclangMissing`
    where libclang is not installed and ``OSError`` where the unit cannot be read.
    """
    clang.binding()
    wanted: dict[Path, list[int]] = {}
    for number, kernel in enumerate(kernels):
        home = _home(kernel.path, unit)
        if home is not None:
            wanted.setdefault(home.resolve(), []).append(number)
    # One file may be reached by several spellings of its path, and libclang knows each by its own.
    paths = _project_files(unit, include_dirs, wanted)
    files = {path: _prepared(path, wanted.get(path.resolve(), []), kernels) for path in paths}
    unsaved = {path: file.text for path, file in files.items()}
    parsed = clang.parse(unit, include_dirs, [*_WORDS, *arguments], unsaved)
    seen = _instantiations(parsed.messages, files)
    out = list(kernels)
    for path, file in files.items():
        for number in wanted.get(path.resolve(), []):
            out[number] = _with_types(out[number], parsed, file)
    for number, found in seen.items():
        out[number] = out[number]._replace(instantiations=tuple(found.values()))
    return tuple(out)


def _home(path: str, unit: Path) -> Path | None:
    """The file a kernel's path means: the unit itself, or a file at that path below a folder above the unit."""
    relative = Path(path)
    if relative.is_absolute():
        return relative
    if unit.parts[-len(relative.parts) :] == relative.parts:
        return unit
    return next((folder / relative for folder in unit.parents if (folder / relative).is_file()), None)


def _project_files(unit: Path, include_dirs: Sequence[Path], wanted: Iterable[Path]) -> list[Path]:
    """The unit, the files with kernels, and what those include by quoted names, as far as it is found."""
    found: dict[Path, None] = {}
    pending = [unit, *wanted]
    while pending and len(found) < _FILES:
        path = pending.pop()
        if path in found or not path.is_file():
            continue
        found[path] = None
        text = path.read_bytes()
        for line in directives(text):
            match = _INCLUDED.match(text[line.argument_start : line.end]) if line.keyword == b"include" else None
            if match:
                name = match[1].decode("utf-8", "surrogateescape")
                places = (folder / name for folder in (path.parent, *include_dirs))
                pending += [place for place in places if place.is_file()][:1]
    return list(found)


def _prepared(path: Path, numbers: Sequence[int], kernels: Sequence[Kernel]) -> _File:
    """A file with its launches made calls and its kernel templates asked for their arguments; lines stay."""
    outline = Outline(path.read_bytes())
    out = bytearray(outline.src)
    for site in launch_sites(outline.reader):
        toks = site.view.tokens
        start, end = toks[site.opening].start, toks[site.closing].end
        out[start:end] = bytes(byte if byte in b"\r\n\\" else 0x20 for byte in out[start:end])
    by_body = {(kernels[number].start, kernels[number].body_start): number for number in numbers}
    insertions: list[tuple[int, bytes]] = []
    for item in kernel_items(outline) if numbers else []:
        number = by_body.get((item.start, item.body[0]))
        probe = _probe(item, number) if number is not None else b""
        if probe:
            insort(insertions, (item.body[0] + 1, probe))
    for offset, probe in reversed(insertions):
        out[offset:offset] = probe
    return _File(path, outline, bytes(out), [(offset, len(probe)) for offset, probe in insertions])


def _probe(item: Item, number: int) -> bytes:
    """An assertion that fails in every specialisation of a kernel template; empty where nothing can depend on it."""
    for opening, close in item.declaration.templates:
        for written in template_parameters(item.view, opening, close):
            read = read_template_parameter(written)
            if not read.name or read.kind == "template":
                continue
            if read.pack:
                never = f"sizeof...({read.name}) != sizeof...({read.name})"
            elif read.kind == "type":
                never = f"!__is_same({read.name}, {read.name})"
            else:
                never = f"({read.name}) != ({read.name})"
            return f' static_assert({never}, "{_PROBE}{number}");'.encode()
    return b""


def _instantiations(
    messages: Iterable[clang.Message], files: dict[Path, _File]
) -> dict[int, dict[tuple[str, ...], Instantiation]]:
    """For each kernel by number: the specialisations in which its assertion failed, by their arguments."""
    spans = {str(path): _uses(file) for path, file in files.items()}
    found: dict[int, dict[tuple[str, ...], Instantiation]] = {}
    for message in messages:
        asked = _ASKED.search(message.text)
        # An error in a header has a note for each #include before those that matter.
        request = next((note for note in message.notes if _SPECIALISATION.match(note.text)), None)
        named = _SPECIALISATION.match(request.text) if asked and request else None
        if asked is None or request is None or named is None or any(word in named[1] for word in _NAMELESS):
            continue
        launches, explicit = spans.get(request.path, ((), ()))
        how = "function-pointer"
        if any(first <= request.line <= last for first, last in launches):
            how = "launch"
        elif any(first <= request.line <= last for first, last in explicit):
            how = "explicit"
        arguments = _arguments(named[1])
        if arguments:
            found.setdefault(int(asked[1]), {}).setdefault(arguments, Instantiation(arguments, request.line, how))
    return found


def _uses(file: _File) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """First and last lines of a file's launches (by way of its macros too), and of its explicit instantiations."""
    outline = file.outline
    lines = Lines(outline.src)
    defines = [line for line in outline.reader.directives if line.keyword == b"define"]
    spans = []
    macros: set[bytes] = set()
    for site in launch_sites(outline.reader):
        start = site.view.tokens[site.first].start
        spans.append((lines.line_of(start), lines.line_of(site.view.tokens[site.last].end)))
        at = bisect_right(defines, start, key=lambda line: line.start) - 1
        if at >= 0 and start < defines[at].end:
            macros.update(name.text for name in tokens(outline.src, defines[at].argument_start, defines[at].end)[:1])
    for use in occurrences(outline.src, macros):
        spans.append((lines.line_of(use.start),) * 2)
    explicit = [i for i in outline.items if i.declaration.kind == "instantiation"]
    return spans, [(lines.line_of(item.start), lines.line_of(item.end)) for item in explicit]


def _arguments(specialisation: str) -> tuple[str, ...]:
    """The last template argument list of a name as libclang spells it: ``ns::k<float, 4>``."""
    src = specialisation.replace("(anonymous namespace)::", "").encode()
    view = View(src, tokens(src))
    last = len(view.tokens) - 1
    opening = view.angle_open(last, limit=len(view.tokens) + 1) if last > 0 and view.word(last).startswith(b">") else -1
    if opening < 0:
        return ()
    # `>>` at the end closes an argument's own list as well: cut the text, not the tokens.
    inner = src[view.tokens[opening].end : -1]
    inside = View(inner, tokens(inner))
    return tuple(inside.text(a, b) for a, b in split(inside, 0, len(inside.tokens)))


def _with_types(kernel: Kernel, parsed: clang.Unit, file: _File) -> Kernel:
    """The kernel with its parameters' canonical types, where they depend on no template parameter."""
    item = next(
        (i for i in kernel_items(file.outline) if (i.start, i.body[0]) == (kernel.start, kernel.body_start)), None
    )
    if item is None or item.declaration.parameters is None:
        return kernel
    name = item.view.tokens[item.declaration.parameters.before].start
    shift = sum(length for offset, length in file.probes if offset <= name)
    cursor = parsed.template_of(parsed.cursor_at(file.path, name + shift))
    read = [each for each in cursor.get_children() if each.kind.name == "PARM_DECL"] if cursor is not None else []
    if len(read) != len(kernel.parameters):
        return kernel
    pairs = zip(kernel.parameters, read, strict=True)
    return kernel._replace(parameters=tuple(_typed(parameter, each) for parameter, each in pairs))


def _typed(parameter: Parameter, cursor: Any) -> Parameter:
    canonical = cursor.type.get_canonical()
    if "type-parameter-" in canonical.spelling or not canonical.spelling:
        return parameter
    spelling = canonical.spelling
    if canonical.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
        # An array parameter is a pointer.
        pointee = canonical.element_type
        spelling = f"{pointee.spelling} *"
    elif canonical.kind.name == "POINTER":
        pointee = canonical.get_pointee()
    else:
        return parameter._replace(canonical=spelling, pointee="", const=canonical.is_const_qualified())
    element = pointee.spelling.removeprefix("const ").removeprefix("volatile ")
    if pointee.kind.name == "FUNCTIONPROTO":
        element = ""
    return parameter._replace(canonical=spelling, pointee=element, const=pointee.is_const_qualified())
