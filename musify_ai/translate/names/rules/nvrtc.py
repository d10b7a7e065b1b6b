"""MUS704: NVRTC, unproven on MUSA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS704"
TITLE = "Run-time compilation"
WHY = """
The only public `mtrtc` functions report that they are not supported, and the source that is compiled at run time is a
string, which no rename reaches.
"""
EXAMPLE = """
nvrtcCompileProgram(program, 0, nullptr);
"""
INSTEAD = """
Compile the kernels ahead of time, or call mcc yourself and load the binary, as TileLang's MUSA backend does. Translate
the source in the strings too.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/musartc_dynload.h",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cuModuleLoadData(&m, image);",
    "// nvrtcVersion\n",
)
INVALID = (Case("nvrtcCompileProgram(p, 0, 0);", findings=("nvrtcCompileProgram",)),)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
