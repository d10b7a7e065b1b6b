"""The meaning of plain scalar instructions in C++: arithmetic, logic, shifts."""

from __future__ import annotations

from musify_ai.translate.ptx import floats
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, narrowed, operands, refused, typed
from musify_ai.translate.ptx.registers import BITS, INTEGERS, TYPES, U32, U64, UNSIGNED, NotLowered, literal


def _modular(sign: str) -> Lowering:
    def lower(b: Builder, instruction: Instruction) -> None:
        if floats.is_float(instruction):
            floats.arithmetic(b, instruction)
            return
        d, x, y = operands(instruction, 3)
        if instruction.parts[1:] == ("sat", "s32"):
            b.single = False
            sum_ = b.let(f"(long long){b.read(x, TYPES['s32'])} {sign} {b.read(y, TYPES['s32'])}", TYPES["s64"])
            low, high = "(-2147483647 - 1)", "2147483647"
            b.write(d, f"(unsigned int)({sum_} > {high} ? {high} : {sum_} < {low} ? {low} : (int){sum_})", U32)
            return
        kind = UNSIGNED[typed(instruction, INTEGERS).bits]
        # Signed overflow wraps in PTX and is undefined in C++: the low bits are the same, so compute unsigned.
        b.write(d, narrowed(f"{b.read(x, kind)} {sign} {b.read(y, kind)}", kind), kind)

    return lower


def _multiply(b: Builder, instruction: Instruction) -> None:
    if floats.is_float(instruction):
        floats.arithmetic(b, instruction)
        return
    operands(instruction, 3)
    _product(b, instruction, None)


def _multiply_add(b: Builder, instruction: Instruction) -> None:
    if floats.is_float(instruction):
        floats.fused(b, instruction)
        return
    operands(instruction, 4)
    _product(b, instruction, instruction.operands[3])


def _product(b: Builder, instruction: Instruction, addend: str | None) -> None:
    d, x, y = instruction.operands[:3]
    if len(instruction.parts) != 3 or instruction.parts[2] not in INTEGERS:
        raise refused(instruction)
    part, suffix = instruction.parts[1:]
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
    elif part == "hi" and kind.bits == 64:
        product, result = high_product(b, x, y, suffix), unsigned
    elif part == "hi" and kind.bits == 16:
        cast = "int" if kind.signed else "unsigned int"
        product = f"(unsigned short)(({cast}){b.read(x, kind)} * {b.read(y, kind)} >> 16)"
        result = unsigned
    else:
        raise refused(instruction)
    if addend is not None:
        product = f"{product} + {b.read(addend, result)}"
    b.write(d, narrowed(product, result), result)


def high_product(b: Builder, x: str, y: str, suffix: str) -> str:
    """The upper half of a product of 32 or 64 bits, as an unsigned expression."""
    kind = TYPES[suffix]
    if kind.bits == 32:
        cast = "long long" if kind.signed else "unsigned long long"
        return f"(unsigned int)(({cast}){b.read(x, kind)} * {b.read(y, kind)} >> 32)"
    if not kind.signed:
        return f"__umul64hi({b.read(x, kind)}, {b.read(y, kind)})"
    # 128-bit integers crash the compiler: the signed product is the unsigned one less what each sign adds to it.
    left, right = b.read(x, U64, twice=True), b.read(y, U64, twice=True)
    return (
        f"(__umul64hi({left}, {right}) - ((long long){left} < 0 ? {right} : 0ull)"
        f" - ((long long){right} < 0 ? {left} : 0ull))"
    )


def _multiply24(b: Builder, instruction: Instruction) -> None:
    d, x, y, *rest = operands(instruction, 4 if instruction.parts[0] == "mad24" else 3)
    if instruction.parts[1:] not in (("lo", "u32"), ("lo", "s32"), ("hi", "u32"), ("hi", "s32")):
        raise refused(instruction)
    kind = TYPES[instruction.parts[2]]
    if kind.signed:
        left, right = (f"((int)({b.read(each, U32)} << 8) >> 8)" for each in (x, y))
        product = f"(long long){left} * {right}"
    else:
        left, right = (f"({b.read(each, U32)} & 0xffffffu)" for each in (x, y))
        product = f"(unsigned long long){left} * {right}"
    result = f"(unsigned int)({product}{' >> 16' if instruction.parts[1] == 'hi' else ''})"
    b.write(d, result + (f" + {b.read(rest[0], U32)}" if rest else ""), U32)


def _sum_of_differences(b: Builder, instruction: Instruction) -> None:
    d, x, y, z = operands(instruction, 4)
    kind = typed(instruction, INTEGERS - {"u16", "s16"})
    result = UNSIGNED[kind.bits]
    left, right = b.read(x, kind, twice=True), b.read(y, kind, twice=True)
    plain_left, plain_right = b.read(x, result, twice=True), b.read(y, result, twice=True)
    difference = f"({left} < {right} ? {plain_right} - {plain_left} : {plain_left} - {plain_right})"
    b.write(d, f"{difference} + {b.read(z, result)}", result)


