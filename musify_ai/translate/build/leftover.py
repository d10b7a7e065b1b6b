"""MUS812: what a build file still says of CUDA when every other rule has spoken."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.spoken import spoken
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS812"
TITLE = "CUDA in a build file that no rule settled"
WHY = """
The place names nvcc, one of its flags, an NVIDIA arch, or a name of CMake's for CUDA, in a way that no rule of this
tool reads: an argument of another program, a pattern, a computed name. It stands as it was.
"""
EXAMPLE = """
execute_process(COMMAND ${NVCC} -Xcompiler --version)
"""
INSTEAD = """
Look at what the place is for, and write it for mcc or leave it out.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("NVIDIA: nvcc manual; CMake's manual, cmake-variables and FindCUDAToolkit",)
TRIGGERS = frozenset((b"nvcc", b"CUDA", b"sm_60", b"Xcompiler", b"cuda", b"cuda_runtime", b"cublas_v2"))
VALID = ("# nvcc\n", "set(MY_CUDA ON)\n")
INVALID = (
    Case("all:\n\ttool --gpu=sm_60\n", findings=("sm_60",), path="Makefile"),
    Case("execute_process(COMMAND nvcc --version)\n", findings=("nvcc",), path="CMakeLists.txt"),
    Case(
        "foreach(lib cublas cufft)\n  target_link_libraries(k CUDA::${lib})\nendforeach()\n",
        findings=("CUDA::${",),
        path="CMakeLists.txt",
    ),
    Case(
        'check_cxx_source_compiles("#include <cuda.h>\nint main() { return 0; }" HAVE)\n',
        findings=("cuda.h",),
        path="CMakeLists.txt",
    ),
)

_SIGNS = late_pattern(
    rb"\bCUDA::(?:\w+|\$\{)|\b(?:CMAKE_CUDA|CUDAToolkit)(?:_\w+)?\b|(?<![\w-])CUDA_(?:NVCC_FLAGS|VERSION|FOUND|ARCHITECTURES)\b"
    rb"|(?<![\w.-])nvcc(?:\.exe)?(?![\w.-])|(?<![\w-])(?:sm|compute)_\d\d\d?[a-z]?\b|/usr/local/cuda\b|\bnvidia/cuda\b|\bCOMPILE_LANGUAGE:CUDA\b"
    rb"|(?<=<)(?:cuda|cuda_runtime|cuda_runtime_api|cuda_fp16|cublas_v2|cufft|curand|cusparse|cudnn|nccl)\.h(?=>)"
    rb"|(?<![\w-])(?:-gencode|--generate-code|-Xcompiler|-Xptxas|--?expt-[\w-]+|--?use_fast_math|-lineinfo|-ccbin"
    rb"|--?maxrregcount)\b|(?<![\w-])-l(?:cuda\w*|cublas\w*|cufft\w*|curand\w*|cusparse\w*|cusolver\w*|cudnn\w*|nccl)\b"
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The signs of CUDA in a CMake file or Makefile, whatever other rules say of them."""
    yield from left_over(unit, ())


def left_over(unit: Unit, found: Iterable[Edit | Finding]) -> Iterator[Finding]:
    """The signs of CUDA that nothing among ``found`` covers."""
    spans = sorted((each.start, max(each.end, each.start + 1)) for each in found)
    for start, end in spoken(unit):
        for match in _SIGNS.finditer(unit.src, start, end):
            if not _covered(spans, match.start(), match.end()):
                name = match[0].decode("utf-8", "replace")
                yield Finding(
                    CODE, "warning", match.start(), match.end(),
                    f"{name} stands in a place that this tool does not read. Write it for MUSA, or leave it out.",
                    effort=EFFORT, name=name,
                )  # fmt: skip


def _covered(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    index = bisect_right(spans, (end - 1, end + 1_000_000_000)) - 1
    while index >= 0 and spans[index][0] > start - 4096:
        if spans[index][1] > start and spans[index][0] < end:
            return True
        index -= 1
    return False
