"""A Python file as its rules see it: the tree, byte offsets of its nodes, and what a dotted name stands for."""

from __future__ import annotations

import ast
import codecs
import io
import tokenize
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any

from musify_ai.translate.python.scopes import Scopes

if TYPE_CHECKING:
    from musify_ai.translate.unit import Unit


# Encodings in which a letter of ASCII is its byte, whatever stands before it.
_PLAIN = ("utf-8", "ascii", "iso8859", "cp12", "gb", "euc", "koi8", "big5", "shift_jis", "cp932", "mac", "latin")


class View:
    """The tree of a file, and where its nodes stand in the file's bytes. ``problem`` says why there is no tree."""

    def __init__(self, src: bytes) -> None:
        self.src = src
        self.problem = ""
        self.memo: dict[str, Any] = {}
        self.tree = ast.Module([], [])
        self._lines: list[str] = []
        self._starts: list[int] = []
        self._encoding = "utf-8"
        try:
            self._read()
        except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as problem:
            line = getattr(problem, "lineno", None)
            self.problem = f"{problem.args[0] if problem.args else problem}" + (f" (line {line})" if line else "")
            self.tree = ast.Module([], [])
        self.scopes = Scopes(self.tree)

    def _read(self) -> None:
        # Lines that end with a carriage return alone are lines too, which `readline` of bytes does not know.
        first = iter(self.src[:2000].splitlines(keepends=True))
        self._encoding, _ = tokenize.detect_encoding(lambda: next(first, b""))
        if not codecs.lookup(self._encoding).name.startswith(_PLAIN):
            raise ValueError(f"its encoding, {self._encoding}, is not read here")
        mark = 3 if self._encoding == "utf-8-sig" else 0
        text = self.src[mark:].decode(self._encoding.removesuffix("-sig"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the file's own escapes; they are none of ours
            self.tree = ast.parse(text)
        self._encoding = self._encoding.removesuffix("-sig")
        # Lines as the parser counts them: by \n, \r\n and \r alone, never by a form feed or U+2028.
        at = mark
        for line in io.StringIO(text, newline=""):
            self._starts.append(at)
            self._lines.append(line)
            at += len(line.encode(self._encoding))

    def offset(self, line: int, column: int) -> int:
        """The byte offset in the file of a node's place: a line from 1, and a column in bytes of UTF-8."""
        if line > len(self._lines):
            return len(self.src)
        start = self._starts[line - 1]
        if self._encoding == "utf-8" or self._lines[line - 1].isascii():
            return start + column
        before = self._lines[line - 1].encode("utf-8")[:column].decode("utf-8", "replace")
        return start + len(before.encode(self._encoding))

    def span(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword) -> tuple[int, int]:
        """The bytes of a node."""
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.offset(node.lineno, node.col_offset), end

    def attribute(self, node: ast.Attribute) -> tuple[int, int] | None:
        """The bytes of an attribute's own name; None where it is not written as it is called."""
        _, end = self.span(node)
        start = end - len(node.attr.encode("utf-8"))
        return (start, end) if self.src[start:end] == node.attr.encode("utf-8") else None

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the file, outside first. Docstrings and other texts that stand for nothing are left out."""
        found: list[ast.AST] = []
        pending: list[ast.AST] = [self.tree]
        while pending:
            node = pending.pop()
            found.append(node)
            children = [
                each
                for each in ast.iter_child_nodes(node)
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ]
            pending += reversed(children)
        return found

    def dotted(self, node: ast.expr) -> str:
        """The full name that an expression of names and dots stands for (``torch.cuda.Stream``); empty where it
        begins with anything that no import of the file gave."""
        attributes = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        module = self.scopes.module_of(node)
        return ".".join((module, *reversed(attributes))) if module else ""


def view(unit: Unit) -> View:
    """The view of a unit, made once."""
    if "python" not in unit.memo:
        unit.memo["python"] = View(unit.src)
    found: View = unit.memo["python"]
    return found


def imports_torch(seen: View) -> bool:
    """Whether a file imports torch or something of it anywhere."""
    return any(name == "torch" or name.startswith("torch.") for name in seen.scopes.imported)
