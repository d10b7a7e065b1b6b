"""MUS832: the import that brings the MUSA backend into PyTorch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import View, view
from musify_ai.translate.unit import Unit

CODE = "MUS832"
TITLE = "Program that has to load the MUSA backend"
WHY = """
PyTorch knows of Moore Threads GPUs once torch_musa has been imported. From torch_musa 2.7 on `import torch` does that
by itself; before, a program that does not import it has no device `musa` at all.
"""
EXAMPLE = """
import torch

if __name__ == "__main__":
    torch.cuda.synchronize()
"""
INSTEAD = """
`import torch_musa` after `import torch`, once in each program. With `--pytorch shim`, `import torchada` before it:
torchada answers `torch.cuda` and `"cuda"` on MUSA at run time, so that nothing else is edited.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: README.md (loaded by itself from 2.7), tests (imported after torch)",
    "MooreThreads/torchada: README (imported before torch)",
)
TRIGGERS = frozenset((b"cuda", b"nccl", b"is_cuda"))
VALID = (
    "import torch\nx = torch.device('cuda')\n",
    "import torch\nimport torch_musa\nif __name__ == '__main__':\n    f('cuda')\n",
    "if __name__ == '__main__':\n    import torch\n    f('cuda')\n",
)
INVALID = (
    Case(
        "import os\nimport torch\n\nif __name__ == '__main__':\n    torch.cuda.synchronize()\n",
        output="import os\nimport torch\nimport torch_musa\n\n"
        "if __name__ == '__main__':\n    torch.cuda.synchronize()\n",
        path="case.py",
    ),
    Case(
        "import torch\ndevice = 'cuda'\nprint(torch.ones(3).to(device))\n",
        output="import torch\nimport torch_musa\ndevice = 'cuda'\nprint(torch.ones(3).to(device))\n",
        path="case.py",
    ),
    Case(
        "from torch import nn  # layers\nif __name__ == '__main__':\n    nn.Linear(1, 1).cuda()\n",
        output="from torch import nn  # layers\nimport torch_musa\n"
        "if __name__ == '__main__':\n    nn.Linear(1, 1).cuda()\n",
        path="case.py",
    ),
)
_ADAPTERS = ("torch_musa", "torchada")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The place of the import in a file that is run as a program."""
    seen = view(unit)
    if any(name.partition(".")[0] in _ADAPTERS for name in seen.scopes.imported):
        return
    if not _is_program(seen, unit.path):
        return
    first = next((each for each in seen.tree.body if _imports_torch(each)), None)
    if first is None:
        return
    if b"A_VISIBLE_DEVICES" in unit.src:
        why = (
            "this program sets which GPUs are seen: import torch_musa after that, not before (from 2.7 on torch does)."
        )
        yield Finding(CODE, "note", *seen.span(first), why, effort="minutes", name="torch_musa")
        return
    start, end = seen.span(first)
    line_start = seen.src.rfind(b"\n", 0, start) + 1
    line_end = seen.src.find(b"\n", end)
    if line_start != start or line_end < 0 or b";" in seen.src[start:line_end]:
        return
    newline = b"\r\n" if seen.src[:line_end].endswith(b"\r") else b"\n"
    shim = unit.options.pytorch == "shim"
    at = start if shim else line_end + 1
    text = (b"import torchada" if shim else b"import torch_musa") + newline
    source = "torchada's own description" if shim else "torch_musa: its README and tests"
    yield Edit(at, at, b"", text, CODE, "rule", "safe", source)


def _is_program(seen: View, path: str) -> bool:
    """Whether a file is run rather than imported: it has a guard for that, a program's first line or name, a function
    `main` that others are pointed at, or it calls something as it is read. The import does no harm in a module."""
    if path.rpartition("/")[2] == "__init__.py":
        return False
    for each in seen.tree.body:
        if isinstance(each, ast.If) and _is_main(each.test):
            return True
    if not any(_uses(seen, node) for node in seen.nodes):
        return False
    if seen.src.startswith(b"#!") or path.rpartition("/")[2] == "__main__.py":
        return True
    for each in seen.tree.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == "main":
            return True
        if isinstance(each, ast.For | ast.While | ast.With) or (
            isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and not _sets_up(each.value)
        ):
            return True
    return False


def _uses(seen: View, node: ast.AST) -> bool:
    """Whether a node speaks of a GPU: a name below torch.cuda, a method `cuda`, the string of a device or backend."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("cuda", "is_cuda") or seen.dotted(node).startswith("torch.cuda.")
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").startswith("torch.cuda")
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and _DEVICE.match(node.value) is not None


_DEVICE = late_pattern(r"(?:cuda(?::\d*)?|nccl|cpu:gloo,cuda:nccl)\Z")
# What modules call as they are imported.
_SETTING_UP = frozenset(("sys", "os", "warnings", "logging", "logger", "site", "importlib", "torch", "pytest", "atexit",
                         "matplotlib", "np", "numpy", "gc", "signal"))  # fmt: skip
_REGISTERING = late_pattern(r"(?:register|add|define|set|impl|append|extend|update|enable|disable|filter)\w*\Z")


def _sets_up(call: ast.Call) -> bool:
    part: ast.expr = call.func
    name = part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "")
    while isinstance(part, ast.Attribute):
        part = part.value
    return (isinstance(part, ast.Name) and part.id in _SETTING_UP) or _REGISTERING.match(name) is not None


def _is_main(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and isinstance(test.comparators[0], ast.Constant)
    )


def _imports_torch(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import):
        return any(each.name.partition(".")[0] == "torch" for each in node.names)
    return isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "torch"
