"""The meaning of PTX's ``cvt`` in C++: between integers, to and from floats with each rounding, to and from halves.

A conversion to an integer is clamped to the range of its type and takes NaN to 0 (where nothing has 64 bits); C++
leaves both undefined, so both are written out.
"""

from __future__ import annotations

from musify_ai.translate.ptx import half_conversions, narrow_floats
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.floats import F32, flushed
from musify_ai.translate.ptx.halves import FORMATS
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, NotLowered, PtxType, mask
from musify_ai.translate.ptx.rounding import F64, NOTE, directed, exact_sum

_INTEGERS = frozenset(("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"))
_ROUNDINGS = ("rn", "rz", "rm", "rp")
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
    if parts[1:2] == ("pack",):
        _pack(b, instruction)
        return
    if narrow_floats.is_narrow(instruction):
        narrow_floats.convert(b, instruction)
        return
    modifiers, to, source = set(parts[1:-2]), parts[-2:-1], parts[-1]
    if not to or len(modifiers) != len(parts) - 3:
        raise refused(instruction)
    target = to[0]
    if target in ("f16x2", "bf16x2") or source in FORMATS or target in (*FORMATS, "tf32"):
        half_conversions.convert(b, instruction, modifiers, target, source)
    elif target in _INTEGERS and source in _INTEGERS:
        _between_integers(b, instruction, modifiers, target, source)
    elif target in _INTEGERS and source in ("f32", "f64"):
        _to_integer(b, instruction, modifiers, target, source)
    elif target in ("f32", "f64") and source in _INTEGERS:
        _from_integer(b, instruction, modifiers, target, source)
    elif target in ("f32", "f64") and source in ("f32", "f64"):
        _between_floats(b, instruction, modifiers, target, source)
    else:
        raise refused(instruction)


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


def _pack(b: Builder, instruction: Instruction) -> None:
    """cvt.pack: two integers clamped and put together, above each other and below a third where there is one."""
    sat, target, *rest = instruction.parts[2:]
    third = rest[1:] == ["b32"]
    known = ("u8", "s8", "u4", "s4", "u2", "s2") if third else ("u16", "s16")
    if sat != "sat" or target not in known or rest[:1] != ["s32"] or len(rest) != 1 + third:
        raise refused(instruction)
    d, high, low, *upper = operands(instruction, 4 if third else 3)
    bits = int(target[1:])
    most = (1 << (bits - (target[0] == "s"))) - 1
    least = -most - 1 if target[0] == "s" else 0
    b.single = False
    parts = []
    for text in (high, low):
        value = b.let(b.read(text, TYPES["s32"]), TYPES["s32"])
        clamped = f"{value} > {most} ? {most} : {value} < {least} ? {least} : {value}"
        parts.append(b.let(f"(unsigned int)({clamped}) & {mask((1 << bits) - 1)}", U32))
    whole = f"{parts[0]} << {bits} | {parts[1]}"
    if third:
        whole = f"{whole} | {b.read(upper[0], U32)} << {2 * bits}"
    b.write(d, whole, U32)


def _range(kind: PtxType) -> tuple[int, int]:
    return (-(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1) if kind.signed else (0, (1 << kind.bits) - 1)


def _to_integer(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    to_integer(b, instruction, modifiers, target, b.read(x, TYPES[source]), TYPES[source], d)


def to_integer(
    b: Builder, instruction: Instruction, modifiers: set[str], target: str, value: str, held: PtxType, d: str
) -> None:
    """A float expression into a register of an integer type."""
    rounding = [call for name, call in _TO_INTEGER.items() if name in modifiers]
    if len(rounding) != 1 or modifiers - set(_TO_INTEGER) - {"ftz", "sat"}:
        raise refused(instruction)
    b.single = False
    to = TYPES[target]
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
    if call is not None:
        b.write(d, call.format(value), to)
        return
    b.single = False
    b.note(NOTE.format(instruction.opcode))
    if held.bits <= 32:
        b.write(d, directed(b, b.let(f"(double){value}", F64), "", rounding, to), to)
        return
    whole = b.let(value, held)
    upper = b.let(f"(double)({'int' if held.signed else 'unsigned int'})({whole} >> 32) * 4294967296.0", F64)
    total, lack = exact_sum(b, upper, b.let(f"(double)(unsigned int){whole}", F64))
    b.write(d, directed(b, total, lack, rounding, to), to)


def _between_floats(b: Builder, instruction: Instruction, modifiers: set[str], target: str, source: str) -> None:
    d, x = operands(instruction, 2)
    held, to = TYPES[source], TYPES[target]
    rounding = [name for name in _TO_INTEGER if name in modifiers]
    flush = "ftz" in modifiers
    if modifiers - set(_TO_INTEGER) - {"ftz", "sat", *_ROUNDINGS} or len(rounding) > 1:
        raise refused(instruction)
    mode = next((name for name in _ROUNDINGS if name in modifiers), "")
    value = b.read(x, held)
    if flush and source == "f32":
        value = flushed(b, value)
    if source == target:
        if rounding:
            value = f"{_TO_INTEGER[rounding[0]]}{'f' if held.bits == 32 else ''}({value})"
        elif mode:
            raise refused(instruction)
    elif target == "f32":
        if not mode or rounding:
            raise refused(instruction)
        if mode == "rn":
            value = f"(float){value}"
        else:
            b.single = False
            b.note(NOTE.format(instruction.opcode))
            value = directed(b, b.let(value, F64), "", mode, F32)
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
