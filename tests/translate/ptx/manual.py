"""What the PTX manual says of memory, atomics, shuffles, votes and special registers, in Python, row by row.

Worked out from the manual alone: neither the emulator's library nor the lowering is imported. A row is a thread: it has
eight words of input, 64 bytes of memory of its own and eight words of output. Rows stand in blocks of 256 threads in
two dimensions, and in groups of 32 that shuffle.
"""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

BLOCK = (32, 8)
WORDS = 8
M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
Row = tuple[list[int], bytearray]
Model = Callable[[int, list[Row]], list[int]]
"""From a row's number and all rows before the statement to what it writes; it may change the row's own memory."""

_CONSTRAINT = {8: "r", 16: "h", 32: "r", 64: "l"}
_CPP = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}


class Form(NamedTuple):
    """A form of an instruction: C++ around the ``asm`` statement, and what the manual says of it."""

    name: str
    body: str
    model: Model


def _operand(kind: str) -> str:
    return {"f32": "f", "f64": "d"}.get(kind) or _CONSTRAINT[int(kind[1:])]


def _bits(kind: str) -> int:
    return int(kind.lstrip("usbf"))


def _extended(value: int, kind: str) -> int:
    """A value of a narrow type as its register holds it, of 32 bits for 8 and 16 for 16."""
    bits, register = _bits(kind), {8: 32, 16: 16}.get(_bits(kind), _bits(kind))
    if kind[0] == "s" and value >> (bits - 1):
        value -= 1 << bits
    return value % (1 << register)


def _stored(expression: str, letter: str) -> str:
    cast = {"f": f"__float_as_uint({expression})", "d": f"(unsigned long long)__double_as_longlong({expression})"}
    return cast.get(letter, expression)


def _given(index: int, letter: str) -> str:
    cast = {"f": f"__uint_as_float((unsigned)a[{index}])", "d": f"__longlong_as_double((long long)a[{index}])"}
    return cast.get(letter, f"({_CPP[letter]})a[{index}]")


_HINTS = ("", ".ca", ".cg", ".cs", ".lu", ".cv", ".L1::no_allocate", ".L1::evict_last", ".L2::128B")
_ORDERS = (".volatile", ".relaxed.gpu", ".relaxed.sys", ".acquire.cta", ".acquire.gpu", ".acquire.sys", ".weak")
_KINDS = ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64")


def _load(opcode: str, kind: str, count: int, offset: int) -> Form:
    letter = _operand(kind)
    names = ", ".join(f"%{i}" for i in range(count))
    outputs = ", ".join(f'"={letter}"(d{i})' for i in range(count))
    declared = " ".join(f"{_CPP[letter]} d{i};" for i in range(count))
    written = " ".join(f"o[{i}] = {_stored(f'd{i}', letter)};" for i in range(count))
    target = f"{{{names}}}" if count > 1 else names
    text = f"{opcode} {target}, [%{count} + {offset}];"
    size = _bits(kind) // 8

    def model(number: int, rows: list[Row]) -> list[int]:
        memory = rows[number][1]
        parts = [memory[offset + i * size : offset + (i + 1) * size] for i in range(count)]
        return [_extended(int.from_bytes(part, "little"), kind) for part in parts]

    return Form(text, f'{declared} asm volatile("{text}" : {outputs} : "l"(m) : "memory"); {written}', model)


def _store(opcode: str, kind: str, count: int, offset: int) -> Form:
    letter = _operand(kind)
    names = ", ".join(f"%{i + 1}" for i in range(count))
    inputs = ", ".join(f'"{letter}"({_given(i, letter)})' for i in range(count))
    source = f"{{{names}}}" if count > 1 else names
    text = f"{opcode} [%0 + {offset}], {source};"
    size = _bits(kind) // 8

    def model(number: int, rows: list[Row]) -> list[int]:
        given, memory = rows[number]
        for i in range(count):
            memory[offset + i * size : offset + (i + 1) * size] = (given[i] % (1 << 8 * size)).to_bytes(size, "little")
        return []

    return Form(text, f'asm volatile("{text}" :: "l"(m), {inputs});', model)


