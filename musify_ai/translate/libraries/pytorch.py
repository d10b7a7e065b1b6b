"""MUS802: PyTorch C++ names that are reached through a namespace, an object or a macro argument."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import is_member
from musify_ai.translate.unit import Unit

CODE = "MUS802"
TITLE = "PyTorch's CUDA names, qualified"
WHY = """
torch_musa registers its device as PrivateUse1: there is no `kMUSA` in PyTorch's own enumeration, and the streams and
guards live in `at::musa` and `c10::musa`. Left as they are these names select the CUDA backend, or do not build once
the headers are torch_musa's.
"""
EXAMPLE = """
TORCH_CHECK(x.is_cuda()); auto stream = at::cuda::getCurrentCUDAStream();
"""
INSTEAD = """
`x.is_privateuseone()`, `at::musa::getCurrentMUSAStream()`, `kPrivateUse1`, `TORCH_LIBRARY_IMPL(ns, PrivateUse1, m)`.
Applied with `--unsafe-fixes`, for a project that is built against torch_musa.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: docs/markdown/source/06_third_party_lib_extension.md",
    "torchada pull request 24 (kMUSA does not exist)",
)
TRIGGERS = frozenset(
    (
        b"is_cuda",
        b"kCUDA",
        b"cuda",
        b"DeviceType",
        b"TORCH_LIBRARY_IMPL",
        b"CUDA",
        b"PhiloxCudaState",
        b"CUDAGeneratorImpl",
        b"philox_cuda_state",
    )
)
VALID = (
    "// x.is_cuda()\n",
    "struct S { bool is_cuda; };\n",
    "namespace cuda { int a; }\n",
    "cuda::atomic<int> a;\n",
    "bool is_cuda(int x);\n",
    "int x = my::DeviceKind::CUDA;\n",
    'const char* s = "torch::kCUDA";\n',
    "my::PhiloxCudaState a;\n",
    "struct at { int philox_cuda_state; };\n",
)
INVALID = (
    Case(
        "bool f(torch::Tensor x) { return x.is_cuda(); }\n",
        findings=("is_cuda",),
        fixed="bool f(torch::Tensor x) { return x.is_privateuseone(); }\n",
    ),
    Case("auto d = torch::kCUDA;\n", findings=("torch::kCUDA",), fixed="auto d = torch::kPrivateUse1;\n"),
    Case(
        "auto d = c10::DeviceType::CUDA;\n",
        findings=("DeviceType::CUDA",),
        fixed="auto d = c10::DeviceType::PrivateUse1;\n",
    ),
    Case(
        "auto s = at::cuda::getCurrentCUDAStream();\n",
        findings=("at::cuda::getCurrentCUDAStream",),
        fixed="auto s = at::musa::getCurrentMUSAStream();\n",
    ),
    Case(
        "auto s = at::cuda::getCurrentDeviceProperties();\n",
        findings=("at::cuda::getCurrentDeviceProperties",),
        fixed="auto s = at::musa::getCurrentDeviceProperties();\n",
    ),
    Case(
        "auto seeds = at::cuda::philox::unpack(args);\n",
        findings=("at::cuda::philox",),
        fixed="auto seeds = at::musa::philox::unpack(args);\n",
    ),
    Case(
        "struct P { at::PhiloxCudaState args; };\n",
        findings=("at::PhiloxCudaState",),
        fixed="struct P { at::PhiloxMusaState args; };\n",
    ),
    Case(
        "auto gen = at::pick<at::CUDAGeneratorImpl>(g, at::cuda::detail::getDefaultCUDAGenerator());\n"
        "args = gen->philox_cuda_state(4);\n",
        findings=("at::CUDAGeneratorImpl", "at::cuda::detail::getDefaultCUDAGenerator", "philox_cuda_state"),
        fixed="auto gen = at::pick<at::MUSAGeneratorImpl>(g, at::musa::detail::getDefaultMUSAGenerator());\n"
        "args = gen->philox_musa_state(4);\n",
    ),
    Case("auto s = c10::cuda::SomeCUDAThing();\n", findings=("c10::cuda::SomeCUDAThing",)),
    Case("using namespace at::cuda;\n", findings=("at::cuda",), fixed="using namespace at::musa;\n"),
    Case(
        "TORCH_LIBRARY_IMPL(ops, CUDA, m) {}\n",
        findings=("CUDA",),
        fixed="TORCH_LIBRARY_IMPL(ops, PrivateUse1, m) {}\n",
    ),
)


