"""Rounds of a compare-and-swap that begin anew with nothing but another guess.

    do {
        assumed = old;
        old = atomicCAS(address, assumed, value made of assumed);
    } while (assumed != old);

On the CPU device nobody comes between the guess and the swap, so that no run reaches a second round, and that the
loop's condition is left out goes unnoticed. Where a round depends on the ones before it through the guess alone, the
second is a first one with another guess, and first ones are checked. Anything else that a round might bring along (a
value read before the loop from where the swap writes, a second variable that is kept) is not taken for that.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_PURE = re.compile(
    rb"__\w+_as_\w+|__(?:half|float|double|u?int|u?ll|u?short|bfloat16)2\w+|[fu]?(?:min|max)f?|fmaf?|f?absf?|__[fd](?:add|mul)_rn|__h(?:add|mul|min|max)2?"
)
_READS = ("subscript_expression", "pointer_expression", "field_expression")


def is_round(src: bytes, line: int, condition: bytes) -> bool:
    """Whether a comparison that begins on a line, from 1, and is written so, is the condition of such a loop."""
    from musify_ai.syntax.tree import parse

    found = [
        each
        for each in _nodes(parse(src).root_node)
        if each.type == "binary_expression" and each.start_point[0] + 1 == line and _text(each, src) == condition
    ]
    return bool(found) and all(starts_anew(each, src) for each in found)


def starts_anew(condition: "Node", src: bytes) -> bool:
    """Whether a comparison is the condition of such a loop."""
    guess = {_text(each, src) for each in condition.named_children}
    if len(guess) != 2 or any(each.type != "identifier" for each in condition.named_children):
        return False
    loop = condition.parent
    while loop is not None and loop.type == "parenthesized_expression":
        loop = loop.parent
    body = loop.child_by_field_name("body") if loop is not None and loop.type == "do_statement" else None
    if loop is None or body is None or body.type != "compound_statement":
        return False
    statements = [each for each in body.named_children if each.type != "comment"]
    if len(statements) < 2:
        return False
    first, *between, last = statements
    begin, swap = _assigned(first, src), _assigned(last, src)
    if begin is None or swap is None or {begin[0], _text(begin[1], src)} != guess or swap[0] != _text(begin[1], src):
        return False
    given = _swapped(swap[1], src)
    if given is None or _text(given[1], src) != begin[0]:
        return False
    own = _declared_in(between, src)
    if own is None:
        return False
    values = [given[2], *own.values()]
    return _is_made_of(values, begin[0], set(own), given[0], _around(loop, src), src, forbidden=swap[0])


def _assigned(statement: "Node", src: bytes) -> "tuple[bytes, Node] | None":
    """The name that a statement assigns to with ``=``, and the value."""
    simple = statement.type == "expression_statement" and statement.named_children
    inner = statement.named_children[0] if simple else None
    if inner is None or inner.type != "assignment_expression":
        return None
    name, value, operator = (inner.child_by_field_name(field) for field in ("left", "right", "operator"))
    if name is None or value is None or operator is None or operator.type != "=" or name.type != "identifier":
        return None
    return _text(name, src), value


def _swapped(call: "Node", src: bytes) -> "list[Node] | None":
    """The three arguments of ``atomicCAS``."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if call.type != "call_expression" or function is None or arguments is None or _text(function, src) != b"atomicCAS":
        return None
    given = [each for each in arguments.named_children if each.type != "comment"]
    return given if len(given) == 3 else None


def _declared_in(statements: "list[Node]", src: bytes) -> "dict[bytes, Node] | None":
    """The variables that some statements declare, with their values; None where one is no such declaration."""
    found: dict[bytes, Node] = {}
    for each in statements:
        variable = _variable(each, src)
        if variable is None or b"static" in _text(each, src).split():
            return None
        found[variable[0]] = variable[1]
    return found


def _variable(declaration: "Node", src: bytes) -> "tuple[bytes, Node] | None":
    if declaration.type != "declaration":
        return None
    declarators = [each for each in declaration.named_children if each.type.endswith("declarator")]
    if len(declarators) != 1 or declarators[0].type != "init_declarator":
        return None
    name, value = (declarators[0].child_by_field_name(field) for field in ("declarator", "value"))
    while name is not None and name.type == "pointer_declarator":
        name = name.child_by_field_name("declarator")
    if name is None or value is None or name.type != "identifier":
        return None
    return _text(name, src), value


