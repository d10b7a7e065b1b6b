"""The meaning of PTX's carry chains in C++: the flag becomes a variable, and no 128-bit integer is needed.

A chain may run over several statements and around loops; `sharing` gives the flag a variable of the function then.
"""

from __future__ import annotations

from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.instructions import Instruction, PtxText
from musify_ai.translate.ptx.operands import Lowering, operands, refused
from musify_ai.translate.ptx.registers import UNSIGNED
from musify_ai.translate.ptx.scalars import high_product

READERS = frozenset(("addc", "subc", "madc"))
"""First parts of the opcodes that read the flag; those with ``.cc`` write it."""


def reads_flag(instruction: Instruction) -> bool:
    """Whether an instruction reads the carry flag."""
    return instruction.parts[0] in READERS


def writes_flag(instruction: Instruction) -> bool:
    """Whether an instruction leaves a carry flag."""
    return "cc" in instruction.parts


def flag_use(text: PtxText) -> tuple[bool, bool]:
    """Whether a statement reads a flag that it has not written itself, and whether it leaves one at its end."""
    using = [each for each in text.instructions if reads_flag(each) or writes_flag(each)]
    if not using:
        return False, False
    return reads_flag(using[0]), writes_flag(using[-1])


def flag_kinds(text: PtxText) -> tuple[str, str]:
    """As what a statement reads a flag that it has not written, and as what it leaves one: ``carry`` or ``borrow``,
    empty for neither."""
    using = [each for each in text.instructions if reads_flag(each) or writes_flag(each)]
    reads, leaves = flag_use(text)
    kinds = ["borrow" if each.parts[0].startswith("sub") else "carry" for each in using]
    return kinds[0] if reads else "", kinds[-1] if leaves else ""


def _sum(b: Builder, instruction: Instruction, d: str, x: str, y: str, bits: int) -> None:
    """x + y and the flag; in 32 bits by way of 64, in 64 by what an overflow looks like."""
    kind = UNSIGNED[bits]
    flag = b.carry("carry") if reads_flag(instruction) else ""
    b.single = False
    if not writes_flag(instruction):
        b.write(d, f"{x} + {y}" + (f" + {flag}" if flag else ""), kind)
    elif bits == 32:
        wide = b.let(f"(unsigned long long){x} + {y}" + (f" + {flag}" if flag else ""), UNSIGNED[64])
        b.set_carry(f"(unsigned int)({wide} >> 32)", "carry")
        b.write(d, f"(unsigned int){wide}", kind)
    else:
        left = b.let(x, kind)
        total = b.let(f"{left} + {y}" + (f" + {flag}" if flag else ""), kind)
        b.set_carry(f"{total} < {left}" + (f" || ({flag} && {total} == {left})" if flag else ""), "carry")
        b.write(d, total, kind)


def _difference(b: Builder, instruction: Instruction, d: str, x: str, y: str, bits: int) -> None:
    kind = UNSIGNED[bits]
    flag = b.carry("borrow") if reads_flag(instruction) else ""
    b.single = False
    if not writes_flag(instruction):
        b.write(d, f"{x} - {y}" + (f" - {flag}" if flag else ""), kind)
    elif bits == 32:
        wide = b.let(f"(unsigned long long){x} - {y}" + (f" - {flag}" if flag else ""), UNSIGNED[64])
        b.set_carry(f"(unsigned int)({wide} >> 63)", "borrow")
        b.write(d, f"(unsigned int){wide}", kind)
    else:
        left, right = b.let(x, kind), b.let(y, kind)
        total = b.let(f"{left} - {right}" + (f" - {flag}" if flag else ""), kind)
        b.set_carry(f"{left} < {right}" + (f" || ({flag} && {left} == {right})" if flag else ""), "borrow")
        b.write(d, total, kind)


def _form(instruction: Instruction) -> int:
    """The width of a carry instruction, whose modifiers are a half of a product and ``.cc``."""
    half = ("lo", "hi") if instruction.parts[0].startswith("mad") else ()
    rest = [part for part in instruction.parts[1:-1] if part != "cc"]
    if instruction.parts[-1] not in ("u32", "s32", "u64", "s64") or len(rest) != bool(half) or set(rest) - set(half):
        raise refused(instruction)
    return int(instruction.parts[-1][1:])


def _add(b: Builder, instruction: Instruction) -> None:
    bits = _form(instruction)
    d, x, y = operands(instruction, 3)
    _sum(b, instruction, d, b.read(x, UNSIGNED[bits]), b.read(y, UNSIGNED[bits]), bits)


def _subtract(b: Builder, instruction: Instruction) -> None:
    bits = _form(instruction)
    d, x, y = operands(instruction, 3)
    _difference(b, instruction, d, b.read(x, UNSIGNED[bits]), b.read(y, UNSIGNED[bits]), bits)


def _multiply_add(b: Builder, instruction: Instruction) -> None:
    bits = _form(instruction)
    d, x, y, z = operands(instruction, 4)
    kind = UNSIGNED[bits]
    if "lo" in instruction.parts:
        product = f"{b.read(x, kind)} * {b.read(y, kind)}"
    else:
        product = high_product(b, x, y, instruction.parts[-1])
    b.single = False
    # The product is cut to its half before the sum, so it has a name of its own.
    _sum(b, instruction, d, b.let(product, kind), b.read(z, kind), bits)


LOWERINGS: dict[str, Lowering] = {
    "add": _add,
    "addc": _add,
    "sub": _subtract,
    "subc": _subtract,
    "mad": _multiply_add,
    "madc": _multiply_add,
}
"""For instructions that read or write the flag."""
