"""MUS831: PyTorch operators that torch_musa answers otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS831"
TITLE = "Product with another type for its result"
WHY = """
`torch.mm(a, b, out_dtype=torch.float32)` writes zeros under torch_musa 2.11.0.post1 with SDK 5.2, without an error.
"""
EXAMPLE = """
y = torch.mm(a, b, out_dtype=torch.float32)
"""
INSTEAD = """
Convert after the product, or before it where its accuracy is needed; or use a later torch_musa, and test it.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("torchada 0.1.103: its table of operators by version",)
TRIGGERS = frozenset((b"out_dtype",))
VALID = (
    "import torch\ny = torch.mm(a, b)\n",
    "y = mm(a, b, out_dtype=x)\n",
)
INVALID = (
    Case(
        "import torch\ny = torch.bmm(a, b, out_dtype=torch.float32)\n", findings=("out_dtype=torch.float32",),
        path="case.py",
    ),
)  # fmt: skip
_PRODUCTS = ("torch.mm", "torch.bmm", "torch.addmm", "torch.baddbmm")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Such calls."""
    seen = view(unit)
    for node in seen.nodes:
        if isinstance(node, ast.Call) and seen.dotted(node.func) in _PRODUCTS:
            for each in node.keywords:
                if each.arg == "out_dtype":
                    text = (
                        f"{seen.dotted(node.func)} with out_dtype wrote zeros under torch_musa 2.11.0.post1, SDK 5.2."
                    )
                    yield Finding(CODE, "warning", *seen.span(each), text, effort="minutes", name="out_dtype")
