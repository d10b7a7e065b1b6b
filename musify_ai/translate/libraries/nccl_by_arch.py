"""MUS713: NCCL where the arch has no MCCL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_use, first_use

CODE = "MUS713"
TITLE = "Collective communication by arch"
WHY = """
MCCL is not provided for mp_21 (S80, S3000). From mp_22 on it is, but its bfloat16 type is visible only where
`MARCH_TYPE` is defined for a capable arch (220 for bf16, 310 for fp8).
"""
EXAMPLE = """
ncclAllReduce(a, b, n, ncclBfloat16, ncclSum, comm, stream);
"""
INSTEAD = """
`-DMARCH_TYPE=220` (or 310) for a build that uses the type; no NCCL on mp_21.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: README.md (USE_MCCL=0), torch_musa/csrc/distributed/ProcessGroupMCCL.h",
    "InfiniTensor/InfiniCCL pull request 69",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// ncclBfloat16\n",
    "void f() { ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s); }\n",
)
INVALID = (
    Case("void f() { ncclAllReduce(a, b, n, ncclBfloat16, ncclSum, c, s); }\n", findings=("ncclBfloat16",)),
    Case("void f() { ncclGroupStart(); ncclGroupEnd(); }\n", findings=("ncclGroupStart",), archs=("mp_21", "mp_31")),
)

_TYPES = frozenset((b"ncclBfloat16", b"ncclFloat8e4m3", b"ncclFloat8e5m2"))
_ABSENT = first_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name}: there is no MCCL for {archs}. Leave communication out of the build there.",
        below=220,
    ),
    TRIGGERS - _TYPES,
)
_HIDDEN = each_use(
    Says(
        CODE,
        "note",
        EFFORT,
        "{name} is visible only where MARCH_TYPE is defined for a capable arch: build with -DMARCH_TYPE=220 for "
        "bf16, 310 for fp8.",
        types=True,
    ),
    _TYPES,
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One finding for a file where a target has no MCCL, and a note for each type that is hidden by default."""
    yield from _ABSENT(unit)
    yield from _HIDDEN(unit)
