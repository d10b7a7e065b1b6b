"""MUS822: ``.cuda()`` and ``.is_cuda`` of tensors and modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import imports_torch, view
from musify_ai.translate.unit import Unit

CODE = "MUS822"
TITLE = "Tensor and module methods named after CUDA"
WHY = """
`tensor.cuda()` moves a tensor to an NVIDIA GPU, and `tensor.is_cuda` asks whether it is on one. On a Moore Threads GPU
the first raises and the second is false, so that a branch for the GPU is never taken and nothing says so.
"""
EXAMPLE = """
import torch
model.cuda()
if x.is_cuda:
    run(x)
"""
INSTEAD = """
`.musa()` and `.is_musa`, which torch_musa puts on tensors, storages and modules. Where a class of the file has a method
`cuda` of its own, the method and its calls belong together: rename both, or keep both.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/core/tensor_attrs.py, module_attrs.py, storage.py",)
TRIGGERS = frozenset((b"cuda", b"is_cuda", b"cuda_stream", b"cuda_event"))
VALID = (
    "import torch\nx.cpu()\nx.cuda_x()\n",
    "import cupy\nwith cupy.cuda.Device(0):\n    pass\n",
    "import torch\nfrom numba import cuda\ncuda.grid(1)\n",
)
INVALID = (
    Case(
        "import torch\nm = net.cuda()\ny = x[0].cuda(1, non_blocking=True)\n",
        output="import torch\nm = net.musa()\ny = x[0].musa(1, non_blocking=True)\n",
        path="case.py",
    ),
    Case(
        "from torch import nn\nif not x.is_cuda:\n    pass\n",
        output="from torch import nn\nif not x.is_musa:\n    pass\n",
        path="case.py",
    ),
    Case(
        "import torch\nclass A:\n    def cuda(self):\n        return self\na = A().cuda()\n",
        findings=(".cuda",),
        fixed="import torch\nclass A:\n    def cuda(self):\n        return self\na = A().musa()\n",
        path="case.py",
    ),
    Case("def f(x):\n    return x.cuda()\n", findings=(".cuda",), fixed="def f(x):\n    return x.musa()\n",
         path="case.py"),
)  # fmt: skip
_NEW = {"cuda": b"musa", "is_cuda": b"is_musa"}
_HANDLES = ("cuda_stream", "cuda_event")
_SOURCE = "torch_musa: torch_musa/core/tensor_attrs.py and module_attrs.py"


def _defined(node: ast.AST) -> Iterator[str]:
    """The names that a class gives its members, or that are put on an object."""
    if isinstance(node, ast.ClassDef):
        for each in node.body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield each.name
            elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                yield each.target.id
            elif isinstance(each, ast.Assign):
                yield from (target.id for target in each.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Attributes ``cuda`` that are called, and ``is_cuda``, of what is no module."""
    seen = view(unit)
    of_torch = imports_torch(seen)
    nodes = seen.nodes
    own = {name for node in nodes for name in _defined(node) if name in _NEW}
    if b"is-cuda" in unit.src:
        own.add("is_cuda")  # of an option of the command line
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    below = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if of_torch and isinstance(node, ast.Attribute) and node.attr in _HANDLES:
            spot = seen.attribute(node)
            if spot is not None:
                new = node.attr.replace("cuda", "musa")
                edit = Edit(*spot, node.attr.encode(), new.encode(), CODE, "rule", "unsafe", "derived: prefix")
                text = f".{node.attr}: the raw handle, which torch_musa gives by another name (.{new}, by its prefix)."
                yield Finding(CODE, "warning", spot[0] - 1, spot[1], text, edit=edit, effort="minutes", name=node.attr)
        if not isinstance(node, ast.Attribute) or node.attr not in _NEW or seen.dotted(node):
            continue
        place = seen.attribute(node)
        if place is None or not isinstance(node.ctx, ast.Load):
            continue
        bare = node.attr == "cuda" and id(node) not in called
        if bare and (not of_torch or id(node) in below or ast.unparse(node.value) == "torch"):
            continue  # of the last MUS820 speaks
        sure = of_torch and node.attr not in own and not bare
        edit = Edit(*place, node.attr.encode(), _NEW[node.attr], CODE, "rule", "safe" if sure else "unsafe", _SOURCE)
        if sure:
            yield edit
            continue
        why = (
            "it is not called here, so what it stands for is not known"
            if bare
            else f"this file has its own {node.attr}, and this may be it"
            if of_torch
            else "the file does not import torch, so what this is asked of is not known"
        )
        text = f".{node.attr}: {why}. A tensor or module of PyTorch has .{_NEW[node.attr].decode()} on MUSA."
        yield Finding(CODE, "warning", place[0] - 1, place[1], text, edit=edit, effort="minutes", name=node.attr)
