"""MUS808: NVIDIA's archs in build files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from musify_ai.records import Edit, Finding, Safety
from musify_ai.records.changes import Severity
from musify_ai.translate.build.flag_places import ARCHS, flag_places
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = ARCHS
TITLE = "NVIDIA's archs in a build file"
WHY = """
mcc builds for the archs that it is given, and without one it may try some that the toolkit lacks. There is no PTX to be
compiled later on a newer device, so what is not named is not there. A list of NVIDIA's archs says which of their
devices a project knows, not which of Moore Threads' it is to run on.
"""
EXAMPLE = """
nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 a.cu
"""
INSTEAD = """
`--offload-arch=mp_22 --offload-arch=mp_31`: the targets of the run (`--arch`), whatever the list held. A variable that
holds archs gets them too, where its value is written in the file; where it is computed, the flag names the targets.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/CV-CUDA_musa: docs/musa/musa.md (always name an arch)",
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt (MUSA_ARCHITECTURES)",
    "MooreThreads/mutlass: CMakeLists.txt (--offload-arch once for each arch)",
)
TRIGGERS = frozenset((b"gencode", b"arch", b"CMAKE_CUDA_ARCHITECTURES", b"CUDA", b"code", b"nvcc"))
VALID = ("CFLAGS = -march=native\n", "set(ARCH x86_64)\n")
INVALID = (
    Case(
        "F = -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -O3\n",
        output="F = --offload-arch=mp_22 --offload-arch=mp_31 -O3\n",
        path="Makefile",
    ),
    Case(
        "ARCH = sm_60\nF = -arch=$(ARCH)\na.o: a.cpp\n\tnvcc $(F) -c $<\n",
        output="ARCH = mp_22 mp_31\nF = $(addprefix --offload-arch=,$(ARCH))\na.o: a.cpp\n\tnvcc $(F) -c $<\n",
        path="Makefile",
    ),
    Case(
        "SMS ?= 70 80\n$(foreach sm,$(SMS),$(eval G += -gencode arch=compute_$(sm),code=sm_$(sm)))\n",
        output="SMS ?= 22 31\n$(foreach sm,$(SMS),$(eval G += --offload-arch=mp_$(sm)))\n",
        path="Makefile",
    ),
    Case(
        "set(CMAKE_CUDA_ARCHITECTURES 70 80)\n", output="set(CMAKE_CUDA_ARCHITECTURES 22 31)\n", path="CMakeLists.txt"
    ),
    Case(
        "NVFLAGS = -arch=$(GPU)\n",
        findings=("-arch=$(GPU)",),
        output="NVFLAGS = --offload-arch=mp_22 --offload-arch=mp_31\n",
        path="Makefile",
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a CMake file or Makefile."""
    places = flag_places(unit)
    yield from (edit for edit in places.edits if edit.rule == CODE)
    for start, end, name, message, code, severity in places.said:
        if code == CODE:
            yield Finding(CODE, cast("Severity", severity), start, end, message, effort=EFFORT, name=name)
