"""Video instructions: one byte, half or word of each operand (``vadd.u32.u32.u32 d, a.b0, b.h1``), or all of them at
once (``vadd4``, ``vabsdiff2``). What orders the lanes anew, averages, compares, shifts or multiplies is not had."""

from collections.abc import Callable

from musify_ai.emulator.prepare.ptx.context import LIBRARY, Context, invoke
from musify_ai.emulator.prepare.ptx.text import Operand

Handler = Callable[[Context], str]

_OPERATIONS = ("add", "sub", "absdiff", "min", "max")
_PARTS = {
    "": (32, 0), "b0": (8, 0), "b1": (8, 8), "b2": (8, 16), "b3": (8, 24), "h0": (16, 0), "h1": (16, 16),
}  # fmt: skip
_IN_ORDER = {4: ("", "b3210"), 2: ("", "h10")}
_SECOND_IN_ORDER = {4: ("", "b7654"), 2: ("", "h32")}


def _split(operand: Operand) -> tuple[Operand, str]:
    """An operand without its selector, and that."""
    if operand.kind == "argument":
        return operand._replace(name=""), operand.name
    if operand.kind == "register" and "." in operand.name and not operand.name.startswith("%"):
        name, _, part = operand.name.rpartition(".")
        return operand._replace(name=name), part
    return operand, ""


def _types(c: Context) -> list[str]:
    """The types of destination and operands, which are the modifiers that are left."""
    types, c.mods = c.mods, []
    if len(types) != 3 or any(each not in ("u32", "s32") for each in types):
        raise c.unsupported()
    return types


def _single(name: str) -> Handler:
    """An operation on one part of each operand; a second one with c may follow, or c takes the result in at a place."""

    def handle(c: Context) -> str:
        sat, second = c.flag("sat"), c.choice(("add", "min", "max"), "")
        types = _types(c)
        (to, place), *sources = [_split(each) for each in c.operands]
        if any(part not in _PARTS for _, part in ((to, place), *sources)) or (second and place):
            raise c.unsupported()
        # What a minimum or maximum makes of a first result that does not fit 32 bits is not said clearly enough.
        if second in ("min", "max") and not sat and (name not in ("min", "max") or len(set(types)) > 1):
            raise c.unsupported()
        c.done(4 if second or place else 3)
        width, at = _PARTS[place]
        parts = [(c.value(each, "b32"), *_PARTS[part]) for each, part in sources[:2]]
        values = ", ".join(str(each) for part in parts for each in part)
        first = f"{invoke('video', f'Video::{name}', *types, sat)}({values}, {width})"
        if not second and not place:
            return f"{c.destination(to)} = uint32_t({first});"
        third, selector = sources[2]
        if selector:
            raise c.unsupported()
        other = c.value(third, "b32")
        if second:
            return f"{c.destination(to)} = {invoke('video_second', f'Video::{second}', types[0])}({first}, {other});"
        return f"{c.destination(to)} = {LIBRARY}put_part({other}, {first}, {width}, {at});"

    return handle


def _lanes(name: str, lanes: int) -> Handler:
    """An operation on all bytes or halves, in their order; results go to the lanes of the mask or are added to c."""

    def handle(c: Context) -> str:
        sat, summed = c.flag("sat"), c.flag("add")
        types = _types(c)
        c.done(4)
        (to, mask), (a, first), (b, second), (third, selector) = (_split(each) for each in c.operands)
        if first not in _IN_ORDER[lanes] or second not in _SECOND_IN_ORDER[lanes] or selector:
            raise c.unsupported()
        wanted = mask[1:] or "".join(map(str, range(lanes)))
        letter = "b" if lanes == 4 else "h"
        if (mask and mask[0] != letter) or any(each not in "0123"[:lanes] for each in wanted):
            raise c.unsupported()
        bits = sum(1 << int(each) for each in set(wanted))
        values = f"{c.value(a, 'b32')}, {c.value(b, 'b32')}, {c.value(third, 'b32')}, {32 // lanes}, {bits}"
        if not summed:
            return f"{c.destination(to)} = {invoke('video_lanes', f'Video::{name}', *types, sat)}({values});"
        # Where a lane's result may not fit its lane, whether the sum takes it whole is not said clearly enough.
        fits = set(types) == {"u32"} if name == "absdiff" else name in ("min", "max") and len(set(types)) == 1
        if sat or not fits:
            raise c.unsupported()
        return f"{c.destination(to)} = {invoke('video_sum', f'Video::{name}', *types[1:])}({values});"

    return handle


VIDEO: dict[str, Handler] = {
    **{f"v{name}": _single(name) for name in _OPERATIONS},
    **{f"v{name}{lanes}": _lanes(name, lanes) for name in _OPERATIONS for lanes in (2, 4)},
}
