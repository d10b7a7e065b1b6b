"""MUS517: allocation in stream order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, first_use

CODE = "MUS517"
TITLE = "Allocation in stream order"
WHY = """
`musaMallocAsync` is there, but whether a device has memory pools depends on it and on the SDK, and muBLAS crashed on
arrays of pointers from a pool. A program that does not ask fails at run time.
"""
EXAMPLE = """
cudaMallocAsync(&p, bytes, stream);
"""
INSTEAD = """
A check of the device's attribute for memory pools, with `musaMalloc` as the second path.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/sppark-musa: util/cuda2musa.hpp, MUSA_5.2_SCOPE.md",
    "llama.cpp pull request 13887",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// cudaMallocAsync(&p, n, s)\n",
    "static cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t s) { return cudaMalloc(p, n); }\n",
    "void f() { cudaDeviceGetAttribute(&v, cudaDevAttrMemoryPoolsSupported, 0); cudaMallocAsync(&p, 4, s); }\n",
)
INVALID = (
    Case("void f() { cudaMallocAsync(&p, 4, s); cudaMallocAsync(&q, 4, s); }\n", findings=("cudaMallocAsync",)),
    Case("void f() { cuMemAllocAsync(&p, 4, s); }\n", findings=("cuMemAllocAsync",)),
)

_ASKS = frozenset((b"cudaDevAttrMemoryPoolsSupported", b"CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED"))
_USES = first_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "{name}: whether a MUSA device has memory pools depends on it and on the SDK. Ask for the attribute first, "
        "with a plain allocation as the second path.",
    ),
    TRIGGERS,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One note for a file that does not ask whether the device has memory pools."""
    if unit.words.isdisjoint(_ASKS):
        yield from _USES(unit)
