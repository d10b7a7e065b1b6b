"""Strings of a Python file that are run as Python: handed to `exec` and its kin, to ``python -c``, to a timer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.python.strings import strings
from musify_ai.translate.python.view import View

_BUILTINS = frozenset(("exec", "eval", "compile"))
_METHODS = frozenset(("runsource", "runcode", "run_cell", "run_string", "exec_module_source"))
_TIMERS = late_pattern(r"timeit\.(?:timeit|repeat|Timer)\Z|torch\.utils\.benchmark\.(?:\w+\.)*Timer\Z")
_COMMAND = late_pattern(r"\bpython[\d.]*(?:\s+-\w+)*\s+-\w*c\s")
_PROGRAM = late_pattern(r"^[ \t]*(?:import torch\b|from torch[.\w]* import\b)", re.M)
_SPEAKS = late_pattern(r"\bcuda\b[.(:]|torch\.cuda|[\"']cuda[\"':]|\bis_cuda\b|[\"']nccl[\"']")


def run_strings(seen: View) -> frozenset[ast.expr]:
    """The strings of a file that are run as Python, or are whole programs, and speak of CUDA.

    A name that is run stands for every string that the file assigns to it. What is read from elsewhere is not known.
    """
    if "run strings" not in seen.memo:
        texts = {place.node: text_of(place.node) for place in strings(seen)}
        speaking = {node for node, text in texts.items() if _SPEAKS.search(text)}
        found: set[ast.expr] = set()
        if speaking:
            found = {node for node in speaking if _COMMAND.search(texts[node]) or _is_program(texts[node])}
            found |= speaking & set(_below(seen, list(_run(seen))))
        seen.memo["run strings"] = frozenset(found)
    held: frozenset[ast.expr] = seen.memo["run strings"]
    return held


def text_of(node: ast.expr) -> str:
    """What a string says, as far as it stands there: what an f-string computes is left out."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(each) if isinstance(each, ast.Constant) else "_" for each in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_program(text: str) -> bool:
    return "\n" in text.strip() and _PROGRAM.search(text) is not None


def _run(seen: View) -> Iterator[ast.expr]:
    """The expressions whose value is run."""
    for node in seen.nodes:
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if (isinstance(function, ast.Name) and name in _BUILTINS) or name in _METHODS:
                yield from node.args[:1]
            elif _TIMERS.match(seen.dotted(function)):
                yield from node.args
                yield from (each.value for each in node.keywords if each.arg in ("stmt", "setup"))
            yield from _after_option(node.args)
        elif isinstance(node, ast.List | ast.Tuple):
            yield from _after_option(node.elts)


def _after_option(values: list[ast.expr]) -> Iterator[ast.expr]:
    for option, value in pairwise(values):
        if isinstance(option, ast.Constant) and option.value == "-c":
            yield value


def _below(seen: View, run: list[ast.expr]) -> Iterator[ast.expr]:
    """The strings in expressions, and in what the file assigns to names in them."""
    names: set[str] = set()
    for expression in run:
        for node in ast.walk(expression):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.expr):
                yield node
    for node in seen.nodes if names else ():
        targets = (
            node.targets if isinstance(node, ast.Assign)
            else [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr)
            else []
        )  # fmt: skip
        if any(isinstance(each, ast.Name) and each.id in names for each in targets):
            value = getattr(node, "value", None)
            yield from (each for each in ast.walk(value) if isinstance(each, ast.expr)) if value is not None else ()
