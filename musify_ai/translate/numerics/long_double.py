"""MUS609: `long double` in device code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS609"
TITLE = "Long double in device code"
WHY = """
In device code nvcc makes `long double` a `double`; with clang the overloads of `exp` and its kin become ambiguous for
it, as a port of InfiniCore met.
"""
EXAMPLE = """
__device__ float f(float x) { return exp((long double)x); }
"""
INSTEAD = """
`double`, said so.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("InfiniTensor/InfiniCore: src/infiniop/devices/moore/moore_kernel_common.h",)
TRIGGERS = triggers(CODE)
VALID = (
    "long double f(long double x) { return x; }\n",
    "// long double\n",
    "__global__ void k(long x) {\n  double y = x;\n}\n",
)
INVALID = (
    Case("__global__ void k(long double* x) { x[0] = exp(x[0]); }\n", findings=("long double",)),
    Case("__device__ float f(float x) { return exp((long double)x); }\n", findings=("long double",)),
)

_LONG_DOUBLE = late_pattern(rb"long\s+double\b")  # begins with a literal, which the engine finds at once


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each in the body of a device function."""
    if b"double" not in unit.words or _LONG_DOUBLE.search(unit.src) is None:
        return
    toks = unit.tokens
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        following = toks[index + 1] if 0 <= index < len(toks) - 1 else None
        if following is None or following.text != b"double" or not _is_devices(unit, index):
            continue
        yield Finding(
            CODE,
            "note",
            each.start,
            following.end,
            "long double is double in device code, and makes calls of exp and its kin ambiguous for mcc: say double.",
            effort=EFFORT,
            name="long double",
        )


def _is_devices(unit: Unit, index: int) -> bool:
    """Whether a token is in the body of a device function or in its list of parameters."""
    if unit.in_device_code(unit.tokens[index].start):
        return True
    closed = unit.partners.get(unit.openers[index], -1)
    if not index < closed < len(unit.tokens) - 1:
        return False
    body = unit.tokens[closed + 1]
    return body.text == b"{" and unit.in_device_code(body.end)
