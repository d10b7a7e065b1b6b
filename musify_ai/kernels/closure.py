"""A kernel with just what it needs, as a translation unit of its own: for files that do not build whole.

Everything else is blanked in place, so lines stay where they were; project headers are put in at their ``#include``
between ``#line`` markers. What stays is decided by name (`musify_ai.kernels.dependencies`), so rather too much stays
than too little.
"""

from __future__ import annotations

import posixpath
import re
import zlib
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.kernels.dependencies import Part, Paste, call_arguments, first_word, mentioned, parts, pastes
from musify_ai.kernels.outline import Outline
from musify_ai.source import Directive, Lines, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from musify_ai.records import Kernel

_CONDITIONAL = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"else", b"endif"))
_OPENING = frozenset((b"if", b"ifdef", b"ifndef"))
_INCLUDE = re.compile(rb'\s*(?:"([^"\n]+)"|<([^>\n]+)>)')
# Names of namespaces that come with the toolkit or the language: a `using namespace` of one is kept.
_KNOWN_NAMESPACES = frozenset(b"std cooperative_groups nvcuda wmma mtmusa cg cub thrust".split())
_STANDARD = frozenset(
    b"algorithm any array assert.h atomic bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes "
    b"climits clocale cmath complex complex.h condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio "
    b"cstdlib cstring ctime ctype.h deque errno.h exception execution fenv.h filesystem float.h forward_list "
    b"fstream functional future getopt.h initializer_list inttypes.h iomanip ios iosfwd iostream istream "
    b"iterator limits limits.h list locale map math.h memory memory.h mutex new numeric optional ostream queue "
    b"random ratio regex set shared_mutex signal.h sstream stack stdarg.h stdbool.h stddef.h stdexcept stdint.h "
    b"stdio.h stdlib.h streambuf string string.h string_view strings.h sys/stat.h sys/time.h sys/types.h "
    b"system_error thread time.h tuple type_traits typeindex typeinfo unistd.h unordered_map unordered_set "
    b"utility valarray variant vector version wchar.h ".split()
)
_TOOLKIT = re.compile(
    rb"(?:cuda|musa|device_|host_|vector_|sm_|math_|common_|cooperative_groups|driver_types|builtin_types|texture_|"
    rb"surface_|channel_|mma|crt/|curand_kernel|murand_kernel|nvtx|nv/|cub/|thrust/)"
)
_USING_NAMESPACE = re.compile(rb"using\s+namespace\b")
_DEPTH = 40


class _Source(NamedTuple):
    path: str
    src: bytes
    outline: Outline
    parts: list[Part]
    includes: dict[int, str]  # offset of an #include -> the project file it names


def closure(
    src: bytes, kernel: Kernel, headers: Mapping[str, bytes], namespaces: frozenset[bytes] = frozenset()
) -> bytes:
    """The unit ``src`` reduced to ``kernel`` and what it needs of the unit and of ``headers`` (project path to text).

    Kept, in their order: types, constants, aliases, device callees, macros with the conditionals around them, and what
    the kernel's instantiations name. Includes of the toolkit and of the standard library stay; those of other packages
    go, and so do project headers that ``headers`` lacks. ``namespaces`` are further ones that are there. A header
    stands where it is first included, and where that is under a condition, at later includes too. The kernel may stand
    in one of the headers. Lines keep their numbers, by ``#line`` where a header comes in between.
    """
    unit = "" if kernel.path in headers else kernel.path
    sources = _reachable(unit, src, headers)
    if kernel.path not in sources:
        unit = kernel.path
        sources = _reachable(unit, headers[unit], headers)
    kept = _kept(sources, kernel, _KNOWN_NAMESPACES | namespaces)
    return _render(sources, unit, kept, _Placed(set(), set()), 0)


def _reachable(unit: str, src: bytes, headers: Mapping[str, bytes]) -> dict[str, _Source]:
    """The unit and the headers it includes, by path, the unit first."""
    found: dict[str, _Source] = {}
    pending = [(unit, src)]
    while pending:
        path, text = pending.pop()
        if path in found:
            continue
        outline = Outline(text)
        includes: dict[int, str] = {}
        for line in outline.reader.directives:
            name = _included(outline.src, line)
            target = _resolved(name, path, headers) if name else None
            if target is not None:
                includes[line.start] = target
                pending.append((target, headers[target]))
        found[path] = _Source(path, outline.src, outline, parts(outline), includes)
    return found


