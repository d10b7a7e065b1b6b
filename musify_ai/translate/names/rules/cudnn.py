"""MUS701: cuDNN, of which muDNN is no clone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS701"
TITLE = "cuDNN call or type"
WHY = """
The published table pairs every cuDNN name with a `mudnn` one, but muDNN's public API is C++ (`musa::dnn::Handle`,
`Tensor`, `Convolution`): renamed code does not build.
"""
EXAMPLE = """
cudnnCreate(&handle);
"""
INSTEAD = """
Rewrite the calls against `mudnn.h`, one operator at a time; or use the framework's own operators.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = (
    "MooreThreads/torch_musa: its operators over musa::dnn",
    "MooreThreads/Torch-FL, issue 215",
)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cublasCreate(&h);",
    "// cudnnCreate\n",
)
INVALID = (Case("cudnnCreate(&h);", findings=("cudnnCreate",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
