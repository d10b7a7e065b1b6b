"""MUS307: a 32 that counts lanes beside a lane, a reduction or a launch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.first_looks import HALF
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.groups_of_32 import counts_threads
from musify_ai.translate.warps.lane_arithmetic import splits_index
from musify_ai.translate.warps.numbers import Number, numbers

CODE = "MUS307"
TITLE = "A 32 that counts lanes"
WHY = """
Not every 32 that means a warp stands beside a number of threads: rows are addressed by `j * 32 + lane`, reductions
start at 16 and scans end at 32, a block of 32 threads is launched for one warp, an assertion says that something has
a lane each. On mp_21 and mp_22 each of these covers a quarter of a warp: right as long as everything beside it counts
in 32 too.
"""
EXAMPLE = """
for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
"""
INSTEAD = """
Nothing, where groups of 32 are meant throughout and shuffles say their width.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tilelang_musa: src/tl_templates/musa/common.h",
    "ORNL HeCBench issue 167 (32 in two roles)",
    "ggml-org/ggml: src/ggml-cuda/ggml-cuda.cu (32 on the host where the device reports 128)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// j * 32 + lane\n",
    "__global__ void k(int j, int* x) {\n  x[j * 32 + 1] = 0;\n}\n",
    "__global__ void k(int n) {\n  for (int i = 0; i < 32; i++) f(i);\n}\n",
    "void f() { k<<<n / 32, 256>>>(); }\n",
    "__global__ void k() {\n  for (int i = 16; i < n; i++) f(i);\n}\n",
    "static_assert(sizeof(T) <= 32);\n",
    "__global__ void k() {\n  int lane = threadIdx.x & 31;\n}\n",
    "__global__ void k() {\n  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(b);\n}\n",
)
INVALID = (
    Case(
        "__device__ void f(int* x, int lane_idx) {\n  const int full = N / 32;\n  x[full * 32 + lane_idx] = "
        "w[lane_idx / 32];\n}\n",
        findings=("32", "32 + lane_idx"),
    ),
    Case(
        "__device__ void f(int* x, int lane_) {\n  static_assert(CTAS_PER_ROW <= 32);\n  if (lane_ < CTAS_PER_ROW) "
        "g();\n}\n",
        findings=("CTAS_PER_ROW <= 32",),
    ),
    Case("__global__ void k(int j, int* x) {\n  x[j * 32 + lane_id] = 0;\n}\n", findings=("32 + lane_id",)),
    Case("__global__ void k(int j, int* x) {\n  x[laneid + w * 32] = 0;\n}\n", findings=("laneid + w * 32",)),
    Case("__global__ void k(int i) {\n  const auto stored_lane = i % 32;\n}\n", findings=("stored_lane = i % 32",)),
    Case("__global__ void k(int n) {\n  f(n / 32 * lane_id);\n}\n", findings=("32 * lane_id",)),
    Case("__device__ void f() {\n  for (int o = 16; o > 0; o >>= 1) g(o);\n}\n", findings=("16; o > 0; o >>= 1",)),
    Case("__device__ void f() {\n  for (int d = 1; d < 32; d *= 2) g(d);\n}\n", findings=("d < 32; d *= 2",)),
    Case("__global__ void k();\nvoid f() { k<<<1, 32, 0, s>>>(); }\n", findings=("32",)),
    Case("__device__ void f() {\n  DEVICE_ASSERT(kNumRanks <= 32);\n}\n", findings=("kNumRanks <= 32",)),
    Case("__device__ int f(int n) {\n  int nThreads = UP(n, 8) * 32;\n}\n", findings=("nThreads = UP(n, 8) * 32",)),
    Case("#if NTHREADS < 32\n#endif\n__global__ void k();\n", findings=("NTHREADS < 32",)),
)

