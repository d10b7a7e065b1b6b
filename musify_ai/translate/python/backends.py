"""MUS823: ``torch.backends.cudnn`` and ``torch.backends.cuda``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS823"
TITLE = "Switches of cuDNN and cuBLAS in PyTorch"
WHY = """
`torch.backends.cudnn` and `torch.backends.cuda` set what NVIDIA's libraries do. On a Moore Threads GPU they set
nothing: a program that asks for determinism, or forbids TF32, is not refused and does not get it.
"""
EXAMPLE = """
import torch
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.deterministic = True
"""
INSTEAD = """
`torch.backends.mudnn.allow_tf32`, and `torch.backends.mudnn.flags(allow_tf32=...)`: those are all that torch_musa has.
For the others there is no switch; say in the program what it relies on, or take another way to it.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/core/mudnn.py",)
TRIGGERS = frozenset((b"cudnn", b"backends"))
VALID = (
    "import torch\nb = torch.backends.mkldnn.enabled\n",
    "import torch\n# torch.backends.cudnn.benchmark\ncudnn = 1\n",
)
INVALID = (
    Case(
        "import torch\ntorch.backends.cudnn.allow_tf32 = True\n",
        output="import torch\ntorch.backends.mudnn.allow_tf32 = True\n",
        path="case.py",
    ),
    Case(
        "import torch\nwith torch.backends.cudnn.flags(allow_tf32=False):\n    pass\n",
        output="import torch\nwith torch.backends.mudnn.flags(allow_tf32=False):\n    pass\n",
        path="case.py",
    ),
    Case(
        "import torch\ntorch.backends.cudnn.benchmark = True\n",
        findings=("torch.backends.cudnn.benchmark",),
        path="case.py",
    ),
    Case(
        "from torch.backends import cudnn\ncudnn.deterministic = True\n",
        findings=("from torch.backends import cudnn", "cudnn.deterministic"),
        path="case.py",
    ),
    Case(
        "import torch\ntorch.backends.cuda.matmul.allow_tf32 = False\n",
        findings=("torch.backends.cuda.matmul.allow_tf32",),
        path="case.py",
    ),
    Case(
        "import torch\nwith torch.backends.cudnn.flags(enabled=False):\n    pass\n",
        findings=("torch.backends.cudnn.flags",),
        path="case.py",
    ),
)
_HELD = frozenset(("allow_tf32", "version"))
_SOURCE = "torch_musa: torch_musa/core/mudnn.py"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Uses and imports of the two modules."""
    seen = view(unit)
    nodes = seen.nodes
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom | ast.Import):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            for each in node.names:
                name = f"{module}.{each.name}" if module else each.name
                if (name + ".").startswith(("torch.backends.cudnn.", "torch.backends.cuda.")) and (
                    module or each.asname
                ):
                    text = f"{name} sets what an NVIDIA library does; torch.backends.mudnn has allow_tf32 and no more."
                    yield Finding(CODE, "note", *seen.span(node), text, effort="minutes", name=name)
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        whole = seen.dotted(node)
        if not whole.startswith(("torch.backends.cudnn.", "torch.backends.cuda.")):
            continue
        names = whole.split(".")
        place = _module_place(node, len(names))
        call = calls.get(id(node))
        held = names[2] == "cudnn" and len(names) == 4 and (
            names[3] in _HELD or (names[3] == "flags" and call is not None and _asks_for_tf32_only(call))
        )  # fmt: skip
        found = seen.attribute(place) if place is not None else None
        if held and found is not None:
            yield Edit(*found, b"cudnn", b"mudnn", CODE, "rule", "safe", _SOURCE)
            continue
        setting = ".".join(names[2:])
        text = (
            f"torch.backends.{setting} is a switch of NVIDIA's libraries: on MUSA it can be set and changes nothing. "
            "torch.backends.mudnn has allow_tf32 and no more."
        )
        yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=whole)


def _module_place(node: ast.Attribute, count: int) -> ast.Attribute | None:
    """The attribute `cudnn` of a chain of so many names below `torch`; None where it was imported by its own name."""
    part: ast.expr = node
    for _ in range(count - 3):
        if not isinstance(part, ast.Attribute):
            return None
        part = part.value
    return part if isinstance(part, ast.Attribute) else None


def _asks_for_tf32_only(call: ast.Call) -> bool:
    return not call.args and all(each.arg == "allow_tf32" for each in call.keywords)
