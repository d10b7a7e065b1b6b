"""MUS306: a 32 that means a warp: constants named for it, threads counted in it, arrays with a slot for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.first_looks import NUMBERS
from musify_ai.translate.guards.conditions import integer
from musify_ai.translate.mentions import is_member
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps.lane_arithmetic import TRIGGERS as SPLIT_INDICES
from musify_ai.translate.warps.numbers import Number, named_for_threads, numbers

CODE = "MUS306"
TITLE = "A 32 that means a warp"
WHY = """
A warp has 32 lanes on mp_31 and 128 on mp_21 and mp_22. Code that writes 32 for it stays right there only if everything
counts in groups of 32: the constant, the number of groups in a block, the arrays with a slot for each group, the
shuffles with an explicit width. One place that asks the device instead (`warpSize`, `prop.warpSize`) breaks it. A 32
that is the bits of a word, the side of a tile or the size of a type is not reported.
"""
EXAMPLE = """
constexpr int kWarps = BLOCK_SIZE / 32;
"""
INSTEAD = """
Nothing, if groups of 32 are meant throughout: then see that no `warpSize` and no whole-warp vote stands beside it.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "ggml-org/ggml: src/ggml-cuda/ggml-cuda.cu (32 on the host where the device reports 128)",
    "ORNL HeCBench issue 167 (32 in two roles)",
    "MooreThreads/muAlg: cub/util_arch.cuh (groups of 32 on every arch)",
)
TRIGGERS = frozenset((b"__global__", b"__device__", b"__shared__", b"__launch_bounds__", b"blockDim", b"dim3"))
VALID = (
    "__global__ void k(int* x) {\n  __shared__ float tile[32][33];\n  x[0] = x[1] >> 5;\n}\n",
    "__device__ int word(int bit) { return bit / 32; }\n",
    "__device__ int f(unsigned long long v) { return (int)(v >> 32) * 32; }\n",
    "__device__ const int SIZES[] = {16, 32, 64};\n",
    "#define TILE_DIM 32\n__global__ void k() {}\n",
    "__global__ void k(int n) {\n  int rows = n / 32;\n}\n",
    "#define WARP_OFFSET 32\n__global__ void k() {}\n",
    "__global__ void k(float* x) {\n  __shared__ float rows[32][8];\n}\n",
)
INVALID = (
    Case("#define WARP_SIZE 32\n__global__ void k() {}\n", findings=("WARP_SIZE 32",)),
    Case("constexpr int kWarpSize = 32;\n__global__ void k() {}\n", findings=("kWarpSize = 32",)),
    Case("constexpr int kThreadsPerWarp = 32;\n__global__ void k() {}\n", findings=("kThreadsPerWarp = 32",)),
    Case("enum { WARP_SIZE = 32, N = 8 };\n__global__ void k() {}\n", findings=("WARP_SIZE = 32",)),
    Case("template <int kNumWarps = kNumThreads / 32> __device__ int f();\n", findings=("kNumThreads / 32",)),
    Case("__global__ void k() {\n  const int warps = blockDim.x / 32;\n}\n", findings=("blockDim.x / 32",)),
    Case("__global__ void k();\nint s(int block_size) { return block_size % 32; }\n", findings=("block_size % 32",)),
    Case("__global__ void __launch_bounds__(kWarps * 32) k() {}\n", findings=("kWarps * 32",)),
    Case("__global__ void k() {\n  __shared__ float sums[32];\n}\n", findings=("[32]",)),
    Case("__global__ void k() {\n  __shared__ int rows[nWarps][32];\n}\n", findings=("[32]",)),
    Case("__global__ void k() {\n  f(linear_tid / 32);\n}\n", findings=("linear_tid / 32",)),
    Case("__global__ void k() {\n  if (blockDim.x <= 32) f();\n}\n", findings=("blockDim.x <= 32",)),
)

