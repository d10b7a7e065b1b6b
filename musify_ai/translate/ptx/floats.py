"""The meaning of PTX's floating-point instructions in C++: arithmetic, extrema, comparisons, approximations.

Only names that MUSA code is known to use stand in the result. What rounds in a direction that none of them has stays.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import extremum_bits
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import TYPES, U32, NotLowered, PtxType, as_bits
from musify_ai.translate.ptx.rounding import in_direction

F32 = TYPES["f32"]
_ROUNDINGS = frozenset(("rn", "rz", "rm", "rp"))
_SMALLEST_NORMAL = "1.17549435e-38f"
# Intrinsics by operation and rounding; these are never fused with what stands beside them.
_EXACT = {
    ("add", "rn"): "__fadd_rn",
    ("add", "rm"): "__fadd_rd",
    ("sub", "rn"): "__fsub_rn",
    ("mul", "rn"): "__fmul_rn",
}
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def flushed(b: Builder, expression: str) -> str:
    """An f32 in which a subnormal number became a zero of its sign (.ftz)."""
    b.single = False
    value = b.let(expression, F32)
    return b.let(f"fabsf({value}) < {_SMALLEST_NORMAL} ? {value} * 0.0f : {value}", F32)


def _finished(b: Builder, d: str, expression: str, kind: PtxType, *, flush: bool, saturate: bool) -> None:
    if flush:
        expression = flushed(b, expression)
    if saturate:
        b.single = False
        value = b.let(expression, kind)
        one, zero = ("1.0f", "0.0f") if kind.bits == 32 else ("1.0", "0.0")
        # NaN becomes 0: it is not above 0.
        expression = f"{value} > {zero} ? ({value} < {one} ? {value} : {one}) : {zero}"
    b.write(d, expression, kind)


def _given(b: Builder, text: str, kind: PtxType, *, flush: bool, twice: bool = False) -> str:
    value = b.read(text, kind, twice=twice)
    return flushed(b, value) if flush else value


def is_float(instruction: Instruction) -> bool:
    """Whether an instruction computes on one f32 or f64."""
    return instruction.parts[-1] in ("f32", "f64")


def _modifiers(instruction: Instruction, allowed: frozenset[str] | set[str]) -> tuple[set[str], str]:
    """The modifiers of an opcode, and the rounding among them (empty for none)."""
    held = set(instruction.parts[1:-1])
    rounding = held & _ROUNDINGS
    if held - allowed - _ROUNDINGS or len(rounding) > 1 or len(held) != len(instruction.parts) - 2:
        raise refused(instruction)
    return held, next(iter(rounding), "")


def arithmetic(b: Builder, instruction: Instruction) -> None:
    """add, sub, mul."""
    d, x, y = operands(instruction, 3)
    kind, name = TYPES[instruction.parts[-1]], instruction.parts[0]
    held, rounding = _modifiers(instruction, {"ftz", "sat"} if kind.bits == 32 else set())
    flush = "ftz" in held
    left, right = (_given(b, each, kind, flush=flush) for each in (x, y))
    if not rounding:
        result = f"{left} {_SIGNS[name]} {right}"
    elif (name, rounding) in _EXACT and kind.bits == 32:
        result = f"{_EXACT[name, rounding]}({left}, {right})"
    elif kind.bits == 32:
        names = [b.let(each, kind) for each in (left, right)]
        result = in_direction(b, instruction.opcode, name, rounding, names)
    else:
        raise NotLowered(f"no MUSA intrinsic is known that rounds as {instruction.opcode} does")
    _finished(b, d, result, kind, flush=flush, saturate="sat" in held)


def fused(b: Builder, instruction: Instruction) -> None:
    """fma, and mad of floats, which is the same."""
    if not is_float(instruction):
        raise refused(instruction)
    d, x, y, z = operands(instruction, 4)
    kind = TYPES[instruction.parts[-1]]
    held, rounding = _modifiers(instruction, {"ftz", "sat"} if kind.bits == 32 else set())
    flush = "ftz" in held
    values = [_given(b, each, kind, flush=flush) for each in (x, y, z)]
    if rounding == "rn":
        result = f"{'fmaf' if kind.bits == 32 else 'fma'}({', '.join(values)})"
    elif rounding and kind.bits == 32:
        names = [b.let(each, kind) for each in values]
        result = in_direction(b, instruction.opcode, "fma", rounding, names)
    else:
        raise NotLowered(f"no MUSA intrinsic is known that rounds as {instruction.opcode} does")
    _finished(b, d, result, kind, flush=flush, saturate="sat" in held)


def extremum(b: Builder, instruction: Instruction) -> None:
    """min and max of two or three: a NaN gives way to the other operand, -0 is below +0."""
    d, *values = instruction.operands
    kind, name = TYPES[instruction.parts[-1]], instruction.parts[0]
    held, rounding = _modifiers(instruction, {"ftz", "NaN", "xorsign", "abs"} if kind.bits == 32 else set())
    if rounding or len(values) not in (2, 3) or ("xorsign" in held and len(values) == 3):
        raise refused(instruction)
    b.single = False
    flush = "ftz" in held
    if "xorsign" in held or "abs" in held:
        _extremum_of_sizes(b, d, values, held, largest=name == "max")
        return
    bits, back = (
        ("__float_as_uint", "__uint_as_float") if kind.bits == 32 else ("__double_as_longlong", "__longlong_as_double")
    )
    sign, joined = ("<", "|") if name == "min" else (">", "&")
    one = b.let(_given(b, values[0], kind, flush=flush), kind)
    for text in values[1:]:
        two = b.let(_given(b, text, kind, flush=flush), kind)
        # Equal numbers differ at most in the sign of a zero, which the bits settle.
        equal = f"{back}({bits}({one}) {joined} {bits}({two}))"
        if "NaN" in held:
            chosen = (
                f"{one} {sign} {two} ? {one} : {two} {sign} {one} ? {two} : {one} == {two} ? {equal} : {one} + {two}"
            )
        else:
            chosen = (
                f"{one} {sign} {two} || {two} != {two} ? {one} : {two} {sign} {one} || {one} != {one} ? {two} : {equal}"
            )
        one = b.let(chosen, kind)
    b.write(d, one, kind)


def _extremum_of_sizes(b: Builder, d: str, values: list[str], held: set[str], *, largest: bool) -> None:
    """min and max of absolute values, with the signs joined where the opcode says so."""
    xorsign = "xorsign" in held
    names = []
    for text in values:
        size = _given(b, text, F32, flush="ftz" in held)
        bits = b.let(as_bits(F32, U32, size), U32)
        names.append(bits if xorsign else b.let(f"{bits} & 0x7fffffffu", U32))
    one = names[0]
    for two in names[1:]:
        chosen = extremum_bits(
            b, one, two, 0x7F800000, 32, largest=largest, nan="NaN" in held, xorsign=xorsign and "abs" in held
        )
        one = b.let(chosen, U32)
    if xorsign and "abs" not in held:
        raise NotLowered("xorsign without abs is not known")
    b.write(d, f"__uint_as_float({one})", F32)


def absolute(b: Builder, instruction: Instruction) -> None:
    """abs of floats."""
    d, x = operands(instruction, 2)
    kind = TYPES[instruction.parts[-1]]
    held, rounding = _modifiers(instruction, {"ftz"} if kind.bits == 32 else set())
    if rounding:
        raise refused(instruction)
    call = "fabsf" if kind.bits == 32 else "fabs"
    b.write(d, f"{call}({_given(b, x, kind, flush='ftz' in held)})", kind)


def negated(b: Builder, instruction: Instruction) -> None:
    """neg of floats."""
    d, x = operands(instruction, 2)
    kind = TYPES[instruction.parts[-1]]
    held, rounding = _modifiers(instruction, {"ftz"} if kind.bits == 32 else set())
    if rounding:
        raise refused(instruction)
    b.write(d, f"-{_given(b, x, kind, flush='ftz' in held)}", kind)


_COMPARED = {
    "eq": "{x} == {y}",
    "ne": "({x} < {y} || {x} > {y})",
    "lt": "{x} < {y}",
    "le": "{x} <= {y}",
    "gt": "{x} > {y}",
    "ge": "{x} >= {y}",
    "equ": "!({x} < {y} || {x} > {y})",
    "neu": "{x} != {y}",
    "ltu": "!({x} >= {y})",
    "leu": "!({x} > {y})",
    "gtu": "!({x} <= {y})",
    "geu": "!({x} < {y})",
    "num": "({x} == {x} && {y} == {y})",
    "nan": "({x} != {x} || {y} != {y})",
}
"""The comparisons of floats; those in ``u`` are true where an operand is NaN, the others false (``ne`` too)."""


def comparison(b: Builder, relation: str, kind: PtxType, x: str, y: str, *, flush: bool) -> str:
    """A comparison of two floats as a C++ condition."""
    return compared(relation, *(_given(b, each, kind, flush=flush, twice=True) for each in (x, y)))


def compared(relation: str, x: str, y: str) -> str:
    """A comparison of two float expressions as a C++ condition."""
    pattern = _COMPARED.get(relation)
    if pattern is None:
        raise NotLowered(f"the comparison .{relation} of floats is not known")
    return pattern.format(x=x, y=y)


_APPROXIMATIONS = {
    "rcp": "__frcp_rn({})",
    "rsqrt": "rsqrtf({})",
    "sqrt": "sqrtf({})",
    "ex2": "exp2f({})",
    "lg2": "log2f({})",
    "sin": "sinf({})",
    "cos": "cosf({})",
    "tanh": "tanhf({})",
}


def function(b: Builder, instruction: Instruction) -> None:
    """rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh of f32."""
    d, x = operands(instruction, 2)
    name = instruction.parts[0]
    held = instruction.parts[1:-1]
    exact = "rn" in held
    if instruction.parts[-1] != "f32" or held not in (("approx",), ("approx", "ftz"), ("rn",), ("rn", "ftz")):
        raise refused(instruction)
    if exact and name not in ("rcp", "sqrt"):
        raise refused(instruction)
    flush = "ftz" in held
    if not exact:
        b.note(f"{instruction.opcode} became the exact function: slower, and the last bits may differ")
    _finished(b, d, _APPROXIMATIONS[name].format(_given(b, x, F32, flush=flush)), F32, flush=flush, saturate=False)


def quotient(b: Builder, instruction: Instruction) -> None:
    """div of floats."""
    d, x, y = operands(instruction, 3)
    kind = TYPES[instruction.parts[-1]]
    held = set(instruction.parts[1:-1])
    if held - {"ftz", "rn", "approx", "full"} or len(held - {"ftz"}) != 1:
        raise NotLowered(f"no MUSA intrinsic is known that rounds as {instruction.opcode} does")
    flush = "ftz" in held
    if "rn" not in held:
        b.note(f"{instruction.opcode} became the exact quotient: slower, and the last bits may differ")
    left, right = (_given(b, each, kind, flush=flush) for each in (x, y))
    _finished(b, d, f"{left} / {right}", kind, flush=flush, saturate=False)


LOWERINGS: dict[str, Lowering] = dict.fromkeys(("rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"), function)
