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
or state the condition for `__MUSACC__` apart. `__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)` is a call: where the macro is
undefined no condition with it can be read, so it becomes `0`, which is what it yields for a device without the features
of one NVIDIA arch alone.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tilelang_musa",
    "MooreThreads/muAlg",
    "MooreThreads/mutlass",
    "CUDA C++ Programming Guide 12.9, 5.1.3 (__CUDA_ARCH_HAS_FEATURE__, __CUDA_ARCH_SPECIFIC__)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __CUDACC_VER_MAJOR__\n",
    "#if __CUDACC_VERSION\nint a;\n#endif\n",
    'const char* s = "__CUDA_ARCH_LIST__";\n',
    "// __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)\n",
)
INVALID = (
    Case("#if __CUDACC_VER_MAJOR__ >= 11\nint a;\n#endif\n", findings=("__CUDACC_VER_MAJOR__ >= 11",)),
    Case("#ifdef __CUDA_ARCH_FEAT_SM90_ALL\nint a;\n#endif\n", findings=("__CUDA_ARCH_FEAT_SM90_ALL",)),
    Case("#ifndef __CUDACC_RTC__\nint a;\n#endif\n", findings=("__CUDACC_RTC__",)),
    Case(
        "#define OLD (__CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__ < 112)\n",
        findings=("__CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__",),
    ),
    Case(
        "#if __CUDA_ARCH_HAS_FEATURE__ ( SM90_ALL ) && N > 1\nint a;\n#endif\n",
        findings=("__CUDA_ARCH_HAS_FEATURE__ ( SM90_ALL )",),
        output="#if 0 && N > 1\nint a;\n#endif\n",
    ),
    Case(
        "#define FAST (!__CUDA_ARCH_HAS_FEATURE__(SM100_ALL))\n",
        findings=("__CUDA_ARCH_HAS_FEATURE__(SM100_ALL)",),
        output="#define FAST (!0)\n",
    ),
    Case(
        "__device__ bool f() { return __CUDA_ARCH_HAS_FEATURE__(SM90_ALL); }\n",
        findings=("__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)",),
        output="__device__ bool f() { return 0; }\n",
    ),
    Case(
        "#ifdef __CUDA_ARCH_HAS_FEATURE__\n#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)\nint a;\n#endif\n#endif\n",
        findings=("__CUDA_ARCH_HAS_FEATURE__", "__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)"),
        output="#ifdef __CUDA_ARCH_HAS_FEATURE__\n#if 0\nint a;\n#endif\n#endif\n",
    ),
    # The file has an answer of its own.
    Case(
        "#ifndef __CUDA_ARCH_HAS_FEATURE__\n#define __CUDA_ARCH_HAS_FEATURE__(X) 0\n#endif\n"
        "#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)\nint a;\n#endif\n",
        findings=("__CUDA_ARCH_HAS_FEATURE__",) * 3,
    ),
)


_REASON = (
    "It tells of nvcc only: decide whether what the guard is for concerns mcc (clang 14), and if so test `__MUSACC__`."
)


_CALL = b"__CUDA_ARCH_HAS_FEATURE__"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place that names one of the macros, and 0 for what asks for an arch's own features."""
    calls = [] if _CALL in unit.macros else list(_calls(unit))
    for start, end in calls:
        yield Edit(start, end, unit.src[start:end], b"0", CODE, "rule", "safe", REFERENCES[-1])
        yield Finding(
            CODE,
            "note",
            start,
            end,
            f"{_CALL.decode()} is not defined on MUSA, so no condition that calls it can be read. It became 0: a MUSA "
            "device has the features of no NVIDIA arch.",
            name=_CALL.decode(),
        )
    yield from kept_macros(unit, TRIGGERS, CODE, _REASON, answered=frozenset(start for start, _ in calls))


def _calls(unit: Unit) -> Iterator[tuple[int, int]]:
    """The calls of the one macro that takes an argument, ``NAME ( WORD )``."""
    toks = unit.tokens
    for found in unit.occurrences((_CALL,)):
        index = unit.token_index(found.start)
        if index >= 0 and [token.text for token in toks[index + 1 : index + 4 : 2]] == [b"(", b")"]:
            yield found.start, toks[index + 3].end
