"""MUS503: the attribute that raises a kernel's dynamic shared memory."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS503"
TITLE = "Raised shared-memory limit"
WHY = """
On the MUSA devices that were tried, setting the attribute returned an invalid argument, and an error check around it
ends the program; llama.cpp compiles the call out. Limits differ by arch: about 28 KB on mp_21 and mp_22 in several
ports, in the class of 192 KB on mp_31.
"""
EXAMPLE = """
cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
"""
INSTEAD = """
A tile that fits the smallest target, or a size chosen from the device's opt-in limit; do not end the program where
the attribute is refused but the size fits.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "llama.cpp pull request 11843",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (CUDA_SET_SHARED_MEMORY_LIMIT)",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/ops/musa/Bucketize.mu (28 KB)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// cudaFuncAttributeMaxDynamicSharedMemorySize\n",
    "void f() { cudaFuncGetAttributes(&a, k); }\n",
)
INVALID = (
    Case(
        "void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); }\n",
        findings=("cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536)",),
    ),
)

find = each_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name}: MUSA devices have refused this attribute, and their shared memory is smaller on mp_21 and mp_22 "
        "(about 28 KB). Compare the size with the device's opt-in limit, and do not end the program on the refusal "
        "alone.",
        types=True,
    ),
    TRIGGERS,
    call=True,
)
