"""MUS836: functions that PyTorch compiles as a program runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS836"
TITLE = "Function that PyTorch compiles as it runs"
WHY = """
`torch.compile` makes Triton kernels, and Triton's wheels know NVIDIA and AMD: on MUSA it works with a Triton that has a
backend for it, and with the torch_musa of the same version, or not at all. TorchScript's fusers are written for CUDA.
MT-MegatronLM replaces both by functions that do nothing.
"""
EXAMPLE = """
step = torch.compile(step)
"""
INSTEAD = """
Try it with the Triton of MUSA (FlagTree, backend mthreads), and compare the results with those of the plain function.
Where it fails, leave the decorator out: what is computed stays the same.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/MT-MegatronLM: musa_patch/__init__.py (torch.compile and torch.jit.script replaced)",
    "MooreThreads/torch_musa: torch_musa/_inductor",
)
TRIGGERS = frozenset((b"compile", b"script"))
VALID = (
    "import re, torch\nx = re.compile('a')\nm = torch.jit.load('m.pt')\n",
    "def compile(x): pass\ncompile(1)\n",
)
INVALID = (
    Case("import torch\n@torch.compile\ndef f(x):\n    return x\n", findings=("torch.compile",), path="case.py"),
    Case("import torch\nf = torch.jit.script(f)\n", findings=("torch.jit.script",), path="case.py"),
)
_WHAT = {
    "torch.compile": "makes Triton kernels, for which MUSA needs a Triton of its own",
    "torch.jit.script": "has fusers that are written for CUDA; on MUSA a function may run unfused",
}


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Uses of the two."""
    seen = view(unit)
    inner = {id(node.value) for node in seen.nodes if isinstance(node, ast.Attribute)}
    for node in seen.nodes:
        if isinstance(node, ast.Attribute | ast.Name) and id(node) not in inner:
            what = _WHAT.get(seen.dotted(node))
            if what is not None:
                name = seen.dotted(node)
                text = f"{name} {what}. MT-MegatronLM does without; try it, and compare the results."
                yield Finding(CODE, "note", *seen.span(node), text, effort="minutes", name=name)
