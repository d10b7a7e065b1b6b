"""MUS502: cooperative launches and `grid.sync()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

CODE = "MUS502"
TITLE = "Grid-wide synchronisation"
WHY = """
Public sources disagree: Mooncake treats grid sync as absent with SDK 4.3.3, ggml reports no cooperative launch,
sppark ran one on mp_31 with SDK 5.2. Where it is missing, a kernel that waits for the whole grid hangs or does not
launch.
"""
EXAMPLE = """
cooperative_groups::this_grid().sync();
"""
INSTEAD = """
Two kernels, one after the other on the same stream; or a check of the device's cooperative-launch attribute with a
second path.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "kvcache-ai/Mooncake: musa_ops.cuh",
    "MooreThreads/sppark-musa: MUSA_5.2_SUPPORT.md",
    "ggml-org/ggml: src/ggml-cuda/ggml-cuda.cu",
)
TRIGGERS = frozenset(
    (
        b"this_grid",
        b"grid_group",
        b"this_multi_grid",
        b"multi_grid_group",
        b"cudaLaunchCooperativeKernel",
        b"cuLaunchCooperativeKernel",
        b"cudaLaunchCooperativeKernelMultiDevice",
    )
)
VALID = (
    "// this_grid()\n",
    "__global__ void k(int* x, int n) {\n  cg::this_thread_block().sync();\n}\n",
    "void f(G g) { g.this_grid(); }\n",
)
INVALID = (
    Case("__global__ void k(int* x, int n) {\n  cg::this_grid().sync();\n}\n", findings=("this_grid",)),
    Case("void f() { cudaLaunchCooperativeKernel(p, g, b, a, 0, 0); }\n", findings=("cudaLaunchCooperativeKernel",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    toks = unit.tokens
    for index in mentions(unit, TRIGGERS):
        name = toks[index].text.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            toks[index].start,
            toks[index].end,
            f"{name}: grid-wide synchronisation is there on some SDKs and archs only (seen on mp_31 with SDK "
            "5.2, held to be missing on 4.3.3). Ask the device for cooperative launch before using it, or split "
            "the kernel in two.",
            effort=EFFORT,
            settled=True,
            name=name,
        )
