"""The meaning of PTX's loads, stores, atomics and fences on global and generic addresses in C++.

A generic pointer is the pointer itself. A cache hint changes no value and is left out. What is there for other
threads (volatile, relaxed, acquire, release, or a statement that the compiler may not move) becomes a volatile access
with the fences that its order asks for, never a plain one. Shared-memory addresses as 32-bit numbers have no C++.
"""

from __future__ import annotations

import re

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.conversions import store as store_integer
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import TYPES, UNSIGNED, NotLowered, PtxType

_ADDRESS = re.compile(r"\[\s*([%\w$\x01\[\]]+?)\s*(?:\+\s*(-?\d+|0[xX][0-9a-fA-F]+))?\s*\]\Z")
_HINT = re.compile(r"L1::(?:no_allocate|evict_\w+)\Z|L2::(?:64B|128B|256B|evict_\w+)\Z")
_CACHED = frozenset(("ca", "cg", "cs", "lu", "wb", "wt", "cv", "nc"))
_FENCE_OF = {"cta": "__threadfence_block();", "gpu": "__threadfence();", "sys": "__threadfence_system();"}
_VECTORS = {
    ("v2", "f32"): "float2",
    ("v4", "f32"): "float4",
    ("v2", "f64"): "double2",
    ("v2", "32"): "uint2",
    ("v4", "32"): "uint4",
    ("v2", "64"): "ulonglong2",
}
_SIGNED_VECTORS = {("v2", "s32"): "int2", ("v4", "s32"): "int4"}
# What a memory clobber asks for: no access moves across. The weakest fence is a barrier to the compiler too, and known.
COMPILER_BARRIER = "__threadfence_block();"


