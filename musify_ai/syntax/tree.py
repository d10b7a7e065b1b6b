"""tree-sitter's view of a CUDA file, opened only when a rule or the checker asks for structure.

The tree is never walked from Python: candidates come from the lexer, `node_at` finds the node over their bytes, and
`climb` goes up from there. More than a quarter of real files hold ERROR nodes, so whoever asks must bear with them
(`sound` says whether a node is free of them), and macro bodies are opaque: `parse` them as snippets of their own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from musify_ai.syntax.masking import mask

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Language, Node, Tree


class GrammarMissing(RuntimeError):
    """tree-sitter or its CUDA grammar is not installed, or they do not fit each other."""


@cache
def language() -> Language:
    """The CUDA grammar; raises `GrammarMissing` where it cannot be loaded."""
    try:
        import tree_sitter
        import tree_sitter_cuda

        return tree_sitter.Language(tree_sitter_cuda.language())
    except (ImportError, ValueError) as error:
        raise GrammarMissing(
            f"the CUDA grammar cannot be loaded ({error}): install tree-sitter and tree-sitter-cuda, "
            "as installing musify-ai anew does"
        ) from error


def parse(src: bytes, *, masked: bool = True) -> Tree:
    """The syntax tree of a file or snippet; its offsets are those of ``src``.

    With ``masked`` decorator macros (`musify_ai.syntax.masking`) are blanked before the parse. Any bytes give a tree.
    """
    from tree_sitter import Parser

    # A parser holds state, so each call makes its own: parsing in threads is how this scales (it releases the GIL).
    return Parser(language()).parse(mask(src) if masked else src)


def node_at(tree: Tree, start: int, end: int) -> Node:
    """The smallest node over the bytes ``[start, end)``; the root where nothing smaller covers them."""
    return tree.root_node.descendant_for_byte_range(start, max(start, end)) or tree.root_node


def ancestors(node: Node) -> Iterator[Node]:
    """A node, then its parents up to the root."""
    current: Node | None = node
    while current is not None:
        yield current
        current = current.parent


def climb(node: Node, kinds: Collection[str]) -> Node | None:
    """The nearest of a node and its parents whose type is one of ``kinds``."""
    return next((each for each in ancestors(node) if each.type in kinds), None)


def sound(node: Node) -> bool:
    """Whether a node holds no ERROR or MISSING node and stands in no ERROR node itself."""
    return not node.has_error and all(each.type != "ERROR" for each in ancestors(node))
