"""MUS212: the PTX or binary version that the runtime tells of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS212"
TITLE = "PTX or binary version of a kernel"
WHY = """
`cudaFuncAttributes` and `cuFuncGetAttribute` say for which PTX and machine architecture a kernel was built, and
programs choose tuned settings by the number (70 for sm_70). MUSA has no PTX: the field may be missing, 0, or count 21,
22 and 31, and a choice by NVIDIA's numbers ends in the one for the oldest GPU.
"""
EXAMPLE = """
cudaFuncGetAttributes(&attributes, kernel);
int version = attributes.ptxVersion * 10;
"""
INSTEAD = """
Ask for the device's own number: muAlg takes `100 * prop.major + 10 * prop.minor` of `musaGetDeviceProperties`, and its
tuning tables have entries for 210.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/muAlg: cub/util_device.cuh (PtxVersionUncached)",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (attr.ptxVersion >= 90)",
)
TRIGGERS = frozenset(
    (b"ptxVersion", b"binaryVersion", b"CU_FUNC_ATTRIBUTE_PTX_VERSION", b"CU_FUNC_ATTRIBUTE_BINARY_VERSION")
)
VALID = (
    "// attributes.ptxVersion\n",
    "int ptxVersion = 70;\nint b = ptxVersion + 1;\n",
    "struct S { int binaryVersion; };\n",
)
INVALID = (
    Case("void f(cudaFuncAttributes a) { int v = a.ptxVersion * 10; }\n", findings=("ptxVersion",)),
    Case("bool f(cudaFuncAttributes* a) { return a->binaryVersion >= 70; }\n", findings=("binaryVersion",)),
    Case("cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_PTX_VERSION, f);\n", findings=("CU_FUNC_ATTRIBUTE_PTX_VERSION",)),
)

_MEMBERS = frozenset((b"ptxVersion", b"binaryVersion"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use of the members and of the attributes."""
    for start, end, word, _ in unit.occurrences(TRIGGERS):
        if word in _MEMBERS:
            index = unit.token_index(start)
            if index < 1 or unit.tokens[index - 1].text not in (b".", b"->"):
                continue
        name = word.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"{name} tells the NVIDIA architecture that a kernel was built for, and MUSA has no PTX: what a choice by "
            "this number means there is not known. Ask for the device's own compute capability (2.1, 2.2, 3.1).",
            effort=EFFORT,
            name=name,
        )
