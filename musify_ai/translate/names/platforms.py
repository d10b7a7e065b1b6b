"""Definitions that stand in a branch for another platform (``#ifdef USE_ROCM``): not the CUDA build's own symbols."""

import re
from collections.abc import Iterable

from musify_ai.source.directives import Directive, conditionals
from musify_ai.source.lexing import Occurrence
from musify_ai.source.patterns import late_pattern

OTHER_PLATFORMS = frozenset(
    b"USE_ROCM USE_HIP __HIPCC__ __HIP__ __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__ HIP_PLATFORM __HIP_DEVICE_COMPILE__ "
    b"TORCH_HIP_VERSION HIP_VERSION GGML_USE_HIP __AMDGCN__ __HCC__ SYCL_LANGUAGE_VERSION __SYCL_DEVICE_ONLY__".split()
)
_ASKING = frozenset((b"if", b"ifdef", b"elif", b"elifdef"))
_WORD = late_pattern(rb"!?\s*(?:defined\s*\(?\s*)?([A-Za-z_]\w*)")


def split_by_platform(
    src: bytes, lines: Iterable[Directive], definitions: Iterable[Occurrence]
) -> tuple[list[Occurrence], list[Occurrence]]:
    """Definitions that the CUDA build sees, and those it does not, which are to be renamed like any use."""
    spans = spans_elsewhere(src, lines, for_definitions=True)
    own: list[Occurrence] = []
    elsewhere: list[Occurrence] = []
    for place in definitions:
        inside = any(start <= place.start < end for start, end in spans)
        (elsewhere if inside else own).append(place)
    return own, elsewhere


def _asks_for_another(condition: bytes) -> bool:
    return any(word[1] in OTHER_PLATFORMS and not word[0].startswith(b"!") for word in _WORD.finditer(condition))


def _excludes_another(keyword: bytes, condition: bytes) -> bool:
    words = [(word[1] in OTHER_PLATFORMS, word[0].startswith(b"!")) for word in _WORD.finditer(condition)]
    if keyword == b"ifndef":
        return bool(words) and words[0][0]
    return keyword in (b"if", b"elif") and len(words) == 1 and words[0] == (True, True)


def spans_elsewhere(src: bytes, lines: Iterable[Directive], *, for_definitions: bool = False) -> list[tuple[int, int]]:
    """The branches that the CUDA build does not take: those for another platform, and with ``for_definitions`` those
    for a build without CUDA, which define in its stead what its headers would."""
    spans = []
    for conditional in conditionals(src, lines):
        excluded = with_cuda = False  # an earlier branch is for every platform but another; for a build with CUDA
        for branch in conditional.branches:
            line = branch.directive
            condition = src[line.argument_start : line.end]
            elsewhere = (line.keyword in _ASKING and _asks_for_another(condition)) or (
                excluded and line.keyword == b"else"
            )
            if for_definitions:
                elsewhere = elsewhere or (with_cuda and line.keyword == b"else")
                elsewhere = elsewhere or _asks_for_none(line.keyword, condition, src[line.end : line.end + 300])
                with_cuda = with_cuda or _asks_for_cuda(line.keyword, condition)
            if elsewhere:
                spans.append((branch.body_start, branch.body_end))
            excluded = excluded or _excludes_another(line.keyword, condition)
    return spans


def _asks_for_cuda(keyword: bytes, condition: bytes) -> bool:
    words = list(_WORD.finditer(condition))
    return (
        keyword in _ASKING
        and len(words) == 1
        and not words[0][0].startswith(b"!")
        and _ENABLES.search(words[0][1]) is not None
        and not _COMPARES.search(condition)
    )


def _asks_for_none(keyword: bytes, condition: bytes, following: bytes) -> bool:
    """Whether a branch is for a build without CUDA (``#ifndef USE_CUDA``); an include guard is no such thing."""
    words = list(_WORD.finditer(condition))
    if len(words) != 1 or _ENABLES.search(words[0][1]) is None or _COMPARES.search(condition):
        return False
    if re.match(rb"\s*#[ \t]*define[ \t]+" + re.escape(words[0][1]) + rb"\b", following):
        return False
    return keyword == b"ifndef" or (keyword in (b"if", b"elif") and words[0][0].startswith(b"!"))


# A macro that says whether there is CUDA, not which: USE_CUDA, WITH_CUDA, __CUDACC__, __NVCC__.
_ENABLES = late_pattern(
    rb"(?:USE|WITH|HAVE|ENABLE|BUILD|HAS)\w*CUDA|CUDA_(?:ENABLED|FOUND|AVAILABLE)|__CUDACC__|__NVCC__"
)
_COMPARES = late_pattern(rb"[<>=]")
