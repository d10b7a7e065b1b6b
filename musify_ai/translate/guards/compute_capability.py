"""MUS209: host code that compares a device's compute capability with NVIDIA's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.answers import same_answer
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.unit import Unit

CODE = "MUS209"
TITLE = "Compute capability test on the host"
WHY = """
A MUSA device reports 2.1, 2.2 or 3.1. A test such as `prop.major >= 8` is false on all of them, so the program falls
back to a slower path, or refuses to run, without saying why.
"""
EXAMPLE = """
if (prop.major >= 8) use_bf16();
"""
INSTEAD = """
Ask for the feature, or compare with MUSA's numbers under a guard of the project's (`prop.major >= 3` for what sm_90
brought, 2.2 for what sm_80 brought).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/flashinfer.py (compute capability >= 8 changed to >= 3)",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (compute capabilities of MUSA archs)",
)
TRIGGERS = frozenset(
    (
        b"cudaDeviceProp",
        b"cudaGetDeviceProperties",
        b"cudaDevAttrComputeCapabilityMajor",
        b"getCurrentDeviceProperties",
        b"getDeviceProperties",
        b"CUdevice",
    )
)
VALID = (
    "bool f(cudaDeviceProp p) { return p.major >= 2 && p.major != 9999; }\n",
    'void f(cudaDeviceProp p) { printf("%d.%d", p.major, p.minor); }\n',
    "void f(cudaDeviceProp p, V v) { int x = p.major; if (v.count >= 8) g(); }\n",
    "// cudaDeviceProp p; p.major >= 8\n",
    "void f(cudaDeviceProp p, V v) { if (p.multiProcessorCount >= 8) g(); }\n",
)
INVALID = (
    Case("void f(cudaDeviceProp p) { if (p.major >= 8) g(); }\n", findings=("p.major >= 8",)),
    Case(
        "void f(cudaDeviceProp* p) { bool ok = p->major * 10 + p->minor >= 75; }\n",
        findings=("p->major * 10 + p->minor >= 75",),
    ),
    Case("void f(cudaDeviceProp p) { if (p.major == 8 && p.minor == 0) g(); }\n", findings=("p.major == 8",)),
    Case("bool f(cudaDeviceProp p) { return 7 < p.major; }\n", findings=("7 < p.major",)),
    Case("bool f(cudaDeviceProp p) { return p.major >= MIN_MAJOR; }\n", findings=("p.major >= MIN_MAJOR",)),
)


# Major numbers of the devices: CUDA 12 supports 5 and up, MUSA devices have 2 and 3.
_NVIDIA = (5, 6, 7, 8, 9, 10, 12)
_MUSA = (2, 3)
_COMPARISONS = frozenset((b"==", b"!=", b"<", b">", b"<=", b">="))
_ENDS = frozenset((b";", b"{", b"}", b",", b"&&", b"||", b"?", b":", b"=", b"return"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each comparison that a member ``major`` takes part in."""
    if b"major" not in unit.words:
        return
    toks = unit.tokens
    covered = 0
    for index, token in enumerate(toks):
        if token.text != b"major" or index == 0 or toks[index - 1].text not in (b".", b"->") or token.start < covered:
            continue
        first, last = _bounds(toks, index)
        piece = toks[first : last + 1]
        compared = any(each.text in _COMPARISONS for each in piece)
        if not compared or not (any(each.kind == "number" for each in piece) or _names_constant(piece)):
            continue
        covered = piece[-1].end
        if index + 2 == last and same_answer(toks[index + 1].text, integer(toks[last].text), _NVIDIA, _MUSA):
            continue
        yield Finding(
            CODE,
            "warning",
            piece[0].start,
            piece[-1].end,
            "this compares a compute capability with NVIDIA's numbers; MUSA devices report 2.1, 2.2 and 3.1. Say what "
            "the test is for: 2.2 for what sm_80 brought, 3.1 for what sm_90 brought.",
            name="major",
        )


def _names_constant(piece: list[Token]) -> bool:
    """Whether a comparison is with a constant by its name: ``p.major >= MAJOR_MIN``."""
    return any(each.kind == "identifier" and each.text.isupper() and len(each.text) > 2 for each in piece)


def _bounds(toks: list[Token], index: int) -> tuple[int, int]:
    """The first and last token of the comparison around a member, parentheses balanced."""
    first, depth = index, 0
    while first > 0 and index - first < _REACH:
        text = toks[first - 1].text
        depth += (text == b")") - (text == b"(")
        if depth < 0 or (depth == 0 and text in _ENDS):
            break
        first -= 1
    last, depth = index, 0
    while last + 1 < len(toks) and last - index < _REACH:
        text = toks[last + 1].text
        depth += (text == b"(") - (text == b")")
        if depth < 0 or (depth == 0 and text in _ENDS):
            break
        last += 1
    return first, last


_REACH = 40
