"""The meaning of PTX's bit-field, permute and funnel instructions in C++, and of plain loads and barriers."""

from __future__ import annotations

import re

from musify_ai.translate.ptx.building import TYPES, Builder, NotLowered, mask
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.scalars import U32, Lowering, operands, typed

_ADDRESS = re.compile(r"\[\s*(%\d+|%\[\w+\])\s*(?:\+\s*(-?\d+|0[xX][0-9a-fA-F]+))?\s*\]\Z")
_CACHE_HINTS = frozenset(("ca", "cg", "cs", "lu"))
# The two-input functions by their truth table: bit 2y+z is the value at (y, z).
_PAIRS = {
    0b0000: "0u",
    0b0001: "~({y} | {z})",
    0b0010: "(~{y} & {z})",
    0b0011: "~{y}",
    0b0100: "({y} & ~{z})",
    0b0101: "~{z}",
    0b0110: "({y} ^ {z})",
    0b0111: "~({y} & {z})",
    0b1000: "({y} & {z})",
    0b1001: "~({y} ^ {z})",
    0b1010: "{z}",
    0b1011: "(~{y} | {z})",
    0b1100: "{y}",
    0b1101: "({y} | ~{z})",
    0b1110: "({y} | {z})",
    0b1111: "0xffffffffu",
}
# Functions of three inputs that people know by sight.
_KNOWN = {
    0x80: "{x} & {y} & {z}",
    0xFE: "{x} | {y} | {z}",
    0x96: "{x} ^ {y} ^ {z}",
    0xEA: "({x} & {y}) | {z}",
    0xF8: "{x} | ({y} & {z})",
    0x6A: "({x} & {y}) ^ {z}",
    0x78: "{x} ^ ({y} & {z})",
    0xE8: "({x} & {y}) | ({x} & {z}) | ({y} & {z})",
    0xCA: "({x} & {y}) | (~{x} & {z})",
    0xC0: "{x} & {y}",
    0xFC: "{x} | {y}",
    0x3C: "{x} ^ {y}",
}


def _field(b: Builder, text: str) -> int | None:
    """A position or length: its low eight bits count."""
    value = b.immediate(text)
    return None if value is None else value & 0xFF


def _extract(b: Builder, instruction: Instruction) -> None:
    d, x, position_text, length_text = operands(instruction, 4)
    kind = typed(instruction, {"u32", "s32"})
    position, length = _field(b, position_text), _field(b, length_text)
    if kind.signed:
        if position is None or length is None or not length or position + length > 32:
            raise NotLowered("a signed bit field is lowered only where its place is constant and inside the word")
        value = b.read(x, U32)
        left = f"({value} << {32 - position - length})" if position + length < 32 else value
        b.write(d, f"(unsigned int)((int){left} >> {32 - length})", U32)
        return
    if position is not None and length is not None:
        if position > 31 or length == 0:
            b.unread(x)
            b.write(d, "0u", U32)
            return
        value = b.read(x, U32)
        shifted = f"({value} >> {position})" if position else value
        if position + length >= 32:
            b.write(d, shifted[1:-1] if position else value, U32)
        else:
            b.write(d, f"{shifted} & {mask((1 << length) - 1)}", U32)
        return
    value = b.read(x, U32, twice=True)
    p = b.let(f"{b.read(position_text, U32)} & 0xffu", U32)
    n = b.let(f"{b.read(length_text, U32)} & 0xffu", U32)
    b.write(d, f"{p} > 31u ? 0u : ({value} >> {p}) & ({n} > 31u ? 0xffffffffu : (1u << {n}) - 1u)", U32)


def _insert(b: Builder, instruction: Instruction) -> None:
    d, x, y, position_text, length_text = operands(instruction, 5)
    typed(instruction, {"b32"})
    position, length = _field(b, position_text), _field(b, length_text)
    if position is not None and length is not None:
        if position > 31 or length == 0:
            b.unread(x)
            b.write(d, b.read(y, U32), U32)
            return
        bits = (((1 << min(length, 32)) - 1) << position) & 0xFFFFFFFF
        value = b.read(x, U32)
        shifted = f"({value} << {position})" if position else value
        b.write(d, f"({b.read(y, U32)} & {mask(~bits)}) | ({shifted} & {mask(bits)})", U32)
        return
    value, into = b.read(x, U32, twice=True), b.read(y, U32)
    p = b.let(f"{b.read(position_text, U32)} & 0xffu", U32)
    n = b.let(f"{b.read(length_text, U32)} & 0xffu", U32)
    m = b.let(f"{p} > 31u ? 0u : ({n} > 31u ? 0xffffffffu : (1u << {n}) - 1u) << {p}", U32)
    b.write(d, f"({into} & ~{m}) | ({p} > 31u ? 0u : ({value} << {p}) & {m})", U32)


def _permute(b: Builder, instruction: Instruction) -> None:
    d, x, y, selector_text = operands(instruction, 4)
    typed(instruction, {"b32"})
    selector = b.immediate(selector_text)
    if selector is None or not 0 <= selector <= 0xFFFF or selector & 0x8888:
        # A selector's top bit asks for the sign of a byte, which __byte_perm does not do.
        raise NotLowered("its selector is not a constant that __byte_perm reads the same way")
    b.write(d, f"__byte_perm({b.read(x, U32)}, {b.read(y, U32)}, {selector:#06x})", U32)


def _count(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"b32", "b64"})
    b.write(d, f"{'__popc' if kind.bits == 32 else '__popcll'}({b.read(x, kind)})", U32)


