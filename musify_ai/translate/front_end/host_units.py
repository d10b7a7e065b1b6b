"""MUS624: device code and half in files of the host compiler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.first_looks import goes_to_host_compiler
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS624"
TITLE = "Device code in a host source file"
WHY = """
A `.cpp` file goes to the host compiler. `musa_fp16.h` and its kin need mcc, so what includes them does not build
there (torch_musa: `cxx: ["force_mcc"]`); kernels and launches in such a file need `-x musa`, or CMake's source
property, as they needed `-x cu` before.
"""
EXAMPLE = """
#include <cuda_fp16.h>
"""
INSTEAD = """
`-x musa` for the file, `MUSA_SOURCE_PROPERTY_FORMAT OBJ` in CMake, or `force_mcc` in setup.py; or move the code to a
`.cu` file.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/utils/README.md",
    "MooreThreads/tutorial_on_musa: musa_quick_start/0_example_mul/README.md",
)
TRIGGERS = triggers(CODE)
VALID = (
    "#include <cuda_fp16.h>\n__global__ void k() {}\n",
    "// half\n",
)
INVALID = (
    Case("#include <cuda_fp16.h>\nhalf f(half x);\n", findings=("<cuda_fp16.h>",), path="a.cpp"),
    Case("__global__ void k() {}\n", findings=("__global__",), path="a.cc"),
)

_HEADER = late_pattern(rb'[<"]cuda_(?:fp16|bf16|fp8)\.(?:h|hpp)[>"]')
_DEVICE = frozenset((b"__global__", b"__device__"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One note for such a file: at its first kernel, else at the header."""
    if not goes_to_host_compiler(unit):
        return
    for each in unit.occurrences(_DEVICE - unit.macros)[:1]:
        yield _note(
            each.start, each.end, "a host compiler does not take this: build the file with -x musa", "device code"
        )
        return
    for region in unit.regions:
        header = _HEADER.search(unit.src, region.start, region.end) if region.kind == "include" else None
        if header is not None:
            what = "MUSA's header for these types needs mcc, and this file goes to the host compiler: force mcc for it"
            yield _note(header.start(), header.end(), what, header[0].decode("ascii")[1:-1])
            return


def _note(start: int, end: int, what: str, name: str) -> Finding:
    return Finding(CODE, "note", start, end, f"{what}.", effort=EFFORT, name=name)
