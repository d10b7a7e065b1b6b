"""PTX's addresses and the modifiers of its memory accesses: where an access goes, how strong it is, for whom.

A generic or global address is the pointer itself. One of shared memory is a number that ``__cvta_generic_to_shared``
gave (a name that MUSA code uses): the pointer is found again by its distance from the number of a pointer that is
known, the block's dynamic shared memory.
"""

from __future__ import annotations

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, U64, NotLowered, PtxType
from musify_ai.translate.ptx.statements import POINTER

_OFFSET = r"-?\d+|0[xX][0-9a-fA-F]+|%\d+|%\[\w+\]"
_ADDRESS = late_pattern(rf"\[\s*([%\w$\x01\[\]]+?)\s*(?:\+\s*({_OFFSET}))?\s*\]\Z")
_HINT = late_pattern(r"L1::(?:no_allocate|evict_\w+)\Z|L2::(?:64B|128B|256B|evict_\w+)\Z")
_CACHED = frozenset(("ca", "cg", "cs", "lu", "wb", "wt", "cv", "nc"))
_SHARED = ("shared", "shared::cta")
FENCES = {"cta": "__threadfence_block();", "gpu": "__threadfence();", "sys": "__threadfence_system();"}
"""The fence of each scope."""
# What a memory clobber asks for: no access moves across. The weakest fence is a barrier to the compiler too, and known.
COMPILER_BARRIER = "__threadfence_block();"
_BASE = "ptx_shared"


class Access:
    """The modifiers of a load, store or atomic taken apart; ``extra`` are those that are its own."""

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
        if self.space not in ("", "global", *_SHARED):
            raise NotLowered(f"an address in {self.space} memory is a number that MUSA code cannot use as a pointer")
        if self.scope == "cluster" or self.order == "mmio":
            raise refused(instruction)

    @property
    def shared(self) -> bool:
        """Whether the address is a number in the block's shared memory."""
        return self.space in _SHARED


def strength(instruction: Instruction) -> tuple[int, tuple[str, ...]]:
    """How strong a load or store is (0: what it reads never changes, 1: plain, 2: volatile or relaxed), and what is
    left of its opcode without that; what orders other accesses stays."""
    if instruction.parts[0] not in ("ld", "ldu", "st"):
        return 1, instruction.parts
    weak = ("global", "weak", "volatile", "relaxed", "gpu", "cta", "sys", *_CACHED)
    rest = tuple(part for part in instruction.parts if part not in weak and not _HINT.match(part))
    if any(part in ("acquire", "release") for part in rest):
        return 1, instruction.parts
    strong = any(part in ("volatile", "relaxed", "cv", "wt") for part in instruction.parts)
    return 2 if strong else 0 if "nc" in instruction.parts else 1, rest


def access_type(instruction: Instruction, *, small: bool = True) -> PtxType:
    """The type that an access moves."""
    kind = TYPES.get(instruction.parts[-1])
    if kind is None or kind is TYPES["pred"] or (kind.bits < 32 and not small):
        raise refused(instruction)
    return kind


def is_barred(b: Builder) -> bool:
    """Whether the statement holds the compiler back from moving other accesses across it."""
    return "memory" in b.statement.clobbers


def address(
    b: Builder, text: str, pointee: str, *, constant: bool = False, volatile: bool = False, shared: bool = False
) -> str:
    """A PTX address as a C++ pointer to a type."""
    match = _ADDRESS.match(text)
    if match is None:
        raise NotLowered(f"the address {text.replace(ESCAPED_PERCENT, '%')} is not a register with an offset")
    register, offset = match[1], _offset(b, match[2])
    qualifiers = ("const " if constant else "") + ("volatile " if volatile else "")
    number = b.placeholder(register)
    if shared:
        shown = _shared_pointer(b, register) + (f" + {offset}" if offset else "")
        return f"({qualifiers}{pointee}*)({shown})"
    if number is not None and number >= len(b.statement.outputs):
        if b.operands[number].constraint not in ("l", POINTER):
            raise NotLowered("its address is not a 64-bit input")
        pointer = b.address(number)
    else:
        pointer = b.read(register, U64)
    if offset:
        pointer = f"({'const ' if constant else ''}char*)({pointer}) + {offset}"
    return f"({qualifiers}{pointee}*)({pointer})"


def _offset(b: Builder, text: str | None) -> str:
    """What is added to an address, in C++, empty for nothing."""
    if not text:
        return ""
    if not text.startswith("%"):
        return str(int(text, 0)) if int(text, 0) else ""
    number = b.placeholder(text)
    if number is None or b.operands[number].constraint != "n":
        raise NotLowered(f"the offset {text} of an address is no constant")
    return f"(int)({b.operands[number].text})"


def _shared_pointer(b: Builder, register: str) -> str:
    """The pointer behind a shared address, which may stand in a register of 32 bits or of 64."""
    number = b.placeholder(register)
    if number is None:
        wide = b.register_type(register).bits == 64
    else:
        wide = b.operands[number].constraint.lstrip("=+&") in ("l", POINTER)
    value = b.read(register, U64 if wide else U32)
    b.use_shared_base(f"extern __shared__ char {_BASE}[];")
    b.note(
        "a shared address as a number became a pointer, by its distance from what __cvta_generic_to_shared gives for "
        "the block's dynamic shared memory; the compiler may not see that it is shared"
    )
    distance = f"(unsigned int)({value}) - (unsigned int)__cvta_generic_to_shared({_BASE})"
    return f"{_BASE} + (int)({distance})"


def convert_address(b: Builder, instruction: Instruction) -> None:
    """cvta, to and from global addresses, which are generic ones, and the numbers of shared memory."""
    d, x = operands(instruction, 2)
    parts = instruction.parts[1:]
    if parts in (("to", "global", "u64"), ("global", "u64")):
        b.write(d, b.read(x, U64), U64)
    elif len(parts) == 3 and parts[0] == "to" and parts[1] in _SHARED and parts[2] in ("u32", "u64"):
        kind = TYPES[parts[2]]
        given = b.read(x, U64)
        b.write(d, f"({kind.cpp})__cvta_generic_to_shared((const void*)({given}))", kind)
    elif len(parts) == 2 and parts[0] in _SHARED and parts[1] == "u64":
        b.write(d, f"(unsigned long long)({_shared_pointer(b, x)})", U64)
    else:
        raise NotLowered("an address in local or constant memory as a number has no meaning in MUSA code")