class _Access:
    """The modifiers of a load, store or atomic taken apart."""

    def __init__(self, instruction: Instruction, extra: frozenset[str] = frozenset()) -> None:
        self.space = self.order = self.scope = self.vector = self.cache = ""
        self.hinted = self.constant = False
        self.rest: list[str] = []
        # A hint holds "::" and a dot may stand inside it; the parts were split at dots only.
        for part in instruction.parts[1:-1]:
            if part in ("global", "shared", "local", "const", "param") or part.startswith("shared::"):
                self.space = part
            elif part in ("volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "mmio"):
                self.order = part
            elif part in ("cta", "gpu", "sys", "cluster"):
                self.scope = part
            elif part in ("v2", "v4", "v8"):
                self.vector = part
            elif part == "L2::cache_hint":
                self.hinted = True
            elif part == "nc":
                self.constant = True
            elif part in _CACHED:
                self.cache = part
            elif part in extra:
                self.rest.append(part)
            elif not _HINT.match(part):
                raise refused(instruction)
        if self.space not in ("", "global"):
            raise NotLowered(f"an address in {self.space} memory is a number that MUSA code cannot use as a pointer")
        if self.scope == "cluster" or self.order == "mmio":
            raise refused(instruction)


def address(b: Builder, text: str, pointee: str, *, constant: bool = False, volatile: bool = False) -> str:
    """A PTX address as a C++ pointer to a type."""
    match = _ADDRESS.match(text)
    if match is None:
        raise NotLowered(f"the address {text.replace(ESCAPED_PERCENT, '%')} is not a register with an offset")
    register = match[1]
    number = b.placeholder(register)
    qualifiers = ("const " if constant else "") + ("volatile " if volatile else "")
    offset = int(match[2], 0) if match[2] else 0
    if number is not None and number >= len(b.statement.outputs):
        if b.operands[number].constraint != "l":
            raise NotLowered("its address is not a 64-bit input")
        pointer = b.address(number)
    else:
        pointer = b.read(register, TYPES["u64"])
    if offset:
        pointer = f"({'const ' if constant else ''}char*)({pointer}) + {offset}"
    return f"({qualifiers}{pointee}*)({pointer})"


def _type(instruction: Instruction, *, small: bool = True) -> PtxType:
    kind = TYPES.get(instruction.parts[-1])
    if kind is None or kind is TYPES["pred"] or (kind.bits < 32 and not small):
        raise refused(instruction)
    return kind


def _barred(b: Builder) -> bool:
    """Whether the statement holds the compiler back from moving other accesses across it."""
    return "memory" in b.statement.clobbers


def _parts_of(text: str, count: int) -> list[str]:
    pieces = [piece.strip() for piece in text.strip("{} ").split(",")]
    if not text.startswith("{") or len(pieces) != count:
        raise NotLowered(f"the vector {text} does not have {count} parts")
    return pieces


def _vector_type(access: _Access, instruction: Instruction, kind: PtxType) -> str:
    suffix = instruction.parts[-1]
    named = _VECTORS.get((access.vector, suffix)) or _SIGNED_VECTORS.get((access.vector, suffix))
    named = named or (None if kind.floating else _VECTORS.get((access.vector, str(kind.bits))))
    if named is None:
        raise refused(instruction)
    return named


def load(b: Builder, instruction: Instruction) -> None:
    """ld, ldu."""
    access = _Access(instruction)
    d, where, *policy = operands(instruction, 3 if access.hinted else 2)
    for each in policy:
        b.unread(each)
    kind = _type(instruction)
    strong = access.order in ("volatile", "relaxed", "acquire") or access.cache == "cv"
    # A statement that may not be moved may be there to see what other threads write.
    watched = not access.constant and (strong or b.statement.volatile or _barred(b))
    barred = _barred(b) and not access.constant
    if access.order == "acquire" and access.scope not in _FENCE_OF:
        raise refused(instruction)
    if access.vector:
        if strong:
            raise NotLowered("no volatile access of several words is known on MUSA")
        named = _vector_type(access, instruction, kind)
        b.single = False
        # The value may be another thread's: held in place by barriers, since there is no volatile copy of a vector.
        barred = watched
        if barred:
            b.effect(COMPILER_BARRIER)
        pointer = address(b, where, named, constant=True)
        value = f"*{pointer}"
        if b.guard:
            value = f"{b.guard} ? {value} : {named}()"
        held = b.let_auto(value)
        for part, name in zip(_parts_of(d, int(access.vector[1])), "xyzw", strict=False):
            if part == "_":
                continue
            plain = kind if kind.floating else UNSIGNED[kind.bits]
            b.write(part, f"{held}.{name}" if plain is kind else f"({plain.cpp}){held}.{name}", plain)
        if barred:
            b.effect(COMPILER_BARRIER)
        return
    if barred or access.order == "acquire":
        b.single = False
    if barred:
        b.effect(COMPILER_BARRIER)
    value = f"*{address(b, where, kind.cpp, constant=True, volatile=watched)}"
    if kind.bits < 32 and not kind.floating:
        store_integer(b, d, value, kind)
    else:
        plain = kind if kind.floating else UNSIGNED[kind.bits]
        b.write(d, value if plain.cpp == kind.cpp else f"({plain.cpp}){value}", plain)
    if access.order == "acquire":
        b.note(f"{instruction.opcode} became a volatile load and a fence after it")
        b.effect(_FENCE_OF[access.scope])
    elif barred:
        b.effect(COMPILER_BARRIER)


def store(b: Builder, instruction: Instruction) -> None:
    """st."""
    access = _Access(instruction)
    where, given, *policy = operands(instruction, 3 if access.hinted else 2)
    for each in policy:
        b.unread(each)
    kind = _type(instruction)
    strong = access.order in ("volatile", "relaxed", "release") or access.cache == "wt"
    if access.order == "release" and access.scope not in _FENCE_OF:
        raise refused(instruction)
    if access.order == "release":
        b.note(f"{instruction.opcode} became a fence and a volatile store after it")
        b.effect(_FENCE_OF[access.scope])
    elif _barred(b):
        b.effect(COMPILER_BARRIER)
    if access.vector:
        if strong:
            raise NotLowered("no volatile access of several words is known on MUSA")
        named = _vector_type(access, instruction, kind)
        b.single = False
        values = ", ".join(b.read(each, kind) for each in _parts_of(given, int(access.vector[1])))
        b.effect(f"*{address(b, where, named)} = make_{named}({values});")
    else:
        value = b.read(given, kind, wider=kind.bits < 32 and not kind.floating)
        b.effect(f"*{address(b, where, kind.cpp, volatile=True)} = {value};")
    if _barred(b):
        b.effect(COMPILER_BARRIER)


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
    names = frozenset((*_ATOMICS, "inc", "dec"))
    access = _Access(instruction, names)
    if len(access.rest) != 1 or access.vector or access.cache or access.hinted:
        raise refused(instruction)
    if access.scope == "sys":
        raise NotLowered("atomics of the whole system are not known to work on MUSA, and one of the device is weaker")
    call, kinds = _ATOMICS.get(access.rest[0], ("", set()))
    if instruction.parts[-1] not in kinds:
        raise refused(instruction)
    kind = TYPES[instruction.parts[-1]]
    wants = instruction.parts[0] == "atom"
    count = (1 if wants else 0) + (3 if access.rest[0] == "cas" else 2)
    given = operands(instruction, count)
    d, where, values = (given[0] if wants else "", given[1 if wants else 0], given[2 if wants else 1 :])
    fence = _FENCE_OF[access.scope or "gpu"]
    b.single = b.single and access.order in ("", "relaxed") and not _barred(b)
    if access.order in ("release", "acq_rel"):
        b.effect(fence)
    elif _barred(b):
        b.effect(COMPILER_BARRIER)
    if access.order in ("acquire", "release", "acq_rel"):
        b.note(f"{instruction.opcode} became {call} with fences")
    shown = ", ".join([address(b, where, kind.cpp), *(b.read(each, kind) for each in values)])
    expression = f"{call}({shown})"
    if wants and d != "_":
        plain = kind if kind.floating else UNSIGNED[kind.bits]
        b.write(d, expression if plain.cpp == kind.cpp else f"({plain.cpp}){expression}", plain)
    else:
        b.effect(f"{expression};")
    if access.order in ("acquire", "acq_rel"):
        b.effect(fence)
    elif _barred(b):
        b.effect(COMPILER_BARRIER)


_FENCES = {
    "membar.cta": "__threadfence_block();",
    "membar.gl": "__threadfence();",
    "membar.sys": "__threadfence_system();",
    **{f"fence.{order}.{scope}": _FENCE_OF[scope] for order in ("acq_rel", "sc") for scope in _FENCE_OF},
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


def generic_address(b: Builder, instruction: Instruction) -> None:
    """cvta to and from global addresses, which are generic addresses."""
    d, x = operands(instruction, 2)
    if instruction.parts[1:] not in (("to", "global", "u64"), ("global", "u64")):
        raise NotLowered("an address in shared or local memory as a number has no meaning in MUSA code")
    b.write(d, b.read(x, TYPES["u64"]), TYPES["u64"])


LOWERINGS: dict[str, Lowering] = {
    "ld": load,
    "ldu": load,
    "st": store,
    "atom": atomic,
    "red": atomic,
    "membar": fence,
    "fence": fence,
    "prefetch": prefetch,
    "cvta": generic_address,
}