def _included(src: bytes, line: Directive) -> str:
    match = (
        _INCLUDE.match(src[line.argument_start : line.end]) if line.keyword in (b"include", b"include_next") else None
    )
    return (match[1] or match[2]).decode("utf-8", "replace") if match else ""


def _resolved(name: str, path: str, headers: Mapping[str, bytes]) -> str | None:
    """The project header an include names: beside the file, at that path, or the only one that ends in it."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    for candidate in (beside, posixpath.normpath(name)):
        if candidate in headers:
            return candidate
    tail = "/" + posixpath.normpath(name).lstrip("./")
    ending = [each for each in headers if each.endswith(tail)]
    return ending[0] if len(ending) == 1 else None


def _kept(sources: Mapping[str, _Source], kernel: Kernel, known: frozenset[bytes]) -> dict[str, set[Part]]:
    """The parts to keep of each file."""
    by_name: dict[bytes, list[tuple[str, Part]]] = {}
    calls: list[tuple[str, Part]] = []
    made: dict[bytes, list[tuple[str, Part]]] = {}
    pasting: dict[bytes, list[Paste]] = {}
    for path, source in sources.items():
        for part in source.parts:
            if part.kind == "instantiation" or part.inside:
                continue
            for name in part.defines:
                by_name.setdefault(name, []).append((path, part))
            if part.kind == "macro-call":
                calls.append((path, part))
            elif found := pastes(source.src, part):
                pasting.setdefault(part.name.encode(), []).extend(found)
    for path, part in calls:
        # What a call at the top level defines is for its macro to say.
        src = sources[path].src
        for paste in pasting.get(first_word(src, part), ()):
            made.setdefault(paste.made(call_arguments(src, part)), []).append((path, part))
    kept: dict[str, set[Part]] = {path: set() for path in sources}
    names: set[bytes] = set()
    pending: list[bytes] = []

    def want(found: frozenset[bytes] | set[bytes]) -> None:
        new = found - names
        names.update(new)
        pending.extend(new)

    def keep(path: str, part: Part) -> None:
        if part not in kept[path]:
            kept[path].add(part)
            want(part.uses | part.defines if part.kind in ("class", "enum") else part.uses)

    for part in sources[kernel.path].parts:
        if part.start <= kernel.start and kernel.end <= part.end and part.kind in ("class", "function"):
            keep(kernel.path, part)
    want({kernel.name.split("<", 1)[0].rsplit("::", 1)[-1].encode()})
    for instantiation in kernel.instantiations:
        want(mentioned(tokens(" , ".join(instantiation.arguments).encode()))[0])
    # Conditions are kept, so the macros that they ask for are; macros alone, for nothing else can matter to them.
    conditions: set[bytes] = set()
    for source in sources.values():
        for line in source.outline.reader.directives:
            if line.keyword in _CONDITIONAL:
                conditions |= mentioned(tokens(source.src, line.argument_start, line.end))[0]
    while conditions:
        name = conditions.pop()
        for path, part in by_name.get(name, ()):
            if part.kind == "macro" and part not in kept[path]:
                kept[path].add(part)
                conditions |= part.uses
    while pending:
        name = pending.pop()
        for path, part in (*by_name.get(name, ()), *made.get(name, ())):
            keep(path, part)
        for paste in pasting.get(name, ()):
            want({each for each in by_name if paste.shape.fullmatch(each)})
        for path, part in calls:
            # Its macro may hand an argument on to one that pastes.
            if part not in kept[path] and any(len(each) > 2 and each in name for each in part.defines):
                keep(path, part)
    _keep_namespaces(sources, kept, known)
    return kept


def _keep_namespaces(sources: Mapping[str, _Source], kept: dict[str, set[Part]], known: frozenset[bytes]) -> None:
    """``using namespace`` of what is there anyway."""
    opened = {name.encode() for source in sources.values() for scope in source.outline.scopes for name in scope.names}
    for path, source in sources.items():
        for part in source.parts:
            wide = part.kind == "using" and _USING_NAMESPACE.match(source.src, part.start) is not None
            if wide and part.uses <= opened | known:
                kept[path].add(part)


class _Placed(NamedTuple):
    """The headers whose text stands already; of ``maybe`` only under a condition, which may not hold."""

    surely: set[str]
    maybe: set[str]


def _render(
    sources: Mapping[str, _Source], path: str, kept: Mapping[str, set[Part]], placed: _Placed, depth: int, *,
    conditional: bool = False,
) -> bytes:  # fmt: skip
    """The text of a file with all but the kept parts blanked, its project headers put in.

    A header that is first included under a condition of the file stands at later includes too, each time with a guard
    of its own; ``conditional`` says that the file itself stands under one.
    """
    placed.surely.add(path)
    source = sources[path]
    shown = _shown(source, kept[path])
    lines = Lines(source.src)
    out: list[bytes] = []
    position = 0
    for start, target in source.includes.items():
        end = source.src.find(b"\n", start)
        end = len(source.src) if end < 0 else end
        out.append(bytes(shown[position:start]))
        position = end
        if target not in placed.surely and depth < _DEPTH:
            under = not conditional and _is_conditional(source, start)
            within = _Placed(set(placed.surely), set()) if under else placed
            inner = _render(sources, target, kept, within, depth + 1, conditional=conditional or under)
            if under:
                placed.maybe.update(within.surely - placed.surely)
            following = lines.line_of(start) + 1
            text = b"#line 1 %s\n%s\n" % (_quoted(target), inner)
            if under or conditional or target in placed.maybe:
                guard = b"MUSIFY_PLACED_%08x" % zlib.crc32(target.encode("utf-8", "surrogateescape"))
                text = b"#ifndef %s\n#define %s\n%s#endif\n" % (guard, guard, text)
            out.append(b"%s#line %d %s" % (text, following, _quoted(path or "unit")))
    out.append(bytes(shown[position:]))
    return b"".join(out)


def _is_conditional(source: _Source, start: int) -> bool:
    """Whether a line stands under a condition other than the file's own include guard."""
    before = [line for line in source.outline.reader.directives if line.start < start]
    opened = sum(line.keyword in _OPENING for line in before) - sum(line.keyword == b"endif" for line in before)
    guarded = len(before) > 1 and before[0].keyword == b"ifndef" and before[1].keyword == b"define"
    return opened > guarded


