"""The meaning of PTX's atomics, fences and prefetches in C++."""

from __future__ import annotations

from musify_ai.translate.ptx import cas_loops
from musify_ai.translate.ptx.addresses import COMPILER_BARRIER, FENCES, Access, address, convert_address, is_barred
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import TYPES, UNSIGNED, NotLowered, PtxType

_ATOMICS = {
    "add": ("atomicAdd", {"u32", "s32", "u64", "f32"}),
    "min": ("atomicMin", {"u32", "s32"}),
    "max": ("atomicMax", {"u32", "s32"}),
    "or": ("atomicOr", {"b32"}),
    "and": ("atomicAnd", {"b32"}),
    "xor": ("atomicXor", {"b32"}),
    "exch": ("atomicExch", {"b32"}),
    "cas": ("atomicCAS", {"b32", "b64"}),
}


def atomic(b: Builder, instruction: Instruction) -> None:
    """atom, and red, which wants no result. Of the scopes, that of the device or less: atomics on MUSA have it."""
    names = frozenset((*_ATOMICS, "inc", "dec", "noftz"))
    access = Access(instruction, names)
    if "noftz" in access.rest:
        access.rest.remove("noftz")
    wants = instruction.parts[0] == "atom"
    looped = cas_loops.is_looped(access, instruction)
    if len(access.rest) != 1 or (access.vector and not looped) or access.cache or access.hinted:
        raise refused(instruction)
    if access.scope == "sys":
        raise NotLowered("atomics of the whole system are not known to work on MUSA, and one of the device is weaker")
    call, kinds = _ATOMICS.get(access.rest[0], ("", set()))
    if looped:
        call = "a loop over atomicCAS"
    elif instruction.parts[-1] not in kinds:
        raise refused(instruction)
    count = (1 if wants else 0) + (3 if access.rest[0] == "cas" else 2)
    given = operands(instruction, count)
    d, where, values = (given[0] if wants else "", given[1 if wants else 0], given[2 if wants else 1 :])
    fence = FENCES[access.scope or "gpu"]
    b.single = b.single and access.order in ("", "relaxed") and not is_barred(b)
    if access.order in ("release", "acq_rel"):
        b.effect(fence)
    elif is_barred(b):
        b.effect(COMPILER_BARRIER)
    if access.order in ("acquire", "release", "acq_rel"):
        b.note(f"{instruction.opcode} became {call} with fences")
    if looped:
        cas_loops.lower(b, access, instruction, d, where, values[0])
    else:
        _call(b, call, TYPES[instruction.parts[-1]], access, d if wants else "", where, values)
    if access.order in ("acquire", "acq_rel"):
        b.effect(fence)
    elif is_barred(b):
        b.effect(COMPILER_BARRIER)


def _call(b: Builder, call: str, kind: PtxType, access: Access, d: str, where: str, values: tuple[str, ...]) -> None:
    shown = ", ".join([address(b, where, kind.cpp, shared=access.shared), *(b.read(each, kind) for each in values)])
    expression = f"{call}({shown})"
    if d not in ("", "_"):
        plain = kind if kind.floating else UNSIGNED[kind.bits]
        b.write(d, expression if plain.cpp == kind.cpp else f"({plain.cpp}){expression}", plain)
    else:
        b.effect(f"{expression};")


_ORDERS = ("acq_rel", "sc", "acquire", "release")
_FENCES = {
    "membar.cta": "__threadfence_block();",
    "membar.gl": "__threadfence();",
    "membar.sys": "__threadfence_system();",
    # A fence for one direction is written as one for both.
    **{f"fence.{order}.{scope}": FENCES[scope] for order in _ORDERS for scope in FENCES},
}


def fence(b: Builder, instruction: Instruction) -> None:
    """membar, fence."""
    call = _FENCES.get(instruction.opcode)
    if call is None or instruction.operands:
        raise refused(instruction)
    b.effect(call)


def prefetch(b: Builder, instruction: Instruction) -> None:
    """prefetch, a hint without a value: its address is still evaluated, for what that may do."""
    if instruction.parts[1:] not in (("global", "L1"), ("global", "L2"), ("L1",), ("L2",)):
        raise refused(instruction)
    (where,) = operands(instruction, 1)
    b.note("the prefetch was left out: it changes no value, and MUSA has no known counterpart")
    b.effect(f"(void){address(b, where, 'char', constant=True)};")


LOWERINGS: dict[str, Lowering] = {
    "atom": atomic,
    "red": atomic,
    "membar": fence,
    "fence": fence,
    "prefetch": prefetch,
    "cvta": convert_address,
}
