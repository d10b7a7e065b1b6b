"""The meaning of PTX's ``cvt`` in C++: between integers, to and from floats with each rounding, to and from halves.

A conversion to an integer is clamped to the range of its type and takes NaN to 0 (where nothing has 64 bits); C++
leaves both undefined, so both are written out.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.floats import F32, flushed
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, UNSIGNED, NotLowered, PtxType
from musify_ai.translate.ptx.scalars import U32

_INTEGERS = frozenset(("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"))
_TO_INTEGER = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_FROM_INTEGER = {
    ("s32", "rn"): "(float){}",
    ("u32", "rn"): "(float){}",
    ("s64", "rn"): "(float){}",
    ("u64", "rn"): "(float){}",
    ("s32", "rz"): "__int2float_rz({})",
    ("u32", "rz"): "__uint2float_rz({})",
}


def convert(b: Builder, instruction: Instruction) -> None:
    """cvt."""
    parts = instruction.parts
    modifiers, to, source = set(parts[1:-2]), parts[-2:-1], parts[-1]
    if not to or len(modifiers) != len(parts) - 3:
        raise refused(instruction)
    target = to[0]
    if target in _INTEGERS and source in _INTEGERS:
        _between_integers(b, instruction, modifiers, target, source)
    elif target in _INTEGERS and source in ("f32", "f64"):
        _to_integer(b, instruction, modifiers, target, source)
    elif target in ("f32", "f64") and source in _INTEGERS:
        _from_integer(b, instruction, modifiers, target, source)
    elif target in ("f32", "f64") and source in ("f32", "f64"):
        _between_floats(b, instruction, modifiers, target, source)
    else:
        _halves(b, instruction, modifiers, target, source)


def store(b: Builder, d: str, value: str, kind: PtxType) -> None:
    """An integer into a register that may be wider: it is extended by the sign of its own type."""
    register = b.register_type(d)
    if register.floating or register.bits < kind.bits:
        raise NotLowered(f"the register behind {d} does not have the type of the result")
    b.write(d, f"({register.cpp})({kind.cpp})({value})", register)


def _between_integers(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    if modifiers - {"sat"}:
        raise refused(instruction)
    to, held = TYPES[target], TYPES[source]
    if modifiers:
        b.single = False
        value = b.let(b.read(x, held, wider=True), held)
        wide = f"(long long){value}" if source != "u64" else value
        low, high = _range(to)
        above = f"{value} > {high}ull" if source == "u64" else f"{wide} > {high}ll" if target != "u64" else "false"
        below = "false" if source[0] == "u" else f"{wide} < {low}ll"
        if target == "s64":
            below, low_text = "false", "0"
        else:
            low_text = f"({to.cpp}){low}"
        store(b, d, f"{above} ? ({to.cpp}){high}ull : {below} ? {low_text} : ({to.cpp}){value}", to)
        return
    value = b.read(x, held, wider=True)
    # The register may be wider than the type: the value is then extended by the sign of the type.
    register = b.register_type(d)
    if register.floating or register.bits < to.bits:
        raise NotLowered(f"the register behind {d} does not have the type of the result")
    if to.bits < register.bits or to.bits < held.bits or to.signed:
        value = f"({to.cpp}){value}"
    b.write(d, f"({register.cpp}){value}" if value[1:].split(")")[0] != register.cpp else value, register)


def _range(kind: PtxType) -> tuple[int, int]:
    return (-(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1) if kind.signed else (0, (1 << kind.bits) - 1)


def _to_integer(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    rounding = [call for name, call in _TO_INTEGER.items() if name in modifiers]
    if len(rounding) != 1 or modifiers - set(_TO_INTEGER) - {"ftz", "sat"}:
        raise refused(instruction)
    b.single = False
    held, to = TYPES[source], TYPES[target]
    value = b.read(x, held)
    if "ftz" in modifiers and held.bits == 32:
        value = flushed(b, value)
    suffix = "f" if held.bits == 32 else ""
    whole = b.let(f"{rounding[0]}{suffix}({value})", held)
    low, high = _range(to)
    # Powers of two are exact in either format: what is below the upper one, and not below the lower one, fits.
    above = f"{high + 1}.0{suffix}"
    lowest = f"({to.cpp})(-{-low - 1}ll - 1)" if low else f"({to.cpp})0"
    nan = f"({to.cpp})0"
    if to.bits == 64 or held.bits == 64:
        nan = f"({to.cpp})(1ull << {to.bits - 1})"
    inside = f"{whole} > {low}.0{suffix} ? ({to.cpp}){whole}"
    chosen = f"{whole} >= {above} ? ({to.cpp}){high}ull : {inside} : {whole} == {whole} ? {lowest} : {nan}"
    store(b, d, chosen, to)


def _from_integer(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    held, to = TYPES[source], TYPES[target]
    if len(modifiers) != 1 or not modifiers <= {"rn", "rz", "rm", "rp"}:
        raise refused(instruction)
    value = b.read(x, held, wider=True)
    rounding = next(iter(modifiers))
    if held.bits < to.bits and held.bits <= (32 if target == "f64" else 16):
        b.write(d, f"({to.cpp}){value}", to)  # exact, whatever the rounding
        return
    if target == "f64" and rounding == "rn":
        b.write(d, f"(double){value}", to)
        return
    call = _FROM_INTEGER.get((source, rounding)) if target == "f32" else None
    if call is None:
        raise NotLowered(f"no MUSA intrinsic is known that rounds as {instruction.opcode} does")
    b.write(d, call.format(value), to)


def _between_floats(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    held, to = TYPES[source], TYPES[target]
    rounding = [name for name in _TO_INTEGER if name in modifiers]
    flush = "ftz" in modifiers
    if modifiers - set(_TO_INTEGER) - {"ftz", "sat", "rn"} or len(rounding) > 1:
        raise NotLowered(f"no MUSA intrinsic is known that rounds as {instruction.opcode} does")
    value = b.read(x, held)
    if flush and source == "f32":
        value = flushed(b, value)
    if source == target:
        if rounding:
            value = f"{_TO_INTEGER[rounding[0]]}{'f' if held.bits == 32 else ''}({value})"
        elif "rn" in modifiers:
            raise refused(instruction)
    elif target == "f32":
        if "rn" not in modifiers or rounding:
            raise refused(instruction)
        value = f"(float){value}"
        if flush:
            value = flushed(b, value)
    else:
        if modifiers - {"ftz", "sat"}:
            raise refused(instruction)
        value = f"(double){value}"
    if "sat" in modifiers:
        b.single = False
        name = b.let(value, to)
        one, zero = ("1.0f", "0.0f") if to.bits == 32 else ("1.0", "0.0")
        value = f"{name} > {zero} ? ({name} < {one} ? {name} : {one}) : {zero}"
    b.write(d, value, to)


def _halves(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    """Halves by the intrinsics, whose values are taken apart and put together by their bits."""
    form = (tuple(sorted(modifiers)), target, source)
    u16 = UNSIGNED[16]
    if not b.knows_half and "bf16" not in target and "bf16" not in source:
        raise NotLowered("it converts a half in a file that has no half type")
    b.single = False
    if form == (("rn",), "f16", "f32") or form == (("rz",), "f16", "f32"):
        d, x = operands(instruction, 2)
        held = b.let_auto(f"__float2half_{form[0][0]}({b.read(x, F32)})")
        b.write(d, f"*(const unsigned short*)&{held}", u16)
    elif form == ((), "f32", "f16"):
        d, x = operands(instruction, 2)
        bits = b.let(b.read(x, u16), u16)
        b.write(d, f"__half2float(*(const __half*)&{bits})", F32)
    elif form == ((), "f32", "bf16"):
        d, x = operands(instruction, 2)
        b.write(d, f"__uint_as_float((unsigned int){b.read(x, u16)} << 16)", F32)
    elif form in ((("rn",), "f16x2", "f32"), (("rn",), "bf16x2", "f32")):
        # The first source goes to the upper half.
        d, high, low = operands(instruction, 3)
        call = "__floats2half2_rn" if target == "f16x2" else "__floats2bfloat162_rn"
        if target == "bf16x2" and not b.knows_bfloat:
            raise NotLowered("it converts to bfloat16 in a file that has no such type")
        held = b.let_auto(f"{call}({b.read(low, F32)}, {b.read(high, F32)})")
        b.write(d, f"*(const unsigned int*)&{held}", U32)
    elif form == (("rn",), "bf16", "f32") and b.knows_bfloat:
        d, x = operands(instruction, 2)
        held = b.let_auto(f"__float2bfloat16_rn({b.read(x, F32)})")
        b.write(d, f"*(const unsigned short*)&{held}", u16)
    else:
        raise refused(instruction)
