"""MUS834: where CUDA is installed, and NVIDIA's tools, in what a Python file runs or looks up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.tools import tool_finding, tool_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.python.strings import Place, said, strings
from musify_ai.translate.python.view import view
from musify_ai.translate.unit import Unit

CODE = "MUS834"
TITLE = "CUDA's folder or an NVIDIA tool in a Python string"
WHY = """
A script that falls back on /usr/local/cuda looks into a folder that is not there on a machine with MUSA, or worse, into
that of another installation. nvidia-smi, nsys and their kind are not there either; what reads their output goes on with
nothing.
"""
EXAMPLE = """
home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
"""
INSTEAD = """
`/usr/local/musa`, and `/usr/local/musa/lib` where CUDA has lib64. `mthreads-gmi` for nvidia-smi, `msys` for nsys and
nvprof, `mcu` for ncu, with options and outputs of their own; torch.musa tells of devices without any of them.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: README.md (/usr/local/musa, MUSA_HOME)",
    "Moore Threads: developer.mthreads.com/musa/moore-perf-tools (Moore Perf System, Moore Perf Compute)",
)
TRIGGERS = frozenset(
    (
        b"usr",
        b"opt",
        b"nvidia",
        b"nvprof",
        b"nsys",
        b"ncu",
        b"cuobjdump",
        b"memcheck",
        b"sanitizer",
        b"nvdisasm",
        b"nvcc",
    )
)
VALID = (
    'print("nvidia-smi shows the cards")\n',
    '"""Needs /usr/local/cuda and nvidia-smi."""\n',
    'name = "ncu"\nx = "/usr/local/cuda.txt"\n',
)
INVALID = (
    Case(
        'home = f("CUDA", "/usr/local/cuda")\n',
        output='home = f("CUDA", "/usr/local/musa")\n',
        path="case.py",
    ),
    Case(
        'x = ["-L/usr/local/cuda-12.4/lib64"]\n',
        output='x = ["-L/usr/local/musa/lib"]\n',
        path="case.py",
    ),
    Case(
        'import subprocess\nprint(subprocess.run(["nvidia-smi", "-L"]))\n',
        findings=("nvidia-smi",),
        fixed='import subprocess\nprint(subprocess.run(["mthreads-gmi", "-L"]))\n',
        path="case.py",
    ),
    Case(
        'import os\nos.system("X=1 nsys profile ./app")\n',
        findings=("nsys",),
        fixed='import os\nos.system("X=1 msys profile ./app")\n',
        path="case.py",
    ),
    Case('if shutil.which("compute-sanitizer"):\n  pass\n', findings=("compute-sanitizer",), path="case.py"),
)

_FOLDER = late_pattern(rb"/(?:usr/local|opt)/cuda(?:-\d+(?:\.\d+)*)?(?:/lib64\b)?(?![\w.-])")
_RUNNING = frozenset(("run", "call", "check_call", "check_output", "Popen", "system", "popen", "getoutput",
                      "getstatusoutput", "which", "create_subprocess_exec", "create_subprocess_shell"))  # fmt: skip
_TELLING = frozenset(
    ("print", "warn", "warning", "info", "error", "debug", "exception", "add_argument", "skip", "skipif")
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Folders in any string that is not for people, tools in strings that are run or looked up."""
    seen = view(unit)
    for place in strings(seen):
        found = said(seen, place.node)
        if found is None or any(isinstance(each, ast.Raise) for each in place.above):
            continue
        called = _calls(place)
        running = bool(called) and called[0] in _RUNNING
        if not running and not _TELLING.isdisjoint(called):
            continue
        if " " in found.text and not running:
            continue
        for match in _FOLDER.finditer(seen.src, found.start, found.end):
            new = match[0].split(b"/cuda")[0] + b"/musa" + (b"/lib" if match[0].endswith(b"/lib64") else b"")
            yield Edit(match.start(), match.end(), match[0], new, CODE, "rule", "safe", "rules/build/names.toml")
        if running:
            for match in tool_pattern().finditer(seen.src, found.start, found.end):
                yield tool_finding(CODE, match[0], match.start(), match.end())


def _calls(place: Place) -> list[str]:
    """The names of the functions in whose call a string stands, the nearest first."""
    called = (each.func for each in place.above if isinstance(each, ast.Call))
    return [
        each.attr if isinstance(each, ast.Attribute) else each.id
        for each in called
        if isinstance(each, ast.Attribute | ast.Name)
    ]
