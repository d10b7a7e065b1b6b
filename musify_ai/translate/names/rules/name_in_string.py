"""MUS109: a CUDA name in a string that is looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS109"
TITLE = "CUDA symbol or library looked up by its name in a string"
WHY = """
A program that looks symbols up at run time has their names in strings, and no compiler says that they are wrong: the
lookup returns nothing, or the program takes it that there is no GPU. A string is edited where it is the argument of a
lookup and the library is CUDA's: by the call itself (cuGetProcAddress, cudaGetDriverEntryPoint), or because the file
opens a CUDA library by name, which then becomes MUSA's. Other strings speak to people and are left.
"""
EXAMPLE = """
void* library = dlopen("libcuda.so.1", RTLD_NOW);
auto entry = dlsym(library, "cuInit");
"""
INSTEAD = """
See that a library and the symbols looked up in it are both MUSA's. Where a name is kept in a table or pasted together,
change it by hand.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/csrc/core/driver_api.cpp (opens libmusa.so, looks up mu* names)",
    "MooreThreads/paddle_musa: libmurand.so, libmusparse.so and libmccl.so are opened by name",
    "the vendor's musify-text renames in every string",
)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    'puts("cudaFree");',
    'dlsym(h, "cudaFree failed");',
    'puts("libcuda.so.1");',
    'dlopen("libmine.so", 1); dlsym(h, "myInit");',
    '// dlsym(h, "cudaFree")\n',
)
INVALID = (
    Case('p = dlsym(h, "cudaFree");', findings=("cudaFree",)),
    Case(
        'h = dlopen("libcuda.so.1", RTLD_NOW); p = dlsym(h, "cuInit"); puts("cuInit");',
        findings=("libcuda.so.1", "cuInit", "cuInit"),
        output='h = dlopen("libmusa.so", RTLD_NOW); p = dlsym(h, "muInit"); puts("cuInit");',
    ),
    Case('dlopen("libnvidia-ml.so.1", 1);', findings=("libnvidia-ml.so.1",)),
    Case('p = (F)dlsym(open(x[1]), "cuTensorMapEncodeTiled");', findings=("cuTensorMapEncodeTiled",)),
)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
