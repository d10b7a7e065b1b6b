"""The meaning of PTX's bit-field, permute and funnel instructions in C++."""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused, typed
from musify_ai.translate.ptx.registers import TYPES, U32, U64, UNSIGNED, NotLowered, literal, mask

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
    kind = typed(instruction, {"u32", "s32", "u64", "s64"})
    word, bits, top = UNSIGNED[kind.bits], kind.bits, kind.bits - 1
    position, length = _field(b, position_text), _field(b, length_text)
    if position is None or length is None:
        value = b.read(x, word, twice=True)
        p = b.let(f"{b.read(position_text, U32)} & 0xffu", U32)
        n = b.let(f"{b.read(length_text, U32)} & 0xffu", U32)
        b.single = False
        if kind.signed:
            # The sign is the highest bit of the field, or of the word where the field reaches past it.
            past = f"({kind.cpp}){value} >> ({p} > {top}u ? {top}u : {p})"
            inside = f"({kind.cpp})({value} << ({bits}u - {p} - {n})) >> ({bits}u - {n})"
            chosen = f"{n} == 0u ? ({kind.cpp})0 : {p} + {n} > {top}u ? {past} : {inside}"
            b.write(d, f"({word.cpp})({chosen})", word)
        else:
            ones, one = literal_ones(bits), "1ull" if bits == 64 else "1u"
            zero = literal(0, bits)
            b.write(
                d, f"{p} > {top}u ? {zero} : ({value} >> {p}) & ({n} > {top}u ? {ones} : ({one} << {n}) - {one})", word
            )
        return
    if length == 0 or (position > top and not kind.signed):
        b.unread(x)
        b.write(d, literal(0, bits), word)
    elif kind.signed:
        value = b.read(x, word)
        if position + length > top:
            b.write(d, f"({word.cpp})(({kind.cpp}){value} >> {min(position, top)})", word)
        else:
            left = f"({value} << {bits - position - length})"
            b.write(d, f"({word.cpp})(({kind.cpp}){left} >> {bits - length})", word)
    else:
        value = b.read(x, word)
        shifted = f"({value} >> {position})" if position else value
        if position + length >= bits:
            b.write(d, shifted[1:-1] if position else value, word)
        else:
            b.write(d, f"{shifted} & {mask((1 << length) - 1, bits)}", word)


def literal_ones(bits: int) -> str:
    """A word of ones."""
    return mask(-1, bits)


def _insert(b: Builder, instruction: Instruction) -> None:
    d, x, y, position_text, length_text = operands(instruction, 5)
    kind = typed(instruction, {"b32", "b64"})
    bits, top = kind.bits, kind.bits - 1
    position, length = _field(b, position_text), _field(b, length_text)
    if position is not None and length is not None:
        if position > top or length == 0:
            b.unread(x)
            b.write(d, b.read(y, kind), kind)
            return
        field = ((1 << min(length, bits)) - 1) << position
        value = b.read(x, kind)
        shifted = f"({value} << {position})" if position else value
        b.write(d, f"({b.read(y, kind)} & {mask(~field, bits)}) | ({shifted} & {mask(field, bits)})", kind)
        return
    ones, one, zero = literal_ones(bits), "1ull" if bits == 64 else "1u", literal(0, bits)
    value, into = b.read(x, kind, twice=True), b.read(y, kind)
    p = b.let(f"{b.read(position_text, U32)} & 0xffu", U32)
    n = b.let(f"{b.read(length_text, U32)} & 0xffu", U32)
    m = b.let(f"{p} > {top}u ? {zero} : ({n} > {top}u ? {ones} : ({one} << {n}) - {one}) << {p}", kind)
    b.write(d, f"({into} & ~{m}) | ({p} > {top}u ? {zero} : ({value} << {p}) & {m})", kind)


# What each mode of prmt picks, as a selector, for 0 to 3 in the low bits of its operand.
_MODES = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}


