"""MUS511: kernels launched from kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.first_looks import DEFINITION, launches_from_kernel
from musify_ai.translate.unit import Unit

CODE = "MUS511"
TITLE = "Launch from device code"
WHY = """
No public MUSA code launches a kernel from a kernel, and CUB for MUSA keeps its own such path behind an arch number
that no arch reaches. Nothing says that it works.
"""
EXAMPLE = """
__global__ void parent() { child<<<1, 32>>>(); }
"""
INSTEAD = """
Launch from the host: return what the child needs, or split the kernel there.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "days"
REFERENCES = ("MooreThreads/muAlg: cub/util_arch.cuh (the path is closed)",)
TRIGGERS = frozenset((b"__global__",))
VALID = (
    "  __global__ void k() {\n#if A\n  if (x) {\n#else\n  {\n#endif\n  }\n  }\n"
    "  void f(int n)\n  {\n  k<<<1, n>>>();\n  }\n",
    "__global__ void k() {\n#if A\n  if (x) {\n#else\n  {\n#endif\n  }\n}\nvoid f() {\n  k<<<1, 2>>>();\n}\n",
    "__global__ void k();\nvoid f() { k<<<1, 2>>>(); }\n",
    "// __global__ k<<<1, 2>>>()\n",
    "__global__ void k(int n) {\n  n = n << 3 >> 2;\n}\n",
)
INVALID = (
    Case("__global__ void c();\n__global__ void p() {\n  c<<<1, 32>>>();\n}\n", findings=("c<<<1, 32>>>",)),
    Case("template <class T> __global__ void p() {\n  c<T><<<1, n>>>();\n}\n", findings=("<<<1, n>>>",)),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each launch inside of a kernel."""
    if not launches_from_kernel(unit):
        return
    toks = unit.tokens
    for index, token in enumerate(toks):
        if token.text != b"<<<" or not _in_kernel(unit, token.start):
            continue
        closed = next((i for i in range(index, min(index + 120, len(toks))) if toks[i].text == b">>>"), index)
        named = index > 0 and toks[index - 1].kind == "identifier"
        yield Finding(
            CODE,
            "error",
            toks[index - 1].start if named else token.start,
            toks[closed].end,
            "a kernel launches a kernel here; no public MUSA code does, and nothing says that it works. Launch it from "
            "the host.",
            effort=EFFORT,
            settled=False,
            name=toks[index - 1].text.decode("latin-1") if named else "",
        )


def _real_end(unit: Unit, body: tuple[int, int]) -> int:
    """Where a body ends at the latest, by how its lines look."""
    ends: dict[int, int] = unit.memo.setdefault("real ends", {})
    if body[0] not in ends:
        brace = unit.src.find(b"\n}", body[0], body[1])
        definition = DEFINITION.search(unit.src, body[0], body[1])
        found = [body[1], brace if brace >= 0 else body[1], definition.start() if definition else body[1]]
        ends[body[0]] = min(found)
    return ends[body[0]]


def _in_kernel(unit: Unit, offset: int) -> bool:
    """Whether an offset lies in the body of a function marked ``__global__``."""
    body = unit.device_body(offset)
    # Where an `#if` splits the braces, a body seems to reach past its end: to a brace at the start of a line, or to
    # the next function.
    if body is None or offset > _real_end(unit, body):
        return False
    index = unit.token_index(body[0]) - 1
    while index >= 0 and unit.tokens[index].text not in (b";", b"}", b"{"):
        if unit.tokens[index].text == b"__global__":
            return True
        index = unit.partners.get(index, index) - 1 if unit.tokens[index].text in (b")", b"]") else index - 1
    return False
