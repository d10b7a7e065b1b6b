"""MUS827: Python packages that are bound to CUDA by themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS827"
TITLE = "Python package that needs CUDA"
WHY = """
These packages load NVIDIA's driver or libraries when they are imported. On a machine with Moore Threads GPUs the import
fails, or, where it is tried and caught, what depends on it is switched off without a word.
"""
EXAMPLE = """
import cupy
from numba import cuda
"""
INSTEAD = """
No counterpart is published for them. Kernels of CuPy, Numba and PyCUDA can become C++ extensions (their source in
strings is translated where it stands); NVTX ranges can go; for NVML's questions there is Moore Threads' management
tool.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/torch_musa: docs/markdown/source (third-party libraries)",)
TRIGGERS = frozenset((
    b"cupy", b"numba", b"pycuda", b"pynvml", b"nvtx", b"cuda", b"tensorrt", b"cudf", b"cuml", b"cugraph", b"rmm",
    b"nvidia", b"cuspatial", b"cucim", b"nvmath", b"py3nvml", b"nvidia_smi", b"skcuda",
))  # fmt: skip
VALID = (
    "import numba\nfrom numba import njit\n",
    "from . import cuda\nfrom .cupy import x\nimport my.cuda\n",
)
INVALID = (
    Case("import cupy as cp\n", findings=("cupy as cp",), path="case.py"),
    Case("from numba import cuda, njit\n", findings=("cuda",), path="case.py"),
    Case("try:\n    import pynvml\nexcept ImportError:\n    pynvml = None\n", findings=("pynvml",), path="case.py"),
    Case("from cuda import cudart\nimport nvtx, os\n", findings=("cudart", "nvtx"), path="case.py"),
)
_PACKAGES: dict[str, tuple[str, Literal["minutes", "hours", "days"]]] = {
    "cupy": ("arrays on NVIDIA GPUs", "days"),
    "numba.cuda": ("kernels that Numba compiles for NVIDIA GPUs", "days"),
    "pycuda": ("CUDA's driver from Python", "days"),
    "skcuda": ("CUDA's libraries from Python", "days"),
    "pynvml": ("NVIDIA's management library", "hours"),
    "py3nvml": ("NVIDIA's management library", "hours"),
    "nvidia_smi": ("NVIDIA's management library", "hours"),
    "nvtx": ("ranges for NVIDIA's profiler", "minutes"),
    "cuda": ("NVIDIA's bindings of the driver and run time", "days"),
    "tensorrt": ("NVIDIA's inference engine", "days"),
    "nvidia": ("a package of NVIDIA's (DALI, libraries)", "days"),
    "nvmath": ("NVIDIA's mathematical libraries", "days"),
    "cudf": ("RAPIDS", "days"), "cuml": ("RAPIDS", "days"), "cugraph": ("RAPIDS", "days"), "rmm": ("RAPIDS", "days"),
    "cuspatial": ("RAPIDS", "days"), "cucim": ("RAPIDS", "days"),
}  # fmt: skip


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Imports of such packages, wherever they stand."""
    seen = view(unit)
    for node in seen.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.ImportFrom) and node.level):
            continue
        for each in node.names:
            whole = f"{node.module}.{each.name}" if isinstance(node, ast.ImportFrom) else each.name
            package = next((name for name in _PACKAGES if f"{whole}.".startswith(f"{name}.")), None)
            if package is not None:
                what, effort = _PACKAGES[package]
                text = f"{package} is {what}: it does not run on MUSA, and no counterpart is published."
                yield Finding(CODE, "warning", *seen.span(each), text, effort=effort, name=package)
