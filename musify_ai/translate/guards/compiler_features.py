"""MUS207: macros that tell nvcc's version, mode or feature set, kept verbatim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.kept import kept_macros
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS207"
TITLE = "Version or feature macro of nvcc"
WHY = """
mcc defines none of these. The counterparts that public code mentions (`__MUSACC_VER_MAJOR__`, `__MUSACC_RTC__`,
`__MUSA_ARCH_LIST__`) count mcc's own versions and archs, so a guard renamed with nvcc's number kept asks another
question.
"""
EXAMPLE = """
#if __CUDACC_VER_MAJOR__ >= 11
"""
INSTEAD = """
Find out which fault or feature of nvcc the guard is for. It rarely concerns mcc, which is clang 14: leave the guard,
or state the condition for `__MUSACC__` apart.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tilelang_musa",
    "MooreThreads/muAlg",
    "MooreThreads/mutlass",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __CUDACC_VER_MAJOR__\n",
    "#if __CUDACC_VERSION\nint a;\n#endif\n",
    'const char* s = "__CUDA_ARCH_LIST__";\n',
)
INVALID = (
    Case("#if __CUDACC_VER_MAJOR__ >= 11\nint a;\n#endif\n", findings=("__CUDACC_VER_MAJOR__ >= 11",)),
    Case("#ifdef __CUDA_ARCH_FEAT_SM90_ALL\nint a;\n#endif\n", findings=("__CUDA_ARCH_FEAT_SM90_ALL",)),
    Case("#ifndef __CUDACC_RTC__\nint a;\n#endif\n", findings=("__CUDACC_RTC__",)),
    Case(
        "#define OLD (__CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__ < 112)\n",
        findings=("__CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__",),
    ),
)


_REASON = (
    "It tells of nvcc only: decide whether what the guard is for concerns mcc (clang 14), and if so test `__MUSACC__`."
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place that names one of the macros."""
    yield from kept_macros(unit, TRIGGERS, CODE, _REASON)
