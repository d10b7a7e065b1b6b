"""PTX's atomics that no known MUSA function has, as loops over ``atomicCAS``: inc, dec, sums of halves and doubles, and
what is known of 32 bits only."""

from __future__ import annotations

from musify_ai.translate.ptx.addresses import Access, address
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.halves import FORMATS, U16, narrowed_float, widened
from musify_ai.translate.ptx.instructions import Instruction
from musify_ai.translate.ptx.operands import refused
from musify_ai.translate.ptx.registers import U32, U64, NotLowered, PtxType
from musify_ai.translate.ptx.rounding import F32, F64
from musify_ai.translate.ptx.vectors import parts_of

_WRAPPED = {"inc": "{0} >= {1} ? 0u : {0} + 1u", "dec": "{0} == 0u || {0} > {1} ? {1} : {0} - 1u"}
_WIDE = {
    ("min", "u64"): "{0} < {1} ? {0} : {1}",
    ("max", "u64"): "{0} > {1} ? {0} : {1}",
    ("min", "s64"): "(long long){0} < (long long){1} ? {0} : {1}",
    ("max", "s64"): "(long long){0} > (long long){1} ? {0} : {1}",
    ("and", "b64"): "{0} & {1}",
    ("or", "b64"): "{0} | {1}",
    ("xor", "b64"): "{0} ^ {1}",
    ("exch", "b64"): "{1}",
}


def is_looped(access: Access, instruction: Instruction) -> bool:
    """Whether an atomic is written as a loop."""
    kind = instruction.parts[-1]
    operation = access.rest[0] if access.rest else ""
    if (operation, kind) in _WIDE or (operation in _WRAPPED and kind == "u32"):
        return True
    return operation == "add" and (kind.removesuffix("x2") in FORMATS or kind == "f64")


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
    word = U64 if kind.endswith("64") else U32
    pointee = U16 if kind in FORMATS else word
    pointer = b.let_auto(address(b, where, pointee.cpp, shared=access.shared))
    for i, text in enumerate(parts_of(given, count)):
        if kind in FORMATS:
            _half(b, f"{pointer} + {i}", text, kind)
            continue
        value = b.let(b.read(text, F64 if kind == "f64" else word), F64 if kind == "f64" else word)
        at, old = _begin(b, f"{pointer} + {i}", word)
        if operation in _WRAPPED:
            changed = _WRAPPED[operation].format(old, value)
        elif kind == "f64":
            total = b.let(f"__longlong_as_double((long long){old}) + {value}", F64)
            changed = f"(unsigned long long)__double_as_longlong({total})"
        elif word is U64:
            changed = _WIDE[operation, kind].format(old, value)
        else:
            halves = []
            for cut in ("", " >> 16"):
                left, right = (b.let(f"(unsigned short)({each}{cut})", U16) for each in (old, value))
                halves.append(_sum(b, left, right, kind.removesuffix("x2")))
            changed = f"(unsigned int){halves[0]} | (unsigned int){halves[1]} << 16"
        before = _end(b, at, old, changed)
        if d not in ("", "_"):
            _result(b, d, before, kind, word)


def _result(b: Builder, d: str, before: str, kind: str, word: PtxType) -> None:
    if kind == "f64":
        b.write(d, f"__longlong_as_double((long long){before})", F64)
    else:
        b.write(d, before, word)


def _half(b: Builder, pointer: str, text: str, kind: str) -> None:
    """A half lies in one half of a word, whose other half goes back as it was found."""
    value = b.let(b.read(text, U16), U16)
    at = f"(unsigned long long)({pointer})"
    shift = b.let(f"(unsigned int)({at} & 2ull) * 8u", U32)
    word, old = _begin(b, f"(unsigned int*)({at} & ~3ull)", U32)
    part = b.let(f"(unsigned short)({old} >> {shift})", U16)
    total = _sum(b, part, value, kind)
    _end(b, word, old, f"({old} & ~(0xffffu << {shift})) | (unsigned int){total} << {shift}")


def _sum(b: Builder, left: str, right: str, single: str) -> str:
    value = b.let(f"__fadd_rn({widened(b, left, single)}, {widened(b, right, single)})", F32)
    return narrowed_float(b, value, single)


def _begin(b: Builder, pointer: str, word: PtxType) -> tuple[str, str]:
    """The head of a loop: the word's pointer, and the value that is to be replaced."""
    at = b.let_auto(pointer)
    now, old = b.fresh(), b.fresh() + "_old"
    b.lines.append(f"{word.cpp} {now} = *(const volatile {word.cpp}*){at}, {old};")
    b.lines.append(f"do {{ {old} = {now};")
    b.loops.append(now)
    return at, old


def _end(b: Builder, at: str, old: str, changed: str) -> str:
    """The end of a loop; what stood there before, by name."""
    now = b.loops.pop()
    b.lines.append(f"{now} = atomicCAS({at}, {old}, {changed}); }} while ({now} != {old});")
    return now
