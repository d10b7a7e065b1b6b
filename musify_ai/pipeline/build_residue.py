"""What of CUDA a migrated build file still holds and nothing explains.

As for source files this is a check on the translator and shares nothing with it: its own list of what CMake, Make and
nvcc call CUDA's things, its own reading of comments.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from musify_ai.pipeline.residue import Residue
from musify_ai.source.patterns import late_pattern

# What nobody but CUDA's own build means: the language and its variables, FindCUDA's and FindCUDAToolkit's, nvcc and the
# flags that no other compiler takes, NVIDIA's archs, libraries that are linked by name.
_KNOWN = late_pattern(
    rb"\bCUDA::\w+"
    rb"|(?<![\w-])CMAKE_CUDA_[A-Z_]+\b"
    rb"|\bCUDAToolkit(?:_[A-Za-z_]+)?\b"
    rb"|(?<![\w-])CUDA_(?:NVCC_FLAGS|TOOLKIT_ROOT_DIR|INCLUDE_DIRS|LIBRARIES|FOUND|SEPARABLE_COMPILATION|ARCHITECTURES"
    rb"|RUNTIME_LIBRARY|RESOLVE_DEVICE_SYMBOLS|PTX_COMPILATION|HOST_COMPILER|NVCC_EXECUTABLE|VERSION(?:_MAJOR|_MINOR)?"
    rb"|HOME|PATH)\b(?![\w-])"
    rb"|\bcuda_(?:add_(?:executable|library)|include_directories|compile(?:_ptx|_cubin|_fatbin)?|select_nvcc_arch_flags)\b"
    rb"|\b(?:LANGUAGES?|enable_language[ \t]*\([ \t]*)(?:[ \t]+\w+)*[ \t(]*\bCUDA\b"
    rb"|\$<COMPILE_LANGUAGE:CUDA>"
    rb"|(?<![\w.-])nvcc(?:\.exe)?(?![\w.-])"
    rb"|(?<![\w-])(?:-gencode|--generate-code|-Xptxas|--expt-[\w-]+|-lineinfo|--use_fast_math|-use_fast_math"
    rb"|-maxrregcount|--maxrregcount|-Xcompiler|-ccbin)\b"
    rb"|(?<![\w-])(?:sm|compute)_\d{2,3}[a-z]?\b"
    rb"|(?<![\w-])-l(?:cuda(?:rt|devrt)?|cu(?:blas(?:Lt)?|fft|rand|sparse|solver|dnn|pti)|nccl|nvrtc|nvToolsExt"
    rb"|nvidia-ml|npp\w*)(?:_static)?\b"
    rb"|/usr/local/cuda\b"
)
_BRACKET = late_pattern(rb"#\[(=*)\[[\s\S]*?(?:\]\1\]|\Z)")
_HASH = late_pattern(rb"#[^\n]*")
_STRING = late_pattern(rb'"(?:[^"\\]|\\[\s\S])*+"')
_SPEAKING = late_pattern(
    rb"(?i)\bmessage[ \t\r\n]*\((?:[^()\"]|\"(?:[^\"\\]|\\[\s\S])*+\"|\([^()]*\))*\)"
    rb"|(?m:^[ \t]*[@+-]*[ \t]*(?:echo|printf)\b[^\n]*|\$\((?:info|warning|error)[ \t][^\n]*)"
)


def build_residue(output: bytes, explained: Sequence[tuple[int, int]]) -> Residue:
    """The places of a CMake file or Makefile that hold a name of CUDA's outside comments, messages and ``explained``.

    A name is explained by a span that covers its start, or one that it covers. Nothing is told by a pattern alone.
    """
    code = _blanked(output)
    spans = sorted((start, max(end, start + 1)) for start, end in explained)
    starts = [start for start, _ in spans]
    furthest: list[int] = []
    for _, end in spans:
        furthest.append(max(end, furthest[-1]) if furthest else end)
    found = []
    for match in _KNOWN.finditer(code):
        index = bisect_right(starts, match.end() - 1) - 1
        if index >= 0 and furthest[index] > match.start():
            continue
        found.append((match.start(), match.end(), match[0].decode("utf-8", "replace")))
    return Residue(tuple(found), ())


def _blanked(src: bytes) -> bytes:
    """The file with comments and what it says to people blanked, byte for byte."""
    if b"#[" in src:
        src = _BRACKET.sub(lambda match: _blank(match[0]), src)
    out = bytearray(src)
    for match in _HASH.finditer(src):
        line = src.rfind(b"\n", 0, match.start()) + 1
        before = _STRING.sub(b"", src[line : match.start()])
        if before.count(b'"') % 2 == 0 and not before.endswith(b"\\"):
            out[match.start() : match.end()] = _blank(match[0])
    code = bytes(out)
    return _SPEAKING.sub(lambda match: _blank(match[0]), code)


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", text)
