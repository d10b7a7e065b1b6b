"""Opcodes of warps and blocks, and those that end a thread."""

from musify_ai.emulator.prepare.ptx.context import LIBRARY, Context, invoke
from musify_ai.emulator.prepare.ptx.text import Unsupported

_REDUCTIONS = ("add", "min", "max", "and", "or", "xor")
_EVERY_LANE = "0xffffffffu"


def shfl(c: Context) -> str:
    """shfl, with .sync or in its older form."""
    sync = c.flag("sync")
    mode = c.choice(("idx", "up", "down", "bfly"))
    c.type("b32")
    c.done(5 if sync else 4)
    to, inside = c.pair()
    members = c.value(c.operands[4], "b32") if sync else _EVERY_LANE
    a, by, clamp = (c.value(operand, "b32") for operand in c.operands[1:4])
    return f"{to} = {invoke('shfl', f'Shuffle::{mode}', sync)}({a}, {by}, {clamp}, {members}, {inside});"


def vote(c: Context) -> str:
    """vote, with .sync or in its older form."""
    sync = c.flag("sync")
    mode = c.choice(("all", "any", "uni", "ballot"))
    c.type("b32" if mode == "ballot" else "pred")
    c.done(3 if sync else 2)
    members = c.value(c.operands[2], "b32") if sync else _EVERY_LANE
    return c.assign(f"{invoke(f'vote_{mode}', sync)}({c.value(c.operands[1], 'pred')}, {members})")


def match(c: Context) -> str:
    """match.any.sync, match.all.sync."""
    mode = c.choice(("any", "all"))
    c.choice(("sync",))
    kind = c.type("b32", "b64")
    c.done(3)
    a, members = c.value(c.operands[1], kind), c.value(c.operands[2], "b32")
    if mode == "any":
        return c.assign(f"{invoke('match_any', kind)}({a}, {members})")
    to, same = c.pair()
    return f"{to} = {invoke('match_all', kind)}({a}, {members}, {same});"


def redux(c: Context) -> str:
    """redux.sync of integers."""
    c.choice(("sync",))
    operation = c.choice(_REDUCTIONS)
    kind = c.type("u32", "s32", "b32")
    c.done(3)
    signed = "true" if kind == "s32" else "false"
    return c.assign(f"{LIBRARY}redux<::emu::Op::reduce_{operation}, {signed}>({c.values('b32')})")


def activemask(c: Context) -> str:
    """activemask.b32."""
    c.type("b32")
    c.done(1)
    return c.assign(f"{LIBRARY}activemask()")


def elect(c: Context) -> str:
    """elect.sync."""
    c.choice(("sync",))
    c.done(2)
    to, leader = c.pair()
    return f"{to} = {LIBRARY}elect({c.value(c.operands[1], 'b32')}, {leader});"


def bar(c: Context) -> str:
    """bar and barrier: of the whole block or by number for some of its threads, and bar.warp.sync."""
    c.drop("cta", "aligned")
    if c.flag("warp"):
        c.choice(("sync",))
        c.done(1)
        return f"{LIBRARY}warp_sync({c.value(c.operands[0], 'b32')});"
    if c.flag("sync"):
        c.done((1, 2))
        count = c.value(c.operands[1], "b32") if len(c.operands) == 2 else "0u"
        return f"{LIBRARY}barrier_sync({c.value(c.operands[0], 'b32')}, {count});"
    if c.flag("arrive"):
        c.done(2)
        number, count = c.value(c.operands[0], "b32"), c.value(c.operands[1], "b32")
        return f"{LIBRARY}barrier_arrive({number}, {count});"
    if c.flag("red"):
        mode = c.choice(("popc", "and", "or"))
        c.type("u32" if mode == "popc" else "pred")
        c.done((3, 4))
        kind = {"popc": "count", "and": "conjunction", "or": "disjunction"}[mode]
        count = c.value(c.operands[2], "b32") if len(c.operands) == 4 else "0u"
        barrier, source = c.value(c.operands[1], "b32"), c.value(c.operands[-1], "pred")
        return c.assign(f"{LIBRARY}barrier_reduce<::emu::Barrier::{kind}>({barrier}, {count}, {source})")
    raise c.unsupported()


def trap(c: Context) -> str:
    """trap."""
    return '::emu::trap("trap", "trap in inline PTX");'


def nanosleep(c: Context) -> str:
    """nanosleep: others may run."""
    return "::emu::spin();"


def refused(c: Context) -> str:
    """What is known and not had."""
    raise Unsupported(c.opcode)
