"""MUS515: a size of shared memory compared with 48 KiB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.lexing import Occurrence
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.unit import Unit

CODE = "MUS515"
TITLE = "Shared memory compared with 48 KiB"
WHY = """
Every NVIDIA GPU gives a block 48 KiB of shared memory without asking, so programs test a size against that number: to
choose a tile, or to raise the limit only above it. MUSA's devices have other limits: about 28 KB on mp_21 and mp_22 in
several ports, in the class of 192 KB on mp_31. A size between 28 and 48 KiB passes the test and fails at the launch.
"""
EXAMPLE = """
if (smem_size >= (48 << 10)) raise_limit();
"""
INSTEAD = """
Compare with the device's own limit (`sharedMemPerBlock`, `musaDevAttrMaxSharedMemoryPerBlock`). Where it must be a
constant, ports take the smallest target's: muAlg tests against 16 KiB.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/muAlg: test/test_block_reduce.cu, test/test_block_load_store.cu (48 * 1024 became 16 * 1024)",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/ops/musa/Bucketize.mu (28 KB)",
)
TRIGGERS = frozenset((b"48", b"48u", b"48U", b"48UL", b"49152", b"49152u"))
VALID = (
    "int tile = 48 * 1024;\n",
    "bool f(int rows) { return rows <= 48 * 1024; }\n",
    "bool f(int smem) { return smem <= 48; }\n",
    "bool f(int smem) { return smem <= 48 * 512; }\n",
    "// smem <= 48 * 1024\n",
    "float* p = smem + 49152;\n",
)
INVALID = (
    Case("void f(int smem_size) { if (smem_size >= (48 << 10)) g(); }\n", findings=("48 << 10",)),
    Case("bool fits = sizeof(typename T::TempStorage) <= 48 * 1024;\n", findings=("48 * 1024",)),
    Case("bool fits = (sizeof(B::TempStorage)  <= 1024 * 48);\n", findings=("1024 * 48",)),
    Case("#define FITS(kShared) (49152 > (kShared))\n", findings=("49152",)),
    Case("void f(size_t shmem) { if (n && shmem > 48u * 1024u) g(); }\n", findings=("48u * 1024u",)),
)

_SHARED = late_pattern(rb"smem|shmem|shared|slm|TempStorage|SharedStorage", re.IGNORECASE)
_COMPARISONS = frozenset((b"<", b">", b"<=", b">="))
_ENDS = frozenset((b";", b"{", b"}", b",", b"&&", b"||", b"?", b":", b"=", b"return", b"if", b"#"))
_BUDGET = 48 * 1024
_REACH = 24


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each comparison of what is called shared memory with the number, in any spelling."""
    if not any(_may_be_budget(unit.src, found) for found in unit.occurrences(TRIGGERS)):
        return
    if _SHARED.search(unit.src) is None:
        return
    toks = unit.tokens
    index = 0
    while index < len(toks):
        last = _budget(toks, index)
        if last < 0:
            index += 1
            continue
        if _is_compared(toks, index, last):
            yield Finding(
                CODE,
                "warning",
                toks[index].start,
                toks[last].end,
                "shared memory is compared with 48 KiB, NVIDIA's limit without asking. On mp_21 and mp_22 about 28 KB "
                "were found to fit, on mp_31 far more: compare with the device's own limit (sharedMemPerBlock).",
                effort=EFFORT,
                name="48 KiB",
            )
        index = last + 1


_FACTOR_AFTER = late_pattern(rb"(?:\s|\\\r?\n)*+(?:\*|<<|/[/*])")
_FACTOR_BEFORE = late_pattern(rb"(?:\*|\\)\s*+\Z")


def _may_be_budget(src: bytes, found: Occurrence) -> bool:
    """Whether a number that is a trigger is 48 KiB or may be a factor of it; asked before any tokens are made, since a
    48 stands in many a file. A comment or a line splice beside it leaves that open."""
    if not found.name.startswith(b"48") or _FACTOR_AFTER.match(src, found.end) is not None:
        return True
    head = src[max(found.floor, found.start - 40) : found.start]
    return not head.strip() or _FACTOR_BEFORE.search(head) is not None


def _budget(toks: list[Token], index: int) -> int:
    """The index of the last token of 48 KiB as it may be spelt, where it begins at an index; else -1."""
    first = _value(toks, index)
    if first == _BUDGET:
        return index
    if first not in (48, 1024) or index + 2 >= len(toks):
        return -1
    operator, second = toks[index + 1].text, _value(toks, index + 2)
    if (operator == b"*" and (first or 0) * (second or 0) == _BUDGET) or ((first, operator, second) == (48, b"<<", 10)):
        return index + 2
    return -1


def _value(toks: list[Token], index: int) -> int | None:
    return integer(toks[index].text) if toks[index].kind == "number" else None


def _is_compared(toks: list[Token], first: int, last: int) -> bool:
    """Whether a comparison stands beside a number, parentheses about it left out, and names shared memory."""
    while first > 0 and last + 1 < len(toks) and (toks[first - 1].text, toks[last + 1].text) == (b"(", b")"):
        first, last = first - 1, last + 1
    if toks[first - 1].text in _COMPARISONS and first:
        operand, step = first - 2, -1
    elif last + 1 < len(toks) and toks[last + 1].text in _COMPARISONS:
        operand, step = last + 2, 1
    else:
        return False
    for _ in range(_REACH):
        if not 0 <= operand < len(toks) or toks[operand].text in _ENDS:
            return False
        if toks[operand].kind == "identifier" and _SHARED.search(toks[operand].text):
            return True
        operand += step
    return False
