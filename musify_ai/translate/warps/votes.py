"""MUS303: votes, matches and warp reductions, whose result is a 32-bit view of the warp."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import call_end, mentions
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.aliases import alias_calls, macro_aliases

CODE = "MUS303"
TITLE = "Vote or match over the warp"
WHY = """
These functions answer for the warp in 32 bits. On mp_21 and mp_22 a warp has 128 lanes, and nothing public says which
of them a mask names or which a result covers. Code that counts bits, finds the leader, or compacts with the result as
if it were the whole warp can go wrong there; on mp_31 it means what it meant.
"""
EXAMPLE = """
const unsigned active = __ballot_sync(0xffffffff, flag);
"""
INSTEAD = """
Keep it where only mp_31 is a target. For mp_22, build the mask in shared memory for each group of 32 threads, or test
on the hardware: the checker models the answer for each 32 lanes, and says that this is an assumption.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/paddle_musa: backends/musa/hack/paddle/phi/kernels/funcs/top_k_function_cuda.h (kept)",
    "MooreThreads/muAlg: cub/warp (legacy forms without a mask)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = frozenset(
    (
        b"__ballot_sync",
        b"__ballot",
        b"__activemask",
        b"__match_any_sync",
        b"__match_all_sync",
        b"__reduce_add_sync",
        b"__reduce_min_sync",
        b"__reduce_max_sync",
        b"__reduce_and_sync",
        b"__reduce_or_sync",
        b"__reduce_xor_sync",
        b"__any_sync",
        b"__all_sync",
        b"__any",
        b"__all",
    )
)
VALID = (
    "// __ballot_sync\n",
    "__global__ void k(int* x, int n) {\n  int v = __shfl_sync(m, n, 0, 32);\n}\n",
    "__device__ unsigned __ballot_sync(unsigned m, int p) { return p; }\n",
    "__global__ void k(int* x, int n) {\n  __syncwarp();\n}\n",
    "__global__ void k(int* x, int n) {\n  x[0] = cg.__any(n);\n}\n",
    "#define __all_sync(mask, var) __all(var)\n",
    "template <class T> struct has<T, decltype(__reduce_min_sync(0xFFFFFFFF, T{}))> : std::true_type {};\n",
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  unsigned m = __ballot_sync(0xffffffff, n > 0);\n}\n",
        findings=("__ballot_sync(0xffffffff, n > 0)",),
    ),
    Case(
        "__global__ void k(int* x, int n) {\n  int c = __popc(__ballot_sync(m, f(n)));\n}\n",
        findings=("__ballot_sync(m, f(n))",),
    ),
    Case("__global__ void k(int* x, int n) {\n  unsigned m = __activemask();\n}\n", findings=("__activemask()",)),
    Case(
        "__global__ void k(int* x, int n) {\n  x[0] = __reduce_add_sync(m, n);\n}\n",
        findings=("__reduce_add_sync(m, n)",),
    ),
    Case(
        "#define BALLOT __ballot_sync\n__global__ void k(int n) {\n  f(BALLOT(~0u, n));\n}\n",
        findings=("BALLOT(~0u, n)",),
    ),
    Case("__global__ void k(int* x, int n) {\n  if (__any_sync(m, n)) f();\n}\n", findings=("__any_sync(m, n)",)),
)


_NAMED = TRIGGERS
_NOTES = frozenset((b"__any_sync", b"__all_sync", b"__any", b"__all"))
_REDUCING = b"__reduce_"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each call; a note for any and all, whose result is no mask."""
    if not unit.wide_archs:
        return
    toks = unit.tokens
    archs = ", ".join(unit.wide_archs)
    aliases = macro_aliases(unit, TRIGGERS)
    by_alias = [(index, closed) for index, closed, _ in alias_calls(unit, aliases)]
    for index, closed in [*((each, call_end(unit, each)) for each in mentions(unit, TRIGGERS)), *by_alias]:
        line = unit.directive_at(toks[index].start)
        own = (
            line is not None
            and line.keyword == b"define"
            and not _NAMED.isdisjoint(unit.src[line.argument_start : line.end].split(b"(", 1)[0].split())
        )
        if closed < 0 or own or (index >= 2 and toks[index - 2].text == b"decltype"):
            continue
        named = aliases.get(toks[index].text, toks[index].text)
        shown = named.decode("ascii")
        counted = (
            index >= 2 and toks[index - 1].text == b"(" and toks[index - 2].text in (b"__popc", b"__ffs", b"__clz")
        )
        what = (
            "its answer covers those lanes of a 128-lane warp that nothing public names"
            if named in _NOTES
            else "it combines the values of those lanes of a 128-lane warp that its 32 bits of mask name, and nothing "
            "public says which these are"
            if named.startswith(_REDUCING)
            else "its 32 bits cannot be the whole of a 128-lane warp, and nothing public says which lanes they are"
        )
        yield Finding(
            CODE,
            "note" if named in _NOTES else "warning",
            toks[index].start,
            toks[closed].end,
            f"{shown} on {archs}: {what}" + (", yet the bits are counted here as the warp" if counted else "") + ". It "
            "means the same on mp_31. Where mp_22 is a target, gather the votes of each 32 threads in shared memory, "
            "or test on the hardware.",
            effort=EFFORT,
            name=shown,
        )