def accesses() -> Iterator[Form]:
    """Loads and stores: each hint and order, each type, each width of a vector, global and generic."""
    for kind in _KINDS:
        size = _bits(kind) // 8
        for count in (1, 2, 4):
            if size * count <= 16:
                vector = f".v{count}" if count > 1 else ""
                for order in ("", ".volatile"):
                    yield _load(f"ld{order}.global{vector}.{kind}", kind, count, 16)
                    yield _store(f"st{order}.global{vector}.{kind}", kind, count, 32)
    for more in (*_HINTS, *_ORDERS):
        for kind, count in (("u32", 1), ("s8", 1), ("f64", 1), ("b32", 4), ("u64", 2)):
            vector = f".v{count}" if count > 1 else ""
            yield _load(f"ld{more}.global{vector}.{kind}", kind, count, 32)
            release = more.replace("acquire", "release").replace(".ca", ".wb").replace(".lu", "").replace(".cv", ".wt")
            if "L2::128B" not in release:
                yield _store(f"st{release}.global{vector}.{kind}", kind, count, 16)
    for kind, count in (("u32", 1), ("u16", 1), ("f32", 2), ("f32", 4)):
        vector = f".v{count}" if count > 1 else ""
        yield _load(f"ld.global.nc{vector}.{kind}", kind, count, 0)
        yield _load(f"ld{vector}.{kind}", kind, count, 0)
        yield _store(f"st{vector}.{kind}", kind, count, 0)
    for kind, count in (("b32", 8), ("b64", 4), ("f32", 8)):
        yield _load(f"ld.global.v{count}.{kind}", kind, count, 0)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _number(bits: int, kind: str) -> float:
    return struct.unpack("<f" if kind == "f32" else "<d", bits.to_bytes(4 if kind == "f32" else 8, "little"))[0]


def _as_float(value: float, kind: str) -> int:
    try:
        return int.from_bytes(struct.pack("<f" if kind == "f32" else "<d", value), "little")
    except OverflowError:  # beyond the largest f32
        return 0xFF800000 if value < 0 else 0x7F800000


def _combined(operation: str, kind: str, old: int, given: int, other: int) -> int:
    bits = _bits(kind)
    if operation == "add" and kind[0] == "f":
        # Two f32 are summed in double and rounded once more, which is innocuous: 53 bits are twice 24 and more.
        return _as_float(_number(old, kind) + _number(given, kind), kind)
    x, y = (_signed(each, bits) if kind[0] == "s" else each for each in (old, given))
    result = {
        "add": x + y,
        "min": min(x, y),
        "max": max(x, y),
        "and": x & y,
        "or": x | y,
        "xor": x ^ y,
        "exch": y,
        "cas": other if x == y else x,
        "inc": 0 if x >= y else x + 1,
        "dec": y if x == 0 or x > y else x - 1,
    }[operation]
    return result % (1 << bits)


_ATOMICS = (
    *((operation, kind) for operation in ("min", "max", "add") for kind in ("u32", "s32", "u64")),
    *((operation, "s64") for operation in ("min", "max")),
    *((operation, kind) for operation in ("and", "or", "xor", "exch", "cas") for kind in ("b32", "b64")),
    ("inc", "u32"),
    ("dec", "u32"),
    ("add", "f32"),
    ("add", "f64"),
)


