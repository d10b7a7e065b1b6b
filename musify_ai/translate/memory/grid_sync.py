"""MUS502: cooperative launches and `grid.sync()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_use

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
TRIGGERS = triggers(CODE)
VALID = (
    "// this_grid()\n",
    "__global__ void k(int* x, int n) {\n  cg::this_thread_block().sync();\n}\n",
    "void f(G g) { g.this_grid(); }\n",
    "CUresult Driver::cuLaunchCooperativeKernel(int a) { return 0; }\n",
    "__global__ void k() {\n  auto b = cg::this_thread_block();\n  b.sync();\n}\n",
)
INVALID = (
    Case("__global__ void k(int* x, int n) {\n  cg::this_grid().sync();\n}\n", findings=("this_grid",)),
    Case("__global__ void k() {\n  auto g = cg::this_grid();\n  g.sync();\n}\n", findings=("this_grid", "g.sync")),
    Case("void f() { cudaLaunchCooperativeKernel(p, g, b, a, 0, 0); }\n", findings=("cudaLaunchCooperativeKernel",)),
)

_USES = each_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name}: grid-wide synchronisation is there on some SDKs and archs only (seen on mp_31 with SDK 5.2, held to "
        "be missing on 4.3.3). Ask the device for cooperative launch before using it, or split the kernel in two.",
    ),
    TRIGGERS,
)
_GROUP = late_pattern(rb"(?:grid_group\s+|auto\s*&?\s*)(\w+)\s*(?:=|\(|\{)\s*(?:\w+\s*::\s*)*this_(?:multi_)?grid\b")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use, and for each synchronisation of a group that a variable holds."""
    yield from _USES(unit)
    named = {match[1] for match in _GROUP.finditer(unit.src)}
    toks = unit.tokens if named else []
    for each in unit.occurrences(named):
        index = unit.token_index(each.start)
        if index < 0 or [token.text for token in toks[index + 1 : index + 4]] != [b".", b"sync", b"("]:
            continue
        yield Finding(
            CODE,
            "warning",
            each.start,
            toks[index + 2].end,
            "this waits for the whole grid, which some SDKs and archs only can do: see where the group is made.",
            effort=EFFORT,
            name=each.name.decode("ascii", "replace"),
        )
