"""MUS625: GPU headers before standard ones in host files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Related, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS625"
TITLE = "GPU header before the standard library's"
WHY = """
MUSA's headers define `__noinline__` as a macro, and libstdc++ of GCC 12 uses the word as an attribute: where a GPU
header comes first, `<memory>` or `<functional>` does not compile in host code. llama.cpp met it.
"""
EXAMPLE = """
#include <cuda_runtime.h>
#include <memory>
"""
INSTEAD = """
The standard headers first, or no GPU header in host files at all.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("llama.cpp pull request 6697",)
TRIGGERS = triggers(CODE)
VALID = (
    "#include <cuda_runtime.h>\n#include <memory>\n",
    "// #include <cuda_runtime.h>\n",
)
INVALID = (
    Case("#include <cuda_runtime.h>\n#include <memory>\n", findings=("<cuda_runtime.h>",), path="a.cpp"),
    Case(
        '#include "cuda_runtime_api.h"\nint a;\n#include <functional>\n',
        findings=('"cuda_runtime_api.h"',),
        path="a.cc",
    ),
)

_HOST = (".cpp", ".cc", ".cxx")
_GPU = late_pattern(rb'[<"](?:cuda|cuda_runtime|cuda_runtime_api|cuda_fp16|cuda_bf16)\.h[>"]')
_STANDARD = late_pattern(
    rb"<(?:memory|functional|string|vector|map|thread|future|mutex|unordered_map|iostream|algorithm)>"
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """One note for a host file, at its first GPU header that a standard one follows."""
    if not unit.path.lower().endswith(_HOST):
        return
    gpu = None
    for region in unit.regions:
        if region.kind != "include":
            continue
        gpu = gpu or _GPU.search(unit.src, region.start, region.end)
        after = _STANDARD.search(unit.src, region.start, region.end)
        if gpu is not None and after is not None:
            yield Finding(
                CODE,
                "note",
                gpu.start(),
                gpu.end(),
                "a macro of MUSA's headers (__noinline__) breaks libstdc++ of GCC 12 where they come first: include "
                f"{after[0].decode('ascii')} before this.",
                effort=EFFORT,
                related=(Related("", after.start(), after.end(), "a standard header after it"),),
                name=gpu[0].decode("ascii")[1:-1],
            )
            return