def _leading(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    typed(instruction, {"b32"})
    b.write(d, f"__clz({b.read(x, TYPES['s32'])})", U32)


def _reverse(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    typed(instruction, {"b32"})
    b.write(d, f"__brev({b.read(x, U32)})", U32)


def _ternary_logic(b: Builder, instruction: Instruction) -> None:
    d, x, y, z, table_text = operands(instruction, 5)
    typed(instruction, {"b32"})
    table = b.immediate(table_text)
    if table is None or not 0 <= table <= 0xFF:
        raise NotLowered("its truth table is not a constant")
    pattern = _KNOWN.get(table)
    if pattern is None:
        when_set, when_clear = _PAIRS[table >> 4], _PAIRS[table & 15]
        pattern = when_set if when_set == when_clear else f"({{x}} & {when_set}) | (~{{x}} & {when_clear})"
    names = {}
    for name, text in (("x", x), ("y", y), ("z", z)):
        if "{" + name + "}" in pattern:
            names[name] = b.read(text, U32, twice=pattern.count("{" + name + "}") > 1)
        else:
            b.unread(text)
    b.write(d, pattern.format(**names), U32)


def _funnel(b: Builder, instruction: Instruction) -> None:
    d, low, high, amount = operands(instruction, 4)
    parts = instruction.parts
    if len(parts) != 4 or parts[1] not in ("l", "r") or parts[2] not in ("wrap", "clamp") or parts[3] != "b32":
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    count = b.immediate(amount)
    if count is not None:
        count %= 2**32
        count = count & 31 if parts[2] == "wrap" else min(count, 32)
        left = count if parts[1] == "l" else 32 - count
        if left in (0, 32):
            b.unread(low if left == 0 else high)
            b.write(d, b.read(high if left == 0 else low, U32), U32)
        else:
            b.write(d, f"({b.read(high, U32)} << {left}) | ({b.read(low, U32)} >> {32 - left})", U32)
        return
    n = b.read(amount, U32, twice=parts[2] == "clamp")
    n = f"({n} & 31u)" if parts[2] == "wrap" else f"({n} > 32u ? 32u : {n})"
    pair = f"((unsigned long long){b.read(high, U32)} << 32 | {b.read(low, U32)})"
    b.write(d, f"(unsigned int)({pair} << {n} >> 32)" if parts[1] == "l" else f"(unsigned int)({pair} >> {n})", U32)


def _load(b: Builder, instruction: Instruction) -> None:
    d, address = operands(instruction, 2)
    modifiers, suffix = instruction.parts[1:-1], instruction.parts[-1]
    if modifiers[:1] != ("global",) or suffix not in ("u32", "s32", "b32", "f32", "u64", "s64", "b64", "f64"):
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    hints = set(modifiers[1:])
    constant = "nc" in hints
    if hints - _CACHE_HINTS - {"nc", "L1::no_allocate"} or len(hints) != len(modifiers) - 1:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    if b.statement.volatile and not constant:
        raise NotLowered("a volatile load may be there to see what other threads write; a plain one may be moved")
    match = _ADDRESS.match(address)
    if match is None:
        raise NotLowered(f"the address {address} is not a register with an offset")
    kind = TYPES[suffix]
    number = b.placeholder(match[1])
    if number is None or number < len(b.statement.outputs) or b.operands[number].constraint != "l":
        raise NotLowered("its address is not a 64-bit input")
    pointer = b.address(number)
    offset = int(match[2], 0) if match[2] else 0
    if offset:
        pointer = f"(const char*)({pointer}) + {offset}"
    b.write(d, f"*(const {kind.cpp}*)({pointer})", kind if kind.floating else TYPES[f"u{kind.bits}"])


_FENCES = {
    "membar.cta": "__threadfence_block();",
    "membar.gl": "__threadfence();",
    "membar.sys": "__threadfence_system();",
    **{
        f"fence.{order}.{scope}": f"{call}();"
        for order in ("acq_rel", "sc")
        for scope, call in (
            ("cta", "__threadfence_block"),
            ("gpu", "__threadfence"),
            ("sys", "__threadfence_system"),
        )
    },
}


def _fence(b: Builder, instruction: Instruction) -> None:
    call = _FENCES.get(instruction.opcode)
    if call is None or instruction.operands:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    b.effect(call)


def _block_barrier(b: Builder, instruction: Instruction) -> None:
    if instruction.opcode != "bar.sync" or len(instruction.operands) != 1 or b.immediate(instruction.operands[0]) != 0:
        raise NotLowered("only barrier 0 of the whole block is __syncthreads()")
    b.effect("__syncthreads();")


def _trap(b: Builder, instruction: Instruction) -> None:
    if instruction.opcode != "trap" or instruction.operands:
        raise NotLowered(f"{instruction.opcode} is not among the forms that are lowered")
    b.effect("__trap();")


LOWERINGS: dict[str, Lowering] = {
    "bfe": _extract,
    "bfi": _insert,
    "prmt": _permute,
    "popc": _count,
    "clz": _leading,
    "brev": _reverse,
    "lop3": _ternary_logic,
    "shf": _funnel,
    "ld": _load,
    "membar": _fence,
    "fence": _fence,
    "bar": _block_barrier,
    "trap": _trap,
}

ORDERING = frozenset(("membar", "fence", "bar", "trap"))
"""Instructions that are there to order memory or to stop: a ``memory`` clobber belongs to them."""
