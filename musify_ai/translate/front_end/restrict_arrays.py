"""MUS623: arrays of restricted pointers in a struct."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_match

CODE = "MUS623"
TITLE = "Array of restricted pointers"
WHY = """
A struct that holds an array of `__restrict__` pointers has no copy assignment under clang, so passing it on by
assignment does not compile. nvcc takes it. Two projects met it in their all-reduce.
"""
EXAMPLE = """
struct __align__(16) Data { const void* __restrict__ ptrs[8]; };
"""
INSTEAD = """
Drop the `__restrict__`, or give the struct an assignment of its own.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/compiler.py",
    "MooreThreads/vllm_musa: musa_porting.py",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// const void* __restrict__ ptrs[8];\n",
    "struct A { const void* ptrs[8]; };\nvoid f(int* __restrict__ x) { int a[8]; }\n",
    "__global__ void k(float* __restrict__ x, int n[8]);\n",
)
INVALID = (Case("struct A { const void* __restrict__ ptrs[8]; };\n", findings=("__restrict__ ptrs[",)),)

_ARRAY = late_pattern(rb"\b__restrict(?:__)?\s+\w+\s*\[(?=[^\]]*\]\s*;)")

_MESSAGE = (
    "an array of restricted pointers takes a struct's copy assignment away under clang: drop the __restrict__ here, or "
    "write the assignment."
)


def _is_the_hosts(unit: Unit, index: int) -> bool:
    return not unit.in_device_code(unit.tokens[index].start)


find = each_match(Says(CODE, "note", EFFORT, _MESSAGE), _ARRAY, "__restrict__", where=_is_the_hosts)
