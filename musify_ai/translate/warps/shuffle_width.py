"""MUS302: shuffles that leave their width out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import calls
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.aliases import alias_calls, macro_aliases

CODE = "MUS302"
TITLE = "Shuffle with the default width"
WHY = """
The default width is `warpSize`: 128 on mp_21 and mp_22. A sum over offsets 16 to 1 still comes out right in the first
of each 32 lanes, but an index, an upward or a downward shuffle reaches across the border of 32, where the original
stopped. An exclusive-or stays within 32 lanes as long as its mask is below 32, and is a note. Ports pass 32 explicitly.
"""
EXAMPLE = """
v += __shfl_down_sync(0xffffffff, v, offset);
"""
INSTEAD = """
`__shfl_down_sync(0xffffffff, v, offset, 32)`.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MUSADeviceUtils.muh (width = warpSize)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = frozenset(
    (
        b"__shfl_sync",
        b"__shfl_up_sync",
        b"__shfl_down_sync",
        b"__shfl_xor_sync",
        b"__shfl",
        b"__shfl_up",
        b"__shfl_down",
        b"__shfl_xor",
        b"WARP_SHFL",
        b"WARP_SHFL_UP",
        b"WARP_SHFL_DOWN",
        b"WARP_SHFL_XOR",
    )
)
VALID = (
    "__global__ void k(int* x, int n) {\n  int v = __shfl_down_sync(0xffffffff, n, 1, 32);\n}\n",
    "__global__ void k(int* x, int n) {\n  int v = __shfl_sync(m, f<int, 3>(n), 0, 16);\n}\n",
    "// __shfl_sync(m, v, 0)\n",
    "template <class T> __device__ T __shfl_sync(unsigned m, T v, int l) { return v; }\n",
    "__global__ void k(int* x, int n) {\n  int v = tile.shfl_down(n, 1);\n}\n",
    "__global__ void k(int* x, int n) {\n  int v = __shfl(n, 0, 32);\n}\n",
    "#define SHFL(...) __shfl_sync(__VA_ARGS__)\n",
    "#define SHFL(m, v, l, ...) __shfl_sync(m, v, l, ##__VA_ARGS__)\nint f(int n) { return SHFL(~0u, n, 0, 8); }\n",
    "int f(int n) { return WARP_SHFL(n, 0, 32); }\n",
    "#define WARP_SHFL_DOWN(v, o) v\nint f(int n) { return WARP_SHFL_DOWN(n, 1); }\n",
    "int f(int n) { return WARP_SHFL_DOWN(n, 1); }\n",  # of a project that is not PyTorch's
)
INVALID = (
    Case(
        "__global__ void k(int* x, int n) {\n  int v = __shfl_down_sync(0xffffffff, n, 1);\n}\n",
        findings=("__shfl_down_sync(0xffffffff, n, 1)",),
        fixed="__global__ void k(int* x, int n) {\n  int v = __shfl_down_sync(0xffffffff, n, 1, 32);\n}\n",
    ),
    Case(
        "__global__ void k(int* x, int n) {\n  int v = __shfl_xor_sync(m, f<int, 3>(n), 1);\n}\n",
        findings=("__shfl_xor_sync(m, f<int, 3>(n), 1)",),
        fixed="__global__ void k(int* x, int n) {\n  int v = __shfl_xor_sync(m, f<int, 3>(n), 1, 32);\n}\n",
    ),
    Case(
        "#define SUM(v) __shfl_down_sync(~0u, v, 1)\n",
        findings=("__shfl_down_sync(~0u, v, 1)",),
        fixed="#define SUM(v) __shfl_down_sync(~0u, v, 1, 32)\n",
    ),
    Case(
        "#define SHFL __shfl_sync\n__global__ void k(int n) {\n  n = SHFL(~0u, n, 0) + SHFL(~0u, n, 0, 8);\n}\n",
        findings=("SHFL(~0u, n, 0)",),
        fixed="#define SHFL __shfl_sync\n__global__ void k(int n) {\n  n = SHFL(~0u, n, 0, 32) + "
        "SHFL(~0u, n, 0, 8);\n}\n",
    ),
    # The width is what a macro takes last, and may leave out.
    Case(
        "#define SHFL(m, v, l, ...) __shfl_sync(m, v, l, ##__VA_ARGS__)\nint f(int n) { return SHFL(~0u, n, 0); }\n",
        findings=("SHFL(~0u, n, 0)",),
        fixed="#define SHFL(m, v, l, ...) __shfl_sync(m, v, l, ##__VA_ARGS__)\n"
        "int f(int n) { return SHFL(~0u, n, 0, 32); }\n",
    ),
    # PyTorch's own functions: ATen/cuda/DeviceUtils.cuh, and torch_musa's twin, both with width = warpSize.
    Case(
        "#include <ATen/cuda/DeviceUtils.cuh>\nint f(int n) { return WARP_SHFL_DOWN(n, 1); }\n",
        findings=("WARP_SHFL_DOWN(n, 1)",),
        fixed="#include <ATen/cuda/DeviceUtils.cuh>\nint f(int n) { return WARP_SHFL_DOWN(n, 1, 32); }\n",
    ),
    Case(
        "__global__ void k(int* x, int n) {\n  n = __shfl(n, 0);\n}\n",
        findings=("__shfl(n, 0)",),
        fixed="__global__ void k(int* x, int n) {\n  n = __shfl(n, 0, 32);\n}\n",
    ),
)


