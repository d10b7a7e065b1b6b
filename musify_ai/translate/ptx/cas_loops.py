"""PTX's atomics that no known MUSA function has, as loops over ``atomicCAS``: inc, dec, and sums of halves."""

from __future__ import annotations

from musify_ai.translate.ptx.addresses import Access, address
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import FORMATS, U16, narrowed_float, widened
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import refused
from musify_ai.translate.ptx.registers import U32, NotLowered
from musify_ai.translate.ptx.rounding import F32
from musify_ai.translate.ptx.vectors import parts_of

_WRAPPED = {"inc": "{0} >= {1} ? 0u : {0} + 1u", "dec": "{0} == 0u || {0} > {1} ? {1} : {0} - 1u"}


def is_looped(access: Access, instruction: Instruction) -> bool:
    """Whether an atomic is written as a loop."""
    kind = instruction.parts[-1]
    operation = access.rest[0] if access.rest else ""
    return (operation in _WRAPPED and kind == "u32") or (operation == "add" and kind.removesuffix("x2") in FORMATS)


def lower(b: Builder, access: Access, instruction: Instruction, d: str, where: str, given: str) -> None:
    """The loop, or one for each element; ``d`` is empty where the old value is not wanted."""
    operation, kind = access.rest[0], instruction.parts[-1]
    if b.guard:
        raise NotLowered(f"{instruction.opcode} runs under a predicate")
    if d and (access.vector or kind in FORMATS):
        raise refused(instruction)
    b.single = False
    b.note(f"{instruction.opcode} became a loop over atomicCAS")
    count = int(access.vector[1]) if access.vector else 1
    pointee = "unsigned short" if kind in FORMATS else "unsigned int"
    pointer = b.let_auto(address(b, where, pointee, shared=access.shared))
    for i, text in enumerate(parts_of(given, count)):
        if operation in _WRAPPED:
            bound = b.let(b.read(text, U32), U32)
            word, old = _begin(b, f"{pointer} + {i}")
            changed = _WRAPPED[operation].format(old, bound)
        elif kind in FORMATS:
            # The half lies in one half of a word, whose other half goes back as it was found.
            value = b.let(b.read(text, U16), U16)
            at = f"(unsigned long long)({pointer} + {i})"
            shift = b.let(f"(unsigned int)({at} & 2ull) * 8u", U32)
            word, old = _begin(b, f"(unsigned int*)({at} & ~3ull)")
            part = b.let(f"(unsigned short)({old} >> {shift})", U16)
            total = _sum(b, part, value, kind)
            changed = f"({old} & ~(0xffffu << {shift})) | (unsigned int){total} << {shift}"
        else:
            value = b.let(b.read(text, U32), U32)
            word, old = _begin(b, f"{pointer} + {i}")
            halves = []
            for cut in ("", " >> 16"):
                left, right = (b.let(f"(unsigned short)({each}{cut})", U16) for each in (old, value))
                halves.append(_sum(b, left, right, kind.removesuffix("x2")))
            changed = f"(unsigned int){halves[0]} | (unsigned int){halves[1]} << 16"
        before = _end(b, word, old, changed)
        if d not in ("", "_"):
            b.write(d, before, U32)


def _sum(b: Builder, left: str, right: str, single: str) -> str:
    value = b.let(f"__fadd_rn({widened(b, left, single)}, {widened(b, right, single)})", F32)
    return narrowed_float(b, value, single)


def _begin(b: Builder, pointer: str) -> tuple[str, str]:
    """The head of a loop: the word's pointer, and the value that is to be replaced."""
    word = b.let_auto(pointer)
    now, old = b.fresh(), b.fresh() + "_old"
    b.lines.append(f"unsigned int {now} = *(const volatile unsigned int*){word}, {old};")
    b.lines.append(f"do {{ {old} = {now};")
    b.loops.append(now)
    return word, old


def _end(b: Builder, word: str, old: str, changed: str) -> str:
    """The end of a loop; what stood there before, by name."""
    now = b.loops.pop()
    b.lines.append(f"{now} = atomicCAS({word}, {old}, {changed}); }} while ({now} != {old});")
    return now
