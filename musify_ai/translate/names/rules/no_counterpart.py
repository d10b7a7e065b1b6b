"""MUS101: a CUDA name for which no MUSA name is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS101"
TITLE = "CUDA name without a known MUSA counterpart"
WHY = """
The name is CUDA's, and neither a published table nor public MUSA code nor the prefix rule gives a MUSA name for it
(newer CUDA releases, libraries such as cuTENSOR that Moore Threads does not ship). The translation does not build where
it stands, so kernels of the functions around it are not checked.
"""
EXAMPLE = """
cutensorCreate(&handle);
"""
INSTEAD = """
Write the place without the name, or look in your SDK's headers and libraries for what replaces it.
`musify-ai query NAME` shows what the rules know.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/utils/mapping/general.json (the published table)",
    "ROCm/HIPIFY: the lists of CUDA names",
)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaMalloc(&p, 4);",
    "// cutensorCreate\n",
)
INVALID = (Case("cutensorCreate(&h);", findings=("cutensorCreate",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
