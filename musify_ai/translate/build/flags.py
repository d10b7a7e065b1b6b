"""MUS807: nvcc's flags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from musify_ai.records import Edit, Finding, Safety
from musify_ai.records.changes import Severity
from musify_ai.translate.build.flag_places import FLAGS, flag_places
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = FLAGS
TITLE = "nvcc's flags"
WHY = """
mcc is clang: it takes a host compiler's flags as they are, and refuses nvcc's own. Some of those have a counterpart,
some have no effect on what is computed and can go, and some change results or resources and have no counterpart that is
public. Fast math is a trap by itself: nvcc's is for device code alone, clang's holds for the host's half too.
"""
EXAMPLE = """
NVCCFLAGS = -O3 --use_fast_math -Xcompiler -Wall -lineinfo -maxrregcount=64
"""
INSTEAD = """
`-O3 -ffast-math -fmusa-flush-denormals-to-zero -Wall`. A flag with no counterpart is left with a finding, so that the
build stops at it. In CMake the flags go into the list `MUSA_MCC_FLAGS`.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt (-ffast-math -fmusa-flush-denormals-to-zero)",
    "MooreThreads/torch_musa: torch_musa/csrc/CMakeLists.txt (MUSA_MCC_FLAGS)",
    "supranational/sppark for MUSA: mcc is clang 14",
    "NVIDIA: nvcc manual, 'Command Option Description'",
)
TRIGGERS = frozenset((b"CUDA", b"nvcc", b"NVCC", b"Xcompiler", b"use_fast_math", b"expt", b"lineinfo", b"Xptxas",
                      b"maxrregcount", b"CUDA_NVCC_FLAGS", b"CMAKE_CUDA_FLAGS", b"NVCCFLAGS"))  # fmt: skip
VALID = ("CXXFLAGS = -O3\n", "set(CMAKE_CXX_FLAGS -O3)\n")
INVALID = (
    Case(
        "NVCCFLAGS = -O3 --use_fast_math -Xcompiler -Wall -lineinfo\n",
        findings=("--use_fast_math",),
        output="NVCCFLAGS = -O3 -ffast-math -fmusa-flush-denormals-to-zero -Wall\n",
        path="Makefile",
    ),
    Case(
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O3 --expt-relaxed-constexpr")\n',
        output="list(APPEND MUSA_MCC_FLAGS -O3)\n",
        path="CMakeLists.txt",
    ),
    Case(
        "list(APPEND CUDA_NVCC_FLAGS -maxrregcount=64 -Xcompiler=-fPIC)\n",
        findings=("-maxrregcount=64",),
        output="list(APPEND MUSA_MCC_FLAGS -maxrregcount=64 -fPIC)\n",
        path="CMakeLists.txt",
    ),
    Case(
        'add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler;-Wall>")\n',
        output="list(APPEND MUSA_MCC_FLAGS -Wall)\n",
        path="CMakeLists.txt",
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a CMake file or Makefile."""
    places = flag_places(unit)
    yield from (edit for edit in places.edits if edit.rule == CODE)
    for start, end, name, message, code, severity in places.said:
        if code == CODE:
            yield Finding(CODE, cast("Severity", severity), start, end, message, effort=EFFORT, name=name)
