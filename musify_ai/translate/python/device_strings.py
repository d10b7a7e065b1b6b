"""MUS821: the device ``"cuda"`` in strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.python.run_strings import run_strings
from musify_ai.translate.python.strings import Place, said, strings
from musify_ai.translate.python.view import View, imports_torch, view
from musify_ai.translate.unit import Unit

CODE = "MUS821"
TITLE = 'Device string "cuda"'
WHY = """
A tensor's place is named by a string: `"cuda"`, `"cuda:1"`. On a Moore Threads GPU it is `"musa"`, and `"cuda"` there
is an error at the first tensor at best. The word also stands in names of files, keys and messages, where changing it
breaks what reads them.
"""
EXAMPLE = """
device = "cuda" if torch.cuda.is_available() else "cpu"
"""
INSTEAD = """
`"musa"` where a device is meant. The fix is made where the place says so: an argument of torch, `.to(...)`, `device=`,
a name with `device` in it, a choice between it and `"cpu"`, a number behind it. Elsewhere look at who reads the string.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/torch_musa: README.md", "MooreThreads/torch_musa: docs/markdown/source/04_quick_start.md")
TRIGGERS = frozenset((b"cuda",))
VALID = (
    'import torch\n"""cuda"""\ndef f():\n    "cuda:0"\n# "cuda"\n',
    'import torch\npath = "build/cuda/kernel.cu"\nprint("uses cuda")\n',
    'folder = "cuda"\n',
    "import torch\nname = f'cuda:{v}-devel'\nprint(f'cuda: {x}')\n",
    'import torch\nx.to("cpu")\n',
)
INVALID = (
    Case(
        'import torch\nd = torch.device("cuda")\n', output='import torch\nd = torch.device("musa")\n', path="case.py"
    ),
    Case(
        'import torch\nx = x.to("cuda:0", non_blocking=True)\n',
        output='import torch\nx = x.to("musa:0", non_blocking=True)\n',
        path="case.py",
    ),
    Case(
        "import torch\ndef f(n, device='cuda'):\n    return torch.zeros(n, device=f'cuda:{n}')\n",
        output="import torch\ndef f(n, device='musa'):\n    return torch.zeros(n, device=f'musa:{n}')\n",
        path="case.py",
    ),
    Case(
        'import torch\nd = "cuda" if torch.cuda.is_available() else "cpu"\n',
        output='import torch\nd = "musa" if torch.cuda.is_available() else "cpu"\n',
        path="case.py",
    ),
    Case('DEVICE = "cuda"\n', findings=('"cuda"',), fixed='DEVICE = "musa"\n', path="case.py"),
    Case(
        'import torch\nif cfg["device"] == "cuda":\n    pass\n',
        findings=('"cuda"',),
        fixed='import torch\nif cfg["device"] == "musa":\n    pass\n',
        path="case.py",
    ),
    Case(
        'import torch\nx.to("cuda:%d" % i)\n', findings=('"cuda:%d"',),
        fixed='import torch\nx.to("musa:%d" % i)\n', path="case.py",
    ),
    Case(
        'import torch\nif x.device.type == "cuda":\n    pass\n',
        output='import torch\nif x.device.type == "musa":\n    pass\n',
        path="case.py",
    ),
    Case("import torch\nexec('torch.cuda.synchronize()')\n", findings=("'torch.cuda.synchronize()'",), path="case.py"),
    Case(
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import torch; torch.cuda.init()'])\n",
        findings=("'import torch; torch.cuda.init()'",), path="case.py",
    ),
    Case(
        "code = 'x = 1\\ny = torch.cuda.device_count()'\nexec(code)\n",
        findings=("'x = 1\\ny = torch.cuda.device_count()'",), path="case.py",
    ),
    Case(
        'run(\'\'\'import torch\nx = torch.ones(1, device="cuda")\n\'\'\')\n',
        findings=('\'\'\'import torch\nx = torch.ones(1, device="cuda")\n\'\'\'',), path="case.py",
    ),
    Case(
        "import timeit\nf'{x}'\ntimeit.timeit(f'f({x}); torch.cuda.synchronize()')\n",
        findings=("f'f({x}); torch.cuda.synchronize()'",), path="case.py",
    ),
    Case(
        'import torch\nCODE = {"cuda": 1}\n',
        findings=('"cuda"',),
        fixed='import torch\nCODE = {"musa": 1}\n',
        path="case.py",
    ),
    Case(
        "import torch\nt = x.type() == 'torch.cuda.FloatTensor'\n",
        findings=("'torch.cuda.FloatTensor'",),
        fixed="import torch\nt = x.type() == 'torch.musa.FloatTensor'\n",
        path="case.py",
    ),
)  # fmt: skip
_DEVICE = late_pattern(r"cuda(:\d+)?\Z")
# The beginning of a device whose number is put in later, or looked for: "cuda:{}", "cuda:%d", startswith("cuda:").
_BEGUN = late_pattern(r"cuda:(?:\{[^}]*\}|%[ds]|\\d.*)?\Z")
_TYPE = late_pattern(r"torch\.cuda(?:\.\w+)*\Z")
_KEYWORDS = frozenset(("device", "device_type", "map_location", "device_types", "devices", "target_device"))
# Callables of torch whose first argument is a device, by the end of their dotted name.
_TAKES_DEVICE = frozenset(
    (
        "device", "Generator", "autocast", "GradScaler", "init_device_mesh", "set_default_device", "DeviceMesh",
        "get_device_module", "stream", "Stream", "is_autocast_available",
    )
)  # fmt: skip
_METHODS = frozenset(("to", "to_empty", "set_default_device", "pin_memory", "new_empty"))
# Libraries that have devices of their own, whose "cuda" is theirs.
_OTHERS = frozenset(
    (
        "xgboost", "lightgbm", "catboost", "tvm", "onnxruntime", "faster_whisper", "ctranslate2", "cudf", "cupy", "jax",
        "tensorflow", "paddle", "mxnet", "cuml", "dask_cuda", "warp", "taichi",
    )
)  # fmt: skip
_SOURCE = "torch_musa registers its device as musa"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Strings that name the device: edited in files that use torch where their place says so, else reported."""
    seen = view(unit)
    of_torch = imports_torch(seen)
    run = run_strings(seen)
    for place in strings(seen):
        if place.node in run:
            text = "code in a string that speaks of CUDA: it is not read, and was left as it is."
            yield Finding(CODE, "warning", *seen.span(place.node), text, effort="minutes", name="cuda")
            continue
        found = said(seen, place.node)
        if found is None:
            whole = place.node.value if isinstance(place.node, ast.Constant) else ""
            if of_torch and isinstance(whole, str) and _DEVICE.match(whole):
                text = f"the device {whole!r}, written in pieces: on MUSA it begins with musa. It is left as it is."
                yield Finding(CODE, "warning", *seen.span(place.node), text, effort="minutes", name="cuda")
            continue
        if _TYPE.match(found.text) and found.whole:
            if of_torch:
                at = found.start + len("torch.")
                edit = Edit(at, at + 4, b"cuda", b"musa", CODE, "rule", "unsafe", _SOURCE)
                text = f"the name {found.text} in a string: on MUSA it begins with torch.musa. Look at who reads it."
                yield Finding(CODE, "warning", *seen.span(place.node), text, edit=edit, effort="minutes", name="cuda")
            continue
        is_device = (found.whole and _DEVICE.match(found.text)) or _is_numbered(place.node)
        if not is_device and not (of_torch and found.whole and _BEGUN.match(found.text)):
            continue
        means = bool(is_device) and _means_device(seen, place)
        at = found.start
        if of_torch and means:
            yield Edit(at, at + 4, b"cuda", b"musa", CODE, "rule", "safe", _SOURCE)
        elif of_torch or means:
            edit = Edit(at, at + 4, b"cuda", b"musa", CODE, "rule", "unsafe", _SOURCE)
            why = (
                "and the place does not say that a device is meant"
                if of_torch
                else "in a file that does not import torch itself"
            )
            text = f'the string "{found.text}", {why}. Where PyTorch reads it, it begins with "musa".'
            yield Finding(CODE, "warning", *seen.span(place.node), text, edit=edit, effort="minutes", name="cuda")


def _is_numbered(node: ast.expr) -> bool:
    """Whether a string is ``f"cuda:{number}"`` and nothing more."""
    return (
        isinstance(node, ast.JoinedStr)
        and len(node.values) == 2
        and isinstance(node.values[0], ast.Constant)
        and node.values[0].value == "cuda:"
        and isinstance(node.values[1], ast.FormattedValue)
    )


def _means_device(seen: View, place: Place) -> bool:
    """Whether what stands around a string says that it is a device of PyTorch's."""
    node: ast.AST = place.node
    chosen = False  # between the device and "cpu", by whether there is one
    for index, above in enumerate(place.above):
        if isinstance(above, ast.keyword):
            call = place.above[index + 1] if index + 1 < len(place.above) else None
            if isinstance(call, ast.Call) and seen.dotted(call.func).partition(".")[0] in _OTHERS:
                return False
            return above.arg in _KEYWORDS or _is_device_name(above.arg or "") or _of_device_option(place, above)
        if isinstance(above, ast.Call):
            return node in above.args and _takes_device(seen, above, node)
        if isinstance(above, ast.IfExp):
            other = above.orelse if node is above.body else above.body
            if node is not above.test and _is_text(other, ("cpu",)) and "is_available" in ast.unparse(above.test):
                chosen = True
        elif isinstance(above, ast.Compare):
            sides = [each for each in (above.left, *above.comparators) if each is not node]
            return all(_is_own_device(seen, each) for each in sides)
        elif isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            targets = above.targets if isinstance(above, ast.Assign) else [above.target]
            return chosen or all(_is_device(each) for each in targets)
        elif isinstance(above, ast.arguments):
            return _is_device_name(_parameter(above, node))
        elif isinstance(above, ast.Return):
            return chosen
        elif isinstance(above, ast.List | ast.Tuple | ast.Set):
            if not any(_is_text(each, ("cpu",)) for each in above.elts):
                return False
        elif not isinstance(above, ast.BoolOp):
            return False
        node = above
    return chosen