def _around(loop: "Node", src: bytes) -> "dict[bytes, Node | None]":
    """What the function declares in front of the loop, once and for good: values of its variables; parameters have
    none."""
    function = loop.parent
    while function is not None and function.type != "function_definition":
        function = function.parent
    found: dict[bytes, Node | None] = {}
    if function is None:
        return found
    set_again: Counter[bytes] = Counter()
    for each in _nodes(function):
        if each.type == "parameter_declaration":
            names = [name for name in _nodes(each) if name.type == "identifier"]
            if not any(inner.type == "reference_declarator" for inner in _nodes(each)):  # that one reads anew
                found |= {_text(name, src): None for name in names}
            set_again.update({_text(name, src) for name in names})
        elif each.type == "declaration":
            for one in each.named_children:
                set_again.update({_text(name, src) for name in _declared(one)})
            if (variable := _variable(each, src)) is not None and each.start_byte < loop.start_byte:
                found[variable[0]] = variable[1]
        elif each.type in ("assignment_expression", "update_expression"):
            target = each.child_by_field_name("left") or each.child_by_field_name("argument")
            set_again.update([_text(target, src)] if target is not None else [])
    return {name: value for name, value in found.items() if set_again[name] == 1}


def _declared(declarator: "Node") -> Iterator["Node"]:
    """The names of a declarator, not those in its value."""
    if declarator.type == "identifier":
        yield declarator
    elif declarator.type.endswith("declarator"):
        inner = declarator.child_by_field_name("declarator")
        yield from (
            _declared(inner)
            if inner is not None
            else (name for each in declarator.named_children for name in _declared(each))
        )


def _is_made_of(
    values: "list[Node]", guess: bytes, own: set[bytes], address: "Node", around: "dict[bytes, Node | None]",
    src: bytes, *, forbidden: bytes,
) -> bool:  # fmt: skip
    """Whether values are made of the guess, of each other, and of what stands still around the loop: parameters, and
    variables that were read from elsewhere than the swap's address."""
    swapped = _roots(address, around, src)
    if not swapped <= around.keys() or {guess, forbidden, *own} & set(_names(address, src)) or _does(address, src):
        return False
    for value in values:
        if _does(value, src) or any(each.type in _READS for each in _nodes(value)):
            return False
        for name in _names(value, src):
            if name in own or name == guess:
                continue
            read = _read_from(name, around, src)
            if name == forbidden or name not in around or read & swapped or not read <= around.keys():
                return False
    return True


def _does(expression: "Node", src: bytes) -> bool:
    """Whether an expression sets anything, or calls what is not known to be a plain function of its arguments."""
    for each in _nodes(expression):
        if each.type in ("assignment_expression", "update_expression", "lambda_expression", "new_expression"):
            return True
        function = each.child_by_field_name("function") if each.type == "call_expression" else None
        if function is not None and function.type == "identifier" and not _PURE.fullmatch(_text(function, src)):
            return True
        if function is not None and function.type not in ("identifier", "template_function"):
            return True
        if function is not None and function.type == "template_function" and b"_cast<" not in _text(function, src):
            return True
    return False


def _read_from(name: bytes, around: "dict[bytes, Node | None]", src: bytes) -> set[bytes]:
    """What a variable's value was read through, by way of other variables too; nothing where it was only computed."""
    found: set[bytes] = set()
    waiting, seen = [name], {name}
    while waiting:
        value = around.get(waiting.pop())
        if value is None:
            continue
        for each in _nodes(value):
            if each.type in _READS or each.type == "call_expression":
                found |= _roots(each, around, src)
        for other in _names(value, src):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return found


def _roots(expression: "Node", around: "dict[bytes, Node | None]", src: bytes) -> set[bytes]:
    """The names that an address is made of, by way of variables too; what only counts elements is not left out."""
    found: set[bytes] = set()
    waiting = [expression]
    while waiting:
        for name in _names(waiting.pop(), src, indices=False):
            if name not in found:
                found.add(name)
                value = around.get(name)
                if value is not None:
                    waiting.append(value)
    return found


def _names(expression: "Node", src: bytes, *, indices: bool = True) -> Iterator[bytes]:
    """The variables that an expression names; without those between the brackets of subscripts if they are not asked
    for."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if node.type == "identifier" and not _is_called(node):
            yield _text(node, src)
        waiting += [
            child
            for number, child in enumerate(node.children)
            if indices or node.type != "subscript_expression" or node.field_name_for_child(number) != "indices"
        ]


def _is_called(name: "Node") -> bool:
    parent = name.parent
    if parent is None or parent.type == "template_function":
        return True
    return parent.type == "call_expression" and parent.child_by_field_name("function") == name


def _nodes(root: "Node") -> "Iterator[Node]":
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _text(node: "Node", src: bytes) -> bytes:
    return src[node.start_byte : node.end_byte]
