"""What can be mutated in device code: operators, conditions, indices, constants, stores, barriers, shuffles.

A site is found in the syntax tree and written as insertions around what stands there, so that no line moves. What the
preprocessor or the compiler wants as it is (template arguments, assembly, attributes) is left alone.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from musify_ai.verify.mutation.places import Site, arguments_of, called, site
from musify_ai.verify.mutation.shuffles import in_ladders, is_argument_of_shuffle, ladders_in, shuffle_sites

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = {
    "operator": "another operator",
    "condition": "a condition turned round, or never so",
    "index": "an index one too high",
    "constant": "a constant one too high",
    "store": "a store left out",
    "barrier": "a barrier or fence left out",
    "moved": "a barrier behind the next statement that uses shared memory, or before the last one",
    "print": "what is printed left out",
    "width": "half the width of a shuffle",
    "mask": "a mask without the upper half",
    "lane": "a neighbouring lane, or none",
    "atomic": "an atomic operation left out",
    "narrow": "through a narrower type",
    "return": "nothing returned",
    "body": "an empty body",
    "launch": "another launch",
}
"""The kinds of mutants, and what each is."""


_OPERATORS = {
    "+": "plus", "-": "minus", "*": "times", "/": "over", "%": "rest", "<": "less", "<=": "at_most", ">": "more",
    ">=": "at_least", "&": "both", "|": "either", "^": "one_of", "<<": "left", ">>": "right",
}  # fmt: skip

# No C++ expression, or one that must stay a constant as it is written.
_CLOSED = frozenset(
    (
        "template_argument_list", "template_parameter_list", "gnu_asm_expression", "static_assert_declaration",
        "preproc_def", "preproc_function_def", "preproc_call", "preproc_include", "attribute_declaration",
        "attribute_specifier", "sizeof_expression", "alignof_expression", "decltype", "comment", "string_literal",
        "raw_string_literal", "concatenated_string", "lambda_capture_specifier", "ERROR", "type_descriptor",
        "enumerator_list", "parameter_list", "alignas_qualifier", "bitfield_clause", "kernel_call_syntax",
    )
)  # fmt: skip

_OF_BLOCKS = frozenset((b"__syncthreads",))
_PASSED = ("expression_statement", "if_statement", "for_statement")
_SHARED = re.compile(rb"__shared__[^;]*?(\w+)\s*\[")
_NAME = re.compile(rb"\w+")
_BARRIERS = frozenset((b"__syncthreads", b"__syncwarp", b"__threadfence", b"__threadfence_block", b"sync"))


def sites_in(root: "Node", src: bytes, start: int, end: int, *, kernel: bool) -> list[Site]:
    """The sites in a function's body ``[start, end)``, outer ones before those inside them; ``kernel`` adds an empty
    body."""
    found: list[Site] = []
    if kernel:
        found.append(Site("body", "on", start + 1, start + 1, src.count(b"\n", 0, start) + 1))
    ladders = ladders_in(_within(root, start, end), src)
    for node in _within(root, start, end):
        found += () if in_ladders(node, ladders) else _of(node, src)
        found += ladders.get(node.id, ())
    return found


def _within(root: "Node", start: int, end: int) -> Iterator["Node"]:
    """The nodes inside a span, in order, without what is closed."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        if start < node.start_byte and node.end_byte <= end:
            if node.type in _CLOSED or node.is_missing:
                continue
            yield node
        waiting.extend(reversed(node.children))


def _of(node: "Node", src: bytes) -> Iterator[Site]:
    kind = node.type
    if kind == "binary_expression":
        yield from _binary(node, src)
    elif kind == "if_statement":
        condition = node.child_by_field_name("condition")
        inner = condition.child_by_field_name("value") if condition is not None else None
        constexpr = any(child.type == "constexpr" for child in node.children)
        if inner is not None and not constexpr and inner.type != "declaration" and not _compares_equal(inner):
            yield site("condition", "flip", inner)
    elif kind == "conditional_expression":
        condition = node.child_by_field_name("condition")
        if condition is not None and not _compares_equal(condition):
            yield site("condition", "flip", condition)
    elif kind == "subscript_expression":
        for each in arguments_of(node.child_by_field_name("indices")):
            yield site("index", "next", each)
    elif kind == "number_literal":
        if src[node.start_byte : node.end_byte].strip(b"0.fFuUlLxX") and not is_argument_of_shuffle(node, src):
            yield site("constant", "next", node)
    elif kind == "expression_statement":
        yield from _statement(node, src)
    elif kind == "call_expression":
        yield from shuffle_sites(node, src)
    elif kind == "return_statement":
        for returned in node.named_children[:1]:
            if returned.type != "initializer_list":
                yield site("return", "nothing", returned)
    elif kind == "init_declarator":
        value = node.child_by_field_name("value")
        if value is not None and value.type not in ("initializer_list", "argument_list"):
            yield site("narrow", "narrow", value)
    elif kind == "assignment_expression":
        yield from _assignment(node, src)