def _is_own_device(seen: View, node: ast.AST) -> bool:
    """Whether what a string is compared with is a device that this file has made or been given: not one that a
    settings file holds, or that another module names, where the other side of the comparison would stay."""
    if isinstance(node, ast.Subscript):
        return False
    if isinstance(node, ast.Name) and seen.scopes.module_of(node):
        return False
    return _is_device(node)


def _takes_device(seen: View, call: ast.Call, node: ast.AST) -> bool:
    """Whether a call's argument in a node's place is a device."""
    if not isinstance(call.func, ast.Attribute | ast.Name):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
    if call.args[0] is not node:
        return False
    whole = seen.dotted(call.func)
    if whole:
        return whole.startswith("torch.") and whole.rpartition(".")[2] in _TAKES_DEVICE
    return isinstance(call.func, ast.Attribute) and name in _METHODS


def _of_device_option(place: Place, keyword: ast.keyword) -> bool:
    """Whether a keyword belongs to the option of a command line that names a device."""
    call = place.above[place.above.index(keyword) + 1] if place.above[-1] is not keyword else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "add_argument"
        and keyword.arg in ("default", "choices", "const")
        and any(isinstance(each, ast.Constant) and _is_device_name(str(each.value)) for each in call.args)
    )


def _parameter(given: ast.arguments, default: ast.AST) -> str:
    """The name of the parameter that a default belongs to."""
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((each.arg for each, value in pairs if value is default), "")


