"""One ``asm`` statement to C++ with the same meaning, or the reason why not."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern
from musify_ai.translate.ptx import (
    accesses,
    addresses,
    atomics,
    bitwork,
    carries,
    choosing,
    conversions,
    floats,
    moves,
    packed,
    scalars,
    warp_operations,
)
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.effects import is_exposed, is_pointer, may_be_changed_by
from musify_ai.translate.ptx.functions import enclosing_function
from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction, PtxText, parse_text
from musify_ai.translate.ptx.operands import Lowering
from musify_ai.translate.ptx.registers import TYPES, NotLowered
from musify_ai.translate.ptx.sharing import Insertion, Shared, parsed, shared_state
from musify_ai.translate.ptx.statements import AsmStatement, asm_statements
from musify_ai.translate.unit import Unit

# What only PTX has, in text that a macro takes part in.
_FRAGMENT = late_pattern(
    r"\.(?:[usb](?:8|16|32|64)|f16x2|f(?:16|32|64)|pred|sync|aligned|global|shared|cta|gpu|sys|approx|r[nz]i?)\b"
)
_OPERAND = late_pattern(r"%(?:\d|%|\[)|;\s*(?:\\n)?\"\Z")
_LOWERINGS: dict[str, Lowering] = {
    **scalars.LOWERINGS,
    **choosing.LOWERINGS,
    "mov": moves.move,
    **bitwork.LOWERINGS,
    **floats.LOWERINGS,
    **accesses.LOWERINGS,
    **atomics.LOWERINGS,
    **warp_operations.LOWERINGS,
    "cvt": conversions.convert,
    "addc": carries.LOWERINGS["addc"],
    "subc": carries.LOWERINGS["subc"],
    "madc": carries.LOWERINGS["madc"],
}
# Where a memory clobber is part of what a statement is for: these lowerings keep it, or are barriers themselves.
_ORDERING = frozenset((*accesses.LOWERINGS, *atomics.LOWERINGS, "bar", "barrier", "trap", "exit", "nanosleep"))
# What writes to memory or waits for those who do.
_CHANGING = frozenset(
    (*(name for name in _ORDERING if name not in ("ld", "ldu", "cvta", "prefetch")), "membar", "fence")
)


# Not `half` alone, which is a variable as often; without its type a half is computed by bits, which is as right.
_HALF_NAMES = frozenset((b"__half", b"half2", b"__half2", b"cuda_fp16"))
_BFLOAT_NAMES = frozenset((b"__nv_bfloat16", b"nv_bfloat16", b"__nv_bfloat162", b"nv_bfloat162", b"cuda_bf16"))


class Judged(NamedTuple):
    """A PTX statement with its C++ (``None`` where it has no exact one here) and the reason.

    ``notes`` say what a reader of the translation has to know of; ``body`` is the function whose variables it needs;
    ``registers`` are those that the statement declares, with their types.
    """

    statement: AsmStatement
    instructions: tuple[Instruction, ...]
    lowered: str | None
    reason: str
    notes: tuple[str, ...] = ()
    body: int = -1
    registers: tuple[str, ...] = ()


def judged_statements(unit: Unit) -> list[Judged]:
    """The PTX statements of a file, each lowered or with the reason why not. Host assembly and empty statements
    (compiler barriers) are not among them."""
    if "judged ptx" not in unit.memo:
        statements = asm_statements(unit)
        sharing = shared_state(unit, parsed(statements))
        found = [
            judged
            for statement in statements
            if (judged := judge(statement, unit, sharing.shared.get(statement.start))) is not None
        ]
        # What statements share is lowered together or not at all, and so is what functions hand to each other.
        failed = {judged.body for judged in found if judged.lowered is None and judged.body >= 0}
        grown = True
        while grown:
            more = {each for tie in sharing.ties if failed & set(tie) for each in tie} - failed
            failed |= more
            grown = bool(more)
        found = [
            judged._replace(lowered=None, reason="it shares registers with a statement that was left", notes=())
            if judged.body in failed and judged.lowered is not None
            else judged
            for judged in found
        ]
        needed = {judged.body for judged in found if judged.lowered is not None and judged.body >= 0}
        needed |= {each for tie in sharing.ties if needed & set(tie) for each in tie} - failed
        unit.memo["judged ptx"] = found
        unit.memo["ptx insertions"] = [each for body in sorted(needed) for each in sharing.insertions.get(body, ())]
    judged_before: list[Judged] = unit.memo["judged ptx"]
    return judged_before


def insertions_of(unit: Unit) -> list[Insertion]:
    """What the functions of the lowered statements need besides: variables, flags returned and taken."""
    judged_statements(unit)
    found: list[Insertion] = unit.memo["ptx insertions"]
    return found


def judge(statement: AsmStatement, unit: Unit, shared: Shared | None = None) -> Judged | None:
    """What is to become of one statement; ``None`` where it is no PTX."""
    if len(statement.alternatives) < 2:
        return _judge(statement, unit, shared)
    # Macros choose its text: C++ that is right for each of them, or none.
    each = [
        judged
        for text in statement.alternatives
        if (judged := _judge(statement._replace(template=text), unit, shared)) is not None
    ]
    left = next((judged for judged in each if judged.lowered is None), None)
    if left is not None or len(each) < len(statement.alternatives):
        return left
    strengths = [[addresses.strength(one) for one in judged.instructions] for judged in each]
    if len({tuple(rest for _, rest in one) for one in strengths}) > 1 and len({one.lowered for one in each}) > 1:
        return each[0]._replace(lowered=None, reason="macros choose among texts of different meaning", notes=())
    # A volatile access is right where a plain one is.
    chosen = each[max(range(len(each)), key=lambda i: [level for level, _ in strengths[i]])]
    note = f"macros of the file choose among {len(each)} texts, and the C++ is right for each"
    return chosen._replace(notes=(*chosen.notes, note))


def _judge(statement: AsmStatement, unit: Unit, shared: Shared | None = None) -> Judged | None:
    device = unit.in_device_code(statement.start)
    if statement.template is None:
        if device or _FRAGMENT.search(statement.fragments) or (not statement.fragments and _has_loose_ptx(unit)):
            return Judged(statement, (), None, statement.problem or "a macro takes part in its text")
        return None
    text = parse_text(statement.template, basic=statement.basic)
    if not text.instructions and not text.irregular and not text.registers and not text.depth:
        return None
    if not device and shared is None and not any(_is_ptx(each) for each in text.instructions):
        return None
    body = shared.body if shared is not None else -1
    try:
        if shared is not None and shared.problem:
            raise NotLowered(shared.problem)
        lowered, notes = _lower(statement, text, unit, shared)
    except NotLowered as error:
        registers = tuple(f"{name.replace(ESCAPED_PERCENT, '%')} (.{kind})" for name, kind in text.registers.items())
        return Judged(statement, text.instructions, None, str(error), body=body, registers=registers)
    return Judged(statement, text.instructions, lowered, "", notes, body)


def _has_loose_ptx(unit: Unit) -> bool:
    """Whether a string outside of every ``asm`` statement that could be read looks like PTX with operands."""
    if "loose ptx" not in unit.memo:
        spans = [(each.start, each.end) for each in asm_statements(unit) if each.template is not None]
        texts = (
            (region.start, unit.src[region.start : region.end].decode("latin-1"))
            for region in unit.regions
            if region.kind == "string"
        )
        unit.memo["loose ptx"] = any(
            _FRAGMENT.search(text) and _OPERAND.search(text) and not any(low <= start < high for low, high in spans)
            for start, text in texts
        )
    found: bool = unit.memo["loose ptx"]
    return found


def _is_ptx(instruction: Instruction) -> bool:
    from musify_ai.translate.ptx.families import PTX_ROOTS

    if len(instruction.parts) == 1:
        return instruction.opcode in ("trap", "exit", "brkpt") and not instruction.operands
    if instruction.parts[0] == "mov":
        # Other processors have one too, with other suffixes.
        return any(part in TYPES for part in instruction.parts[1:])
    return instruction.parts[0] in PTX_ROOTS


def _lower(statement: AsmStatement, text: PtxText, unit: Unit, shared: Shared | None) -> tuple[str, tuple[str, ...]]:
    """The C++ of a statement and the notes on it; raises `NotLowered`."""
    if statement.problem:
        raise NotLowered(statement.problem)
    if text.irregular:
        raise NotLowered("it holds labels or directives")
    if text.depth and shared is None:
        raise NotLowered("its scope begins or ends in another statement")
    unknown = [instruction.opcode for instruction in text.instructions if instruction.parts[0] not in _LOWERINGS]
    if unknown:
        raise NotLowered(f"{unknown[0]} has no plain C++")
    template = (statement.template or "").replace("%%", ESCAPED_PERCENT)
    own = {name: kind for name, kind in text.registers.items() if shared is None or name not in shared.registers}
    builder = Builder(statement, own, unit.words, template, None if shared is None else shared.registers)
    builder.knows_half, builder.knows_bfloat = (_knows(unit, names) for names in (_HALF_NAMES, _BFLOAT_NAMES))
    builder.single = len(text.instructions) == 1
    builder.is_pointer = partial(is_pointer, unit)
    builder.may_change = partial(may_be_changed_by, unit)
    builder.keep_order()
    builder.bind_outputs()
    if _writes_early(text.instructions):
        builder.settle((lambda _: True) if statement.in_macro else partial(is_exposed, unit))
    builder.wide_archs = ", ".join(unit.wide_archs)
    if any(each.parts[0] == "exit" for each in text.instructions):
        function = enclosing_function(unit, statement.start)
        builder.in_kernel = function is not None and function.is_kernel
    # Instructions that only compute do not keep accesses from moving across the statement.
    barred = "memory" in statement.clobbers and not any(each.parts[0] in _ORDERING for each in text.instructions)
    if barred:
        builder.single = False
        builder.effect(addresses.COMPILER_BARRIER)
    for instruction in text.instructions:
        builder.guard = _guard(builder, instruction)
        lowering = _LOWERINGS[instruction.parts[0]]
        if packed.is_packed(instruction):
            lowering = packed.packed
        if carries.writes_flag(instruction):
            lowering = carries.LOWERINGS.get(instruction.parts[0], lowering)
        lowering(builder, instruction)
    builder.guard = ""
    if barred:
        builder.effect(addresses.COMPILER_BARRIER)
    return builder.text(), tuple(builder.notes)


def _writes_early(instructions: tuple[Instruction, ...]) -> bool:
    """Whether memory may change before an operand is read: by an instruction that is not the last, or by the first
    part of one that becomes several in C++."""
    for position, each in enumerate(instructions):
        root, parts = each.parts[0], each.parts
        if root not in _CHANGING and not {"acquire", "release", "acq_rel"} & set(parts):
            continue
        pieces = (
            "v8" in parts
            or ("v4" in parts and parts[-1].endswith("64"))
            or (root in ("atom", "red") and "v" in {part[0] for part in parts})
        )
        if position + 1 < len(instructions) or pieces or {"release", "acq_rel"} & set(parts):
            return True
    return False


def _knows(unit: Unit, names: frozenset[bytes]) -> bool:
    """Whether one of some types, or the header that has them, is in the code of a file; a comment is no code."""
    if names.isdisjoint(unit.words):
        return False
    key = f"has {min(names)!r}"
    if key not in unit.memo:
        includes = b" ".join(
            unit.src[each.argument_start : each.end] for each in unit.directives if each.keyword == b"include"
        )
        unit.memo[key] = any(name in includes for name in names) or any(
            token.text in names and token.kind == "identifier" for token in unit.tokens
        )
    found: bool = unit.memo[key]
    return found


def _guard(builder: Builder, instruction: Instruction) -> str:
    """The condition of an instruction under a predicate, empty for none."""
    if not instruction.predicate:
        return ""
    builder.guard = ""
    register = instruction.predicate.removeprefix("@").strip()
    negated = register.startswith("!")
    held = builder.read(register.removeprefix("!").strip(), TYPES["pred"])
    return f"!{held}" if negated else held
