"""MUS514: static shared arrays over a target's limit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import ARCHS, Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS514"
TITLE = "Static shared memory over the limit"
WHY = """
mp_21 and mp_22 hold about 28 KB of shared memory for a block, where NVIDIA's GPUs hold 48 KB. A kernel whose static
arrays need more does not build for them ("shared memory exceeds limit").
"""
EXAMPLE = """
__shared__ float tile[96][96];
"""
INSTEAD = """
A smaller tile, two kernels, or no such kernel on that target (ports of mmcv left upfirdn2d and carafe out).
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/torch_musa: docs/markdown/source/06_third_party_lib_extension.md",
    "torch_musa issue 128",
)
TRIGGERS = triggers(CODE)
VALID = (
    "__global__ void k() {\n  __shared__ float s[256 * (33 - 32)];\n}\n",
    "__global__ void k() {\n  __shared__ float tile[32][33];\n}\n",
    "__global__ void k() {\n  extern __shared__ float tile[];\n}\n",
    "float tile[96][96];\n",
    "template <int N> __global__ void k() {\n  __shared__ float tile[N][96];\n}\n",
)
INVALID = (
    Case(
        "__global__ void k() {\n  __shared__ float s[(32 + 1) * 256], t;\n}\n",
        findings=("__shared__ float s[(32 + 1) * 256]",),
    ),
    Case("__global__ void k() {\n  __shared__ float tile[96][96];\n}\n", findings=("__shared__ float tile[96][96]",)),
    Case(
        "#define N 64\n__global__ void k() {\n  __shared__ double a[N][N];\n}\n",
        findings=("__shared__ double a[N][N]",),
    ),
    Case(
        "constexpr int kRows = 2 * 4096;\n__global__ void k() {\n  __shared__ int4 a[kRows];\n}\n",
        findings=("__shared__ int4 a[kRows]",),
    ),
)

_LIMIT = 28 * 1024
_BELOW = 310
_ARRAY = late_pattern(
    rb"__shared__\s+(?:volatile\s+|__align__\s*\(\w+\)\s*|alignas\s*\(\w+\)\s*)*"
    rb"((?:unsigned\s+)?(?:long\s+long|[A-Za-z_]\w*))\s+\w+\s*((?:\[[^\[\]{};]*\]\s*)+)(?=[;,])"
)
_DIMENSION = late_pattern(rb"\[([^\[\]]*)\]")
_CONSTANT = late_pattern(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]*?)[ \t]*(?://[^\n]*)?$|"
    rb"\bconst(?:expr)?\s+(?:static\s+)?(?:unsigned\s+)?(?:int|size_t|uint32_t|unsigned|auto)\s+(\w+)\s*=\s*([^;,]+);",
    re.MULTILINE,
)
_SCALARS = {
    1: b"char bool int8_t uint8_t",
    2: b"short half __half __nv_bfloat16 int16_t uint16_t",
    4: b"int unsigned uint float half2 __half2 __nv_bfloat162 int32_t uint32_t",
    8: b"double long int64_t uint64_t size_t",
}
_SIZES = {name: size for size, names in _SCALARS.items() for name in names.split()}
_SIZES |= {
    b"%s%d" % (name, count): _SIZES[name] * count
    for name in (b"float", b"int", b"uint", b"double")
    for count in (2, 3, 4)
}
_SIZES[b"long long"] = 8
_INNERMOST = late_pattern(rb"\(([^()]*)\)")
_SUM = late_pattern(rb"\s*-?\s*\d+\s*(?:[-+*]\s*\d+\s*)*\Z")
_PRODUCT = late_pattern(rb"[\w+\-*() \t]+\Z")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding over each array whose type and dimensions the file says, where it alone needs too much."""
    archs = [name for name in unit.options.archs if name in ARCHS and ARCHS[name].macro < _BELOW]
    if not archs:
        return
    for array in _ARRAY.finditer(unit.src):
        size = _SIZES.get(b" ".join(array[1].replace(b"unsigned ", b"").split()))
        for dimension in _DIMENSION.findall(array[2]):
            count = _value(unit, dimension.strip(), 0)
            size = size * count if size is not None and count is not None else None
        if size is None or size <= _LIMIT or unit.token_index(array.start()) < 0:
            continue
        yield Finding(
            CODE,
            "warning",
            array.start(),
            array.end(2),
            f"this array takes {size:,} bytes of shared memory, more than the about 28 KB that a block has on "
            f"{', '.join(archs)}: the kernel does not build there.",
            effort=EFFORT,
            name=array[1].decode("latin-1"),
        )


def _value(unit: Unit, text: bytes, depth: int) -> int | None:
    """The value of an expression of numbers and constants of the file with +, - and *; ``None`` where it is another."""
    if not text or _PRODUCT.match(text) is None or depth > 4 or len(text) > 80:
        return None
    unknown = False

    def number(match: re.Match[bytes]) -> bytes:
        nonlocal unknown
        word = match[0].rstrip(b"uUlL") if match[0][:1].isdigit() else match[0]
        value = int(word) if word.isdigit() and len(word) < 10 else _named(unit, word, depth)
        unknown = unknown or value is None
        return b"%d" % (value or 0)

    plain = re.sub(rb"\w+", number, text)
    return None if unknown else _computed(plain)


def _computed(text: bytes) -> int | None:
    """The value of numbers with +, -, * and parentheses; ``None`` where they are no expression."""
    for _ in range(80):
        inner = _INNERMOST.search(text)
        piece = text if inner is None else inner[1]
        if _SUM.match(piece) is None:
            return None
        total = 0
        for sign, product in re.findall(rb"([+-]?)([\d\s*]+)", piece):
            value = 1
            for factor in product.split(b"*"):
                value *= int(factor)
            total += -value if sign == b"-" else value
        if inner is None:
            return total
        if total < 0:
            return None
        text = b"%s%d%s" % (text[: inner.start()], total, text[inner.end() :])
    return None


def _named(unit: Unit, word: bytes, depth: int) -> int | None:
    """The value of a constant that the file gives one definition."""
    if "constants" not in unit.memo:
        found: dict[bytes, list[bytes]] = {}
        for match in _CONSTANT.finditer(unit.src):
            found.setdefault(match[1] or match[3], []).append((match[2] or match[4] or b"").strip())
        unit.memo["constants"] = found
    values = unit.memo["constants"].get(word, [])
    return _value(unit, values[0], depth + 1) if len(values) == 1 else None