def _is_device(node: ast.AST) -> bool:
    """Whether an expression is called a device: `device`, `x.device.type`, `self.device_type`, `str(device)`."""
    if isinstance(node, ast.Attribute):
        return _is_device_name(node.attr) or (node.attr == "type" and _is_device(node.value))
    if isinstance(node, ast.Call):
        return any(_is_device(each) for each in node.args)
    if isinstance(node, ast.Subscript):
        return _is_device(node.value) or (
            isinstance(node.slice, ast.Constant) and _is_device_name(str(node.slice.value))
        )
    return isinstance(node, ast.Name) and _is_device_name(node.id)


_DEVICE_NAME = late_pattern(r"_*(?:(?P<first>[a-z]+)_)?(?:[a-z]+_)*(?:devices?|device_types?|device_str(?:ing)?)_*\Z")
_PLACES = frozenset(("lib", "build", "dir", "path", "folder", "branch", "image", "tag", "file", "bin"))


def _is_device_name(name: str) -> bool:
    """Whether a name ends by saying that it is a device: `device`, `map_device`, `DEVICE`; `device_dir` does not."""
    if name.lower() == "dev":
        return True
    found = _DEVICE_NAME.match(name.lower())
    return found is not None and found["first"] not in _PLACES


def _is_text(node: ast.AST, texts: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Constant) and node.value in texts
