"""MUS209: host code that compares a device's compute capability with NVIDIA's numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.lexing import Occurrence
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.answers import same_answer
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS209"
TITLE = "Compute capability test on the host"
WHY = """
A MUSA device reports 2.1, 2.2 or 3.1. A test such as `prop.major >= 8` is false on all of them, so the program falls
back to a slower path, or refuses to run, without saying why.
"""
EXAMPLE = """
if (prop.major >= 8) use_bf16();
"""
INSTEAD = """
Ask for the feature, or compare with MUSA's numbers under a guard of the project's (`prop.major >= 3` for what sm_90
brought, 2.2 for what sm_80 brought).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/flashinfer.py (compute capability >= 8 changed to >= 3)",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (compute capabilities of MUSA archs)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "bool f(int cc, int sm) { return cc > 3 && sm == 0; }\n",
    "void f(P p) { p.arch = 90; }\n",
    'void f(cudaDeviceProp p) { std::cout << p.major << "." << p.minor; }\n',
    "bool f(cudaDeviceProp p) { return p.major >= 2 && p.major != 9999; }\n",
    'void f(cudaDeviceProp p) { printf("%d.%d", p.major, p.minor); }\n',
    "void f(cudaDeviceProp p, V v) { int x = p.major; if (v.count >= 8) g(); }\n",
    "// cudaDeviceProp p; p.major >= 8\n",
    "void f(int v, int n) { cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); if (n < 8) g(v); }\n",
    "void f(int v) { cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); if (v < 0) g(v); }\n",
    "void f(cudaDeviceProp p, V v) { if (p.multiProcessorCount >= 8) g(); }\n",
)
INVALID = (
    Case("bool f(P p) { return p.sm_version == 90; }\n", findings=("p.sm_version == 90",)),
    Case("void f() { int sm = arch(); CHECK(sm >= 90 && sm < 100, 1); }\n", findings=("sm >= 90", "sm < 100")),
    Case("bool f(int cc) { return 75 <= cc; }\n", findings=("75 <= cc",)),
    Case("auto f(cudaDeviceProp* p) { return S{p->major, p->minor}; }\n", findings=("p->major, p->minor",)),
    Case("int f(cudaDeviceProp p) { return p.major * 10 + p.minor; }\n", findings=("p.major * 10 + p.minor",)),
    Case(
        'void f(cudaDeviceProp p, char* b) { sprintf(b, "%d%d", p.major, p.minor); }\n', findings=("p.major, p.minor",)
    ),
    Case("void f(cudaDeviceProp p) { if (p.major >= 8) g(); }\n", findings=("p.major >= 8",)),
    Case(
        "void f(cudaDeviceProp* p) { bool ok = p->major * 10 + p->minor >= 75; }\n",
        findings=("p->major * 10 + p->minor >= 75",),
    ),
    Case("void f(cudaDeviceProp p) { if (p.major == 8 && p.minor == 0) g(); }\n", findings=("p.major == 8",)),
    Case("void f(cudaDeviceProp p) { switch (p.major) { case 8: g(); } }\n", findings=("p.major",)),
    Case(
        "void f(int v) { cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); if (v < 8) g(); }\n",
        findings=("v < 8",),
    ),
    Case("bool f(cudaDeviceProp p) { return 7 < p.major; }\n", findings=("7 < p.major",)),
    Case("bool f(cudaDeviceProp p) { return p.major >= MIN_MAJOR; }\n", findings=("p.major >= MIN_MAJOR",)),
)


# Major numbers of the devices: CUDA 12 supports 5 and up, MUSA devices have 2 and 3.
_NVIDIA = (5, 6, 7, 8, 9, 10, 12)
_MUSA = (2, 3)
_COMPARISONS = frozenset((b"==", b"!=", b"<", b">", b"<=", b">="))
_ENDS = frozenset((b";", b"{", b"}", b",", b"&&", b"||", b"?", b":", b"=", b"return"))

