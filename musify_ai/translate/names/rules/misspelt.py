"""MUS116: a word that is nearly a CUDA name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.names.tier import findings_of
from musify_ai.translate.names.views import FileView

CODE = "MUS116"
TITLE = "Word that is nearly a CUDA name"
WHY = """
A word that begins like a CUDA name, is none that is known, is declared nowhere in the project and differs from a known
one in a single letter or in its capitals. In code that a CUDA build compiles it cannot stand, so it is in a branch that
nobody builds, in a template that nobody instantiates, or it is a name newer than the rules; a rename passes it by.
"""
EXAMPLE = """
cudaMemcpyAsinc(target, source, bytes, cudaMemcpyDeviceToHost, stream);
"""
INSTEAD = """
Correct the name and run again. Where it is the project's own, run on the whole tree, so that its declaration is seen;
where it is a new name of CUDA, `musify-ai rules new` scaffolds a file for it.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("ROCm/HIPIFY: the lists of CUDA names",)
TRIGGERS: frozenset[bytes] = frozenset()  # the name tier asks its table, not a list of words
VALID = (
    "cudaMalloc(&p, 4);\ncudaCheckErrors(x);\n",
    "int cudaMemcpyAsinc(int x);\nvoid f() { cudaMalloc(&p, 4); cudaMemcpyAsinc(1); }\n",
    "#define cudaMalocc(x) my(x)\nvoid f() { cudaMalloc(&p, 4); cudaMalocc(1); }\n",
    "cudaMalloc(&p, 4); my::cudaFreeHots(p); q.cudaFreeHots(p);\n",
    "// cudaMemcpyAsinc\ncudaMalloc(&p, 4);\n",
    "cudaMalloc(&p, 4); cudaMemcpy2(p, q); cudaStreams(s); cudaEventRecords(e); cudaMallocT(p);\n",
)
INVALID = (
    Case("cutensorCreate(&h); cudaMemcpyAsinc(p, q, 4, k, s);", findings=("cudaMemcpyAsinc",)),
    Case("cutensorCreate(&h); cudaMemCpy(p, q, 4, k);", findings=("cudaMemCpy",)),
    Case("cutensorCreate(&h); cudaDeviceSynchonize();", findings=("cudaDeviceSynchonize",)),
    Case("cutensorCreate(&h); cudaDeviceSynchronise();", findings=("cudaDeviceSynchronise",)),
    Case("cutensorCreate(&h); cudaEventSycnhronize(e);", findings=("cudaEventSycnhronize",)),
    Case("cutensorCreate(&h); if (e == CUDA_SUCESS) cublasCraete(&h);", findings=("CUDA_SUCESS", "cublasCraete")),
)


def find(unit: FileView) -> Iterator[Finding]:
    """The tier's findings of this code."""
    return findings_of(unit, CODE)
