"""The meaning of PTX's special registers in C++, where a thread of MUSA code can tell it."""

from __future__ import annotations

from collections.abc import Callable

from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT
from musify_ai.translate.ptx.registers import LANE, RANK, PtxType

_AXES = (("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"))
_LANE_NOTE = "%laneid became the thread's number in its group of 32 threads"
_MASK_NOTE = (
    "a %lanemask register became the mask within the thread's group of 32 threads; a ballot that it is joined with has "
    "to be of those 32 as well"
)
_WARP_NOTE = "%warpid became the number of the thread's group of 32 in the block"
_CLOCK_NOTE = "%clock became clock64(), whose ticks are those of another device"
_WORDS: dict[str, tuple[str, str]] = {
    **{f"{ptx}.{axis}": (f"{cpp}.{axis}", "") for ptx, cpp in _AXES for axis in "xyz"},
    "laneid": (LANE, _LANE_NOTE),
    "warpid": (f"({RANK} >> 5)", _WARP_NOTE),
    "nwarpid": ("((blockDim.x * blockDim.y * blockDim.z + 31u) >> 5)", _WARP_NOTE),
    "lanemask_eq": (f"(1u << {LANE})", _MASK_NOTE),
    "lanemask_lt": (f"((1u << {LANE}) - 1u)", _MASK_NOTE),
    "lanemask_le": (f"((2u << {LANE}) - 1u)", _MASK_NOTE),
    "lanemask_ge": (f"(0u - (1u << {LANE}))", _MASK_NOTE),
    "lanemask_gt": (f"(0u - (2u << {LANE}))", _MASK_NOTE),
    "clock": ("(unsigned int)clock64()", _CLOCK_NOTE),
    "clock_hi": ("(unsigned int)((unsigned long long)clock64() >> 32)", _CLOCK_NOTE),
}


def special(text: str, wanted: PtxType, note: Callable[[str], None]) -> str | None:
    """A special register as an expression of a type, ``None`` for other text or where it has no counterpart."""
    if not text.startswith(ESCAPED_PERCENT) or wanted.floating:
        return None
    name = text.removeprefix(ESCAPED_PERCENT)
    if name == "clock64" and wanted.bits == 64:
        note(_CLOCK_NOTE)
        return f"({wanted.cpp})clock64()"
    shown, about = _WORDS.get(name, ("", ""))
    if not shown or wanted.bits != 32:
        return None
    if about:
        note(about)
    return f"({wanted.cpp}){shown}" if wanted.signed else shown
