"""MUS708: dense solver calls that MUSA has in part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import arguments, call_end
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_use

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
TRIGGERS = triggers(CODE)
VALID = (
    "// cusolverDnXtrtri\n",
    "void f() { cusolverDnXgetrf(h, m, n, a, l, w, p, i); }\n",  # a project's own, over the typed calls
    "void f() { cusolverDnSgetrf(h, m, n, a, l, w, p, i); }\n",
)
INVALID = (
    Case("void f() { cusolverDnXtrtri(h, u, d, n, t, a, l, w, s, x, y, i); }\n", findings=("cusolverDnXtrtri",)),
    Case("void f() { cusolverDnSsyevjBatched(h); }\n", findings=("cusolverDnSsyevjBatched",)),
)

_NO_GENERIC = "{name}: no port is known to have the generic X calls; use the typed one."
_DIFFERENT = "{name}: the batched Jacobi solver was taken out of a port because it behaved differently."
_X = frozenset(name for name in TRIGGERS if name.startswith(b"cusolverDnX"))
_LEAST = 12  # arguments of the generic calls; a project's own function of such a name has fewer


def _is_theirs(unit: Unit, index: int) -> bool:
    closed = call_end(unit, index)
    return closed < 0 or len(arguments(unit, closed)) >= _LEAST


_GENERIC = each_use(Says(CODE, "warning", EFFORT, _NO_GENERIC), _X, where=_is_theirs)
_BATCHED = each_use(Says(CODE, "warning", EFFORT, _DIFFERENT), TRIGGERS - _X)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use."""
    yield from _GENERIC(unit)
    yield from _BATCHED(unit)
