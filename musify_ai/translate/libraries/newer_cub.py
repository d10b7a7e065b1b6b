"""MUS712: CUB and Thrust newer than 1.12."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS712"
TITLE = "Newer than CUB and Thrust 1.12"
WHY = """
SDKs up to 4.2 ship CUB and Thrust 1.12.1 (muAlg, muThrust); SDK 5.1 notes support of CCCL without saying how much of
it. What came later does not build with the older ones.
"""
EXAMPLE = """
cub::DeviceSegmentedSort::SortKeys(t, n, in, out, items, segments, begin, end);
"""
INSTEAD = """
What 1.12 has (`DeviceSegmentedRadixSort` for the example), or a check of the SDK's headers.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "torch_musa issues 122 and 125",
    "MooreThreads/CV-CUDA_musa: MUSIFY.md (SDK 5.1 and CCCL)",
    "NVIDIA/cub: the classes of tag 1.12.1 against those of later ones",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// cub::DeviceMergeSort\n",
    "void f() { cub::DeviceReduce::Sum(t, n, i, o, m); thrust::sort(a, b); }\n",
    "struct DeviceMergeSort {};\nDeviceMergeSort s;\n",
)
INVALID = (
    Case("void f() { cub::DeviceMergeSort::SortKeys(t, n, k, m, c); }\n", findings=("cub::DeviceMergeSort",)),
    Case("auto p = thrust::cuda::par_nosync.on(s);\n", findings=("cuda::par_nosync",)),
)

_QUALIFIERS = frozenset((b"cub", b"thrust", b"cuda"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each such name that is reached through the library's namespace."""
    toks = unit.tokens
    for each in unit.occurrences(TRIGGERS):
        index = unit.token_index(each.start)
        if index < 2 or toks[index - 1].text != b"::" or toks[index - 2].text not in _QUALIFIERS:
            continue
        name = each.name.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            toks[index - 2].start,
            each.end,
            f"{name} came after CUB and Thrust 1.12, which is what SDKs up to 4.2 have; how much of CCCL 5.1 and "
            "later have is not said. Look it up in your SDK's headers.",
            effort=EFFORT,
            name=name,
        )
