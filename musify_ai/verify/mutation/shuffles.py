"""Mutants of shuffles, and of the loops that lead a butterfly of them up or down.

Where lanes are paired by exclusive or, other steps often reach the same lanes: 1, 2, 5, 8, 16 pair all 32 of a group as
1, 2, 4, 8, 16 do, and a step of the width or more gives a lane its own value. So a step is not made one too high, but
none at all, and the head of such a loop is mutated as a whole: it never runs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from musify_ai.verify.mutation.places import Site, arguments_of, called, site

if TYPE_CHECKING:
    from tree_sitter import Node

_XOR = b"__shfl_xor_sync"
_SHUFFLES = frozenset((b"__shfl_sync", b"__shfl_up_sync", b"__shfl_down_sync", _XOR))

Ladders = Mapping[int, tuple[Site, ...]]
"""The conditions of loops that only lead a butterfly, by node, with their mutants; and nodes that are left alone."""


def shuffle_sites(node: "Node", src: bytes) -> Iterator[Site]:
    """The mutants of a call, where it is a shuffle."""
    name = called(node, src)
    if name not in _SHUFFLES:
        return
    arguments = arguments_of(node.child_by_field_name("arguments"))
    if len(arguments) >= 3:
        yield site("mask", "fewer_lanes", arguments[0])
        yield site("lane", "none" if name == _XOR else "next", arguments[2])
    if len(arguments) == 4 and not (name == _XOR and _stays_in_half(arguments[2], arguments[3], src)):
        yield site("width", "half", arguments[3])


def _stays_in_half(step: "Node", width: "Node", src: bytes) -> bool:
    """Whether a step is known to leave no lane's half of the width."""
    texts = [src[each.start_byte : each.end_byte].rstrip(b"uU") for each in (step, width)]
    return all(text.isdigit() for text in texts) and 2 * int(texts[0]) < int(texts[1])


def is_argument_of_shuffle(node: "Node", src: bytes) -> bool:
    """Whether a constant is mutated already as a lane, a width or a mask."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
    return call is not None and call.type == "call_expression" and called(call, src) in _SHUFFLES


def ladders_in(nodes: Iterable["Node"], src: bytes) -> Ladders:
    """The heads of loops whose variable is the step of a butterfly and nothing else."""
    found: dict[int, tuple[Site, ...]] = {}
    for node in nodes:
        if node.type != "for_statement":
            continue
        first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        body = node.child_by_field_name("body")
        if first is None or condition is None or body is None:
            continue
        variable = _declared(first, src)
        if variable and _leads_butterfly(body, variable, src):
            found[first.id] = ()
            found[condition.id] = (site("condition", "never", condition),)
    return found


def in_ladders(node: "Node", ladders: Ladders) -> bool:
    """Whether a node is, or is inside, a part of a loop's head that is mutated as a whole."""
    at: Node | None = node if ladders else None
    while at is not None and at.type != "compound_statement":
        if at.id in ladders:
            return True
        at = at.parent
    return False


def _declared(first: "Node", src: bytes) -> bytes:
    """The variable that a loop declares: one, with a value."""
    declarators = [each for each in first.named_children if each.type == "init_declarator"]
    name = declarators[0].child_by_field_name("declarator") if len(declarators) == 1 else None
    return src[name.start_byte : name.end_byte] if name is not None and name.type == "identifier" else b""


def _leads_butterfly(body: "Node", variable: bytes, src: bytes) -> bool:
    """Whether a variable is the step of shuffles by exclusive or, and used nowhere else in a loop's body."""
    uses, steps = 0, 0
    waiting = [body]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type == "identifier":
            uses += src[node.start_byte : node.end_byte] == variable
        elif node.type == "call_expression" and called(node, src) == _XOR:
            arguments = arguments_of(node.child_by_field_name("arguments"))
            steps += len(arguments) >= 3 and src[arguments[2].start_byte : arguments[2].end_byte] == variable
    return bool(steps) and uses == steps