def _permute(b: Builder, instruction: Instruction) -> None:
    """Bytes of two words by a selector; its top bits ask for a byte's sign, which ``__byte_perm`` does not do."""
    d, x, y, selector_text = operands(instruction, 4)
    parts = instruction.parts
    mode = _MODES.get(parts[2]) if len(parts) == 3 else None
    if parts[1:2] != ("b32",) or (len(parts) == 3 and mode is None) or len(parts) > 3:
        raise refused(instruction)
    selector = b.immediate(selector_text)
    left, right = b.read(x, U32), b.read(y, U32)
    if mode is not None and selector is not None:
        selector = mode[selector & 3]
    elif mode is not None:
        b.single = False
        s = b.let(f"{b.read(selector_text, U32)} & 3u", U32)
        chosen = f"{s} == 0u ? {mode[0]:#06x}u : {s} == 1u ? {mode[1]:#06x}u : {s} == 2u ? {mode[2]:#06x}u"
        b.write(d, f"__byte_perm({left}, {right}, {chosen} : {mode[3]:#06x}u)", U32)
        return
    if selector is not None and not selector & 0x8888:
        b.write(d, f"__byte_perm({left}, {right}, {selector & 0xFFFF:#06x})", U32)
        return
    b.single = False
    if selector is None:
        s = b.let(b.read(selector_text, U32), U32)
        picked = b.let(f"__byte_perm({left}, {right}, {s} & 0x7777u)", U32)
        spread = " | ".join(f"({s} & {0x8 << 4 * i:#x}u ? {0xFF << 8 * i:#x}u : 0u)" for i in range(4))
        m = b.let(spread, U32)
    else:
        picked = b.let(f"__byte_perm({left}, {right}, {selector & 0x7777:#06x})", U32)
        m = mask(sum(0xFF << 8 * i for i in range(4) if selector >> 4 * i & 8))
    b.write(d, f"({picked} & ~{m}) | (({picked} >> 7 & 0x01010101u) * 255u & {m})", U32)


def _count(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"b32", "b64"})
    b.write(d, f"{'__popc' if kind.bits == 32 else '__popcll'}({b.read(x, kind)})", U32)


def _leading(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"b32", "b64"})
    if kind.bits == 32:
        b.write(d, f"__clz({b.read(x, TYPES['s32'])})", U32)
        return
    b.single = False
    value = b.let(b.read(x, kind), kind)
    b.write(d, f"{value} >> 32 ? __clz((int)({value} >> 32)) : 32 + __clz((int){value})", U32)


def _reverse(b: Builder, instruction: Instruction) -> None:
    d, x = operands(instruction, 2)
    kind = typed(instruction, {"b32", "b64"})
    if kind.bits == 32:
        b.write(d, f"__brev({b.read(x, U32)})", U32)
        return
    b.single = False
    value = b.let(b.read(x, kind), kind)
    low, high = f"__brev((unsigned int){value})", f"__brev((unsigned int)({value} >> 32))"
    b.write(d, f"(unsigned long long){low} << 32 | {high}", U64)


def _highest(b: Builder, instruction: Instruction) -> None:
    """bfind: where the highest bit that is not the sign stands, or how far it is from the top."""
    d, x = operands(instruction, 2)
    parts = instruction.parts[1:]
    distance = parts[:1] == ("shiftamt",)
    if parts[distance:] not in (("u32",), ("s32",), ("u64",), ("s64",)):
        raise refused(instruction)
    b.single = False
    if parts[-1] in ("u64", "s64"):
        value = b.let(b.read(x, U64), U64)
        if parts[-1] == "s64":
            value = b.let(f"(long long){value} < 0 ? ~{value} : {value}", U64)
        zeros = b.let(f"{value} >> 32 ? __clz((int)({value} >> 32)) : 32 + __clz((int){value})", TYPES["s32"])
        b.write(d, f"{value} == 0ull ? 0xffffffffu : (unsigned int){zeros if distance else f'(63 - {zeros})'}", U32)
        return
    value = b.let(b.read(x, U32), U32)
    if parts[-1] == "s32":
        value = b.let(f"(int){value} < 0 ? ~{value} : {value}", U32)
    found = f"__clz((int){value})"
    b.write(d, f"{value} == 0u ? 0xffffffffu : (unsigned int){found if distance else f'(31 - {found})'}", U32)


def _ternary_logic(b: Builder, instruction: Instruction) -> None:
    d, x, y, z, table_text = operands(instruction, 5)
    typed(instruction, {"b32"})
    table = b.immediate(table_text)
    number = b.placeholder(table_text) if table is None else None
    if table is None and (number is None or b.operands[number].constraint != "n"):
        raise NotLowered("its truth table is not a constant")
    if table is None:
        # A constant of the program: one term for each of the eight inputs, which the compiler folds.
        t = b.read(table_text, U32)
        given = [b.read(text, U32, twice=True) for text in (x, y, z)]
        terms = []
        for i in range(8):
            picked = " & ".join(f"{'' if i >> (2 - n) & 1 else '~'}{value}" for n, value in enumerate(given))
            terms.append(f"({t} & {1 << i:#x}u ? {picked} : 0u)")
        b.write(d, " | ".join(terms), U32)
        return
    if not 0 <= table <= 0xFF:
        raise NotLowered("its truth table does not fit in eight bits")
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


LOWERINGS: dict[str, Lowering] = {
    "bfe": _extract,
    "bfi": _insert,
    "prmt": _permute,
    "popc": _count,
    "clz": _leading,
    "brev": _reverse,
    "bfind": _highest,
    "lop3": _ternary_logic,
    "shf": _funnel,
}
