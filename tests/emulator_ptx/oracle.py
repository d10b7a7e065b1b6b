"""What PTX instructions compute, worked out from the manual's definitions in Python's unbounded integers.

Each function takes raw register bits and gives raw bits (``None``: any NaN, or left open). Shares nothing with the C++.
"""

from collections.abc import Callable


def width(kind: str) -> int:
    return int(kind[1:])


def mask(kind: str) -> int:
    return (1 << width(kind)) - 1


def read(bits: int, kind: str) -> int:
    bits &= mask(kind)
    return bits - (1 << width(kind)) if kind[0] == "s" and bits >> (width(kind) - 1) else bits


def clamp(value: int, kind: str) -> int:
    low = -(1 << (width(kind) - 1)) if kind[0] == "s" else 0
    high = (1 << (width(kind) - (kind[0] == "s"))) - 1
    return min(max(value, low), high)


def arithmetic(name: str, kind: str, a: int, b: int, c: int = 0) -> int | None:
    x, y, z = read(a, kind), read(b, kind), read(c, kind)
    n, m = width(kind), mask(kind)
    table = {
        "add": x + y,
        "sub": x - y,
        "mul.lo": x * y,
        "mul.hi": x * y >> n,
        "mad.lo": x * y + z,
        "mad.hi": (x * y >> n) + z,
        "sad": z + abs(x - y),
        "min": min(x, y),
        "max": max(x, y),
        "abs": abs(x),
        "neg": -x,
    }
    if name in table:
        return table[name] & m
    if y == 0:
        return None
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return (quotient if name == "div" else x - quotient * y) & m


def wide(kind: str, a: int, b: int, c: int = 0) -> int:
    return (read(a, kind) * read(b, kind) + c) & ((1 << 2 * width(kind)) - 1)


def of_24(name: str, kind: str, a: int, b: int, c: int = 0) -> int:
    def low(v: int) -> int:
        v &= 0xFFFFFF
        return v - (1 << 24) if kind[0] == "s" and v >> 23 else v

    product = low(a) * low(b)
    return ((product if name.endswith("lo") else product >> 16) + (c if name.startswith("mad") else 0)) & 0xFFFFFFFF


def dot4(first: str, second: str, a: int, b: int, c: int) -> int:
    return (c + sum(_byte(a >> i, first) * _byte(b >> i, second) for i in (0, 8, 16, 24))) & 0xFFFFFFFF


def dot2(half: str, first: str, second: str, a: int, b: int, c: int) -> int:
    shift = 16 if half == "hi" else 0
    words = [read(a >> 16 * i & 0xFFFF, first[0] + "16") for i in (0, 1)]
    return (c + sum(words[i] * _byte(b >> (shift + 8 * i), second) for i in (0, 1))) & 0xFFFFFFFF


def _byte(bits: int, kind: str) -> int:
    return read(bits & 0xFF, kind[0] + "8")


_VIDEO: dict[str, Callable[[int, int], int]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "absdiff": lambda x, y: abs(x - y),
    "min": min,
    "max": max,
}


def part(bits: int, kind: str, selector: str) -> int:
    """A byte (``b0`` to ``b3``), a half (``h0``, ``h1``) or all of a register, with its type's sign."""
    n = {"b": 8, "h": 16}.get(selector[:1], 32)
    return read(bits >> n * int(selector[1:] or 0), f"{kind[0]}{n}")


def video(name: str, kinds: tuple[str, str, str], selectors: tuple[str, str], sat: bool, a: int, b: int) -> int:
    """The result of a video instruction on one part of each operand, before anything follows it."""
    value = _VIDEO[name](part(a, kinds[1], selectors[0]), part(b, kinds[2], selectors[1]))
    return (clamp(value, kinds[0]) if sat else value) & 0xFFFFFFFF


