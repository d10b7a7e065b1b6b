"""The meaning of PTX's loads and stores in C++.

A cache hint changes no value and is left out. What is there for other threads (volatile, relaxed, acquire, release, or
a statement that the compiler may not move) becomes a volatile access with the fences that its order asks for, never a
plain one.
"""

from __future__ import annotations

from musify_ai.translate.ptx.addresses import COMPILER_BARRIER, FENCES, Access, access_type, address, is_barred
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.conversions import store as store_integer
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import UNSIGNED
from musify_ai.translate.ptx.vectors import load_vector, parts_of, store_vector


def load(b: Builder, instruction: Instruction) -> None:
    """ld, ldu."""
    access = Access(instruction)
    d, where, *policy = operands(instruction, 3 if access.hinted else 2)
    _leave_policy(b, policy)
    kind = access_type(instruction)
    strong = access.order in ("volatile", "relaxed", "acquire") or access.cache == "cv"
    # A statement that may not be moved may be there to see what other threads write.
    watched = not access.constant and (strong or b.statement.volatile or is_barred(b))
    barred = is_barred(b) and not access.constant
    if access.order == "acquire" and access.scope not in FENCES:
        raise refused(instruction)
    # The value of a plain vector may be another thread's: held in place by barriers, since it is no volatile access.
    barred = barred or (bool(access.vector) and watched and not strong)
    if barred or access.order == "acquire":
        b.single = False
    if barred:
        b.effect(COMPILER_BARRIER)
    if access.vector:
        load_vector(b, access, instruction.parts[-1], kind, d, where, strong=strong)
    else:
        (d,) = parts_of(d, 1)
        value = f"*{address(b, where, kind.cpp, constant=True, volatile=watched, shared=access.shared)}"
        if kind.bits < 32 and not kind.floating:
            store_integer(b, d, value, kind)
        else:
            plain = kind if kind.floating else UNSIGNED[kind.bits]
            b.write(d, value if plain.cpp == kind.cpp else f"({plain.cpp}){value}", plain)
    if access.order == "acquire":
        b.note(f"{instruction.opcode} became a volatile load and a fence after it")
        b.effect(FENCES[access.scope])
    elif barred:
        b.effect(COMPILER_BARRIER)


def _leave_policy(b: Builder, policy: list[str]) -> None:
    """A cache policy (``L2::cache_hint``) has no place in C++."""
    for each in policy:
        b.unread(each)
        b.note("its L2 cache policy was left out: it changes no value, but what stays in the cache may be another")


def store(b: Builder, instruction: Instruction) -> None:
    """st."""
    access = Access(instruction)
    where, given, *policy = operands(instruction, 3 if access.hinted else 2)
    _leave_policy(b, policy)
    kind = access_type(instruction)
    strong = access.order in ("volatile", "relaxed", "release") or access.cache == "wt"
    if access.order == "release" and access.scope not in FENCES:
        raise refused(instruction)
    if access.order == "release":
        b.note(f"{instruction.opcode} became a fence and a volatile store after it")
        b.effect(FENCES[access.scope])
    elif is_barred(b):
        b.effect(COMPILER_BARRIER)
    if access.vector:
        store_vector(b, access, instruction.parts[-1], kind, where, given, strong=strong)
    else:
        (given,) = parts_of(given, 1)
        value = b.read(given, kind, wider=kind.bits < 32 and not kind.floating)
        b.effect(f"*{address(b, where, kind.cpp, volatile=True, shared=access.shared)} = {value};")
    if is_barred(b):
        b.effect(COMPILER_BARRIER)


LOWERINGS: dict[str, Lowering] = {"ld": load, "ldu": load, "st": store}