_OF_PYTORCH = frozenset((b"WARP_SHFL", b"WARP_SHFL_UP", b"WARP_SHFL_DOWN", b"WARP_SHFL_XOR"))
_PYTORCH = frozenset((b"ATen", b"c10", b"torch", b"at"))
_OPEN_ENDED = late_pattern(rb"[ \t]*([A-Za-z_]\w*)\(([^()]*),[ \t]*\.\.\.[ \t]*\)")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each call without a width, with 32 as the suggestion."""
    if not unit.wide_archs:
        return
    toks = unit.tokens
    aliases = macro_aliases(unit, TRIGGERS)
    names = TRIGGERS
    if unit.words.isdisjoint(_PYTORCH) or not unit.macros.isdisjoint(_OF_PYTORCH):
        names = TRIGGERS - _OF_PYTORCH
    open_ended = _open_ended(unit)
    found = [*calls(unit, names), *alias_calls(unit, aliases), *alias_calls(unit, open_ended)]
    for index, closed, given in sorted(found):
        name = aliases.get(toks[index].text, toks[index].text)
        least = int(open_ended.get(name, b"0")) or (3 if name.endswith(b"_sync") else 2)
        if len(given) != least or any(toks[start].text == b"__VA_ARGS__" for start, end in given if end > start):
            continue
        shown = name.decode("ascii")
        within = b"xor" in name.lower()
        last = toks[closed]
        yield Finding(
            CODE,
            "note" if within else "warning",
            toks[index].start,
            last.end,
            f"{shown} without a width takes the whole warp: 128 lanes on {', '.join(unit.wide_archs)}, 32 in the "
            "original. Pass 32" + (", or be sure that the lane mask stays below 32." if within else "."),
            edit=Edit(last.start, last.end, b")", b", 32)", CODE, "rule", "unsafe", "the default is warpSize"),
            name=shown,
        )


def _open_ended(unit: Unit) -> Mapping[bytes, bytes]:
    """The macros of the file that hand their last arguments, and with them perhaps a width, to a shuffle: how many
    arguments they have where the width is left out."""
    found: dict[bytes, bytes] = {}
    for line in unit.directives if b"__VA_ARGS__" in unit.words else ():
        match = _OPEN_ENDED.match(unit.src, line.argument_start, line.end) if line.keyword == b"define" else None
        if match is not None and any(
            shuffle in TRIGGERS for shuffle in re.findall(rb"\w+", unit.src[match.end() : line.end])
        ):
            found[match[1]] = str(match[2].count(b",") + 1).encode("ascii")
    return found