def _compares_equal(node: "Node") -> bool:
    """Whether a condition is one that is turned round as an operator already."""
    inner: Node | None = node
    while inner is not None and inner.type == "parenthesized_expression":
        inner = inner.named_child(0)
    if inner is None:
        return False
    operator = inner.child_by_field_name("operator")
    return inner.type == "binary_expression" and operator is not None and operator.type in ("==", "!=")


def _binary(node: "Node", src: bytes) -> Iterator[Site]:
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is None or left is None or right is None:
        return
    text = operator.type
    if text in ("==", "!="):
        # Turned round it often means the same: each of the other lanes stores what one alone was to store.
        yield site("condition", "never", node)
    elif text in ("&&", "||"):
        yield site("condition", "flip", right)
    elif text in _OPERATORS and not (_calls(left) and _calls(right)) and not _chooses_operand(node, left, right, src):
        # Arguments of a call are evaluated in another order than operands: both must not do things.
        span = (operator.start_byte, operator.end_byte)
        yield Site("operator", _OPERATORS[text], node.start_byte, node.end_byte, node.start_point[0] + 1, span)


def _chooses_operand(node: "Node", left: "Node", right: "Node", src: bytes) -> bool:
    """Whether a comparison chooses between what it compares (``a < b ? b : a``, or ``b`` and a further choice with
    ``a``), or between their differences (``a < b ? b - a : a - b``): at equality both are the same."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is None or parent.type != "conditional_expression":
        return False
    names = [src[each.start_byte : each.end_byte] for each in (left, right)]
    if left.type == right.type == "identifier":
        ways = [_difference(parent.child_by_field_name(name), src) for name in ("consequence", "alternative")]
        if ways in ([names, names[::-1]], [names[::-1], names]):
            return True
    chosen = [_choices(parent.child_by_field_name(name), src) for name in ("consequence", "alternative")]
    operands = [src[each.start_byte : each.end_byte].strip(b"() ") for each in (left, right)]
    return any(a in chosen[0] and b in chosen[1] for a, b in (operands, operands[::-1]))


def _difference(node: "Node | None", src: bytes) -> list[bytes]:
    """The two names of ``a - b``; nothing for anything else."""
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_child(0)
    if node is None or node.type != "binary_expression":
        return []
    left, right, operator = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or operator is None or operator.type != "-":
        return []
    return [src[each.start_byte : each.end_byte] for each in (left, right)]


def _choices(node: "Node | None", src: bytes) -> set[bytes]:
    """The texts of what an expression may be, through further choices."""
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_child(0)
    if node is None:
        return set()
    if node.type == "conditional_expression":
        return _choices(node.child_by_field_name("consequence"), src) | _choices(
            node.child_by_field_name("alternative"), src
        )
    return {src[node.start_byte : node.end_byte].strip(b"() ")}


def _calls(node: "Node") -> bool:
    """Whether an expression may do something besides giving a value."""
    if node.type in ("call_expression", "assignment_expression", "update_expression"):
        return True
    return any(_calls(child) for child in node.named_children)


def _statement(node: "Node", src: bytes) -> Iterator[Site]:
    """Statements that can be left out; what is called stands in `` (void)(on<K>() || (statement, true))``."""
    if not node.named_children or src[node.end_byte - 1 : node.end_byte] != b";":
        return
    inner = node.named_children[0]
    whole = Site("store", "drop", inner.start_byte, inner.end_byte, inner.start_point[0] + 1)
    if inner.type == "assignment_expression":
        target = inner.child_by_field_name("left")
        if target is not None and target.type in ("subscript_expression", "pointer_expression", "field_expression"):
            yield whole
    elif inner.type == "call_expression":
        name = called(inner, src)
        if name in _BARRIERS:
            yield whole._replace(kind="barrier")
            if name in _OF_BLOCKS:
                yield from (whole._replace(kind="moved", moved=at) for at in _elsewhere(node, src))
        elif name == b"printf":
            yield whole._replace(kind="print")
        elif name.startswith(b"atomic"):
            yield whole._replace(kind="atomic")


def _elsewhere(node: "Node", src: bytes) -> Iterator[int]:
    """Where else in its block a barrier could stand: behind the statement after it and before the one before it, where
    that uses shared memory by name."""
    block = node.parent
    if block is None or block.type != "compound_statement":
        return
    shared = set(_SHARED.findall(src))
    beside = [each for each in block.named_children if each.type != "comment"]
    at = next(index for index, each in enumerate(beside) if each.start_byte == node.start_byte)
    for other, place in ((at + 1, "end_byte"), (at - 1, "start_byte")):
        if 0 <= other < len(beside) and beside[other].type in _PASSED:
            text = src[beside[other].start_byte : beside[other].end_byte]
            if shared & set(_NAME.findall(text)) and not any(each in text for each in _OF_BLOCKS):
                yield getattr(beside[other], place)


def _assignment(node: "Node", src: bytes) -> Iterator[Site]:
    operator, value = node.child_by_field_name("operator"), node.child_by_field_name("right")
    if operator is None or value is None or value.type == "initializer_list":
        return
    if operator.type in ("+=", "-="):
        yield site("operator", "negative", value)
    elif operator.type == "=":
        yield site("narrow", "narrow", value)
