"""MUS608: `double` in device code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import further_lines

CODE = "MUS608"
TITLE = "Double precision in device code"
WHY = """
torch_musa builds with `-mathx-disable-fp64` unless asked otherwise, muDNN has no product in double, and FlagGems
holds that the hardware has no fp64 at all, while other ports compute in it. So code in `double` may not build with a
framework's flags, or run very slowly, and nothing says so.
"""
EXAMPLE = """
__global__ void k(double* x);
"""
INSTEAD = """
Build with fp64 enabled (`ENABLE_COMPILE_FP64=1` for torch_musa) and measure; or float with compensated sums where
that is enough. Keep `double` on the host.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/csrc/CMakeLists.txt (-mathx-disable-fp64)",
    "FlagGems pull request 6179 (no fp64 hardware)",
    "MooreThreads/elpa-musa: cuda_to_musa_port.sh (a port in double)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "double f(double x) { return x; }\n__global__ void k() {}\n",
    "// __global__ void k(double* x)\n",
    "__global__ void k(float* x) {\n  x[0] = x.double_value;\n}\n",
    "__global__ void k(float* x) {\n  if (x) {\n#if A\n  if (*x) {\n#endif\n  }\n}\nvoid f(double x);\n",
    "#include <double.h>\n__device__ int f();\n",
)
INVALID = (
    Case("__global__ void k(double* x) {\n  double y = x[0];\n}\n", findings=("double",)),
    Case("__device__ float f(float x) {\n  return (float)((double)x * 2.0);\n}\n", findings=("double",)),
    Case("static double __device__ f();\n", findings=("double",)),
    Case("double g();\n__host__ __device__ complex<double> f();\n", findings=("double",)),
)

_DEVICE = frozenset((b"__global__", b"__device__"))
_OPENS = late_pattern(rb"[;{]")
_BRACES = late_pattern(rb"[{}]")
_BEFORE = late_pattern(rb"[;{}]|\n[ \t]*#[^\n]*\n")
_REACH = 200


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One note for a file, at its first double in device code, with the lines of the others."""
    if unit.words.isdisjoint(_DEVICE):
        return
    spans = list(_device_functions(unit))
    found = []
    for each in unit.occurrences(TRIGGERS) if spans else ():
        index = bisect_right(spans, each.start, key=lambda span: span[0]) - 1
        if index >= 0 and each.start < spans[index][1]:
            found.append((each.start, each.end))
    if found:
        start, end = found[0]
        yield Finding(
            CODE,
            "note",
            start,
            end,
            "double in device code: frameworks for MUSA build without fp64 by default, and sources disagree whether "
            "the hardware has it. Build with fp64 enabled and measure, or use float where that is enough.",
            effort=EFFORT,
            related=further_lines(unit, found),
            name=unit.src[start:end].decode("ascii"),
        )


def _device_functions(unit: Unit) -> Iterator[tuple[int, int]]:
    """Declarations and bodies of functions for the device, by the bytes alone: nearly every file of kernels holds a
    double on the host, and making tokens to find that out would cost more than what is found."""
    src, covered = unit.src, 0
    for mark in unit.occurrences(_DEVICE):
        if mark.start < covered:
            continue
        opened = _OPENS.search(src, mark.end)
        if opened is None:
            return
        covered = opened.end()
        if opened[0] == b"{":
            covered = _body_end(src, opened.start())
        # The type that a function gives may stand before the word that says where it runs.
        low = max(mark.start - _REACH, 0)
        starts = [match.end() for match in _BEFORE.finditer(src, low, mark.start)]
        yield starts[-1] if starts else low, covered


def _body_end(src: bytes, opened: int) -> int:
    """Where the braces that open at an offset close; a brace at the start of a line ends a body at the latest, since an
    ``#if`` may split the others."""
    depth = 0
    latest = src.find(b"\n}", opened)
    for brace in _BRACES.finditer(src, opened, len(src) if latest < 0 else latest + 2):
        depth += 1 if brace[0] == b"{" else -1
        if depth == 0:
            return brace.end()
    return len(src) if latest < 0 else latest + 2
