"""The meaning of plain scalar instructions in C++: arithmetic, logic, shifts, moves, conversions."""

from __future__ import annotations

from collections.abc import Callable

from musify_ai.translate.ptx.building import TYPES, UNSIGNED, Builder, NotLowered, PtxType, literal
from musify_ai.translate.ptx.instructions import Instruction

Lowering = Callable[[Builder, Instruction], None]

U32, U64 = TYPES["u32"], TYPES["u64"]
_INTEGERS = frozenset(("u16", "s16", "u32", "s32", "u64", "s64"))
_BITS = frozenset(("b16", "b32", "b64"))


def operands(instruction: Instruction, count: int) -> tuple[str, ...]:
    """The operands of an instruction that takes so many."""
    if len(instruction.operands) != count:
        raise NotLowered(f"{instruction.opcode} with {len(instruction.operands)} operands is not known")
    return instruction.operands


def typed(instruction: Instruction, allowed: frozenset[str] | set[str], *modifiers: str) -> PtxType:
    """The type at the end of an opcode whose other modifiers are just these."""
    if instruction.parts[1:-1] != modifiers or instruction.parts[-1] not in allowed:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    return TYPES[instruction.parts[-1]]


def narrowed(expression: str, kind: PtxType) -> str:
    """An unsigned result brought back to its width, where C++ has computed in ``int``."""
    return f"(unsigned short)({expression})" if kind.bits == 16 else expression


def _modular(sign: str) -> Lowering:
    def lower(b: Builder, instruction: Instruction) -> None:
        d, x, y = operands(instruction, 3)
        if instruction.parts[-1] in ("f32", "f64"):
            kind = typed(instruction, {"f32", "f64"})
            b.write(d, f"{b.read(x, kind)} {sign} {b.read(y, kind)}", kind)
            return
        kind = UNSIGNED[typed(instruction, _INTEGERS).bits]
        # Signed overflow wraps in PTX and is undefined in C++: the low bits are the same, so compute unsigned.
        b.write(d, narrowed(f"{b.read(x, kind)} {sign} {b.read(y, kind)}", kind), kind)

    return lower


def _multiply(b: Builder, instruction: Instruction) -> None:
    if len(instruction.parts) == 2:
        d, x, y = operands(instruction, 3)
        kind = typed(instruction, {"f32", "f64"})
        b.write(d, f"{b.read(x, kind)} * {b.read(y, kind)}", kind)
        return
    _product(b, instruction, None)


def _multiply_add(b: Builder, instruction: Instruction) -> None:
    operands(instruction, 4)
    _product(b, instruction, instruction.operands[3])


def _product(b: Builder, instruction: Instruction, addend: str | None) -> None:
    d, x, y = instruction.operands[:3] if len(instruction.operands) >= 3 else operands(instruction, 3)
    if len(instruction.operands) != (3 if addend is None else 4) or len(instruction.parts) != 3:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    part, suffix = instruction.parts[1:]
    if suffix not in _INTEGERS:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    kind = TYPES[suffix]
    unsigned = UNSIGNED[kind.bits]
    if part == "lo":
        # The low half does not depend on signs.
        if kind.bits == 16:
            product = f"(unsigned int){b.read(x, unsigned)} * {b.read(y, unsigned)}"
        else:
            product = f"{b.read(x, unsigned)} * {b.read(y, unsigned)}"
        result = unsigned
    elif part == "wide" and kind.bits < 64:
        result = UNSIGNED[2 * kind.bits]
        wide = {(16, False): "unsigned int", (16, True): "int", (32, False): "unsigned long long"}
        cast = wide.get((kind.bits, kind.signed), "long long")
        product = f"({cast}){b.read(x, kind)} * {b.read(y, kind)}"
        if kind.signed:
            product = f"({result.cpp})({product})"
    elif part == "hi" and kind.bits == 32:
        cast = "long long" if kind.signed else "unsigned long long"
        product = f"(unsigned int)(({cast}){b.read(x, kind)} * {b.read(y, kind)} >> 32)"
        result = unsigned
    elif part == "hi" and suffix == "u64":
        product = f"__umul64hi({b.read(x, kind)}, {b.read(y, kind)})"
        result = unsigned
    else:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    if addend is not None:
        product = f"{product} + {b.read(addend, result)}"
    b.write(d, narrowed(product, result), result)


