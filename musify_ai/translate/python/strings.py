"""Plain string literals of a Python file, byte for byte, and what they are said in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.python.view import View

_LITERAL = late_pattern(rb"[rRbBuUfF]{0,2}(\"\"\"|'''|\"|')")


class Said(NamedTuple):
    """A string: its text up to the first piece that is computed, the bytes of that text inside the quotes, and the
    node. ``whole`` is false where more of it is computed, or stands in a further literal."""

    text: str
    start: int
    end: int
    node: ast.Constant | ast.JoinedStr
    whole: bool


def said(seen: View, node: ast.AST) -> Said | None:
    """The text of a string literal, where its bytes are its characters; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        start, end = seen.span(node)
        found = _LITERAL.match(seen.src, start, end)
        if found is None:
            return None
        first, last = found.end(), end - len(found[1])
        text = seen.src[first:last]
        if text != node.value.encode("utf-8", "surrogatepass") or found[1] in text or not text.isascii():
            return None
        return Said(node.value, first, last, node, True)
    if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
        # Places inside an f-string are not told by every Python; the first literal's are found by its bytes.
        start, end = seen.span(node)
        found = _LITERAL.match(seen.src, start, end)
        text_of = node.values[0].value
        if found is None or not isinstance(text_of, str) or not text_of.isascii():
            return None
        first = found.end()
        if seen.src[first : first + len(text_of)] != text_of.encode() or "{" in text_of or "}" in text_of:
            return None
        return Said(text_of, first, first + len(text_of), node, len(node.values) == 1)
    return None


class Place(NamedTuple):
    """A node and what it stands in, nearest first."""

    node: ast.expr
    above: tuple[ast.AST, ...]


def strings(seen: View) -> list[Place]:
    """Every string of the file that is no docstring and no annotation, with the nodes around it (at most four)."""
    if "strings" not in seen.memo:
        seen.memo["strings"] = list(_strings(seen))
    found: list[Place] = seen.memo["strings"]
    return found


def _strings(seen: View) -> Iterator[Place]:
    pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(seen.tree, ())]
    while pending:
        node, above = pending.pop()
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            yield Place(node, above)
            if not isinstance(node, ast.JoinedStr):
                continue
            below: list[ast.AST] = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        else:
            below = [
                each
                for each in ast.iter_child_nodes(node)
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ]
        inside = (node, *above[:3])
        pending += [(each, inside) for each in reversed(below)]
