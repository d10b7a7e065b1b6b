"""MUS833: what torchada does not answer as CUDA would (``--pytorch shim``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS833"
TITLE = "Question that torchada answers otherwise"
WHY = """
torchada has `torch.cuda` work on MUSA, with one exception that it makes on purpose: `torch.cuda.is_available()` stays
false there. A program that asks it before it uses the GPU runs on the CPU, and nothing says so.
"""
EXAMPLE = """
device = "cuda" if torch.cuda.is_available() else "cpu"
"""
INSTEAD = """
`torch.cuda.is_available() or torch.musa.is_available()`; or set TORCHADA_FORCE_CUDA_AVAILABLE=1 where the program
starts.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("torchada 0.1.103: its README",)
TRIGGERS = frozenset((b"is_available",))
VALID = (
    "import torch\nok = torch.cpu.is_available()\n",
    "from own import torch\nok = torch.cuda.is_available()\n",
)
INVALID = (
    Case("import torch\nok = torch.cuda.is_available()\n", findings=("torch.cuda.is_available",), path="case.py"),
    Case(
        "from torch.cuda import is_available\nok = is_available()\n", findings=("is_available",), path="case.py"
    ),
)  # fmt: skip


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Uses of the question; `translate` asks this rule for the shim only."""
    seen = view(unit)
    inner = {id(node.value) for node in seen.nodes if isinstance(node, ast.Attribute)}
    for node in seen.nodes:
        if not isinstance(node, ast.Attribute | ast.Name) or id(node) in inner:
            continue
        if seen.dotted(node) == "torch.cuda.is_available":
            text = "torch.cuda.is_available() is false under torchada on purpose, on a machine with MUSA GPUs too."
            yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name="is_available")
