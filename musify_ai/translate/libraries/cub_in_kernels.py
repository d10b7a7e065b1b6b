"""MUS706: device-wide CUB algorithms called from device code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS706"
TITLE = "Device-wide CUB algorithm in device code"
WHY = """
CUB for MUSA calls its device-wide algorithms from the host only: they launch kernels, and its path for that from
device code is closed for every arch.
"""
EXAMPLE = """
__global__ void k() { cub::DeviceReduce::Sum(t, n, in, out, m); }
"""
INSTEAD = """
Call it from the host, or use the block-wide algorithm.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/muAlg: cub/util_arch.cuh",)
TRIGGERS = frozenset((b"cub",))
VALID = (
    "void f() { cub::DeviceReduce::Sum(t, n, i, o, m); }\n",
    "__global__ void k(int* x, int n) {\n  cub::BlockReduce<int, 128> r(t);\n}\n",
    "// cub::DeviceScan in __global__\n",
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  cub::DeviceReduce::Sum(t, b, x, x, n);\n}\n",
        findings=("cub::DeviceReduce",),
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use in device code."""
    toks = unit.tokens
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        if index < 0 or index + 2 >= len(toks) or not unit.in_device_code(each.start):
            continue
        if toks[index + 1].text == b"::" and toks[index + 2].text.startswith(b"Device"):
            yield Finding(
                CODE,
                "error",
                each.start,
                toks[index + 2].end,
                "CUB for MUSA has its device-wide algorithms for the host only: call it there, or use the block-wide "
                "one.",
                effort=EFFORT,
                settled=False,
                name=toks[index + 2].text.decode("ascii"),
            )
