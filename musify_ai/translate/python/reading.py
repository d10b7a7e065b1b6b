"""MUS829: a Python file that speaks of CUDA and cannot be read as Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS829"
TITLE = "Python file that could not be read"
WHY = """
Python is edited by what its names stand for, so a file that does not parse is left as it is, whatever it holds of CUDA:
Python 2, a template with marks in it, a newer syntax than this Python knows, or simply a broken file. Notebooks are
not read either.
"""
EXAMPLE = """
print "on cuda:", torch.cuda.is_available()
"""
INSTEAD = """
Bring the file to Python 3, run musify-ai with a newer Python, or migrate what the template generates.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("docs.python.org: ast.parse",)
TRIGGERS = frozenset((b"cuda", b"CUDA", b"nccl", b"cudnn", b"is_cuda"))
VALID = (
    "import torch\nx = torch.device('cpu')\n",
    "# cuda\n",
)
INVALID = (Case("import torch\nprint 'cuda', 1\n", findings=("import torch\nprint 'cuda', 1\n",), path="case.py"),)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding over a file without a tree."""
    problem = view(unit).problem
    if problem:
        text = f"not read as Python, so nothing in it was translated: {problem}"
        yield Finding(CODE, "warning", 0, len(unit.src), text, effort="hours", name="python")