def lanes(name: str, kinds: tuple[str, str, str], n: int, sat: bool, a: int, b: int) -> list[int]:
    """The results of one on all bytes (8) or halves (16), each cut to its lane."""
    found = []
    for i in range(32 // n):
        x, y = (read(bits >> n * i, f"{kind[0]}{n}") for bits, kind in ((a, kinds[1]), (b, kinds[2])))
        value = _VIDEO[name](x, y)
        found.append((clamp(value, f"{kinds[0][0]}{n}") if sat else value) & (1 << n) - 1)
    return found


def lop3(a: int, b: int, c: int, table: int) -> int:
    out = 0
    for i in range(32):
        out |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i
    return out


def shift(name: str, kind: str, a: int, n: int) -> int:
    n = min(n & 0xFFFFFFFF, width(kind))
    return (read(a, kind) << n if name == "shl" else read(a, kind) >> n) & mask(kind)


def funnel(side: str, mode: str, a: int, b: int, n: int) -> int:
    n = min(n, 32) if mode == "clamp" else n & 31
    both = b << 32 | a
    return (both << n >> 32 if side == "l" else both >> n) & 0xFFFFFFFF


def bfe(kind: str, a: int, start: int, length: int) -> int:
    top, start, length = width(kind) - 1, start & 0xFF, length & 0xFF
    sign = 0 if kind[0] == "u" or length == 0 else a >> min(start + length - 1, top) & 1
    bits = [a >> (start + i) & 1 if i < length and start + i <= top else sign for i in range(top + 1)]
    return sum(bit << i for i, bit in enumerate(bits))


def bfi(kind: str, a: int, b: int, start: int, length: int) -> int:
    start, length = start & 0xFF, length & 0xFF
    field = ((1 << length) - 1) << start & mask(kind)
    return (b & ~field) | (a << start & field)


def bfind(kind: str, amount: bool, a: int) -> int:
    value = read(a, kind)
    value = ~value if value < 0 else value
    if value == 0:
        return 0xFFFFFFFF
    top = value.bit_length() - 1
    return width(kind) - 1 - top if amount else top


def fns(bits: int, base: int, offset: int) -> int:
    offset = read(offset, "s32")
    if offset == 0:
        return base if base < 32 and bits >> base & 1 else 0xFFFFFFFF
    places = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [i for i in places if 0 <= i < 32 and bits >> i & 1]
    return found[abs(offset) - 1] if base < 32 and len(found) >= abs(offset) else 0xFFFFFFFF


def prmt(mode: str, a: int, b: int, selector: int) -> int:
    source = [(b << 32 | a) >> 8 * i & 0xFF for i in range(8)]
    if not mode:
        out = []
        for i in range(4):
            nibble = selector >> 4 * i & 0xF
            byte = source[nibble & 7]
            out.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    else:
        # The manual's tables, from byte 3 down to byte 0, by selector 0..3.
        tables = {
            "f4e": ["3210", "4321", "5432", "6543"],
            "b4e": ["5670", "6701", "7012", "0123"],
            "rc8": ["0000", "1111", "2222", "3333"],
            "ecl": ["3210", "3211", "3222", "3333"],
            "ecr": ["0000", "1110", "2210", "3210"],
            "rc16": ["1010", "3232", "1010", "3232"],
        }
        out = [source[int(digit)] for digit in reversed(tables[mode][selector & 3])]
    return sum(byte << 8 * i for i, byte in enumerate(out))


def compare(op: str, x: float, y: float, unordered: bool) -> bool:
    """x and y are exact and comparable; ``unordered``: one of them is NaN."""
    if op in ("num", "nan"):
        return unordered == (op == "nan")
    if unordered:
        return op.endswith("u") and op != "u"
    base = op[:2]
    lo_hi = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
    base = lo_hi.get(base, base)
    return {
        "eq": x == y,
        "ne": x != y,
        "lt": x < y,
        "le": x <= y,
        "gt": x > y,
        "ge": x >= y,
    }[base]
