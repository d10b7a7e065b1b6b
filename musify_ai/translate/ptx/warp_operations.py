"""The meaning of PTX's shuffles, barriers and thread control in C++: always over 32 lanes, whatever a warp has.

Votes and matches stay: their 32 bits are not known to be those of the 32 lanes on an arch with 128 (MUS303 says the
same of the intrinsics). Where every arch asked for has 32 lanes, votes are lowered.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import LANE, TYPES, NotLowered
from musify_ai.translate.ptx.scalars import U32

_SHUFFLES = {"idx": "__shfl_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync", "bfly": "__shfl_xor_sync"}


def shuffle(b: Builder, instruction: Instruction) -> None:
    """shfl.sync. Its last but one operand cuts the lanes into segments; only whole powers of two are a width."""
    parts = instruction.parts[1:]
    if len(parts) != 3 or parts[0] != "sync" or parts[1] not in _SHUFFLES or parts[2] != "b32":
        raise refused(instruction)
    d, x, by_text, clamp_text, members = operands(instruction, 5)
    clamp = b.constant(clamp_text)
    if clamp is None:
        raise NotLowered(f"the segments of the shuffle are in {clamp_text}, which is no constant")
    width = 32 - (clamp >> 8 & 0x1F)
    if width not in (1, 2, 4, 8, 16, 32) or clamp & 0x1F != (0 if parts[1] == "up" else 0x1F):
        raise NotLowered(f"the clamp {clamp:#x} of the shuffle is no width of __shfl_*_sync")
    first, _, inside = (each.strip() for each in d.partition("|"))
    mask_value = b.immediate(members)
    mask = f"{mask_value % 2**32:#x}" if mask_value is not None else b.read(members, U32)
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
    call = f"{_SHUFFLES[parts[1]]}({mask}, {b.read(x, U32)}, {by_shown}, {width})"
    if b.guard:
        raise NotLowered("a shuffle runs under a predicate")
    b.write(first, call, U32)
    if inside and inside != "_":
        b.single = False
        lane = f"({LANE} & {width - 1}u)"
        outcome = {
            "up": f"{lane} >= {by_plain}{'u' if by is not None else ''}",
            "down": f"{lane} + {by_plain} < {width}u",
            "bfly": "true" if width == 32 else f"({lane} ^ {by_plain}) < {width}u",
            "idx": "true",
        }[parts[1]]
        b.write(inside, outcome, TYPES["pred"])


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
    """elect.sync of a whole group: the leader may be any member, so lane 0."""
    d, members = operands(instruction, 2)
    if instruction.parts[1:] != ("sync",) or b.guard or (b.constant(members) or 0) % 2**32 != 0xFFFFFFFF:
        raise NotLowered("the members of elect.sync are not the constant 0xffffffff")
    b.note("elect.sync chose lane 0 of each group of 32 threads")
    first, _, leader = (each.strip() for each in d.partition("|"))
    if first not in ("", "_"):
        b.write(first, "0u", U32)
    b.single = False
    b.write(leader, f"{LANE} == 0u", TYPES["pred"])


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
