"""The meaning of PTX's comparisons and selections in C++: setp, set, selp, slct."""

from __future__ import annotations

from musify_ai.translate.ptx import floats
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import FORMATS, widened
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction
from musify_ai.translate.ptx.operands import Lowering, narrowed, operands, refused, typed
from musify_ai.translate.ptx.registers import BITS, INTEGERS, TYPES, U32, UNSIGNED, NotLowered


def _select_by_sign(b: Builder, instruction: Instruction) -> None:
    d, x, y, chooser = operands(instruction, 4)
    parts = instruction.parts[1:]
    if len(parts) != 2 or parts[0] not in TYPES or parts[1] not in ("s32", "f32") or TYPES[parts[0]].bits < 32:
        raise refused(instruction)
    kind = TYPES[parts[0]]
    result = kind if kind.floating else UNSIGNED[kind.bits]
    zero = "0" if parts[1] == "s32" else "0.0f"
    chosen = f"{b.read(chooser, TYPES[parts[1]])} >= {zero}"
    b.write(d, f"{chosen} ? {b.read(x, result, twice=True)} : {b.read(y, result, twice=True)}", result)


_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED_SIGNS = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


def _condition(b: Builder, instruction: Instruction, relation: str, suffix: str, x: str, y: str, flush: bool) -> str:
    """A comparison as a C++ condition."""
    if suffix in FORMATS and not flush:
        b.single = False
        names = [widened(b, b.let(b.read(each, UNSIGNED[16]), UNSIGNED[16]), suffix) for each in (x, y)]
        return floats.compared(relation, *names)
    kind = TYPES.get(suffix)
    if kind is None or kind.bits < 16:
        raise refused(instruction)
    if kind.floating:
        return floats.comparison(b, relation, kind, x, y, flush=flush)
    sign = _SIGNS.get(relation) if suffix[0] != "b" or relation in ("eq", "ne") else None
    sign = sign or (_UNSIGNED_SIGNS.get(relation) if suffix[0] == "u" else None)
    if sign is None or flush:
        raise refused(instruction)
    return f"{b.read(x, kind)} {sign} {b.read(y, kind)}"


def _compare(b: Builder, instruction: Instruction) -> None:
    """setp: one or two predicates, the second the opposite; each joined with a third where the opcode says so."""
    parts = [part for part in instruction.parts[1:] if part != "ftz"]
    joins = {"and": "&&", "or": "||", "xor": "!="}
    joined = joins.get(parts[1]) if len(parts) == 3 else ""
    if len(parts) not in (2, 3) or joined is None:
        raise refused(instruction)
    d, x, y, *rest = operands(instruction, 4 if joined else 3)
    pred = TYPES["pred"]
    flush = "ftz" in instruction.parts
    condition = _condition(b, instruction, parts[0], parts[-1], x, y, flush)
    first, _, second = (each.strip() for each in d.partition("|"))
    if not joined and not second:
        b.write(first, condition, pred)
        return
    b.single = False
    outcome = b.let(condition, pred)
    other = f" {joined} {b.let(b.read(rest[0], pred), pred)}" if joined else ""
    if first != "_":
        b.write(first, f"{outcome}{other}", pred)
    if second and second != "_":
        b.write(second, f"!{outcome}{other}", pred)


def _set(b: Builder, instruction: Instruction) -> None:
    """set: a comparison as all ones or zero, or as 1.0 or 0.0."""
    parts = [part for part in instruction.parts[1:] if part != "ftz"]
    if len(parts) == 3 and parts[2].removesuffix("x2") in FORMATS and parts[2].endswith("x2"):
        _set_halves(b, instruction)
        return
    if len(parts) != 3 or parts[1] not in ("u32", "s32", "f32"):
        raise refused(instruction)
    d, x, y = operands(instruction, 3)
    condition = _condition(b, instruction, parts[0], parts[2], x, y, "ftz" in instruction.parts)
    yes, no, kind = ("1.0f", "0.0f", TYPES["f32"]) if parts[1] == "f32" else ("0xffffffffu", "0u", U32)
    b.write(d, f"{condition} ? {yes} : {no}", kind)


_ONES = {"u32": "0xffffu", "s32": "0xffffu", "f16x2": "0x3c00u", "bf16x2": "0x3f80u"}


def _set_halves(b: Builder, instruction: Instruction) -> None:
    """set over two halves: for each all ones, or 1.0 in its format."""
    relation, to, kind = instruction.parts[1:] if len(instruction.parts) == 4 else ("", "", "")
    if to not in _ONES or (to.endswith("x2") and to != kind):
        raise refused(instruction)
    d, x, y = operands(instruction, 3)
    b.single = False
    words = [b.let(b.read(each, U32), U32) for each in (x, y)]
    parts = []
    for shift in ("", " >> 16"):
        names = [
            widened(b, b.let(f"(unsigned short)({word}{shift})", UNSIGNED[16]), kind.removesuffix("x2"))
            for word in words
        ]
        parts.append(b.let(f"{floats.compared(relation, *names)} ? {_ONES[to]} : 0u", U32))
    b.write(d, f"{parts[0]} | {parts[1]} << 16", U32)


def _select(b: Builder, instruction: Instruction) -> None:
    d, x, y, predicate = operands(instruction, 4)
    kind = typed(instruction, INTEGERS | BITS | {"f32", "f64"})
    result = kind if kind.floating else UNSIGNED[kind.bits]
    if b.types.get(predicate.removeprefix("!")) is not TYPES["pred"]:
        raise NotLowered(f"it selects by {predicate.replace(ESCAPED_PERCENT, '%')}, which is no predicate")
    left, right = b.read(x, result, twice=True), b.read(y, result, twice=True)
    chosen = f"{b.read(predicate, TYPES['pred'])} ? {left} : {right}"
    b.write(d, narrowed(chosen, result) if not result.floating else chosen, result)


LOWERINGS: dict[str, Lowering] = {"setp": _compare, "set": _set, "selp": _select, "slct": _select_by_sign}
