"""The trees over which verdicts are counted: ``PYTHONPATH=. python benchmarks/verdict_trees.py CHECKOUT... > trees``.

Printed is a path a line, for ``benchmarks/verdicts.py $(cat trees)``: llm.c's ``dev/cuda``, what ``programs.toml`` has
of HeCBench and cuda-samples, and 60 further programs of HeCBench, drawn by `draw` from those whose names begin with n
to z before any of their kernels had been looked at. Files of a sample that come from the checkout's ``Common`` are to
be copied beside it (``Common`` in its folder), for the samples find them by a path of their build.
"""

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.checkouts import known, table

SEED, MANY = 20261130, 60
HECBENCH = "zjin-lcf/HeCBench"
DRAWN = (
    "nbnxm", "nosync", "opticalFlow", "p4", "pad", "particle-diffusion", "particlefilter", "particles", "pathfinder",
    "permute", "phmm", "present", "prna", "pso", "quicksort", "randomAccess", "relu", "remap", "reshapeKVCache",
    "resnet-kernels", "rle", "rmsnorm", "rowwiseMoments", "rsbench", "rsc", "rushlarsen", "s8n", "saxpy-ompt",
    "scan2", "scatterThrust", "scel", "seam-carving", "segment-reduce", "segsort", "sheath", "shuffle", "silu",
    "simpleMultiDevice", "slit", "sobol", "sparkler", "sph", "spm", "ssm", "storeKVCache", "streamPriority", "stsg",
    "svd3x3", "tissue", "tonemapping", "tpacf", "tqs", "triad", "tsne", "tsp", "vol2col", "winograd", "word2vec",
    "wsm5", "xsbench",
)  # fmt: skip


def draw(folders: Iterable[str], listed: Iterable[str]) -> list[str]:
    """The programs drawn from a checkout's folders, without those that are listed already."""
    rest = sorted({each for each in folders if each.endswith("-cuda") and "n" <= each[0] <= "z"} - set(listed))
    drawn = random.Random(SEED).sample(rest, MANY)  # a draw that anyone can repeat
    return sorted(each.removesuffix("-cuda") for each in drawn)


def trees(places: dict[str, Path]) -> list[Path]:
    """The folders, in the order in which they are checked."""
    wanted = [("karpathy/llm.c", "dev/cuda")]
    wanted += [(case.repository, case.path) for case in table() if case.repository in (HECBENCH, "NVIDIA/cuda-samples")]
    wanted += [(HECBENCH, f"src/{name}-cuda") for name in DRAWN]
    return list(dict.fromkeys(places[name] / path for name, path in wanted if name in places))


if __name__ == "__main__":
    print("\n".join(map(str, trees(known([Path(each) for each in sys.argv[1:]])))))