def _fused(b: Builder, instruction: Instruction) -> None:
    d, x, y, z = operands(instruction, 4)
    kind = typed(instruction, {"f32", "f64"}, "rn")
    call = "fmaf" if kind.bits == 32 else "fma"
    b.write(d, f"{call}({b.read(x, kind)}, {b.read(y, kind)}, {b.read(z, kind)})", kind)


def _logic(sign: str) -> Lowering:
    def lower(b: Builder, instruction: Instruction) -> None:
        d, x, y = operands(instruction, 3)
        kind = typed(instruction, _BITS)
        b.write(d, f"{b.read(x, kind)} {sign} {b.read(y, kind)}", kind)

    return lower


def _complement(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, _BITS)
    b.write(d, narrowed(f"~{b.read(x, kind)}", kind), kind)


def _shift_left(b: Builder, instruction: Instruction) -> None:
    d, x, amount = operands(instruction, 3)
    kind = typed(instruction, {"b32", "b64"})
    count = b.immediate(amount)
    if count is None:
        # PTX shifts everything out from the width on; C++ leaves that undefined.
        n = b.read(amount, U32, twice=True)
        value = b.read(x, kind, twice=True)
        b.write(d, f"{n} > {kind.bits - 1}u ? {literal(0, kind.bits)} : {value} << {n}", kind)
    elif count % 2**32 >= kind.bits:
        b.unread(x)
        b.write(d, literal(0, kind.bits), kind)
    else:
        b.write(d, f"{b.read(x, kind)} << {count}", kind)


def _shift_right(b: Builder, instruction: Instruction) -> None:
    d, x, amount = operands(instruction, 3)
    kind = typed(instruction, {"b32", "b64", "u32", "u64", "s32", "s64"})
    result, last = UNSIGNED[kind.bits], kind.bits - 1
    count = b.immediate(amount)
    if kind.signed:
        if count is None:
            n = b.read(amount, U32, twice=True)
            shift = f"({n} > {last}u ? {last}u : {n})"
        else:
            shift = str(min(count % 2**32, last))
        b.write(d, f"({result.cpp})({b.read(x, kind)} >> {shift})", result)
    elif count is None:
        n = b.read(amount, U32, twice=True)
        value = b.read(x, kind, twice=True)
        b.write(d, f"{n} > {last}u ? {literal(0, kind.bits)} : {value} >> {n}", result)
    elif count % 2**32 > last:
        b.unread(x)
        b.write(d, literal(0, kind.bits), result)
    else:
        b.write(d, f"{b.read(x, kind)} >> {count}", result)


def _extremum(sign: str) -> Lowering:
    def lower(b: Builder, instruction: Instruction) -> None:
        d, x, y = operands(instruction, 3)
        kind = typed(instruction, {"u32", "s32", "u64", "s64"})
        result = UNSIGNED[kind.bits]
        left, right = b.read(x, kind, twice=True), b.read(y, kind, twice=True)
        chosen = f"{left} {sign} {right} ? {left} : {right}"
        b.write(d, f"({result.cpp})({chosen})" if kind.signed else chosen, result)

    return lower


def _negate(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"s32", "s64", "f32", "f64"})
    if kind.floating:
        b.write(d, f"-{b.read(x, kind)}", kind)
    else:
        result = UNSIGNED[kind.bits]
        b.write(d, f"{literal(0, kind.bits)} - {b.read(x, result)}", result)


def _absolute(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"s32", "s64"})
    result = UNSIGNED[kind.bits]
    # The least integer is its own absolute value in PTX.
    signed, plain = b.read(x, kind, twice=True), b.read(x, result, twice=True)
    b.write(d, f"{signed} < 0 ? {literal(0, kind.bits)} - {plain} : {plain}", result)