def _atomic(root: str, order: str, operation: str, kind: str, offset: int) -> Form:
    letter, size = _operand(kind), _bits(kind) // 8
    values = f', "{letter}"({_given(0, letter)})' + (f', "{letter}"({_given(1, letter)})' if operation == "cas" else "")
    first = 1 if root == "atom" else 0
    shown = ", ".join(f"%{first + 1 + i}" for i in range(2 if operation == "cas" else 1))
    text = f"{root}{order}.global.{operation}.{kind} {'%0, ' if first else ''}[%{first} + {offset}], {shown};"
    out = f'"={letter}"(d)' if first else ""
    body = f'{_CPP[letter]} d; asm volatile("{text}" : {out} : "l"(m){values} : "memory"); '
    real = {"f32": ("float", "int", 32), "f64": ("double", "long long", 64)}.get(kind)
    if real is not None:
        # Whole numbers, so that no NaN comes in, whose bits are open; their sums are rounded all the same.
        cpp, whole, _ = real
        values = values.replace(_given(0, letter), f"({cpp})({whole})a[0]")
        body = f'*({cpp}*)((char*)m + {offset}) = ({cpp})({whole})a[1]; {cpp} d; asm volatile("{text}" : {out} '
        body += f': "l"(m){values} : "memory"); '
    # Now and then what stands there is what is compared with.
    if operation == "cas":
        body = f"if (a[7] & 1) *(unsigned long long*)((char*)m + {offset}) = a[0]; {body}"
    body += f"o[0] = {_stored('d', letter)};" if first else ""

    def model(number: int, rows: list[Row]) -> list[int]:
        given, memory = rows[number]
        first_given = given[0]
        if real is not None:
            first_given, held = (_as_float(float(_signed(each % (1 << real[2]), real[2])), kind) for each in given[:2])
            memory[offset : offset + size] = held.to_bytes(size, "little")
        if operation == "cas" and given[7] & 1:
            memory[offset : offset + 8] = given[0].to_bytes(8, "little")
        old = int.from_bytes(memory[offset : offset + size], "little")
        limit = 1 << 8 * size
        new = _combined(operation, kind, old, first_given % limit, given[1] % limit)
        memory[offset : offset + size] = new.to_bytes(size, "little")
        return [old] if first else []

    return Form(text, body, model)


def atomics() -> Iterator[Form]:
    """atom and red: each operation and type, and each order on one of them."""
    for operation, kind in _ATOMICS:
        yield _atomic("atom", "", operation, kind, 8)
        if operation not in ("exch", "cas"):
            yield _atomic("red", "", operation, kind, 16)
    for order in (".relaxed.gpu", ".relaxed.cta", ".acquire.gpu", ".release.gpu", ".acq_rel.gpu", ".acq_rel.cta"):
        yield _atomic("atom", order, "add", "u32", 0)
        yield _atomic("atom", order, "cas", "b32", 0)
        if "acq" not in order:
            yield _atomic("red", order, "max", "s32", 24)


def _lane(number: int) -> int:
    return number & 31


def _shuffle(mode: str, by: str, clamp: str, *, predicate: bool) -> Form:
    """``by`` and ``clamp`` are constants, or the word of the input that holds them."""
    inputs, shown = ['"r"((unsigned)a[0])'], ["%2"]
    for text in (by, clamp):
        if text.startswith("a["):
            inputs.append(f'"r"((unsigned){text})')
            shown.append(f"%{len(inputs) + 1}")
        else:
            shown.append(text)
    target = "%0|p" if predicate else "%0"
    text = f"shfl.sync.{mode}.b32 {target}, {', '.join(shown)}, 0xffffffff;"
    whole = f"{{ .reg .pred p; {text} selp.u32 %1, 1, 0, p; }}" if predicate else f"{text} mov.u32 %1, 2;"
    body = f'unsigned d, s; asm volatile("{whole}" : "=r"(d), "=r"(s) : {", ".join(inputs)}); o[0] = d; o[1] = s;'

    def value(text: str, given: list[int]) -> int:
        return given[int(text[2])] & M32 if text.startswith("a[") else int(text, 0)

    def model(number: int, rows: list[Row]) -> list[int]:
        # The pseudo-code of the manual.
        given = rows[number][0]
        b, c, lane = value(by, given) & 31, value(clamp, given), _lane(number)
        segment, bound = c >> 8 & 31, c & 31
        most = (lane & segment) | (bound & ~segment & 31)
        least = lane & segment
        source, inside = {
            "up": (lane - b, lane - b >= most),
            "down": (lane + b, lane + b <= most),
            "bfly": (lane ^ b, lane ^ b <= most),
            "idx": (least | (b & ~segment & 31), least | (b & ~segment & 31) <= most),
        }[mode]
        if mode in ("bfly", "idx"):
            inside = source <= most
        if not inside:
            source = lane
        return [rows[number - lane + source][0][0] & M32, int(inside) if predicate else 2]

    return Form(whole, body, model)


def shuffles() -> Iterator[Form]:
    """Shuffles: each mode with segments that are constant and run-time ones, with any clamp, and the predicate."""
    for mode in ("up", "down", "bfly", "idx"):
        end = 0 if mode == "up" else 31
        for width in (32, 16, 8, 4, 2, 1):
            for by in ("1", "a[1]") if width > 4 else ("1",):
                yield _shuffle(mode, by, str((32 - width) << 8 | end), predicate=width in (32, 8))
        for by, clamp in (("3", "a[2]"), ("a[1]", "a[2]"), ("a[1]", "0x1f05"), ("a[1]", "0x0c1d")):
            yield _shuffle(mode, by, clamp, predicate=True)


