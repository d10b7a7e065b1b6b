"""MUS506: clusters, distributed shared memory and launch attributes for them."""

from __future__ import annotations

from typing import Literal

from musify_ai.records import Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.uses import Says, each_use

CODE = "MUS506"
TITLE = "Thread-block clusters"
WHY = """
Nothing public uses clusters on MUSA: no arch is known to have them. The same goes for programmatic dependent launch.
"""
EXAMPLE = """
__global__ void __cluster_dims__(2, 1, 1) k();
"""
INSTEAD = """
A kernel without clusters: exchange through global memory and a second launch.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/mutlass: include/mutlass/musa_host_adapter.hpp (a macro only)",
    "torchada: _mappings/cuda_runtime.py (dependent launch mapped to nothing)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// this_cluster()\n",
    "int cluster_dims = 2;\n",
)
INVALID = (
    Case("__device__ void f() { cute::cluster_sync(); }\n", findings=("cluster_sync",)),
    Case("__global__ void __cluster_dims__(2, 1, 1) k();\n", findings=("__cluster_dims__",)),
    Case("__global__ void k(int* x, int n) {\n  cg::this_cluster().sync();\n}\n", findings=("this_cluster",)),
    Case(
        "__global__ void k(int* x, int n) {\n  cudaGridDependencySynchronize();\n}\n",
        findings=("cudaGridDependencySynchronize",),
    ),
)

find = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: MUSA has no public counterpart of clusters or dependent launch. Write the kernel without them.",
        settled=False,
        types=True,
    ),
    TRIGGERS,
)