def _quotient(b: Builder, instruction: Instruction) -> None:
    if floats.is_float(instruction):
        floats.quotient(b, instruction)
        return
    d, x, y = operands(instruction, 3)
    kind = typed(instruction, {"u32", "u64"})
    # Division by zero gives an unspecified value in PTX and stops a C++ program: all ones here.
    divisor = b.read(y, kind, twice=True)
    b.write(d, f"{divisor} ? {b.read(x, kind, twice=True)} / {divisor} : {literal(-1, kind.bits)}", kind)


def _remainder(b: Builder, instruction: Instruction) -> None:
    d, x, y = operands(instruction, 3)
    kind = typed(instruction, {"u32", "u64"})
    value, divisor = b.read(x, kind, twice=True), b.read(y, kind, twice=True)
    b.write(d, f"{divisor} ? {value} % {divisor} : {value}", kind)


def _clamped_shift(b: Builder, instruction: Instruction) -> None:
    """vshl and vshr of whole words with clamp and add: shift everything out from 32 on, then add."""
    d, x, amount, addend = operands(instruction, 4)
    if instruction.parts[1:] != ("u32", "u32", "u32", "clamp", "add"):
        raise refused(instruction)
    sign = "<<" if instruction.parts[0] == "vshl" else ">>"
    n, value = b.read(amount, U32, twice=True), b.read(x, U32, twice=True)
    b.write(d, f"({n} > 31u ? 0u : {value} {sign} {n}) + {b.read(addend, U32)}", U32)


def _sum_of_three(b: Builder, instruction: Instruction) -> None:
    """vadd of whole words with a second addition."""
    d, x, y, z = operands(instruction, 4)
    if instruction.parts[1:] != ("u32", "u32", "u32", "add"):
        raise refused(instruction)
    b.write(d, f"{b.read(x, U32)} + {b.read(y, U32)} + {b.read(z, U32)}", U32)


def _dot_product(b: Builder, instruction: Instruction) -> None:
    d, x, y, z = operands(instruction, 4)
    if instruction.parts[1:] != ("s32", "s32"):
        raise NotLowered("only the signed __dp4a is known on MUSA")
    kind = TYPES["s32"]
    b.write(d, f"(unsigned int)__dp4a({b.read(x, kind)}, {b.read(y, kind)}, {b.read(z, kind)})", U32)


def _is_zero(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"b32", "b64"})
    b.write(
        d, f"{b.read(x, kind)} == {literal(0, kind.bits)} ? {literal(1, kind.bits)} : {literal(0, kind.bits)}", kind
    )


def _logic(sign: str) -> Lowering:
    def lower(b: Builder, instruction: Instruction) -> None:
        d, x, y = operands(instruction, 3)
        kind = typed(instruction, BITS | {"pred"})
        shown = {"&": "&&", "|": "||", "^": "!="}[sign] if kind is TYPES["pred"] else sign
        b.write(d, narrowed(f"{b.read(x, kind, twice=True)} {shown} {b.read(y, kind, twice=True)}", kind), kind)

    return lower


def _complement(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, BITS | {"pred"})
    b.write(d, narrowed(f"{'!' if kind is TYPES['pred'] else '~'}{b.read(x, kind)}", kind), kind)


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
        if floats.is_float(instruction):
            floats.extremum(b, instruction)
            return
        d, x, y = operands(instruction, 3)
        kind = typed(instruction, {"u32", "s32", "u64", "s64"})
        result = UNSIGNED[kind.bits]
        left, right = b.read(x, kind, twice=True), b.read(y, kind, twice=True)
        chosen = f"{left} {sign} {right} ? {left} : {right}"
        b.write(d, f"({result.cpp})({chosen})" if kind.signed else chosen, result)

    return lower


def _negate(b: Builder, instruction: Instruction) -> None:
    if floats.is_float(instruction):
        floats.negated(b, instruction)
        return
    d, x = operands(instruction, 2)
    result = UNSIGNED[typed(instruction, {"s32", "s64"}).bits]
    b.write(d, f"{literal(0, result.bits)} - {b.read(x, result)}", result)


def _absolute(b: Builder, instruction: Instruction) -> None:
    if floats.is_float(instruction):
        floats.absolute(b, instruction)
        return
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"s32", "s64"})
    result = UNSIGNED[kind.bits]
    # The least integer is its own absolute value in PTX.
    signed, plain = b.read(x, kind, twice=True), b.read(x, result, twice=True)
    b.write(d, f"{signed} < 0 ? {literal(0, kind.bits)} - {plain} : {plain}", result)


LOWERINGS: dict[str, Lowering] = {
    "add": _modular("+"),
    "sub": _modular("-"),
    "mul": _multiply,
    "mad": _multiply_add,
    "mul24": _multiply24,
    "mad24": _multiply24,
    "fma": floats.fused,
    "sad": _sum_of_differences,
    "div": _quotient,
    "rem": _remainder,
    "vshl": _clamped_shift,
    "vshr": _clamped_shift,
    "vadd": _sum_of_three,
    "dp4a": _dot_product,
    "cnot": _is_zero,
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
}
