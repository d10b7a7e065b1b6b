"""MUS714: NVSHMEM by names that no table has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.rules import load
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, once

CODE = "MUS714"
TITLE = "NVSHMEM"
WHY = """
The MUSA counterpart, MTSHMEM, is known by its libraries and a few names for the host (`mtshmem_init`,
`mtshmem_malloc`). Nothing published names its device half: puts, signals, waits, barriers, teams. A rename would be a
guess about the order that a signal and its data arrive in.
"""
EXAMPLE = """
nvshmem_signal_wait_until(flag, NVSHMEM_CMP_EQ, 1);
"""
INSTEAD = """
MTSHMEM's header decides: the same name with `mtshmem_` where it is there. Without it, MCCL's collectives between
kernels, which gives up the overlap and is slower by design.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/MT-DeepEP: setup.py (libmtshmem.a, mtshmem_bootstrap_uid.so)",)
TRIGGERS = triggers(CODE)
VALID = (
    "// nvshmem_barrier_all()\n",
    "#include <nvshmem.h>\nvoid f() { nvshmem_init(); }\n",
    "#include <nvshmem.h>\nint use_nvshmem = 1;\n",
    "#include <nvshmem.h>\nint x = s.nvshmem_quiet;\n",
)
INVALID = (
    Case("#include <nvshmem.h>\nvoid f() { nvshmem_barrier_all(); }\n", findings=("nvshmem_barrier_all",)),
    Case(
        "#include <nvshmemx.h>\n__device__ void f(int* p) { nvshmemx_int_put_block(p, p, 1, 0); }\n",
        findings=("nvshmemx_int_put_block",),
    ),
    Case(
        "__device__ void f(u64* p) { nvshmem_signal_wait_until(p, NVSHMEM_CMP_EQ, 1); }\n",
        findings=("nvshmem_signal_wait_until",),
    ),
    Case(
        "#include <nvshmem.h>\nvoid f() { nvshmem_quiet(); }\nvoid g() { nvshmem_fence(); }\n",
        findings=("nvshmem_quiet",),
    ),
)

_THEIRS = late_pattern(rb"(?:nvshmemx?|NVSHMEMX?)_\w+\Z")

_SAYS = Says(
    CODE,
    "warning",
    EFFORT,
    "this file uses NVSHMEM by names whose counterpart nothing published shows ({count} places). MTSHMEM's header "
    "decides what there is; MCCL between kernels does the same and is slower by design.",
    settled=False,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file, at the first name that no table has, with the lines of the others."""
    known = load().classes
    words = {word for word in unit.words if _THEIRS.match(word) and word not in known}
    toks = unit.tokens
    found = [(toks[index].start, toks[index].end) for index in mentions(unit, words - unit.macros)]
    yield from once(unit, _SAYS, found)
