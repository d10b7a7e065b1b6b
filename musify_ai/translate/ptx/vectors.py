"""The meaning of PTX's loads and stores of several elements in C++.

PTX says of such an access that it stands for one access an element, in any order. Where nothing else can be watching
it is written with the vector types; where other threads are, word by word through volatile words as wide as can be
(64 bits), so that what the hardware keeps together in pairs stays together.
"""

from __future__ import annotations

from musify_ai.translate.ptx.addresses import Access, address
from musify_ai.translate.ptx.building import Builder
from musify_ai.translate.ptx.conversions import store as store_integer
from musify_ai.translate.ptx.registers import UNSIGNED, NotLowered, PtxType, as_bits

_VECTORS = {
    ("f32", 2): "float2",
    ("f32", 4): "float4",
    ("f64", 2): "double2",
    ("s32", 2): "int2",
    ("s32", 4): "int4",
    (32, 2): "uint2",
    (32, 4): "uint4",
    (64, 2): "ulonglong2",
}


def parts_of(text: str, count: int) -> list[str]:
    """The elements of ``{a, b}``; one element may stand without braces."""
    pieces = [piece.strip() for piece in text.strip("{} ").split(",")]
    if (count > 1 and not text.startswith("{")) or len(pieces) != count:
        raise NotLowered(f"the vector {text} does not have {count} parts")
    return pieces


def _named(suffix: str, kind: PtxType, count: int) -> tuple[str, int] | None:
    """The vector type that holds the elements, and how many of them one holds; ``None`` where none does."""
    for size in (4, 2):
        if count % size == 0:
            named = _VECTORS.get((suffix, size)) or (None if kind.floating else _VECTORS.get((kind.bits, size)))
            if named is not None:
                return named, size
    return None


def _word(kind: PtxType, count: int) -> PtxType:
    """The word in which elements are moved: 64 bits, or all of them."""
    return UNSIGNED[min(64, kind.bits * count)]


def load_vector(b: Builder, access: Access, suffix: str, kind: PtxType, d: str, where: str, *, strong: bool) -> None:
    """Several elements into as many registers; the caller sees to fences and barriers."""
    count = int(access.vector[1])
    parts = parts_of(d, count)
    b.single = False
    named = None if strong else _named(suffix, kind, count)
    if named is None:
        word = _word(kind, count)
        pointer = b.let_auto(address(b, where, word.cpp, constant=True, volatile=strong, shared=access.shared))
        words = [
            b.let(f"{b.guard} ? {pointer}[{i}] : 0" if b.guard else f"{pointer}[{i}]", word)
            for i in range(kind.bits * count // word.bits)
        ]
        each_word = word.bits // kind.bits
        for i, part in enumerate(parts):
            if part != "_":
                shift = i % each_word * kind.bits
                bits = words[i // each_word]
                _part(b, part, f"({bits} >> {shift})" if shift else bits, kind)
        if len(words) > 1 and strong:
            b.note(
                f"an access of {len(words) * 8} bytes at once became {len(words)} of 8, which PTX allows: what relies "
                "on all of them at once has to be changed"
            )
        return
    cpp, size = named
    pointer = address(b, where, cpp, constant=True, shared=access.shared)
    if count > size:
        pointer = b.let_auto(pointer)
    held = []
    for i in range(count // size):
        value = f"*{pointer}" if count == size else f"{pointer}[{i}]"
        held.append(b.let_auto(f"{b.guard} ? {value} : {cpp}()" if b.guard else value))
    for i, part in enumerate(parts):
        if part != "_":
            plain = kind if kind.floating else UNSIGNED[kind.bits]
            value = f"{held[i // size]}.{'xyzw'[i % size]}"
            b.write(part, value if plain is kind else f"({plain.cpp}){value}", plain)


def _part(b: Builder, part: str, bits: str, kind: PtxType) -> None:
    unsigned = UNSIGNED[kind.bits]
    if kind.bits < 32:
        store_integer(b, part, f"({unsigned.cpp}){bits}", kind)
    elif kind.floating:
        b.write(part, as_bits(unsigned, kind, f"(({unsigned.cpp}){bits})"), kind)
    else:
        b.write(part, f"({unsigned.cpp}){bits}", unsigned)


def store_vector(
    b: Builder, access: Access, suffix: str, kind: PtxType, where: str, given: str, *, strong: bool
) -> None:
    """Several elements from as many registers; the caller sees to fences and barriers."""
    count = int(access.vector[1])
    parts = parts_of(given, count)
    b.single = False
    named = None if strong else _named(suffix, kind, count)
    if named is None:
        word, unsigned = _word(kind, count), UNSIGNED[kind.bits]
        each_word = word.bits // kind.bits
        values = [b.read(part, unsigned, wider=kind.bits < 32) for part in parts]
        words = []
        for first in range(0, count, each_word):
            shown = [
                f"({word.cpp})({value})" + (f" << {i * kind.bits}" if i else "")
                for i, value in enumerate(values[first : first + each_word])
            ]
            words.append(b.let(" | ".join(shown), word))
        pointer = b.let_auto(address(b, where, word.cpp, volatile=True, shared=access.shared))
        for i, value in enumerate(words):
            b.effect(f"{pointer}[{i}] = {value};")
        if len(words) > 1 and strong:
            b.note(
                f"an access of {len(words) * 8} bytes at once became {len(words)} of 8, which PTX allows: what relies "
                "on all of them at once has to be changed"
            )
        return
    cpp, size = named
    values = [b.read(part, kind) for part in parts]
    pointer = address(b, where, cpp, shared=access.shared)
    if count > size:
        pointer = b.let_auto(pointer)
    for i in range(count // size):
        place = f"*{pointer}" if count == size else f"{pointer}[{i}]"
        b.effect(f"{place} = make_{cpp}({', '.join(values[i * size : (i + 1) * size])});")
