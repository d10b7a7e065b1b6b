"""MUS305: `warpSize` of the device properties, in host code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Related, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.answers import same_answer
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.mentions import is_member, mentions
from musify_ai.translate.unit import Unit

CODE = "MUS305"
TITLE = "Warp size asked for on the host"
WHY = """
The host sees 128 on mp_21 and mp_22. Where that number sizes a launch, shared memory or a kernel argument while the
kernel counts in groups of 32 (or the other way round), host and device disagree: wrong results or a failed launch, as
llama.cpp met on an S80.
"""
EXAMPLE = """
int warps = threads / prop.warpSize;
"""
INSTEAD = """
One source for both sides: the constant 32 where the kernel counts in 32, or a kernel that takes the width as a
parameter.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "llama.cpp pull request 12445",
    "ggml-org/ggml: src/ggml-cuda/ggml-cuda.cu (32 on the host as well)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = frozenset(
    (
        b"warpSize",
        b"cudaDevAttrWarpSize",
        b"CU_DEVICE_ATTRIBUTE_WARP_SIZE",
    )
)
VALID = (
    "bool f(cudaDeviceProp p) { return p.warpSize <= 1; }\n",
    'void f(cudaDeviceProp p) { printf("warp %d", p.warpSize); }\n',
    "void f(cudaDeviceProp p) { std::cout << p.warpSize << std::endl; }\n",
    "__global__ void k(int* x, int n) {\n  x[0] = warpSize;\n}\n",
    "// prop.warpSize\n",
)
INVALID = (
    Case("int f(cudaDeviceProp p) { return 256 / p.warpSize; }\n", findings=("p.warpSize",)),
    Case("void f(cudaDeviceProp* p) { k<<<1, p->warpSize>>>(); }\n", findings=("p->warpSize",)),
    Case("void f(int* w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n", findings=("cudaDevAttrWarpSize",)),
)


_PRINTERS = frozenset((b"printf", b"fprintf", b"sprintf", b"snprintf", b"print", b"format", b"println", b"puts"))
_REACH = 200


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place that does more than print the number."""
    if not unit.wide_archs:
        return
    toks = unit.tokens
    spans = [
        (toks[max(index - 2, 0)].start, toks[index].end, toks[index].text)
        for index in _members(unit)
        if not _printed(unit, index) and not _indifferent(unit, index)
    ]
    spans += [(toks[i].start, toks[i].end, toks[i].text) for i in mentions(unit, TRIGGERS - {b"warpSize"})]
    device = next((each.start for each in unit.occurrences((b"warpSize",)) if unit.in_device_code(each.start)), None)
    related = () if device is None else (Related("", device, device + 8, "the kernel counts with warpSize here"),)
    for start, end, name in spans:
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"the device's warp size is 128 on {', '.join(unit.wide_archs)}. If this number reaches a launch, a size "
            "or a kernel that counts in 32, host and device disagree: use one constant for both.",
            effort=EFFORT,
            related=related,
            name=name.decode("ascii"),
        )


def _members(unit: Unit) -> Iterator[int]:
    for each in unit.occurrences((b"warpSize",)):
        index = unit.token_index(each.start)
        if index >= 0 and is_member(unit.tokens, index) and not unit.in_device_code(each.start):
            yield index


def _indifferent(unit: Unit, index: int) -> bool:
    """Whether the number is only compared with one that leaves 32 and 128 on the same side."""
    following = unit.tokens[index + 1 : index + 3]
    if len(following) < 2:
        return False
    return same_answer(following[0].text, integer(following[1].text), (32,), (128,))


def _printed(unit: Unit, index: int) -> bool:
    """Whether the number only goes into a print call or a stream."""
    toks = unit.tokens
    position, depth = index, 0
    while position > 0 and index - position < _REACH:
        position -= 1
        text = toks[position].text
        if text == b")":
            depth += 1
        elif text == b"(" and depth:
            depth -= 1
        elif text == b"(":
            return position > 0 and toks[position - 1].text in _PRINTERS
        elif text in (b";", b"{", b"}"):
            return toks[index - 3].text == b"<<" and index >= 3
    return False
