"""MUS608: `double` in device code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import is_member
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
    "#include <double.h>\n__device__ int f();\n",
)
INVALID = (
    Case("__global__ void k(double* x) {\n  double y = x[0];\n}\n", findings=("double",)),
    Case("__device__ float f(float x) {\n  return (float)((double)x * 2.0);\n}\n", findings=("double",)),
    Case("double g();\n__host__ __device__ complex<double> f();\n", findings=("double",)),
)

_DEVICE = frozenset((b"__global__", b"__device__"))
_ENDS = frozenset((b";", b"{", b"}"))
_REACH = 80


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One note for a file, at its first double in device code, with the lines of the others."""
    if unit.words.isdisjoint(_DEVICE):
        return
    toks = unit.tokens
    found = []
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        if (
            index >= 0
            and not is_member(toks, index)
            and (unit.in_device_code(each.start) or _in_signature(unit, index))
        ):
            found.append(index)
    if found:
        first = toks[found[0]]
        yield Finding(
            CODE,
            "note",
            first.start,
            first.end,
            "double in device code: frameworks for MUSA build without fp64 by default, and sources disagree whether "
            "the hardware has it. Build with fp64 enabled and measure, or use float where that is enough.",
            effort=EFFORT,
            related=further_lines(unit, found),
            name=first.text.decode("ascii"),
        )


def _in_signature(unit: Unit, index: int) -> bool:
    """Whether a token stands in the declaration of a function for the device."""
    toks = unit.tokens
    position = index
    while position > 0 and index - position < _REACH:
        position -= 1
        if toks[position].text in _DEVICE:
            return True
        if toks[position].text in _ENDS or toks[position].kind == "directive-start":
            return False
    return False
