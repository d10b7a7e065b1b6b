"""MUS202: ``__CUDA_ARCH__`` compared with something that has no counterpart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.arch import SETTLED, arch_chains, asks_for_zero
from musify_ai.translate.guards.conditions import Use, expression_span
from musify_ai.translate.unit import Unit

CODE = "MUS202"
TITLE = "Architecture threshold without a counterpart"
WHY = """
Only two thresholds have a known counterpart (sm_80: mp_22, sm_90: mp_31). For any other number, say 530, 700, 750, 890
or 1000, the right MUSA arch depends on why the guard is there: a missing instruction, a type, a size of shared memory,
or tuning. Left alone the guard reads `__CUDA_ARCH__` as 0 and takes the fallback branch; renamed with its number kept
it takes a fixed branch on every MUSA arch. The whole block is left as it is, for half of it renamed would choose a
branch that nobody wrote.
"""
EXAMPLE = """
#if __CUDA_ARCH__ >= 750
"""
INSTEAD = """
Ask what the branch needs, then write it: `defined(__MUSA_ARCH__)` for what every MUSA arch has (warp shuffles, atomics
on float, half arithmetic), `__MUSA_ARCH__ >= 220` for tensor cores in half, `__MUSA_ARCH__ >= 310` for bf16 and fp8
tensor cores, asynchronous copies and 32-lane warps. Keep the guard where the branch holds PTX.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/cuda_arch.py (no entry for 600, 700, 750, 890)",
    "MooreThreads/vllm_musa: csrc_musa (26 lines that compare __MUSA_ARCH__ with NVIDIA numbers)",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (which features each MUSA arch has)",
)
TRIGGERS = frozenset((b"__CUDA_ARCH__",))
VALID = (
    "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ > 0\nint a;\n#endif\n",
    "#if defined(__CUDA_ARCH__)\nint a;\n#endif\n",
    "/*\n#if __CUDA_ARCH__ >= 600\n*/\n",
)
INVALID = (
    Case("#if __CUDA_ARCH__ >= 600\nint a;\n#endif\n", findings=("__CUDA_ARCH__ >= 600",)),
    Case(
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 530\nint a;\n#else\nint b;\n#endif\n",
        findings=("defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 530",),
    ),
    Case(
        "#if __CUDA_ARCH__ >= 900\nint a;\n#elif 700 <= __CUDA_ARCH__\nint b;\n#endif\n",
        findings=("__CUDA_ARCH__ >= 900", "700 <= __CUDA_ARCH__"),
    ),
    Case("#if __CUDA_ARCH__ > 800\nint a;\n#endif\n", findings=("__CUDA_ARCH__ > 800",)),
    Case("#if __CUDA_ARCH__ / 10 == 80\nint a;\n#endif\n", findings=("__CUDA_ARCH__ / 10 == 80",)),
    Case("#if !__CUDA_ARCH__ >= 800\nint a;\n#endif\n", findings=("!__CUDA_ARCH__ >= 800",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each condition of a chain that holds an open use."""
    for chain in arch_chains(unit):
        if chain.settlement != "open":
            continue
        for directive, found in chain.uses:
            yield Finding(
                CODE,
                "warning",
                *expression_span(unit, directive),
                f"{_reason(found)}; `__CUDA_ARCH__` is undefined on MUSA and reads as 0 here, so the block takes the "
                "branch meant for the oldest hardware. Choose by what the branch needs: `defined(__MUSA_ARCH__)` for "
                "any MUSA arch, `__MUSA_ARCH__ >= 220` for what sm_80 brought, `__MUSA_ARCH__ >= 310` for what sm_90 "
                "brought.",
                name="__CUDA_ARCH__",
            )


def _reason(found: list[Use]) -> str:
    for use in found:
        if use.kind == "other":
            return "`__CUDA_ARCH__` is part of an expression that is more than a comparison with a number"
        if use.kind == "compare" and not asks_for_zero(use):
            threshold = use.value if use.threshold is None else use.threshold
            if threshold not in SETTLED:
                return f"the threshold {use.value} has no counterpart among the MUSA archs (210, 220, 310)"
    return "another condition of this block has no counterpart on MUSA, so the block was left whole"