def _move(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, _INTEGERS | _BITS | {"f32", "f64"})
    result = kind if kind.floating else UNSIGNED[kind.bits]
    if kind.bits == 64 and not kind.floating and x.startswith("{"):
        low, high = _pair(x)
        b.write(d, f"{_widened(b, low)} | {_widened(b, high)} << 32", U64)
    elif kind.bits == 64 and not kind.floating and d.startswith("{"):
        low, high = _pair(d)
        b.single = False
        whole = b.let(b.read(x, U64), U64)
        b.write(low, f"(unsigned int){whole}", U32)
        b.write(high, f"(unsigned int)({whole} >> 32)", U32)
    else:
        b.write(d, b.read(x, result), result)


def _pair(text: str) -> tuple[str, str]:
    pieces = [piece.strip() for piece in text.strip("{}").split(",")]
    if len(pieces) != 2:
        raise NotLowered(f"the vector {text} is not a pair")
    return pieces[0], pieces[1]


def _widened(b: Builder, text: str) -> str:
    return f"(unsigned long long){b.read(text, U32)}"


def _convert(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    parts = instruction.parts
    if len(parts) == 4 and parts[1:3] == ("rn", "f32") and parts[3] in ("u32", "s32"):
        b.write(d, f"(float){b.read(x, TYPES[parts[3]])}", TYPES["f32"])
        return
    integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}
    if len(parts) != 3 or parts[1] not in integers or parts[2] not in integers:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    to, source = TYPES[parts[1]], TYPES[parts[2]]
    value = b.read(x, source, wider=True)
    # The register may be wider than the type: the value is then extended by the sign of the type.
    register = b.register_type(d)
    if register.floating or register.bits < to.bits:
        raise NotLowered(f"the register behind {d} does not have the type of the result")
    if to.bits < register.bits or to.bits < source.bits or to.signed:
        value = f"({to.cpp}){value}"
    b.write(d, f"({register.cpp}){value}" if value[1:].split(")")[0] != register.cpp else value, register)


def _compare(b: Builder, instruction: Instruction) -> None:
    d, x, y = operands(instruction, 3)
    if len(instruction.parts) != 3:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    relation, suffix = instruction.parts[1:]
    signs = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    unsigned_signs = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
    kind = TYPES.get(suffix)
    if kind is None or kind.floating or kind.bits < 16 or d.find("|") >= 0:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    sign = signs.get(relation) if suffix[0] != "b" or relation in ("eq", "ne") else None
    sign = sign or (unsigned_signs.get(relation) if suffix[0] == "u" else None)
    if sign is None:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    b.write(d, f"{b.read(x, kind)} {sign} {b.read(y, kind)}", TYPES["pred"])


def _select(b: Builder, instruction: Instruction) -> None:
    d, x, y, predicate = operands(instruction, 4)
    kind = typed(instruction, _INTEGERS | _BITS | {"f32", "f64"})
    result = kind if kind.floating else UNSIGNED[kind.bits]
    if predicate not in b.types or b.types[predicate].cpp != "bool":
        raise NotLowered(f"it selects by {predicate}, which is no predicate")
    chosen = f"{b.read(predicate, TYPES['pred'])} ? {b.read(x, result)} : {b.read(y, result)}"
    b.write(d, narrowed(chosen, result) if not result.floating else chosen, result)


LOWERINGS: dict[str, Lowering] = {
    "add": _modular("+"),
    "sub": _modular("-"),
    "mul": _multiply,
    "mad": _multiply_add,
    "fma": _fused,
    "and": _logic("&"),
    "or": _logic("|"),
    "xor": _logic("^"),
    "not": _complement,
    "shl": _shift_left,
    "shr": _shift_right,
    "min": _extremum("<"),
    "max": _extremum(">"),
    "neg": _negate,
    "abs": _absolute,
    "mov": _move,
    "cvt": _convert,
    "setp": _compare,
    "selp": _select,
}
