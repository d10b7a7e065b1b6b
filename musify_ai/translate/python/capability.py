"""MUS826: tests of compute capability, architecture and CUDA's version in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import View, view
from musify_ai.translate.unit import Unit

CODE = "MUS826"
TITLE = "Capability or version test in Python"
WHY = """
`get_device_capability()` is (2, 2) on mp_22 and (3, 1) on mp_31. A test for (8, 0) or for `major >= 8` is false on
every Moore Threads GPU, so the slow path is taken, or an error raised, and nothing says that a number was compared
with one of another scale. `torch.version.cuda` is None there.
"""
EXAMPLE = """
if torch.cuda.get_device_capability()[0] >= 8:
    use_bf16()
"""
INSTEAD = """
Ask for what is needed rather than for a number: `torch.musa.is_bf16_supported()`, `torch.musa.is_tf32_supported()`.
Where a number is needed: (8, x) corresponds to (2, 2) and (9, 0) to (3, 1) in the ports that are published. For the
version, `torch.version.musa`, which counts otherwise (5.2, not 12.8).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/core/device.py, torch_musa/__init__.py (torch.version.musa)",
    "MooreThreads/MT-MegatronLM: musa_patch/__init__.py (get_device_capability replaced by a made number)",
)
TRIGGERS = frozenset((b"get_device_capability", b"version", b"major", b"get_device_properties", b"get_arch_list"))
VALID = (
    "import torch\nif torch.musa.is_bf16_supported():\n    pass\nv = torch.version.git_version\n",
    "import sys\nif sys.version_info.major >= 8:\n    pass\n",
)
INVALID = (
    Case(
        "import torch\nbf16 = torch.cuda.get_device_capability()[0] >= 8\n",
        findings=("torch.cuda.get_device_capability",),
        path="case.py",
    ),
    Case(
        "from torch.cuda import get_device_capability\nok = get_device_capability() >= (8, 0)\n",
        findings=("get_device_capability",),
        path="case.py",
    ),
    Case("import torch\nif torch.version.cuda:\n    pass\n", findings=("torch.version.cuda",), path="case.py"),
    Case(
        "import torch\np = torch.cuda.get_device_properties(0)\nif p.major >= 8 and p.minor == 0:\n    pass\n",
        findings=("p.major >= 8", "p.minor == 0"),
        path="case.py",
    ),
)
_ASKED = {
    "torch.cuda.get_device_capability": "answers (2, 2) on mp_22 and (3, 1) on mp_31: a number of CUDA's beside it is "
    "of another scale",
    "torch.cuda.get_arch_list": "answers with mp_22 and its kin: names beginning with sm_ are not among them",
    "torch.version.cuda": "is None on MUSA; torch.version.musa is there, and counts otherwise (5.2, not 12.8)",
}


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Questions whose answer is compared with CUDA's numbers."""
    seen = view(unit)
    nodes = seen.nodes
    asks = False
    for node in nodes:
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            whole = seen.dotted(node)
            asks = asks or whole == "torch.cuda.get_device_properties"
            why = _ASKED.get(whole)
            if why is not None:
                text = f"{whole} {why}. Ask for what is needed instead, or give MUSA's number its own branch."
                yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=whole)
    for node in nodes if asks else ():
        if isinstance(node, ast.Compare) and _compares_capability(seen, node):
            text = "the capability of a device is compared with a number of CUDA's: mp_22 has 2.2 and mp_31 has 3.1."
            yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name="major")


def _compares_capability(seen: View, node: ast.Compare) -> bool:
    sides = (node.left, *node.comparators)
    return any(
        isinstance(each, ast.Attribute) and each.attr in ("major", "minor") and not seen.dotted(each) for each in sides
    ) and any(isinstance(each, ast.Constant) and isinstance(each.value, int) for each in sides)
