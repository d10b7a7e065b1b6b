"""Where device code branches: conditions, cases and function bodies, and a text of the unit that notes what is reached.

A place is found in the syntax tree and written as insertions around what stands there, so that no line moves and each
means what it did (`templates/harness/musify_seen.h`). Code that the compiler leaves out notes nothing and counts for
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from musify_ai.backends.emulated import BuildFailure, Built, Emulated, Side, Unit
from musify_ai.backends.harness_files import harness_dir
from musify_ai.source import tokens
from musify_ai.syntax.tree import language, parse
from musify_ai.verify.patches import FileParts

if TYPE_CHECKING:
    from tree_sitter import Node, Query

MOST = (1 << 16) - 8
"""Numbers that the driver has bytes for; what comes after is not watched."""

Kind = Literal["function", "condition", "loop", "switch", "case"]
_BRANCHING = (
    "if_statement", "while_statement", "for_statement", "do_statement", "switch_statement", "case_statement",
    "conditional_expression",
)  # fmt: skip
_JUMPS = ("return_statement", "break_statement", "continue_statement")
_FIXED = frozenset(
    (
        "template_argument_list", "static_assert_declaration", "preproc_if", "preproc_elif", "decltype",
        "sizeof_expression", "alignas_qualifier", "requires_clause", "enumerator", "bitfield_clause", "ERROR",
    )
)  # fmt: skip
# What one vendor calls otherwise than the other: no change of meaning in a text that is compared without running it.
_VENDOR = re.compile(
    r"cuda|musa|CUDA|MUSA|(?<![A-Za-z])(?:cu|mu|CU|MU)(?=[A-Z_a-z])|(?<![a-z])(?:nv|mt|NV|MT)(?=[_A-Zb])"
)


class Span(NamedTuple):
    """Bytes of a file; nothing where ``end`` is 0."""

    start: int = 0
    end: int = 0


class Place(NamedTuple):
    """A place that notes when it is reached, by ``number`` in the unit and the two after it (see the header).

    ``when`` is the condition, the expression of a switch or the label of a case; ``held`` and ``failed`` what runs just
    where it holds and just where it does not. A function's and a switch's ``held`` is its body.
    """

    kind: Kind
    number: int
    path: str
    when: Span
    held: Span
    failed: Span = Span()


class Watched(NamedTuple):
    """A unit whose text notes what it reaches, built; its places, and its files before the notes were written in."""

    built: Built
    places: tuple[Place, ...]
    sources: Mapping[str, bytes]


def build_watched(
    backend: Emulated, unit: Unit, side: Side, macro: int, known: Mapping[str, FileParts]
) -> Watched | None:
    """The unit built so that it notes what it reaches; None where that text does not build, or nothing is in it."""
    places = places_in(unit.sources, known)
    if not places:
        return None
    result = backend.build(written(unit, places), side, macro)
    return None if isinstance(result, BuildFailure) else Watched(result, places, unit.sources)


def places_in(sources: Mapping[str, bytes], known: Mapping[str, FileParts]) -> tuple[Place, ...]:
    """The places in device functions of some files; ``known`` are files that were taken apart before."""
    found: list[Place] = []
    at = 1
    for path in sorted(sources):
        src = sources[path]
        parts = known[path] if path in known and known[path].src == src else FileParts(path, src)
        bodies = tuple((f.body_start, f.body_end) for f in parts.functions if f.kind != "host")
        for place in _places(src, bodies) if bodies else ():
            if at + 3 > MOST:
                return tuple(found)
            found.append(place._replace(number=at, path=path))
            at += 3
    return tuple(found)


@cache
def _query() -> Query:
    from tree_sitter import Query

    return Query(language(), " ".join(f"({name}) @place" for name in _BRANCHING))


@lru_cache(maxsize=64)
def _places(src: bytes, bodies: tuple[tuple[int, int], ...]) -> tuple[Place, ...]:
    """The places of a file, numbers and path left open; both sides of a pair often hold the same file."""
    from tree_sitter import QueryCursor

    found = [
        Place("function", 0, "", Span(start + 1, start + 1), Span(start, end))
        for start, end in dict.fromkeys(bodies)
        if src[start : start + 1] == b"{"
    ]
    nodes = QueryCursor(_query()).captures(parse(src).root_node).get("place", [])
    for node in nodes:
        if any(start < node.start_byte and node.end_byte <= end for start, end in bodies) and not _is_fixed(node):
            found += _of(node)
    return tuple(sorted(found, key=lambda each: (each.when.start, -each.when.end)))


def _is_fixed(node: Node) -> bool:
    """Whether a node stands where an expression has to stay as it is written."""
    above = node.parent
    while above is not None and above.type not in ("function_definition", "translation_unit"):
        if above.type in _FIXED:
            return True
        above = above.parent
    return False


def _of(node: Node) -> Iterator[Place]:
    kind = node.type
    if kind == "case_statement":
        colon = next((each for each in node.children if each.type == ":"), None)
        if colon is not None:
            yield Place("case", 0, "", Span(node.start_byte, colon.end_byte), Span(colon.end_byte, node.end_byte))
        return
    condition = node.child_by_field_name("condition")
    value = _value(condition)
    if value is None or value.start_byte == value.end_byte or value.has_error:
        return
    when = _span(value)
    if kind == "switch_statement":
        yield Place("switch", 0, "", when, _span(node.child_by_field_name("body")))
    elif kind == "if_statement":
        if not any(each.type == "constexpr" for each in node.children):
            held, failed = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
            yield Place(
                "condition", 0, "", when, _span(held), _span(failed) if failed is not None else _rest(node, held)
            )
    elif kind == "conditional_expression":
        held, failed = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        yield Place("condition", 0, "", when, _span(held), _span(failed))
    else:
        body = node.child_by_field_name("body")
        yield Place("loop", 0, "", when, Span() if kind == "do_statement" else _span(body))


def _value(condition: Node | None) -> Node | None:
    """The expression of a condition; None where it declares something."""
    if condition is None:
        return None
    if condition.type == "condition_clause":
        condition = condition.child_by_field_name("value")
    elif condition.type == "parenthesized_expression":
        condition = condition.named_child(0)
    if condition is None or condition.type in ("declaration", "condition_declaration"):
        return None
    return condition


def _span(node: Node | None) -> Span:
    return Span(node.start_byte, node.end_byte) if node is not None else Span()


def _rest(node: Node, held: Node | None) -> Span:
    """What comes after an ``if`` that leaves, up to the end of its block: it runs just where the condition fails."""
    last = held
    while last is not None and last.type == "compound_statement" and last.named_children:
        last = last.named_children[-1]
    block = node.parent
    if last is None or last.type not in _JUMPS or block is None or block.type != "compound_statement":
        return Span()
    end = block.named_children[-1].end_byte
    return Span(node.end_byte, end) if end > node.end_byte else Span()


def written(unit: Unit, places: tuple[Place, ...]) -> Unit:
    """The unit with notes at its places; every line stays where it is."""
    by_path: dict[str, list[Place]] = {}
    for place in places:
        by_path.setdefault(place.path, []).append(place)
    sources = {path: _noting(src, by_path.get(path, ())) for path, src in unit.sources.items()}
    return unit._replace(sources=sources, main=f'#include "{harness_dir() / "musify_seen.h"}"\n{unit.main}')


def _noting(src: bytes, places: list[Place] | tuple[()]) -> bytes:
    """At one offset what ends comes before what begins, and an outer place begins before an inner one."""
    inserted: list[tuple[int, int, int, bytes]] = []
    for place in places:
        start, end = place.when
        if place.kind == "function":
            inserted.append((start, 2, 0, b" ::musify_seen::mark<%d>();" % place.number))
        elif place.kind == "case":
            inserted.append((end, 2, 0, b" ::musify_seen::mark<%d>();" % place.number))
        else:
            name = b"chosen" if place.kind == "switch" else b"either"
            inserted.append((start, 1, -end, b"::musify_seen::%b<%d>((" % (name, place.number)))
            inserted.append((end, 0, -start, b"))"))
    out, at = [], 0
    for offset, _, _, text in sorted(inserted):
        out += [src[at:offset], text]
        at = offset
    return b"".join([*out, src[at:]])


def neutral(src: bytes, span: Span) -> tuple[str, ...]:
    """The tokens of a span with what is the vendor's in a name left out, by which two sides' texts are compared."""
    return tuple(
        _VENDOR.sub("@", token.text.decode("utf-8", "surrogateescape"))
        for token in tokens(src[span.start : span.end])
        if token.kind != "comment"
    )