def votes() -> Iterator[Form]:
    """Votes over all 32 lanes of a warp that has no more."""

    def group(number: int, rows: list[Row]) -> list[bool]:
        first = number - _lane(number)
        return [bool(rows[first + i][0][1] & 1) for i in range(32)]

    predicate = "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; "
    tail = ' : "=r"(d) : "r"((unsigned)a[1] & 1)); o[0] = d;'
    for mode, model in (
        ("any", lambda number, rows: [int(any(group(number, rows)))]),
        ("all", lambda number, rows: [int(all(group(number, rows)))]),
    ):
        text = f"{predicate} vote.sync.{mode}.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }}"
        yield Form(text, f'unsigned d; asm volatile("{text}"{tail}', model)
    text = f"{predicate} vote.sync.ballot.b32 %0, p, 0xffffffff; }}"
    yield Form(
        text,
        f'unsigned d; asm volatile("{text}"{tail}',
        lambda number, rows: [sum(bit << i for i, bit in enumerate(group(number, rows)))],
    )


def registers() -> Iterator[Form]:
    """Special registers."""
    size = BLOCK[0] * BLOCK[1]
    known: dict[str, Callable[[int, int], int]] = {
        "tid.x": lambda number, rows: number % BLOCK[0],
        "tid.y": lambda number, rows: number % size // BLOCK[0],
        "tid.z": lambda number, rows: 0,
        "ntid.x": lambda number, rows: BLOCK[0],
        "ntid.y": lambda number, rows: BLOCK[1],
        "ctaid.x": lambda number, rows: number // size,
        "ctaid.y": lambda number, rows: 0,
        "nctaid.x": lambda number, rows: rows // size,
        "nctaid.z": lambda number, rows: 1,
        "laneid": lambda number, rows: number % 32,
        "warpid": lambda number, rows: number % size // 32,
        "lanemask_eq": lambda number, rows: 1 << number % 32,
        "lanemask_lt": lambda number, rows: (1 << number % 32) - 1,
        "lanemask_le": lambda number, rows: (2 << number % 32) - 1,
        "lanemask_gt": lambda number, rows: M32 & ~((2 << number % 32) - 1),
        "lanemask_ge": lambda number, rows: M32 & ~((1 << number % 32) - 1),
    }
    for name, value in known.items():

        def model(number: int, rows: list[Row], value: Callable[[int, int], int] = value) -> list[int]:
            return [value(number, len(rows))]

        text = f"mov.u32 %0, %%{name};"
        yield Form(text, f'unsigned d; asm volatile("{text}" : "=r"(d)); o[0] = d;', model)


def orderings() -> Iterator[Form]:
    """What orders or hints and changes no value."""
    fences = [f"fence.{order}.{scope};" for order in ("acq_rel", "sc") for scope in ("cta", "gpu", "sys")]
    for text in (*fences, "membar.cta;", "membar.gl;", "membar.sys;", "bar.sync 0;", "barrier.sync.aligned 0;",
                 "bar.warp.sync 0xffffffff;", "nanosleep.u32 20;"):  # fmt: skip
        yield Form(
            text,
            f'o[0] = a[0]; asm volatile("{text}" ::: "memory"); o[1] = a[1];',
            lambda number, rows: [rows[number][0][0], rows[number][0][1]],
        )
    for text in ("prefetch.global.L1 [%0];", "prefetch.global.L2 [%0+32];"):
        yield Form(text, f'asm volatile("{text}" :: "l"(m)); o[0] = a[0];', lambda number, rows: [rows[number][0][0]])
    text = "{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
    # Which lane leads is open; there is one, and all are told the same.
    yield Form(
        text,
        f'unsigned d, s; asm volatile("{text}" : "=r"(d), "=r"(s)); '
        "const unsigned leader = __shfl_sync(0xffffffff, d, 0, 32); "
        "const unsigned me = (threadIdx.x + blockDim.x * threadIdx.y) & 31; "
        "o[0] = d == leader && (s != 0) == (me == leader);",
        lambda number, rows: [1],
    )
