"""MUS108: a CUDA header that nothing stands in for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS108"
TITLE = "CUDA header without a MUSA counterpart"
WHY = """
MUSA has no header that declares the same things under new names, so the include was left and the file does not build
until it is gone.
"""
EXAMPLE = """
#include <nvToolsExt.h>
"""
INSTEAD = """
Take the include out together with what the file uses of it; names of it are findings of their own.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = ("MooreThreads/torch_musa: torch_musa/utils/mapping/include.json",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "#include <cuda_runtime.h>\n",
    '#include "cuda_utils.cuh"\n',
)
INVALID = (Case("#include <cudnn.h>\n", findings=("cudnn.h",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