# Numbers that mean an NVIDIA arch: sm_50 to sm_129, with a digit more for the macro's scale.
_NUMBERS = range(50, 130)
_NAMED = TRIGGERS - frozenset((b"cudaDeviceProp", b"cudaGetDeviceProperties", b"getDeviceProperties", b"CUdevice"))
_ATTRIBUTES = frozenset((b"cudaDevAttrComputeCapabilityMajor", b"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"))
_PRINTERS = frozenset((b"printf", b"fprintf", b"sprintf", b"snprintf", b"print", b"format", b"printLine", b"cout"))
# A comparison with a number of two digits at least; a comment there hides what it is with.
_BLANKS = rb"(?:\s|\\\r?\n)*+"
_COMPARED_NEXT = late_pattern(_BLANKS + rb"(?:/[/*]|(?:[<>]=?+|[=!]=)" + _BLANKS + rb"(?:/[/*]|\d\w))")
_COMPARED_BEFORE = late_pattern(rb"\d\w[\w']*+" + _BLANKS + rb"(?:[<>]|[=!]=)")
_CUTS = late_pattern(rb".*[;{}(),]", re.DOTALL)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each comparison that a member ``major`` or a number of an arch takes part in, and for each place
    that puts ``major`` and ``minor`` together."""
    # Both are asked of the bytes first: cc and major are words of many a file, and tokens are dear.
    if b"major" in unit.words and any(_may_be_member(unit.src, found) for found in unit.occurrences((b"major",))):
        yield from _members(unit)
    yield from _attributes(unit)
    if any(_may_be_compared(unit.src, found) for found in unit.occurrences(_NAMED)):
        yield from _arch_numbers(unit)


def _may_be_member(src: bytes, found: Occurrence) -> bool:
    """Whether a dot or an arrow stands before a name, or a comment or a line splice hides what does."""
    head = src[max(found.floor, found.start - _NEAR) : found.start].rstrip()
    return not head or head.endswith((b".", b"->", b"\\"))


def _may_be_compared(src: bytes, found: Occurrence) -> bool:
    """Whether a comparison stands beside a name, or beside what it is a member of; so too where a comment or a line
    splice leaves that open."""
    if _COMPARED_NEXT.match(src, found.end) is not None:
        return True
    head = src[max(found.floor, found.start - _NEAR) : found.start]
    cut = _CUTS.match(head)
    if cut is None and 0 < found.floor > found.start - _NEAR:
        return True
    return _COMPARED_BEFORE.search(head, 0 if cut is None else cut.end()) is not None


_NEAR = 120


def _members(unit: Unit) -> Iterator[Finding]:
    toks = unit.tokens
    covered = 0
    for index, token in enumerate(toks):
        if token.text != b"major" or index == 0 or toks[index - 1].text not in (b".", b"->") or token.start < covered:
            continue
        first, last = _bounds(toks, index)
        piece = toks[first : last + 1]
        compared = any(each.text in _COMPARISONS for each in piece)
        if compared and (any(each.kind == "number" for each in piece) or _names_constant(piece)):
            covered = piece[-1].end
            if index + 2 == last and same_answer(toks[index + 1].text, integer(toks[last].text), _NVIDIA, _MUSA):
                continue
            yield _compares(piece[0].start, piece[-1].end, "major")
        elif not compared and toks[first - 2].text == b"switch" and toks[first - 1].text == b"(":
            covered = piece[-1].end
            yield _compares(piece[0].start, covered, "major")
        elif not compared and (end := _pair_end(toks, index)) >= 0 and not _printed(unit, index):
            covered = toks[end].end
            yield Finding(
                CODE,
                "note",
                toks[index - 2].start,
                covered,
                "this hands a compute capability on; MUSA devices report 2.1, 2.2 and 3.1. See what is done with it: a "
                "table or a test of NVIDIA's numbers has no place for them.",
                name="major",
            )


def _attributes(unit: Unit) -> Iterator[Finding]:
    """Comparisons of a variable that asking for the attribute filled in: ``cudaDeviceGetAttribute(&v, Major, 0)``."""
    toks = unit.tokens if not unit.words.isdisjoint(_ATTRIBUTES) else []
    names: dict[bytes, int] = {}
    for each in unit.occurrences(_ATTRIBUTES) if toks else ():
        index = unit.token_index(each.start)
        opener = unit.openers[index] if index >= 0 else -1
        if opener >= 0 and toks[opener + 1].text == b"&" and toks[opener + 3].text == b",":
            names.setdefault(toks[opener + 2].text, each.start)
    for index, token in enumerate(toks[:-2]) if names else ():
        if token.start < names.get(token.text, len(unit.src)) or toks[index - 1].text in (b".", b"->", b"&"):
            continue
        sign, number = toks[index + 1], toks[index + 2]
        value = integer(number.text) if number.kind == "number" else None
        if sign.text in _COMPARISONS and value is not None and not same_answer(sign.text, value, _NVIDIA, _MUSA):
            yield _compares(token.start, number.end, token.text.decode("latin-1"))


def _arch_numbers(unit: Unit) -> Iterator[Finding]:
    """Comparisons of a variable that is named for the arch with a number of NVIDIA's."""
    toks = unit.tokens
    for each in unit.occurrences(_NAMED):
        index = unit.token_index(each.start)
        if index < 2 or index + 2 >= len(toks) or unit.directive_at(each.start) is not None:
            continue
        start = index
        while start > 1 and toks[start - 1].text in (b".", b"->") and toks[start - 2].kind == "identifier":
            start -= 2
        for sign, number, first, last in (
            (toks[index + 1], toks[index + 2], start, index + 2),
            (toks[start - 1], toks[start - 2], start - 2, index),
        ):
            value = integer(number.text) if number.kind == "number" else None
            if sign.text in _COMPARISONS and value is not None and (value in _NUMBERS or value // 10 in _NUMBERS):
                yield _compares(toks[first].start, toks[last].end, each.name.decode("ascii"))
                break


def _compares(start: int, end: int, name: str) -> Finding:
    return Finding(
        CODE,
        "warning",
        start,
        end,
        "this compares a compute capability with NVIDIA's numbers; MUSA devices report 2.1, 2.2 and 3.1. Say what the "
        "test is for: 2.2 for what sm_80 brought, 3.1 for what sm_90 brought.",
        name=name,
    )


def _pair_end(toks: list[Token], index: int) -> int:
    """Where ``x.minor`` ends that goes with ``x.major``: behind a comma, or a shift or a product and a sum; else -1."""
    position = index + 1
    if position + 1 < len(toks) and toks[position].text in (b"*", b"<<") and toks[position + 1].kind == "number":
        position += 2
    while position < len(toks) and toks[position].text == b")":
        position += 1
    if position + 3 >= len(toks) or toks[position].text not in (b",", b"+", b"|"):
        return -1
    return position + 3 if toks[position + 3].text == b"minor" else -1


def _printed(unit: Unit, index: int) -> bool:
    """Whether a place only prints: unless the text puts both numbers together without a dot, as names of archs do."""
    toks = unit.tokens
    opener = unit.openers[index]
    while opener > 0 and toks[opener].text == b"(":
        if toks[opener - 1].text in _PRINTERS:
            return not any(b"%d%d" in token.text for token in toks[opener:index] if token.kind == "string")
        opener = unit.openers[opener]
    return False


def _names_constant(piece: list[Token]) -> bool:
    """Whether a comparison is with a constant by its name: ``p.major >= MAJOR_MIN``."""
    return any(each.kind == "identifier" and each.text.isupper() and len(each.text) > 2 for each in piece)


def _bounds(toks: list[Token], index: int) -> tuple[int, int]:
    """The first and last token of the comparison around a member, parentheses balanced."""
    first, depth = index, 0
    while first > 0 and index - first < _REACH:
        text = toks[first - 1].text
        depth += (text == b")") - (text == b"(")
        if depth < 0 or (depth == 0 and text in _ENDS):
            break
        first -= 1
    last, depth = index, 0
    while last + 1 < len(toks) and last - index < _REACH:
        text = toks[last + 1].text
        depth += (text == b"(") - (text == b")")
        if depth < 0 or (depth == 0 and text in _ENDS):
            break
        last += 1
    return first, last


_REACH = 40
