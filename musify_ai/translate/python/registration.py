"""MUS828: the dispatch key and the profiler's activity named after CUDA."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import said, strings
from musify_ai.translate.python.view import imports_torch, view
from musify_ai.translate.unit import Unit

CODE = "MUS828"
TITLE = "Dispatch key or profiler activity of CUDA"
WHY = """
PyTorch finds an operator's implementation by the dispatch key of its tensors, and tensors on a Moore Threads GPU have
`PrivateUse1`. An implementation that is registered for `"CUDA"` is never called for them; a profile of
`ProfilerActivity.CUDA` holds none of their kernels.
"""
EXAMPLE = """
lib = torch.library.Library("mine", "IMPL", "CUDA")
lib.impl("op", op, "CUDA")
"""
INSTEAD = """
The key `"PrivateUse1"`; `torch.profiler.ProfilerActivity.MUSA`, which torch_musa adds.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/__init__.py (ProfilerActivity.MUSA)",
    "MooreThreads/torch_musa: docs/markdown/source/06_third_party_lib_extension.md (dispatch key)",
)
TRIGGERS = frozenset((b"CUDA", b"ProfilerActivity"))
VALID = (
    'import torch\nprint("CUDA")\nlib.impl("op", op, "CPU")\n',
    'lib.impl("op", op, "CUDA")\n',
)
INVALID = (
    Case(
        'import torch\nm = torch.library.Library("m", "IMPL", "CUDA")\nm.impl("op", f, "CUDA")\n',
        output='import torch\nm = torch.library.Library("m", "IMPL", "PrivateUse1")\nm.impl("op", f, "PrivateUse1")\n',
        path="case.py",
    ),
    Case(
        "from torch.library import impl\n@impl('m::op', 'CUDA')\ndef f(x):\n    return x\n",
        output="from torch.library import impl\n@impl('m::op', 'PrivateUse1')\ndef f(x):\n    return x\n",
        path="case.py",
    ),
    Case(
        "from torch.profiler import ProfilerActivity as A\nwhat = [A.CPU, A.CUDA]\n",
        output="from torch.profiler import ProfilerActivity as A\nwhat = [A.CPU, A.MUSA]\n",
        path="case.py",
    ),
)
_REGISTERS = ("impl", "Library", "dispatch", "impl_abstract", "py_impl", "direct_register_custom_op", "fallback")
_ACTIVITY = ("torch.profiler.ProfilerActivity.CUDA", "torch._C._profiler.ProfilerActivity.CUDA",
             "torch.autograd.ProfilerActivity.CUDA")  # fmt: skip


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Registrations and activities, in files that use torch."""
    seen = view(unit)
    if not imports_torch(seen):
        return
    for place in strings(seen):
        found = said(seen, place.node)
        if found is None or not found.whole or found.text != "CUDA":
            continue
        call = next((each for each in place.above if isinstance(each, ast.Call)), None)
        function = call.func if call is not None else None
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        keyword = place.above[0].arg if isinstance(place.above[0], ast.keyword) else ""
        if name in _REGISTERS or keyword == "dispatch_key":
            yield Edit(
                found.start, found.end, b"CUDA", b"PrivateUse1", CODE, "rule", "safe",
                "torch_musa: its tensors have the dispatch key PrivateUse1",
            )  # fmt: skip
    for node in seen.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "CUDA" and seen.dotted(node) in _ACTIVITY:
            spot = seen.attribute(node)
            if spot is not None:
                yield Edit(*spot, b"CUDA", b"MUSA", CODE, "rule", "safe", "torch_musa: torch_musa/__init__.py")
