"""MUS708: dense solver calls that MUSA has in part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

CODE = "MUS708"
TITLE = "cuSOLVER call without a sure counterpart"
WHY = """
The generic `X` calls of cuSOLVER are left as CUDA names in the one public port that needs them, and the batched
Jacobi eigensolver was taken out of another one after it behaved differently.
"""
EXAMPLE = """
cusolverDnXtrtri(h, uplo, diag, dt, n, A, lda, d, dn, w, wn, info);
"""
INSTEAD = """
The typed call (`musolverDnSgetrf` and its kin, from SDK 4.3 on), or an own triangular inverse; compare eigenvectors
up to their sign.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/elpa-musa: src/GPU/MUSA/musolverFunctions_template.h",
    "MooreThreads/CV-CUDA_musa: MUSIFY.md",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/linalg/MUSASolver.cpp",
)
TRIGGERS = frozenset(
    (
        b"cusolverDnXtrtri",
        b"cusolverDnXgetrf",
        b"cusolverDnXgetrs",
        b"cusolverDnXpotrf",
        b"cusolverDnXpotrs",
        b"cusolverDnXgeqrf",
        b"cusolverDnXsyevd",
        b"cusolverDnXsyevdx",
        b"cusolverDnXgesvd",
        b"cusolverDnSsyevjBatched",
        b"cusolverDnDsyevjBatched",
    )
)
VALID = (
    "// cusolverDnXtrtri\n",
    "void f() { cusolverDnSgetrf(h, m, n, a, l, w, p, i); }\n",
)
INVALID = (
    Case("void f() { cusolverDnXtrtri(h); }\n", findings=("cusolverDnXtrtri",)),
    Case("void f() { cusolverDnSsyevjBatched(h); }\n", findings=("cusolverDnSsyevjBatched",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    for index in mentions(unit, TRIGGERS):
        token = unit.tokens[index]
        name = token.text.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            token.start,
            token.end,
            f"{name}: "
            + (
                "the batched Jacobi solver was taken out of a port because it behaved differently."
                if "syevj" in name
                else "no port is known to have the generic X calls; use the typed one."
            ),
            effort=EFFORT,
            name=name,
        )
