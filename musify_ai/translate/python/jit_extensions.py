"""MUS835: extensions for CUDA that a program compiles as it runs, and those declared outside of setup.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import View, view
from musify_ai.translate.unit import Unit

CODE = "MUS835"
TITLE = "Extension for CUDA that is compiled at run time"
WHY = """
`torch.utils.cpp_extension.load` looks for nvcc when the program runs, and raises where there is none. torch_musa has
functions of the same names for mcc. They take `.mu` files for device code: a `.cu` file is handed to the host's
compiler, and a keyword of CUDA's is refused.
"""
EXAMPLE = """
mod = load(name="k", sources=["k.cpp", "k.cu"], extra_cuda_cflags=["-O3", "--use_fast_math"])
"""
INSTEAD = """
`from torch_musa.utils.musa_extension import load, load_inline`, with `musa_sources`, `extra_musa_cflags` and
`with_musa` for the keywords, sources renamed to `.mu`, and mcc's flags (`musify-ai explain MUS807`).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/utils/musa_extension.py (load, load_inline, MUSAExtension)",)
TRIGGERS = frozenset((b"cpp_extension",))
VALID = (
    "from torch.utils.cpp_extension import load\nm = load(name='m', sources=['m.cpp'])\n",
    "from .own import load\nm = load('m', sources=['k.cu'])\n# cpp_extension\n",
)
INVALID = (
    Case(
        "from torch.utils.cpp_extension import load\nm = load('m', sources=['m.cpp', 'k.cu'])\n",
        findings=("load('m', sources=['m.cpp', 'k.cu'])",),
        path="case.py",
    ),
    Case(
        "import torch.utils.cpp_extension as c\nm = c.load_inline('m', '', cuda_sources=s, functions=['f'])\n",
        findings=("c.load_inline('m', '', cuda_sources=s, functions=['f'])",),
        path="case.py",
    ),
    Case(
        "from torch.utils import cpp_extension\nm = cpp_extension.load('m', sources=given)\n",
        findings=("cpp_extension.load('m', sources=given)",),
        path="case.py",
    ),
    Case(
        "from torch.utils.cpp_extension import CUDAExtension\ne = CUDAExtension('m', ['k.cu'])\n",
        findings=("CUDAExtension",),
        path="build_ops.py",
    ),
)
_MODULE = "torch.utils.cpp_extension"
_KEYWORDS = {"cuda_sources": "musa_sources", "extra_cuda_cflags": "extra_musa_cflags", "with_cuda": "with_musa"}
_DECLARES = ("CUDAExtension", "CUDA_HOME", "BuildExtension")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Calls that compile for CUDA, or that may; in files other than setup.py (MUS811) what declares extensions too."""
    seen = view(unit)
    of_setup = unit.path.rpartition("/")[2].lower() == "setup.py"
    inner = {id(node.value) for node in seen.nodes if isinstance(node, ast.Attribute)}
    for node in seen.nodes:
        if isinstance(node, ast.Call) and seen.dotted(node.func) in (f"{_MODULE}.load", f"{_MODULE}.load_inline"):
            yield from _loads(seen, node)
        elif not of_setup and isinstance(node, ast.Attribute | ast.Name) and id(node) not in inner:
            name = seen.dotted(node).removeprefix(f"{_MODULE}.")
            if name in _DECLARES[:2] and isinstance(node.ctx, ast.Load):
                new = name.replace("CUDA", "MUSA")
                text = (
                    f"{name} is of PyTorch for CUDA: from torch_musa.utils.musa_extension import {new}. Its flags "
                    "stand under mcc rather than nvcc, and its device sources are .mu files."
                )
                yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=name)


def _loads(seen: View, node: ast.Call) -> Iterator[Finding]:
    given = [each.arg for each in node.keywords if each.arg in _KEYWORDS and not _is_false(each.value)]
    inline = seen.dotted(node.func).endswith("load_inline")
    sources = next((each.value for each in node.keywords if each.arg == "sources"), None)
    if sources is None and not inline and len(node.args) > 1:
        sources = node.args[1]
    inside = [] if sources is None else [each for each in ast.walk(sources) if isinstance(each, ast.Constant)]
    device = [each.value for each in inside if isinstance(each.value, str) and each.value.endswith((".cu", ".cuh"))]
    plain = isinstance(sources, ast.Constant) or (
        isinstance(sources, ast.List | ast.Tuple) and all(isinstance(each, ast.Constant) for each in sources.elts)
    )
    refused = any(each.arg == "with_cuda" and _is_false(each.value) for each in node.keywords)
    if not given and not device and (inline or plain or refused):
        return
    does = "compiles device code with nvcc" if given or device else "may be handed .cu files, which nvcc compiles"
    what = [f"{each} is {_KEYWORDS[each]}" for each in given if each is not None]
    what += [f"{device[0]} is to be a .mu file"] if device else []
    text = (
        f"{ast.unparse(node.func)} {does}. torch_musa.utils.musa_extension has the same function for mcc"
        + (": " + ", ".join(what) if what else "")
        + "."
    )
    yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=ast.unparse(node.func))


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
