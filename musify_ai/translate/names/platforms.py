"""Definitions that stand in a branch for another platform (``#ifdef USE_ROCM``): not the CUDA build's own symbols."""

import re
from collections.abc import Iterable

from musify_ai.source.directives import conditionals, directives
from musify_ai.source.lexing import Occurrence, Region

OTHER_PLATFORMS = frozenset(
    b"USE_ROCM USE_HIP __HIPCC__ __HIP__ __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__ HIP_PLATFORM __HIP_DEVICE_COMPILE__ "
    b"TORCH_HIP_VERSION HIP_VERSION GGML_USE_HIP __AMDGCN__ __HCC__ SYCL_LANGUAGE_VERSION __SYCL_DEVICE_ONLY__".split()
)
_ASKING = frozenset((b"if", b"ifdef", b"elif", b"elifdef"))
_WORD = re.compile(rb"!?\s*(?:defined\s*\(?\s*)?([A-Za-z_]\w*)")


def split_by_platform(
    src: bytes, found: list[Region], definitions: Iterable[Occurrence]
) -> tuple[list[Occurrence], list[Occurrence]]:
    """Definitions that the CUDA build sees, and those it does not, which are to be renamed like any use."""
    spans = []
    for conditional in conditionals(src, directives(src, found)):
        excluded = False  # an earlier branch is for every platform but another
        for branch in conditional.branches:
            line = branch.directive
            condition = src[line.argument_start : line.end]
            if (line.keyword in _ASKING and _asks_for_another(condition)) or (excluded and line.keyword == b"else"):
                spans.append((branch.body_start, branch.body_end))
            excluded = excluded or _excludes_another(line.keyword, condition)
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
