"""MUS304: `/ 32`, `% 32`, `>> 5`, `& 31` on a thread's index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.mentions import is_member
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.numbers import Number, named_for_threads, numbers

CODE = "MUS304"
TITLE = "Thread index split at 32"
WHY = """
This computes the number of a 32-lane group and the lane within it. It stays right on 128-lane hardware as long as
everything that goes with it (shuffles of width 32, arrays with one slot for each 32 threads) counts in groups of 32
as well; it goes wrong beside `warpSize`, whole-warp votes, or code that takes lanes of one group to run in lockstep.
"""
EXAMPLE = """
const int lane = threadIdx.x & 31;
"""
INSTEAD = """
Nothing, if the group of 32 is meant throughout. Give the number a name (`kLanes`), so that the next reader sees that
it is no warp size.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tilelang_musa: src/tl_templates/musa/common.h",
    "ORNL HeCBench issue 167 (32 in two roles)",
    "MooreThreads/muThrust: thrust/system/musa/detail/core/util.h (warp width by arch)",
)
TRIGGERS = frozenset(
    (
        b"threadIdx",
        b"tid",
        b"tidx",
        b"thread_id",
        b"threadId",
        b"laneid",
        b"lane",
        b"lane_id",
        b"laneId",
    )
)
VALID = (
    "__global__ void k(int* x, int n) {\n  int b = blockIdx.x / 32;\n}\n",
    "__global__ void k(int* x, int n) {\n  int b = n / 32 + (n & 31);\n}\n",
    "__global__ void k(int* x, int n) {\n  int r = threadIdx.x / 16;\n}\n",
    "// threadIdx.x / 32\n",
    "__global__ void k(int* x, int n) {\n  int r = x[threadIdx.x] / 32;\n}\n",
    "int blocks(int tid_count) { return tid_count / 32; }\n",
    "dim3 grid(n / 32);\n",
    "__global__ void k(int* x, int n) {\n  int r = s.lane % 32;\n}\n",
    "int f(int tid) { return tid / 32; }\n",
    "__global__ void k(int* x, int n) {\n  int l = threadIdx.x & (64 - 1);\n}\n",
    "__global__ void k(int* x) {\n  int t = threadIdx.x;\n}\n__device__ int g(int t) {\n  return t / 32;\n}\n",
    "__global__ void k(int* x) {\n  int t = threadIdx.x + blockIdx.x * 256;\n  x[t / 32] = 1;\n}\n",
)
INVALID = (
    Case("__global__ void k(int* x, int n) {\n  int lane = threadIdx.x & 31;\n}\n", findings=("threadIdx.x & 31",)),
    Case(
        "__global__ void k(int* x, int n) {\n  int w = threadIdx.x / 32, l = threadIdx.x % 32;\n}\n",
        findings=("threadIdx.x / 32", "threadIdx.x % 32"),
    ),
    Case("__global__ void k(int* x, int n) {\n  int tid = threadIdx.x; int w = tid >> 5;\n}\n", findings=("tid >> 5",)),
    Case("__global__ void k(int* x) {\n  int l = threadIdx.x & (32 - 1);\n}\n", findings=("threadIdx.x & (32 - 1)",)),
    Case("__global__ void k(int* x) {\n  int t = threadIdx.x;\n  int l = t % 32;\n}\n", findings=("t % 32",)),
    Case("__global__ void k(int* x, int n) {\n  int l = threadIdx.y & 0x1f;\n}\n", findings=("threadIdx.y & 0x1f",)),
)


# What has to stand before the number, or a comment does.
_INDEX = rb"threadIdx\s*\.\s*\w+|\b(?:tid|tidx|thread_id|threadId|laneid|lane|lane_id|laneId)"
_SPLIT = late_pattern(rb"\b(?:" + _INDEX + rb")\s*([/%&]|>>)\s*\(?\Z")
# A variable that is a thread's index and no more: `const int t = threadIdx.x;`.
_HELD = late_pattern(rb"\b([A-Za-z_]\w*)\s*=\s*(?:\(\s*[\w ]+\)\s*)?threadIdx\s*\.\s*[xyz]\s*[;,]")
_SPLIT_NAME = late_pattern(rb"\b([A-Za-z_]\w*)\s*(?:[/%&]|>>)\s*\(?\Z")
_SPLITS = {b"/": 32, b"%": 32, b"&": 31, b">>": 5}


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each split of a thread's index at 32, in device code."""
    # Nearly every kernel names threadIdx, so the numbers are looked at before any tokens are made.
    if not unit.wide_archs:
        return
    held = _held(unit)
    if not any(_is_likely(number, held) for number in numbers(unit)):
        return
    bodies = {(found[1], unit.device_body(found.start())) for found in _HELD.finditer(unit.src)} if held else set()
    toks = unit.tokens
    for start, _, name, _ in unit.occurrences(TRIGGERS.union(held)):
        if name in held and (name, unit.device_body(start)) not in bodies:
            continue
        index = unit.token_index(start)
        if index < 0 or is_member(toks, index) or not unit.in_device_code(start):
            continue
        last = index
        if name == b"threadIdx":
            if index + 2 >= len(toks) or toks[index + 1].text != b".":
                continue
            last = index + 2
        if last + 2 >= len(toks) or toks[last + 1].text not in _SPLITS:
            continue
        sign, number = toks[last + 1], toks[last + 2]
        if number.text == b"(" and (closed := unit.partners.get(last + 2, 0)) == last + 6:
            # `& (32 - 1)`
            if sign.text != b"&" or [token.text for token in toks[last + 4 : closed]] != [b"-", b"1"]:
                continue
            value, number = integer(toks[last + 3].text), toks[closed]
            wanted: int | None = 32
        else:
            value, wanted = integer(number.text) if number.kind == "number" else None, _SPLITS[sign.text]
        if value != wanted:
            continue
        yield Finding(
            CODE,
            "note",
            toks[index].start,
            number.end,
            f"this splits a thread's index at 32, which is a warp on mp_31 only ({', '.join(unit.wide_archs)}: 128 "
            "lanes). It is right as long as everything beside it counts in groups of 32 too.",
            name=name.decode("ascii"),
        )


def splits_index(unit: Unit, number: Number) -> bool:
    """Whether a number stands where one splits a thread's index, so that a finding of this rule covers it."""
    return unit.in_device_code(number.start) and _is_likely(number, _held(unit))


def _held(unit: Unit) -> dict[bytes, int]:
    """Variables that hold a thread's index, with where they get it."""
    if b"threadIdx" not in unit.words:
        return {}
    found = {match[1]: match.start() for match in _HELD.finditer(unit.src)}
    return {name: start for name, start in found.items() if name not in TRIGGERS and not named_for_threads(name)}


def _is_likely(number: Number, held: Collection[bytes]) -> bool:
    if _SPLIT.search(number.head) is not None:
        return True
    if held and (split := _SPLIT_NAME.search(number.head)) is not None and split[1] in held:
        return True
    # A comment between the index and the number hides the one from the other.
    return number.cut and _OPERATOR.fullmatch(number.head) is not None


_OPERATOR = late_pattern(rb"\s*(?:(?:\.\s*)?\w*\s*(?:[/%&]|>>))?")
