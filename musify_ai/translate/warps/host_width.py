"""MUS305: `warpSize` of the device properties, in host code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from musify_ai.records import Edit, Finding, Related, Safety
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.answers import same_answer
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.mentions import is_member, mentions
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps import (
    builtin_width,
    groups_of_32,
    lane_arithmetic,
    lanes_counted,
    shuffle_width,
    votes,
)

CODE = "MUS305"
TITLE = "Warp size asked for on the host"
WHY = """
The host sees 128 on mp_21 and mp_22. Where that number sizes a launch, shared memory or a kernel argument while the
kernel counts in groups of 32 (or the other way round), host and device disagree: wrong results or a failed launch, as
llama.cpp met on an S80.
"""
EXAMPLE = """
int warps = threads / prop.warpSize;
"""
INSTEAD = """
One source for both sides: the constant 32 where the kernel counts in 32, or a kernel that takes the width as a
parameter.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "llama.cpp pull request 12445",
    "ggml-org/ggml: src/ggml-cuda/ggml-cuda.cu (32 on the host as well)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = frozenset(
    (
        b"warpSize",
        b"cudaDevAttrWarpSize",
        b"CU_DEVICE_ATTRIBUTE_WARP_SIZE",
    )
)
VALID = (
    "bool f(cudaDeviceProp p) { return p.warpSize <= 1; }\n",
    'void f(cudaDeviceProp p) { printf("warp %d", p.warpSize); }\n',
    "void f(cudaDeviceProp p) { std::cout << p.warpSize << std::endl; }\n",
    "__global__ void k(int* x, int n) {\n  x[0] = warpSize;\n}\n",
    "// prop.warpSize\n",
)
INVALID = (
    Case("int f(cudaDeviceProp p) { return 256 / p.warpSize; }\n", findings=("p.warpSize",)),
    Case("void f(cudaDeviceProp* p) { k<<<1, p->warpSize>>>(); }\n", findings=("p->warpSize",)),
    Case("void f(int* w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n", findings=("cudaDevAttrWarpSize",)),
)


_PRINTERS = frozenset((b"printf", b"fprintf", b"sprintf", b"snprintf", b"print", b"format", b"println", b"puts"))
_REACH = 200


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place that does more than print the number, over the launches that it reaches and the places
    where device code counts in lanes."""
    if not unit.wide_archs:
        return
    toks = unit.tokens
    indices = [i for i in _members(unit) if not _printed(unit, i) and not _indifferent(unit, i)]
    places = [(max(index - 2, 0), index) for index in indices]
    places += [(index, index) for index in mentions(unit, TRIGGERS - {b"warpSize"})]
    device = _device_halves(unit) if places else ()
    for first, last in places:
        launches = tuple(_launches(unit, last))
        reaches = f" It reaches the launch in line {unit.lines.line_of(launches[0].start)}." if launches else ""
        counts = f" Device code counts in lanes from line {unit.lines.line_of(device[0].start)} on." if device else ""
        yield Finding(
            CODE,
            "warning",
            toks[first].start,
            toks[last].end,
            f"the device's warp size is 128 on {', '.join(unit.wide_archs)}. If this number reaches a launch, a size "
            f"or a kernel that counts in 32, host and device disagree: use one constant for both.{reaches}{counts}",
            effort=EFFORT,
            related=launches + device,
            name=toks[last].text.decode("ascii"),
        )


_HALVES = {
    "MUS301": "a kernel counts with the built-in warpSize here",
    "MUS302": "a shuffle takes the default width here",
    "MUS303": "a vote covers 32 lanes here",
    "MUS304": "a kernel splits threads at 32 here",
    "MUS306": "a 32 means a warp here",
    "MUS307": "a 32 counts lanes here",
}


def _device_halves(unit: Unit) -> tuple[Related, ...]:
    """The first place in device code of each kind that counts in lanes, in order."""
    rules = (builtin_width, shuffle_width, votes, lane_arithmetic, groups_of_32, lanes_counted)
    found = []
    for rule in rules:
        places = (each for each in rule.find(unit) if isinstance(each, Finding) and unit.in_device_code(each.start))
        first = min(places, key=lambda each: each.start, default=None)
        if first is not None:
            found.append(Related("", first.start, first.end, _HALVES[rule.CODE]))
    return tuple(sorted(found, key=lambda each: each.start))


def _launches(unit: Unit, index: int) -> Iterator[Related]:
    """The launches after a token, in the block around it, that name it or a variable that it flows into."""
    toks = unit.tokens
    opener = unit.openers[index]
    while opener >= 0 and toks[opener].text != b"{":
        opener = unit.openers[opener]
    end = unit.partners[opener] if opener >= 0 else len(toks)
    start = index
    while start > 0 and toks[start - 1].text not in _STATEMENT_ENDS:
        start -= 1
    carried: set[bytes] = set()
    position = start
    while position < end:
        stop = position
        while stop < end and toks[stop].text not in _STATEMENT_ENDS:
            stop += 1
        statement = toks[position:stop]
        held = position <= index < stop or any(each.text in carried for each in statement)
        if held and any(each.text == b"<<<" for each in statement):
            yield Related("", statement[0].start, statement[-1].end, "this launch takes it")
        elif held:
            carried |= _targets(statement)
        position = stop + 1


_STATEMENT_ENDS = frozenset((b";", b"{", b"}"))


def _targets(statement: Sequence[Token]) -> set[bytes]:
    """The variables that a statement writes: those before ``=``, and what it hands on by address."""
    found = set()
    for before, after in pairwise(statement):
        if before.kind == "identifier" and after.text in (b"=", b"+=", b"*="):
            found.add(before.text)
        if before.text == b"&" and after.kind == "identifier":
            found.add(after.text)
    # `dim3 block(width, 4);`
    if len(statement) > 2 and statement[0].text == b"dim3" and statement[1].kind == "identifier":
        found.add(statement[1].text)
    return found


def _members(unit: Unit) -> Iterator[int]:
    for each in unit.occurrences((b"warpSize",)):
        index = unit.token_index(each.start)
        if index >= 0 and is_member(unit.tokens, index) and not unit.in_device_code(each.start):
            yield index


def _indifferent(unit: Unit, index: int) -> bool:
    """Whether the number is only compared with one that leaves 32 and 128 on the same side."""
    following = unit.tokens[index + 1 : index + 3]
    if len(following) < 2:
        return False
    return same_answer(following[0].text, integer(following[1].text), (32,), (128,))


def _printed(unit: Unit, index: int) -> bool:
    """Whether the number only goes into a print call or a stream."""
    toks = unit.tokens
    position, depth = index, 0
    while position > 0 and index - position < _REACH:
        position -= 1
        text = toks[position].text
        if text == b")":
            depth += 1
        elif text == b"(" and depth:
            depth -= 1
        elif text == b"(":
            return position > 0 and toks[position - 1].text in _PRINTERS
        elif text in (b";", b"{", b"}"):
            return toks[index - 3].text == b"<<" and index >= 3
    return False
