"""The meaning of PTX's shuffles, barriers and thread control in C++: always over 32 lanes, whatever a warp has.

Votes and matches stay: their 32 bits are not known to be those of the 32 lanes on an arch with 128 (MUS303 says the
same of the intrinsics). Where every arch asked for has 32 lanes, votes are lowered.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import LANE, TYPES, U32, NotLowered

_WIDTHS = (1, 2, 4, 8, 16, 32)
_SHUFFLES = {"idx": "__shfl_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync", "bfly": "__shfl_xor_sync"}


def shuffle(b: Builder, instruction: Instruction) -> None:
    """shfl.sync. Its last but one operand cuts the lanes into segments; only whole powers of two are a width."""
    parts = instruction.parts[1:] if instruction.parts[1:2] == ("sync",) else ("", *instruction.parts[1:])
    if len(parts) != 3 or parts[1] not in _SHUFFLES or parts[2] != "b32":
        raise refused(instruction)
    if b.guard:
        raise NotLowered("a shuffle runs under a predicate")
    # The older form, without members, is of the lanes that run: so are the intrinsics without a mask.
    d, x, by_text, clamp_text, *members = operands(instruction, 5 if parts[0] else 4)
    clamp = b.constant(clamp_text)
    width = 0 if clamp is None else 32 - (clamp >> 8 & 0x1F)
    known = b.immediate(by_text)
    # An exchange may lead out of its segment, downwards: PTX lets it.
    leads_out = parts[1] == "bfly" and width != 32 and (known is None or known & 31 >= width)
    if clamp is None or width not in _WIDTHS or clamp & 0x1F != (0 if parts[1] == "up" else 0x1F) or leads_out:
        _shuffle_by_clamp(b, parts[1], d, x, by_text, clamp_text, members)
        return
    first, _, inside = (each.strip() for each in d.partition("|"))
    mask = _members(b, members)
    by = b.immediate(by_text)
    unsigned_by = parts[1] in ("up", "down")
    if by is not None:
        by_shown = by_plain = str(by & 31)
    else:
        if inside:
            b.single = False
            by_plain = b.let(f"{b.read(by_text, U32)} & 31u", U32)
        elif parts[1] == "idx":
            # The intrinsic takes the lane modulo the width, as PTX takes its low five bits.
            by_plain = b.read(by_text, U32)
        else:
            # PTX takes the low five bits; the intrinsics take a distance of 32 and more at its word.
            by_plain = f"({b.read(by_text, U32)} & 31u)"
        by_shown = by_plain if unsigned_by else f"(int){by_plain}"
    name = _SHUFFLES[parts[1]]
    call = f"{name if mask else name.removesuffix('_sync')}({mask}{b.read(x, U32)}, {by_shown}, {width})"
    b.write(first, call, U32)
    if inside and inside != "_":
        b.single = False
        lane = f"({LANE} & {width - 1}u)"
        outcome = {
            "up": f"{lane} >= {by_plain}{'u' if by is not None else ''}",
            "down": f"{lane} + {by_plain} < {width}u",
            "bfly": "true",
            "idx": "true",
        }[parts[1]]
        b.write(inside, outcome, TYPES["pred"])


def _members(b: Builder, members: list[str]) -> str:
    """The mask of a shuffle as its first argument, empty where it has none."""
    if not members:
        return ""
    value = b.immediate(members[0])
    return f"{value % 2**32:#x}, " if value is not None else f"{b.read(members[0], U32)}, "


def _shuffle_by_clamp(b: Builder, mode: str, d: str, x: str, by_text: str, clamp_text: str, members: list[str]) -> None:
    """A shuffle whose segments are known at run time only, or are no width: the lane to read from is worked out as
    PTX says, and read within the group of 32."""
    b.single = False
    first, _, inside = (each.strip() for each in d.partition("|"))
    mask = _members(b, members)
    value = b.let(b.read(x, U32), U32)
    by = b.let(f"{b.read(by_text, U32)} & 31u", U32)
    clamp = b.let(b.read(clamp_text, U32), U32)
    lane = b.let(LANE, U32)
    segment = b.let(f"{clamp} >> 8 & 31u", U32)
    source = {
        "up": f"(int){lane} - (int){by}",
        "down": f"(int)({lane} + {by})",
        "bfly": f"(int)({lane} ^ {by})",
        "idx": f"(int)(({lane} & {segment}) | ({by} & ~{segment}))",
    }[mode]
    place = b.let(source, TYPES["s32"])
    bound = f"(int)(({lane} & {segment}) | ({clamp} & ~{segment} & 31u))"
    stays = b.let(f"{place} {'>=' if mode == 'up' else '<='} {bound}", TYPES["pred"])
    call = "__shfl_sync" if mask else "__shfl"
    b.write(first, f"{call}({mask}{value}, {stays} ? {place} : (int){lane}, 32)", U32)
    if inside and inside != "_":
        b.write(inside, stays, TYPES["pred"])


def vote(b: Builder, instruction: Instruction) -> None:
    """vote.sync of any, all and ballot, where a warp has 32 lanes on every arch."""
    if b.wide_archs:
        raise NotLowered(f"a vote over the 128 lanes of {b.wide_archs} is not known to mean 32 of them")
    if instruction.parts[1:] not in (("sync", "any", "pred"), ("sync", "all", "pred"), ("sync", "ballot", "b32")):
        raise refused(instruction)
    d, x, members = operands(instruction, 3)
    if b.guard:
        raise NotLowered("a vote runs under a predicate")
    name = instruction.parts[2]
    mask_value = b.immediate(members)
    mask = f"{mask_value % 2**32:#x}" if mask_value is not None else b.read(members, U32)
    call = f"__{name}_sync({mask}, {b.read(x, TYPES['pred'])})"
    if name == "ballot":
        b.write(d, call, U32)
    else:
        b.write(d, f"{call} != 0", TYPES["pred"])


def active_mask(b: Builder, instruction: Instruction) -> None:
    """activemask, where a warp has 32 lanes on every arch."""
    if b.wide_archs:
        raise NotLowered(f"the active lanes among the 128 of {b.wide_archs} do not fit in 32 bits")
    (d,) = operands(instruction, 1)
    if instruction.parts[1:] != ("b32",):
        raise refused(instruction)
    b.write(d, "__activemask()", U32)


def elect(b: Builder, instruction: Instruction) -> None:
    """elect.sync: the leader may be any member, so the lowest."""
    d, members = operands(instruction, 2)
    if instruction.parts[1:] != ("sync",) or b.guard:
        raise refused(instruction)
    b.single = False
    first, _, leader = (each.strip() for each in d.partition("|"))
    b.note("elect.sync chose the lowest member of each group of 32 threads")
    if (b.constant(members) or 0) % 2**32 == 0xFFFFFFFF:
        chosen, outcome = "0u", f"{LANE} == 0u"
    else:
        given = b.let(b.read(members, U32), U32)
        lowest = b.let(f"{given} & (0u - {given})", U32)
        chosen, outcome = f"31u - (unsigned int)__clz((int){lowest})", f"1u << {LANE} == {lowest}"
    if first not in ("", "_"):
        b.write(first, chosen, U32)
    b.write(leader, outcome, TYPES["pred"])


def barrier(b: Builder, instruction: Instruction) -> None:
    """bar.sync 0 of the whole block, and bar.warp.sync."""
    if instruction.parts == ("bar", "warp", "sync"):
        (members,) = operands(instruction, 1)
        value = b.immediate(members)
        b.effect(f"__syncwarp({f'{value % 2**32:#x}' if value is not None else b.read(members, U32)});")
        return
    whole = instruction.opcode in ("bar.sync", "barrier.sync.aligned", "bar.cta.sync", "barrier.cta.sync.aligned")
    if not whole or len(instruction.operands) != 1 or b.immediate(instruction.operands[0]) != 0:
        raise NotLowered("only barrier 0 of the whole block is __syncthreads()")
    b.effect("__syncthreads();")


def trap(b: Builder, instruction: Instruction) -> None:
    """trap."""
    if instruction.opcode != "trap" or instruction.operands:
        raise refused(instruction)
    b.effect("__trap();")


def leave(b: Builder, instruction: Instruction) -> None:
    """exit, in the body of a kernel itself."""
    if instruction.opcode != "exit" or instruction.operands:
        raise refused(instruction)
    if not b.in_kernel:
        raise NotLowered("exit ends the thread from inside a function: MUSA code uses __musa_exit()")
    b.effect("return;")


def sleep(b: Builder, instruction: Instruction) -> None:
    """nanosleep, whose length may be anything from nothing to twice what is asked for."""
    (time,) = operands(instruction, 1)
    if instruction.parts[1:] != ("u32",):
        raise refused(instruction)
    b.note("nanosleep may sleep for no time at all, and does so here: no counterpart is known")
    b.effect(f"(void)({b.read(time, U32)});")


LOWERINGS: dict[str, Lowering] = {
    "shfl": shuffle,
    "vote": vote,
    "activemask": active_mask,
    "elect": elect,
    "bar": barrier,
    "barrier": barrier,
    "trap": trap,
    "exit": leave,
    "nanosleep": sleep,
}
