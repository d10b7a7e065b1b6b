"""A place to be mutated, and what is asked of the syntax tree around one."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class Site(NamedTuple):
    """A place ``[start, end)`` to be mutated: its kind, and what it calls (`musify_mutants.h`).

    ``operator`` is the span of an operator that becomes a comma; empty where the whole is one argument. ``moved`` is
    where a barrier that is left out here stands instead.
    """

    kind: str
    call: str
    start: int
    end: int
    line: int
    operator: tuple[int, int] = (0, 0)
    moved: int = -1


def site(kind: str, call: str, node: "Node") -> Site:
    """The whole of a node, as one argument of what is called."""
    return Site(kind, call, node.start_byte, node.end_byte, node.start_point[0] + 1)


def called(call: "Node", src: bytes) -> bytes:
    """The last name of what is called: ``sync`` of ``block.sync()``."""
    function = call.child_by_field_name("function")
    if function is None:
        return b""
    name = src[function.start_byte : function.end_byte]
    for mark in (b"::", b"->", b"."):
        name = name.rsplit(mark, 1)[-1]
    return name.split(b"<", 1)[0].strip()


def arguments_of(node: "Node | None") -> list["Node"]:
    """The arguments of a list of them, without comments."""
    return [each for each in node.named_children if each.type != "comment"] if node is not None else []