_LIKELY = re.compile(rb"(?:at|c10|torch)\s*::|is_cuda\s*\(|DeviceType\s*::|TORCH_LIBRARY_IMPL|philox_cuda_state\s*\(")
_LIKELY_WORDS = frozenset((b"c10", b"torch", b"is_cuda", b"DeviceType", b"TORCH_LIBRARY_IMPL", b"philox_cuda_state"))
_AT = re.compile(rb"at\s*::")  # "at" alone is a word of most licences
_NAMESPACES = frozenset((b"at", b"c10", b"torch"))
_NAMES = {
    b"getCurrentCUDAStream": b"getCurrentMUSAStream",
    b"getDefaultCUDAStream": b"getDefaultMUSAStream",
    b"getStreamFromPool": b"getStreamFromPool",
    b"getCurrentDeviceProperties": b"getCurrentDeviceProperties",
    b"getDeviceProperties": b"getDeviceProperties",
    b"getCurrentCUDABlasHandle": b"getCurrentMUSABlasHandle",
    b"CUDAGuard": b"MUSAGuard",
    b"OptionalCUDAGuard": b"OptionalMUSAGuard",
    b"CUDAStreamGuard": b"MUSAStreamGuard",
    b"CUDAStream": b"MUSAStream",
    b"CUDAEvent": b"MUSAEvent",
    b"CUDACachingAllocator": b"MUSACachingAllocator",
    b"current_device": b"current_device",
    b"philox": b"philox",  # at::musa::philox::unpack: torch_musa/csrc/aten/musa/MUSAGeneratorImpl.h
    b"device_count": b"device_count",
    b"set_device": b"set_device",
}
# Names that stand in PyTorch's own namespace, and members: torch_musa/csrc/aten/musa/MUSAGeneratorImpl.h.
_IN_AT = {b"PhiloxCudaState": b"PhiloxMusaState", b"CUDAGeneratorImpl": b"MUSAGeneratorImpl"}
_MEMBERS = {b"is_cuda": b"is_privateuseone", b"philox_cuda_state": b"philox_musa_state"}
_IN_DETAIL = {b"getDefaultCUDAGenerator": b"getDefaultMUSAGenerator"}
_SOURCE = "torch_musa's recipe for extensions"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each such name, with torch_musa's spelling as the suggestion where one is published."""
    if unit.words.isdisjoint(_LIKELY_WORDS) and (b"at" not in unit.words or _AT.search(unit.src) is None):
        return
    if _LIKELY.search(unit.src) is None:
        return
    toks = unit.tokens
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        found = None if index < 0 else _span(toks, index)
        if found is None:
            continue
        first, last, new = found
        start, end = toks[first].start, toks[last].end
        old = unit.src[start:end]
        advice = f"{new.decode('ascii')} with torch_musa" if new else "no published name with torch_musa"
        shown = old.decode("utf-8", "replace")
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"{shown}: PyTorch's CUDA backend, {advice}, whose device is PrivateUse1. --unsafe-fixes makes the edit "
            "for a project that is built against it.",
            edit=Edit(start, end, old, new, CODE, "rule", "unsafe", _SOURCE) if new else None,
            settled=False,
            name=shown,
        )


def _text(toks: list[Token], index: int) -> bytes:
    return toks[index].text if 0 <= index < len(toks) else b""


def _span(toks: list[Token], index: int) -> tuple[int, int, bytes] | None:
    """First and last token of the name that a trigger word belongs to, and what stands there with torch_musa (empty
    where nothing is published); ``None`` where the word is something else."""
    name, before, after = toks[index].text, _text(toks, index - 1), _text(toks, index + 1)
    if name in _MEMBERS:
        return (index, index, _MEMBERS[name]) if is_member(toks, index) and after == b"(" else None
    if name in _IN_AT:
        return (
            (index - 2, index, b"at::" + _IN_AT[name]) if _text(toks, index - 2) == b"at" and before == b"::" else None
        )
    if name == b"kCUDA":
        qualifier = _text(toks, index - 2)
        if before == b"::" and qualifier in _NAMESPACES:
            return index - 2, index, qualifier + b"::kPrivateUse1"
        return None
    if name == b"DeviceType":
        if after == b"::" and _text(toks, index + 2) == b"CUDA":
            return index, index + 2, b"DeviceType::PrivateUse1"
        return None
    if name == b"CUDA":
        listed = before == b"," and _text(toks, index - 3) == b"(" and _text(toks, index - 4) == b"TORCH_LIBRARY_IMPL"
        return (index, index, b"PrivateUse1") if listed else None
    if name != b"cuda" or before != b"::" or _text(toks, index - 2) not in _NAMESPACES:
        return None
    head = _text(toks, index - 2) + b"::musa"
    if after != b"::":
        return index - 2, index, head
    member = _text(toks, index + 2)
    inner = _IN_DETAIL.get(_text(toks, index + 4))
    if member == b"detail" and _text(toks, index + 3) == b"::" and inner:
        return index - 2, index + 4, head + b"::detail::" + inner
    mapped = _NAMES.get(member)
    return index - 2, index + 2, head + b"::" + mapped if mapped else b""
