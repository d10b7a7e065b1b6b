"""MUS820: names of ``torch.cuda``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.rules.python_api import PythonApi, python_api
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import said, strings
from musify_ai.translate.python.view import View, imports_torch, view
from musify_ai.translate.unit import Unit

CODE = "MUS820"
TITLE = "torch.cuda in Python"
WHY = """
PyTorch reaches a Moore Threads GPU through torch_musa, as `torch.musa`, which mirrors most of `torch.cuda` and lacks
some of it. Left as it is, `torch.cuda.is_available()` is false there, and a program that asks it runs on the CPU
without a word.
"""
EXAMPLE = """
import torch
torch.cuda.synchronize()
torch.cuda.nvtx.range_push("step")
"""
INSTEAD = """
The same name under `torch.musa`; `from torch_musa import ...` for what was imported from `torch.cuda`, since
torch.musa is an attribute and no module that can be imported from. Where torch_musa has no counterpart, the finding
says what to do.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/__init__.py, torch_musa/core",
    "MooreThreads/MT-MegatronLM: musa_patch/__init__.py",
)
TRIGGERS = frozenset((b"cuda", b"_C"))
VALID = (
    "import torch\n# torch.cuda.synchronize()\nx = 'torch.cuda'\ncuda_x = torch.device('cpu')\n",
    "class torch_like:\n    class cuda:\n        pass\ntorch_like.cuda.synchronize()\n",
    "import torch\ndef f(th):\n    th.cuda_x.synchronize()\n",
    "from numba import cuda\n@cuda.jit\ndef k(x): pass\n",
    "import torch.cuda_own\nimport mytorch.cuda\n",
    "import torch\ntorch.ops.mine.cuda_op(1)\n",
)
INVALID = (
    Case(
        "import torch\ntorch.cuda.synchronize()\n", output="import torch\ntorch.musa.synchronize()\n", path="case.py"
    ),
    Case(
        "import torch as th\ng = th.cuda . CUDAGraph()\n",
        output="import torch as th\ng = th.musa . MUSAGraph()\n",
        path="case.py",
    ),
    Case(
        "from torch.cuda.amp import autocast, GradScaler as G\n",
        output="from torch_musa.core.amp import autocast, GradScaler as G\n",
        path="case.py",
    ),
    Case(
        "from torch import cuda, nn\ncuda.empty_cache()\n",
        output="from torch import musa as cuda, nn\ncuda.empty_cache()\n",
        path="case.py",
    ),
    Case("import torch.cuda\n", output="import torch\n", path="case.py"),
    Case(
        "import torch\ntorch.cuda.nvtx.range_push('step')\n",
        findings=("torch.cuda.nvtx",),
        path="case.py",
    ),
    Case("import torch\nm = getattr(torch.cuda, name)\n", findings=("torch.cuda",),
         fixed="import torch\nm = getattr(torch.musa, name)\n", path="case.py"),
    Case("import torch\ndef f(torch):\n    torch.cuda.synchronize()\n", findings=("torch.cuda.synchronize",),
         path="case.py"),
    Case("import torch\ns = torch._C._cuda_getCurrentRawStream(0)\n", findings=("torch._C._cuda_getCurrentRawStream",),
         path="case.py"),
    Case("import torch\ntorch._inductor.config.cuda.arch = '80'\n", findings=("torch._inductor.config.cuda.arch",),
         path="case.py"),
    Case(
        "from common import *\nif torch.cuda.is_available():\n    pass\n",
        output="from common import *\nif torch.musa.is_available():\n    pass\n",
        path="case.py",
    ),
    Case("from torch import *\ncuda.synchronize()\n", findings=("cuda.synchronize",), path="case.py"),
    Case("from common import torch\ntorch.cuda.synchronize()\n", findings=("torch.cuda.synchronize",),
         fixed="from common import torch\ntorch.musa.synchronize()\n", path="case.py"),
    Case("def f(self):\n    self.torch.cuda.synchronize()\n", findings=("self.torch.cuda.synchronize",),
         fixed="def f(self):\n    self.torch.musa.synchronize()\n", path="case.py"),
    Case("import sys\nsys.modules['torch'].cuda.synchronize()\n",
         findings=("sys.modules['torch'].cuda.synchronize",),
         fixed="import sys\nsys.modules['torch'].musa.synchronize()\n", path="case.py"),
    Case("from common import *\ncuda.synchronize()\n", findings=("cuda.synchronize",), path="case.py"),
    Case("from torch._C import _cuda_setDevice as s\n", findings=("from torch._C import _cuda_setDevice as s",),
         path="case.py"),
    Case("from torch.cuda import nvtx\n", findings=("from torch.cuda import nvtx",), path="case.py"),
)  # fmt: skip
_SOURCE = "torch_musa: the name stands there"
_ALONE = (
    "torch.cuda is used as a value here, so what is asked of it is not seen. torch.musa stands for it; look at what is "
    "asked, and at what torch_musa lacks (`musify-ai explain MUS820`)."
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Names below ``torch.cuda``, by what a name stands for where it stands."""
    seen, api = view(unit), python_api()
    if imports_torch(seen):
        yield from _looked_up(seen, api)
    inner: set[ast.expr] = set()
    for node in seen.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(seen, node, api)
        elif isinstance(node, ast.Attribute):
            # The longest chain first: `torch.cuda.amp.autocast` and not the parts of it.
            chain, below = node, node.value
            while isinstance(below, ast.Attribute):
                inner.add(below)
                below = below.value
            if chain not in inner:
                yield from _chain(seen, chain, api)


def _chain(seen: View, node: ast.Attribute, api: PythonApi) -> Iterator[Edit | Finding]:
    """The edits of one chain of attributes that begins with torch or something of it."""
    links: list[ast.Attribute] = []
    part: ast.expr = node
    while isinstance(part, ast.Attribute):
        links.append(part)
        part = part.value
    links.reverse()
    whole = seen.dotted(node)
    if not whole and isinstance(part, ast.Name) and part.id == "torch" and links[0].attr == "cuda":
        start, end = seen.span(node)
        text = "torch is bound to something else too, so this may be another torch. It is left as it is."
        yield Finding(CODE, "warning", start, end, text, effort="minutes", name="torch.cuda")
        return
    if (elsewhere := _elsewhere(seen, whole, part, links, api)) is not None:
        yield elsewhere
        return
    if whole.startswith("torch.") and (inner := _inner(whole, api)):
        yield Finding(CODE, "warning", *seen.span(node), inner, effort="minutes", name=whole)
        return
    if not (whole == "torch.cuda" or whole.startswith("torch.cuda.")):
        return
    names = whole.split(".")
    spelled = len(names) - len(links)  # how many of the names the first word stands for
    by_alias = spelled >= 2  # `cuda` itself, or something below it, was imported by name
    if isinstance(part, ast.Name) and by_alias and seen.scopes.is_from_star(part):
        text = (
            f"{part.id} comes by `from torch import *`, which brings nothing of that name for MUSA: write torch.musa."
        )
        yield Finding(CODE, "warning", *seen.span(node), text, effort="minutes", name=whole)
        return
    path, known = _known(names[2:], api)
    if ".".join(names[2:3]) in api.differs:
        return  # MUS826 says what it answers
    if path is None:
        start, _ = seen.span(node)
        last = links[max(2 + known - spelled, 0)] if links[max(2 + known - spelled, 0) :] else node
        _, end = seen.span(last)
        name = ".".join(names[2 : 3 + known])
        why = api.missing.get(name) or _nearest(names[2:], api)
        text = f"torch.cuda.{name}: {why}. It is left as it is."
        yield Finding(CODE, "warning", start, end, text, effort="minutes", name=f"torch.cuda.{name}")
        return
    cuda = None if by_alias else links[1 - spelled]
    place = seen.attribute(cuda) if cuda is not None else None
    if cuda is not None and place is None:
        return
    if len(names) == 2:
        if place is not None:
            start, end = seen.span(node)
            edit = _edit(place, b"cuda", b"musa", "unsafe")
            yield Finding(CODE, "warning", start, end, _ALONE, edit=edit, name="torch.cuda")
        return
    if place is not None:
        yield _edit(place, b"cuda", b"musa")
    for old, new, at in zip(names[2:], path, range(2, len(names)), strict=False):
        if old != new and at >= spelled:
            found = seen.attribute(links[at - spelled])
            if found is not None:
                yield _edit(found, old.encode(), new.encode())


def _elsewhere(seen: View, whole: str, part: ast.expr, links: list[ast.Attribute], api: PythonApi) -> Finding | None:
    """What is to be said where torch, or its cuda, comes from a place that is not read: another module of the project,
    an attribute, an import by its name. None where it comes from none."""
    names = [each.attr for each in links]
    index = next((i for i, pair in enumerate(pairwise(names)) if pair == ("torch", "cuda")), -1) + 1
    if index and not whole.startswith("torch."):
        how = f"torch is an attribute of {ast.unparse(part)[:60]} here"
    elif whole.endswith(".torch.cuda") or ".torch.cuda." in whole:
        how = f"torch comes from {whole.partition('.torch.cuda')[0]}"
    elif names[0] == "cuda" and _imports_by_name(part):
        how = "torch is imported by its name here"
    elif (
        isinstance(part, ast.Name) and part.id == "cuda" and seen.scopes.stars and seen.scopes.is_unbound(part)
        and "torch" not in seen.scopes.stars and (names[0] in api.names or names[0] in api.missing)
    ):  # fmt: skip
        how, index = f"cuda may come by `from {seen.scopes.stars[-1]} import *`", -1
    else:
        return None
    text = f"{how}, which is not followed. On MUSA it is torch.musa; it is left as it is."
    place = None if index < 0 else seen.attribute(next(each for each in links[index:] if each.attr == "cuda"))
    edit = None if place is None else _edit(place, b"cuda", b"musa", "unsafe")
    return Finding(CODE, "warning", *seen.span(links[-1]), text, effort="minutes", edit=edit, name="torch.cuda")


def _imports_by_name(node: ast.expr) -> bool:
    """Whether an expression is torch by its name in a string: ``__import__("torch")``, ``sys.modules["torch"]``."""
    if isinstance(node, ast.Subscript):
        return "modules" in ast.unparse(node.value) and _is_torch(node.slice)
    return isinstance(node, ast.Call) and bool(node.args) and _is_torch(node.args[0])


def _is_torch(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "torch"


_OWN_OPERATORS = frozenset(("aten", "prim", "prims", "c10d", "c10d_functional", "_c10d_functional", "quantized"))


def _inner(whole: str, api: PythonApi) -> str:
    """What to say of a name of CUDA's deeper inside torch, of which no other rule speaks; empty for any other."""
    parts = whole.split(".")
    if parts[1] in ("cuda", "backends", "version", "profiler", "autograd"):
        return ""
    if parts[1] == "ops" and len(parts) > 2 and parts[2] not in _OWN_OPERATORS:
        return ""  # an operator of the project's
    if parts[:2] == ["torch", "_C"] and len(parts) > 2 and parts[2].lower().startswith(("_cuda", "_nccl")):
        new = parts[2].replace("cuda", "musa").replace("Cuda", "Musa").replace("Cublas", "Mublas")
        held = new in api.bindings
        return f"{whole} is inside PyTorch, where a build without CUDA has it not. torch_musa has " + (
            f"torch_musa._MUSAC.{new}." if held else "its own functions in torch_musa._MUSAC, and none seen for this."
        )
    if any(_CUDA_WORD.search(part) for part in parts[1:]):
        return (
            f"{whole} names CUDA inside PyTorch: what torch_musa does there is not published. Look at what it is for."
        )
    return ""


def _looked_up(seen: View, api: PythonApi) -> Iterator[Finding]:
    """Names of torch._C in strings: ``getattr(torch._C, "_cuda_setDevice")``."""
    for place in strings(seen):
        found = said(seen, place.node)
        if found is not None and found.whole and re.fullmatch(r"_(?:cuda|nccl)_\w+|_Cuda\w+", found.text):
            text = _inner(f"torch._C.{found.text}", api)
            yield Finding(CODE, "warning", *seen.span(place.node), text, effort="minutes", name=found.text)


_CUDA_WORD = late_pattern(r"(?:\A|_)(?:cuda|nccl|cudnn|cublas)(?:\Z|_)")


def _known(names: list[str], api: PythonApi) -> tuple[list[str] | None, int]:
    """The path below torch.musa for one below torch.cuda, and how many of its names are known; None where torch_musa
    lacks it. What comes after a class or function that it has is that one's own."""
    new: list[str] = []
    for count in range(1, len(names) + 1):
        path = ".".join(names[:count])
        if path not in api.names:
            submodule = any(each.startswith(".".join(names[: count - 1]) + ".") for each in api.names)
            if count == 1 or submodule:
                return None, count - 1
            return [*new, *names[count - 1 :]], count - 1
        new = api.names[path].split(".")
    return new, len(names)


def _nearest(names: list[str], api: PythonApi) -> str:
    """Why a path is not there, by the nearest part of it that something is known of."""
    for count in range(len(names), 0, -1):
        why = api.missing.get(".".join(names[:count]))
        if why:
            return why
    return "torch_musa is not known to have it"


def _imports(seen: View, node: ast.Import | ast.ImportFrom, api: PythonApi) -> Iterator[Edit | Finding]:
    start, end = seen.span(node)
    if isinstance(node, ast.ImportFrom):
        if node.level == 0 and node.module == "torch":
            yield from _of_torch(seen, node)
        elif node.level == 0 and node.module and (node.module + ".").startswith("torch.cuda."):
            yield from _from(seen, node, api)
        elif node.level == 0 and node.module and node.module.startswith("torch."):
            for each in node.names:
                if inner := _inner(f"{node.module}.{each.name}", api):
                    yield Finding(CODE, "warning", start, end, inner, effort="minutes", name=each.name)
        return
    for each in node.names:
        if not (each.name + ".").startswith("torch.cuda."):
            continue
        first, last = seen.span(each)
        path, _ = _known(each.name.split(".")[2:], api) if each.name != "torch.cuda" else ([], 0)
        alone = len(node.names) == 1
        if each.asname is None and path is not None:
            # `import torch.cuda` binds torch, of which torch.musa is an attribute.
            yield _edit((first, last), seen.src[first:last], b"torch")
        elif alone and path is not None and each.asname:
            module, _, name = _module(path).rpartition(".")
            text = f"from {module} import {name} as {each.asname}" if module else f"import {name} as {each.asname}"
            yield _edit((start, end), seen.src[start:end], text.encode())
        else:
            text = f"{each.name}: {_nearest(each.name.split('.')[2:], api)}. It is left as it is."
            yield Finding(CODE, "warning", first, last, text, effort="minutes", name=each.name)


def _of_torch(seen: View, node: ast.ImportFrom) -> Iterator[Edit]:
    """``from torch import cuda``: the name that the file uses stays, so that its uses need no edit."""
    for each in node.names:
        if each.name == "cuda":
            start, _ = seen.span(each)
            rest = b"musa" if each.asname else b"musa as cuda"
            if seen.src[start : start + 4] == b"cuda":
                yield _edit((start, start + 4), b"cuda", rest)


def _from(seen: View, node: ast.ImportFrom, api: PythonApi) -> Iterator[Edit | Finding]:
    """``from torch.cuda[.x] import ...``: torch.musa is no module to import from, so torch_musa is named."""
    start, end = seen.span(node)
    assert node.module is not None
    below = node.module.split(".")[2:]
    edits: list[Edit] = []
    for each in node.names:
        path, _ = _known([*below, each.name], api) if each.name != "*" else (None, 0)
        first, _ = seen.span(each)
        old = each.name.encode()
        if path is None or seen.src[first : first + len(old)] != old:
            name = ".".join((*below, each.name))
            text = f"{node.module}.{each.name}: {_nearest(name.split('.'), api)}. The import is left as it is."
            yield Finding(CODE, "warning", start, end, text, effort="minutes", name=f"{node.module}.{each.name}")
            return
        if path[-1] != each.name:
            kept = f"{path[-1]} as {each.name}" if each.asname is None else path[-1]
            edits.append(_edit((first, first + len(old)), old, kept.encode()))
    at = seen.src.find(node.module.encode(), start, end)
    if at < 0:
        text = f"{node.module} is imported from in a way that is not read. torch_musa has the names."
        yield Finding(CODE, "warning", start, end, text, effort="minutes", name=node.module)
        return
    module = _module(below) if below else "torch_musa"
    yield _edit((at, at + len(node.module)), node.module.encode(), module.encode())
    yield from edits


def _module(path: list[str]) -> str:
    """The module that can be imported for a path below torch.musa (torch_musa's own layout)."""
    if not path:
        return "torch_musa"
    return (
        ".".join(("torch_musa.core", *path))
        if path[0] in ("amp", "memory", "random", "mccl")
        else ".".join(("torch_musa", *path))
    )


def _edit(place: tuple[int, int], old: bytes, new: bytes, safety: Safety = "safe") -> Edit:
    return Edit(*place, old, new, CODE, "rule", safety, _SOURCE)