# What stands before a number that may mean a warp, as the ends of what `_meaning` looks for.
_SPLITTING = late_pattern(rb"([\w$\x80-\xff]+|\))\s*(?:[/%&]|>>)\Z")
_NAMED = late_pattern(rb"([\w$\x80-\xff]+)\s*=\Z")
_DEFINED = late_pattern(rb"define\s+([\w$\x80-\xff]+)\Z")
_COUNTED = late_pattern(rb"([\w$\x80-\xff]+)\s*\*\Z")
_COMPARED = late_pattern(rb"\bblockDim\s*\.\s*[xy]\s*(?:<=|>=|==|<|>)\Z")
_WORD = late_pattern(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
# How little code after a comment leaves open what stood before it.
_SHORT = 40
_WARP_SIZE = late_pattern(
    rb"(?:log_?2?_?)?(?:k|c|g|m)?_*(?:n|num)?_?warp_?(?:size|sz|width|lanes?|threads?)_*\Z|"
    rb"(?:\w+_)?(?:warp_?size)\Z|(?:k|num)?_?(?:threads?|lanes?)_?(?:in|per)_?(?:a_?)?warp\Z|(?:k|C)?_?warp\Z",
    re.IGNORECASE,
)
_WARPS = late_pattern(rb"NUM_WORKERS\Z|\w*warps?(?:\w*(?:id|idx|count|block|group|cta|per|n|m|k)\w*)?\Z", re.IGNORECASE)
_SPLITS = {b"/": 32, b"%": 32, b">>": 5, b"&": 31}
_COMPARISONS = frozenset((b"<=", b"<", b">", b">=", b"=="))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each such 32."""
    if not unit.wide_archs:
        return
    archs = ", ".join(unit.wide_archs)
    for number in numbers(unit):
        # Most files with kernels hold a 32 or a 5 that is neither; making their tokens to find that out would cost
        # more than all other rules together.
        if number.text not in _NUMBERS or not _is_likely(unit, number):
            continue
        toks, index = unit.tokens, unit.token_index(number.start)
        if index < 2 or toks[index].text not in _NUMBERS:
            continue
        token = toks[index]
        what = _meaning(unit, toks, index, integer(token.text))
        if what is None:
            continue
        start, end, kind = what
        yield Finding(
            CODE,
            "note",
            start,
            end,
            f"{kind}: a warp is 32 lanes on mp_31 only ({archs}: 128). It stays right where everything beside it "
            "counts in groups of 32 too.",
            effort=EFFORT,
            name=unit.src[start:end].decode("latin-1")[:40],
        )


_NUMBERS = NUMBERS - {b"0x5"}


def _is_likely(unit: Unit, number: Number) -> bool:
    """Whether the bytes about a number allow for what `_meaning` asks of its tokens."""
    head, src = number.head, unit.src
    if number.cut and len(head) < _SHORT:
        return True
    last = head[-1:]
    if last in (b"/", b"%", b"&", b">") and (split := _SPLITTING.search(head)) is not None:
        name = split[1]
        if name == b")":
            return b"/" in head[:-1] or any(counts_threads(word) for word in _WORD.findall(head))
        if name in (b"x", b"y", b"z") or counts_threads(name):
            return True
    if last == b"[":
        return b"__shared__" in unit.words
    if last == b"=" and (named := _NAMED.search(head)) is not None and _WARP_SIZE.match(named[1]):
        return True
    if last == b"*" and (counted := _COUNTED.search(head)) is not None and _counts_warps(counted[1]):
        return True
    if last in (b"=", b"<", b">") and _COMPARED.search(head) is not None:
        return True
    if (defined := _DEFINED.search(head)) is not None and _WARP_SIZE.match(defined[1]):
        return True
    after = _AFTER.match(src, number.start + len(number.text))
    return after is not None and (after[1] is None or _counts_warps(after[1]))


# A star after the number, with what it multiplies; a comment there leaves open what that is.
_BLANKS = rb"(?:\s|\\\r?\n)*+"
_AFTER = late_pattern(_BLANKS + rb"(?:\*" + _BLANKS + rb"(?:([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)|(?=/))|/[/*])")


def _meaning(unit: Unit, toks: list[Token], index: int, value: int | None) -> tuple[int, int, str] | None:
    before, token = toks[index - 1], toks[index]
    if value == 32 and before.kind == "identifier" and _is_define(unit, toks, index) and _WARP_SIZE.match(before.text):
        return before.start, token.end, "this names 32 as the warp's width"
    name = toks[index - 2]
    if value == 32 and before.text == b"=" and name.kind == "identifier" and _WARP_SIZE.match(name.text):
        return name.start, token.end, "this names 32 as the warp's width"
    if _SPLITS.get(before.text) == value:
        start = _threads(unit, toks, index - 2)
        return None if start is None else (start, token.end, "this splits a number of threads at 32")
    if value != 32:
        return None
    if before.text == b"*" and name.kind == "identifier" and _counts_warps(name.text):
        return name.start, token.end, "this counts 32 threads for each warp"
    following = toks[index + 1 : index + 3]
    if len(following) == 2 and following[0].text == b"*" and _counts_warps(following[1].text):
        return token.start, following[1].end, "this counts 32 threads for each warp"
    if before.text in _COMPARISONS and name.text in (b"x", b"y") and toks[index - 4].text == b"blockDim":
        return toks[index - 4].start, token.end, "this compares the size of the block with 32"
    if before.text == b"[" and following and following[0].text == b"]":
        return _array(toks, index)
    return None


def _is_define(unit: Unit, toks: list[Token], index: int) -> bool:
    line = unit.directive_at(toks[index].start)
    return line is not None and line.keyword == b"define" and toks[index - 2].text == b"define"


def _counts_warps(name: bytes) -> bool:
    return bool(_WARPS.match(name)) and not _WARP_SIZE.match(name)


def _threads(unit: Unit, toks: list[Token], last: int) -> int | None:
    """Where an operand that counts threads begins, if the operand that ends here does."""
    if toks[last].text == b")":
        opener = unit.partners.get(last)
        if opener is None or last - opener > 24:
            return None
        inside = [token for token in toks[opener:last] if token.kind == "identifier"]
        return toks[opener].start if any(counts_threads(token.text) for token in inside) else None
    if toks[last].kind != "identifier":
        return None
    if toks[last].text in (b"x", b"y", b"z") and toks[last - 1].text == b".":
        return toks[last - 2].start if toks[last - 2].text == b"blockDim" else None
    own = toks[last].text in SPLIT_INDICES and unit.in_device_code(toks[last].start)
    return None if own or not counts_threads(toks[last].text) else toks[last].start


def counts_threads(name: bytes) -> bool:
    """Whether a name is of a number of threads."""
    return named_for_threads(name) and name not in SPLIT_INDICES


def _array(toks: list[Token], index: int) -> tuple[int, int, str] | None:
    """A shared array with 32 slots: one for each warp that a block can have, or one for each lane of each warp."""
    first = index - 1
    text = toks[first - 1].text
    by_warp = text == b"]" and _counts_warps(toks[first - 2].text)
    next_dimension = toks[index + 2 : index + 4]
    is_table = len(next_dimension) == 2 and next_dimension[0].text == b"[" and next_dimension[1].kind == "number"
    if not by_warp and (is_table or toks[first - 1].kind != "identifier"):
        return None
    position = first
    while position > 0 and first - position < 16:
        position -= 1
        if toks[position].text in (b";", b"{", b"}"):
            return None
        if toks[position].text == b"__shared__" and not is_member(toks, position):
            kind = "this has a slot for each lane of a warp" if by_warp else "this has a slot for each of 32 warps"
            return toks[first].start, toks[index + 1].end, kind
    return None
