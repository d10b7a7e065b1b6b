"""MUS824: NCCL in PyTorch's distributed package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import said, strings
from musify_ai.translate.python.view import imports_torch, view
from musify_ai.translate.unit import Unit

CODE = "MUS824"
TITLE = 'The communication backend "nccl"'
WHY = """
torch.distributed names its backend by a string. torch_musa registers `"mccl"`; `"nccl"` is refused where PyTorch was
built without it, and in a program that falls back to `"gloo"` it is not even that.
"""
EXAMPLE = """
torch.distributed.init_process_group(backend="nccl")
"""
INSTEAD = """
`"mccl"`; in a pair of backends by device, `"cpu:gloo,musa:mccl"`. What is asked of ProcessGroupNCCL's own options has
no counterpart that is published.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: README.md", "MooreThreads/torch_musa: torch_musa/csrc/distributed/Register.cpp")
TRIGGERS = frozenset((b"nccl", b"is_nccl_available", b"ProcessGroupNCCL", b"NCCL"))
VALID = (
    'import torch\nprint("nccl is used")\n# "nccl"\n',
    'names = ["nccl"]\n',
)
INVALID = (
    Case(
        'import torch.distributed as dist\ndist.init_process_group("nccl", rank=0)\n',
        output='import torch.distributed as dist\ndist.init_process_group("mccl", rank=0)\n',
        path="case.py",
    ),
    Case(
        "import torch\ng = new_group(backend='nccl')\nbackend = 'nccl' if gpu else 'gloo'\n",
        output="import torch\ng = new_group(backend='mccl')\nbackend = 'mccl' if gpu else 'gloo'\n",
        path="case.py",
    ),
    Case('import torch\nb = "cpu:gloo,cuda:nccl"\n', output='import torch\nb = "cpu:gloo,musa:mccl"\n', path="case.py"),
    Case(
        'import torch\nNAMES = {"nccl": 1}\n',
        findings=('"nccl"',),
        fixed='import torch\nNAMES = {"mccl": 1}\n',
        path="case.py",
    ),
    Case(
        "import torch.distributed as d\nd.new_group(backend=d.Backend.NCCL)\n",
        findings=("d.Backend.NCCL",),
        path="case.py",
    ),
    Case('backend = "nccl"\n', findings=('"nccl"',), fixed='backend = "mccl"\n', path="case.py"),
    Case(
        "import torch.distributed as dist\nok = dist.is_nccl_available()\n",
        findings=("dist.is_nccl_available",),
        path="case.py",
    ),
)
_SOURCE = 'torch_musa: init_process_group("mccl") in its README and tests'


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Strings that name the backend, and questions about it."""
    seen = view(unit)
    of_torch = imports_torch(seen)
    for place in strings(seen):
        found = said(seen, place.node)
        if found is None or not found.whole:
            continue
        if "cuda:nccl" in found.text and of_torch:
            at = found.start + found.text.index("cuda:nccl")
            yield Edit(at, at + 9, b"cuda:nccl", b"musa:mccl", CODE, "rule", "safe", _SOURCE)
        elif found.text == "nccl":
            means = any(_is_backend(each, place.node) for each in place.above)
            if not means and not of_torch:
                continue
            sure = means and of_torch
            edit = Edit(found.start, found.end, b"nccl", b"mccl", CODE, "rule", "safe" if sure else "unsafe", _SOURCE)
            if sure:
                yield edit
            else:
                why = "and the place does not say that a backend is meant" if of_torch else "in a file without torch"
                text = f'the string "nccl", {why}. Where PyTorch reads it as a backend: "mccl".'
                yield Finding(CODE, "warning", *seen.span(place.node), text, edit=edit, effort="minutes", name="nccl")
    for node in seen.nodes:
        if isinstance(node, ast.Attribute | ast.Name):
            whole = seen.dotted(node)
            name = whole.rpartition(".")[2]
            if whole == "torch.distributed.Backend.NCCL":
                text = 'Backend.NCCL is "nccl"; torch_musa registers "mccl", with no name there that is known.'
                yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=whole)
            elif whole.startswith("torch.distributed.") and name in ("is_nccl_available", "ProcessGroupNCCL"):
                text = (
                    f"{whole} speaks of NCCL alone; torch_musa's backend is mccl, and no such name is published for it."
                )
                yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=whole)


def _is_backend(node: ast.AST, string: ast.expr) -> bool:
    """Whether what a string stands in says that it is a backend."""
    if isinstance(node, ast.keyword):
        return "backend" in (node.arg or "")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        return name in ("init_process_group", "new_group", "Backend") and string in node.args
    if isinstance(node, ast.IfExp):
        return any(isinstance(each, ast.Constant) and each.value == "gloo" for each in (node.body, node.orelse))
    if isinstance(node, ast.Assign):
        return all("backend" in ast.unparse(each).lower() for each in node.targets)
    if isinstance(node, ast.Compare):
        return any("backend" in ast.unparse(each).lower() for each in (node.left, *node.comparators))
    return False