_LANE = rb"(?:\w+\s*(?:\.|->|::)\s*)*\w*[lL](?:ane|ANE)(?!s\b|out)\w*"
_AFTER_LANE = late_pattern(rb"\s*\+\s*\(?\s*" + _LANE)
_TIMES_LANE = late_pattern(rb"\s*\*\s*" + _LANE)
_BEFORE_LANE = late_pattern(rb"\b(" + _LANE + rb"(?:\s*\(\s*\))?)\s*\+\s*[\w.\s]*\*\Z")
_NAMES_LANE = late_pattern(rb"\b(\w*[lL](?:ane|ANE)(?!s\b)\w*)\s*=\s*[^;{}=,]*[%&]\Z")
_THREADS = late_pattern(rb"\b([A-Za-z_]\w*)\s*=\s*[^;{}=]*\*\Z")
_LIMIT = late_pattern(rb"\b([A-Za-z_]\w*)\s*(?:<=|<|>=|>|==)\Z")
_DOUBLES = late_pattern(rb"\s*;\s*(\w+)\s*(?:\*=\s*2|<<=\s*1)\b")
_HALVES = late_pattern(rb"\s*;\s*(\w+)\s*(?:>\s*0|>=\s*1|!=\s*0)?\s*;\s*\1\s*(?:>>=\s*1|/=\s*2)\b")
_LAUNCH = late_pattern(rb"<<<\s*(?:[^;,<>()]|\([^;()]*(?:\([^;()]*\)[^;()]*)*\))*,\Z")
_ASSERTION = late_pattern(rb"(?:assert|ASSERT|CHECK)\w*\s*\((?:[^();]|\([^();]*\))*\Z")
_DIVIDES = late_pattern(rb"/(?:\s*\(\s*\w+\s*\*)?\Z")
_PLACED = "this gives each of 32 lanes a place"
_COUNT = late_pattern(rb"(?:k?[nN]um|NUM|n)_?[A-Z]\w*|num_\w+")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each such number."""
    if not unit.wide_archs:
        return
    placed: set[tuple[int, int]] = set()
    divisions: list[Number] = []
    for number in numbers(unit):
        found = _meaning(unit, number)
        if found is not None:
            yield _note(unit, *found)
            if found[2] == _PLACED:
                placed |= {body} if (body := unit.device_body(number.start)) is not None else set()
        elif number.text in (b"32", b"0x20") and _DIVIDES.search(number.head):
            divisions.append(number)
    for number in divisions:
        # A place in an array is a word of bits as likely as not.
        index = unit.token_index(number.start)
        bracket = unit.openers[index] if index >= 0 else -1
        if unit.device_body(number.start) in placed and (bracket < 0 or unit.tokens[bracket].text != b"["):
            yield _note(unit, number.start, number.start + len(number.text), "this divides among the lanes placed here")
    for each in unit.occurrences((HALF,)):
        loop = _HALVES.match(unit.src, each.end)
        head = unit.src[max(each.start - 20, 0) : each.start].rstrip()
        if loop is not None and head.endswith(b"=") and unit.in_device_code(each.start):
            yield _note(unit, each.start, loop.end(), "this halves from 16, a reduction over 32 lanes")


def _meaning(unit: Unit, number: Number) -> tuple[int, int, str] | None:
    """Where an expression over a number begins and ends, and what the number means there."""
    src, head, start = unit.src, number.head, number.start
    end = start + len(number.text)
    last = head[-1:]
    if last in (b"%", b"&") and number.text != b"5":
        named = _NAMES_LANE.search(head)
        if named is None or splits_index(unit, number):
            return None
        return (start - _gap(unit, number, named), end, "this numbers the lanes of 32")
    if not number.text.startswith((b"32", b"0x20")):
        return None
    if last == b"*":
        after = _AFTER_LANE.match(src, end)
        if after is not None:
            return start, after.end(), _PLACED
        threads = _THREADS.search(head)
        if threads is not None and counts_threads(threads[1]) and src[end : end + 1] in (b";", b",", b")"):
            return start - _gap(unit, number, threads), end, "this counts threads in warps of 32"
        before = _BEFORE_LANE.search(head)
        return None if before is None else (start - _gap(unit, number, before), end, _PLACED)
    if last == b"/":
        after = _TIMES_LANE.match(src, end)
        return None if after is None else (start, after.end(), "this divides among 32 lanes")
    if last == b",":
        launched = _LAUNCH.search(head[-200:]) is not None and src[end : end + 4].lstrip()[:1] in (b",", b">")
        return (start, end, "this launches blocks of 32 threads, one warp") if launched else None
    limit = _LIMIT.search(head) if last in (b"<", b">", b"=") else None
    # `tile<32>` compares nothing.
    if limit is None or src[end : end + 1] == b">":
        return None
    first = start - _gap(unit, number, limit)
    doubled = _DOUBLES.match(src, end)
    if doubled is not None and doubled[1] == limit[1] and unit.in_device_code(start):
        return first, doubled.end(), "this doubles up to 32, a scan over 32 lanes"
    if counts_threads(limit[1]):
        return first, end, "this compares a number of threads with 32"
    asserted = _ASSERTION.search(head) is not None and (
        _COUNT.match(limit[1]) is not None or re.search(_LANE + rb"\s*<\s*" + limit[1] + rb"\b", src) is not None
    )
    return (first, end, "this asserts that 32 lanes are enough") if asserted else None


def _gap(unit: Unit, number: Number, match: re.Match[bytes]) -> int:
    """How far before a number what matched in its head begins."""
    blanks = 0
    while unit.src[number.start - blanks - 1 : number.start - blanks].isspace():
        blanks += 1
    return len(number.head) - match.start(1) + blanks


def _note(unit: Unit, start: int, end: int, what: str) -> Finding:
    archs = ", ".join(unit.wide_archs)
    return Finding(
        CODE,
        "note",
        start,
        end,
        f"{what}: a warp is 32 lanes on mp_31 only ({archs}: 128). It stays right where everything beside it counts in "
        "groups of 32 too.",
        effort=EFFORT,
        name=unit.src[start:end].decode("latin-1")[:40],
    )
