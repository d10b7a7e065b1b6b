"""What the classes of kernels' parameters are made of, read from the text, where C++ cannot tell it by itself.

C++17 takes an aggregate without base classes apart; a class with constructors, bases or very many members it does not,
and its bytes would be filled blindly. Of those the text is read and told to the description as specialisations of
``emu::Members`` (`templates/harness/musify_check.h`), each member with its name, so that sizes are known for sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.source import words
from musify_ai.verify.patches import FileParts

if TYPE_CHECKING:
    from tree_sitter import Node

APART = 16
"""Members from which on an aggregate is told rather than taken apart (`most_members` of the header)."""
_CLASSES = ("struct_specifier", "class_specifier")
_NAMES = ("field_identifier", "pointer_declarator", "array_declarator")


class Told(NamedTuple):
    """A class: its qualified name, its public bases by their own names, its public data members, and the words of
    their types."""

    name: str
    bases: tuple[str, ...]
    members: tuple[str, ...]
    uses: frozenset[bytes]


def told_classes(files: Mapping[str, FileParts], wanted: Sequence[str]) -> list[Told]:
    """The classes that some types (as text) name or hold, and that have to be told; what they hold comes first.

    Templates, and classes with private members, are left out: nothing outside can name their members.
    """
    known: dict[bytes, tuple[Told, bool]] = {}
    pending = set().union(*(words(text.encode("utf-8", "replace")) for text in wanted)) if wanted else set()
    order: list[Told] = []
    done: set[bytes] = set()
    sources = {path: parts.src for path, parts in files.items() if b"struct" in parts.src or b"class" in parts.src}
    defined = {name for src in sources.values() for name in words(src)} & pending
    if not defined:
        return []
    while pending - done:
        new = pending - done
        done |= new
        for src in sources.values():
            if any(b"struct " + name in src or b"class " + name in src for name in new):
                known |= {name: found for name, found in _classes(src).items() if name not in known}
        for name in sorted(new & known.keys()):
            told, needed = known[name]
            pending |= told.uses
            if needed:
                order.append(told)
    return order[::-1]


def specialisation(told: Told) -> str:
    """One line of C++ that tells a class's members to the description."""
    parts = [f"v.template base<Whole, typename Whole::{name}>();" for name in told.bases]
    parts += [f'v.template named<decltype(Whole::{name})>(offsetof(Whole, {name}), "{name}");' for name in told.members]
    each = f"template <class Visitor> static void each(const Visitor& v) {{ (void)v; {' '.join(parts)} }}"
    return f"namespace emu {{ template <> struct Members<{told.name}> {{ using Whole = {told.name}; {each} }}; }}"


def _classes(src: bytes) -> dict[bytes, tuple[Told, bool]]:
    """The plain classes that a file defines, by name, and whether C++ needs to be told of them."""
    from musify_ai.syntax.tree import parse

    out: dict[bytes, tuple[Told, bool]] = {}
    waiting = [parse(src).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _CLASSES:
            found = _read(node)
            if found is not None:
                out.setdefault(found[0].name.rsplit("::", 1)[-1].encode(), found)
        elif node.type != "function_definition":
            waiting.extend(node.children)
    return out


def _read(node: Node) -> tuple[Told, bool] | None:
    """A class as its definition has it; None for what cannot be told."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    scope = _scope(node)
    if name is None or body is None or name.type != "type_identifier" or scope is None:
        return None
    public = node.type == "struct_specifier"
    members: list[str] = []
    uses: set[bytes] = set()
    built = False
    listed = False
    for each in body.named_children:
        if each.type == "access_specifier":
            public = each.text == b"public"
        elif each.type in ("function_definition", "declaration", "template_declaration"):
            called = _declared(each)
            built = built or called == name.text
        elif each.type == "field_declaration":
            kinds = {child.type for child in each.children}
            if kinds & {"storage_class_specifier", "bitfield_clause"} or b"&" in (each.text or b"").split(b"=")[0]:
                continue
            names = [found for child in each.children_by_field_name("declarator") if (found := _member(child))]
            if names and not public:
                return None
            members += names
            listed = listed or (b"*" in (each.text or b"") and b"[" in (each.text or b""))
            uses |= words(each.text or b"")
        elif each.type.startswith("preproc_if"):
            continue  # which branch holds is not known here: what stands there keeps its zeros
    clause = next((each for each in node.named_children if each.type == "base_class_clause"), None)
    bases: list[str] = []
    for each in clause.named_children if clause is not None else ():
        if each.type == "access_specifier" and each.text != b"public":
            return None
        if each.type in ("type_identifier", "qualified_identifier", "template_type"):
            text = (each.text or b"").decode("utf-8", "replace")
            bases.append(text.split("<", 1)[0].rsplit("::", 1)[-1])
            uses |= words(each.text or b"")
    told = Told(
        "::".join([*scope, name.text.decode()]) if name.text else "", tuple(bases), tuple(members), frozenset(uses)
    )
    # Arrays of pointers come with other arrays that only their names tell apart (`musify_ai.verify.lists`).
    return told, bool(bases) or built or listed or len(members) >= APART


def _scope(node: Node) -> list[str] | None:
    """The names of the namespaces and classes around a class; None within a template or a function."""
    out: list[str] = []
    above = node.parent
    while above is not None:
        if above.type in ("template_declaration", "function_definition"):
            return None
        if above.type in (*_CLASSES, "namespace_definition"):
            named = above.child_by_field_name("name")
            if named is not None and named.text:
                out.insert(0, named.text.decode("utf-8", "replace"))
        above = above.parent
    return ["", *out]


def _declared(node: Node) -> bytes:
    """The name of the function that a member declares."""
    for each in _below(node):
        if each.type == "function_declarator":
            inner = each.child_by_field_name("declarator")
            return (inner.text or b"") if inner is not None else b""
    return b""


def _below(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type != "compound_statement":
            yield each
            waiting.extend(each.named_children)


def _member(node: Node) -> str:
    """The name that a declarator gives a data member; empty for a function or what has none."""
    while node.type in _NAMES:
        if node.type == "field_identifier":
            return (node.text or b"").decode("utf-8", "replace")
        inner = node.child_by_field_name("declarator")
        if inner is None:
            return ""
        node = inner
    return ""