def _quoted(path: str) -> bytes:
    return b'"%s"' % path.replace("\\", "/").replace('"', "_").encode("utf-8", "replace")


def _shown(source: _Source, kept: set[Part]) -> bytearray:
    """A file's bytes, everything blank but the kept parts, conditionals, some includes, and what is part of nothing:
    the braces of namespaces and linkage blocks."""
    src = source.src
    out = bytearray(byte if byte in b"\r\n" else 0x20 for byte in src)
    spans = _disjoint((part.start, part.end) for part in source.parts)
    for view, start, end in source.outline.reader.views:
        for token in view.tokens:
            at = bisect_right(spans, (token.start, len(src) + 1)) - 1
            if start <= token.start < end and not (at >= 0 and token.start < spans[at][1]):
                out[token.start : token.end] = token.text
    for line in source.outline.reader.directives:
        if line.keyword in _CONDITIONAL or _stays(src, line):
            out[line.start : line.end] = src[line.start : line.end]
    for part in kept:
        out[part.start : part.end] = src[part.start : part.end]
    return out


def _stays(src: bytes, line: Directive) -> bool:
    """Whether a line that is neither a macro nor a conditional is kept: known includes, packing."""
    if line.keyword == b"pragma":
        return src[line.argument_start : line.end].strip().startswith((b"pack", b"push_macro", b"pop_macro"))
    name = _included(src, line).encode()
    return bool(name) and (name in _STANDARD or _TOOLKIT.match(name) is not None)


def _disjoint(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, overlapping ones joined."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
