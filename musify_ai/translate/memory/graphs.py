"""MUS510: graph instantiation in its newer form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import calls
from musify_ai.translate.unit import Unit

CODE = "MUS510"
TITLE = "Graph instantiation with three arguments"
WHY = """
Ports call `musaGraphInstantiate` with the five arguments of CUDA 11; the three of CUDA 12 are not known there. A
process also has room for some 2,048 instantiated graphs, so a program that keeps one for each shape runs out.
"""
EXAMPLE = """
cudaGraphInstantiate(&exec, graph, 0);
"""
INSTEAD = """
`musaGraphInstantiate(&exec, graph, nullptr, nullptr, 0)`, and a bound on how many are kept.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MUSAGraph.cpp (five arguments)",
    "torchada 0.1.103: METADATA (about 2,048 live executables)",
)
TRIGGERS = frozenset((b"cudaGraphInstantiate",))
VALID = (
    "// cudaGraphInstantiate(&e, g, 0)\n",
    "void f() { cudaGraphInstantiate(&e, g, nullptr, nullptr, 0); }\n",
    "void f(P p) { p.cudaGraphInstantiate(1, 2, 3); }\n",
)
INVALID = (
    Case("void f() { cudaGraphInstantiate(&e, g, 0); }\n", findings=("cudaGraphInstantiate(&e, g, 0)",)),
    Case("void f() { CHECK(cudaGraphInstantiate(&e, g)); }\n", findings=("cudaGraphInstantiate(&e, g)",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each call that does not have five arguments."""
    toks = unit.tokens
    for index, closed, given in calls(unit, TRIGGERS):
        if len(given) == 5:
            continue
        yield Finding(
            CODE,
            "warning",
            toks[index].start,
            toks[closed].end,
            "MUSA ports call musaGraphInstantiate with five arguments, as CUDA 11 had it; the shorter form is not "
            "known there.",
            effort=EFFORT,
            name="cudaGraphInstantiate",
        )
