"""What PTX registers hold: their types, and constants and bits of a type in C++."""

from __future__ import annotations

from typing import NamedTuple

from musify_ai.source.patterns import late_pattern

_BITS = late_pattern(r"0[fF]([0-9a-fA-F]{8})\Z|0[dD]([0-9a-fA-F]{16})\Z")
_INTEGER = late_pattern(r"-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?\Z")
_SUM = late_pattern(r"(\w+)\s*([-+])\s*(\w+)\Z")
_DECIMAL = late_pattern(r"-?\d+\.\d*(?:[eE][-+]?\d+)?\Z")


class NotLowered(Exception):
    """The statement has no exact C++ here; the message says why, as the end of a sentence."""


class PtxType(NamedTuple):
    """A PTX type: its width, its C++ type, whether it is signed or floating."""

    bits: int
    cpp: str
    signed: bool = False
    floating: bool = False


TYPES = {
    "u8": PtxType(8, "unsigned char"),
    "s8": PtxType(8, "signed char", signed=True),
    "b8": PtxType(8, "unsigned char"),
    "u16": PtxType(16, "unsigned short"),
    "s16": PtxType(16, "short", signed=True),
    "b16": PtxType(16, "unsigned short"),
    "u32": PtxType(32, "unsigned int"),
    "s32": PtxType(32, "int", signed=True),
    "b32": PtxType(32, "unsigned int"),
    "u64": PtxType(64, "unsigned long long"),
    "s64": PtxType(64, "long long", signed=True),
    "b64": PtxType(64, "unsigned long long"),
    "f32": PtxType(32, "float", floating=True),
    "f64": PtxType(64, "double", floating=True),
    "pred": PtxType(1, "bool"),
}
U32, U64 = TYPES["u32"], TYPES["u64"]
INTEGERS = frozenset(("u16", "s16", "u32", "s32", "u64", "s64"))
BITS = frozenset(("b16", "b32", "b64"))
"""The integer and the untyped suffixes of instructions that compute on a register of their own width."""
REGISTERS = {
    **TYPES,
    "f16": TYPES["u16"],
    "bf16": TYPES["u16"],
    "f16x2": TYPES["u32"],
    "bf16x2": TYPES["u32"],
    "f32x2": TYPES["u64"],
}
"""What a register of each type that can be declared is kept in."""
UNSIGNED = {8: TYPES["u8"], 16: TYPES["u16"], 32: TYPES["u32"], 64: TYPES["u64"]}
RANK = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
"""The number of a thread in its block: x runs fastest."""
LANE = f"({RANK} & 31u)"
"""The lane number in a group of 32: groups are cut from the order of the threads."""


def literal(value: int, bits: int) -> str:
    """An unsigned literal of a width, taken modulo two to that width."""
    return f"{value % (1 << bits)}{'ull' if bits == 64 else 'u'}"


def integer_constant(text: str) -> int | None:
    """The value of an integer constant of PTX, or of a sum of two; ``None`` for other text."""
    two = _SUM.match(text)
    if two and _INTEGER.match(two[1]) and _INTEGER.match(two[3]):
        left, right = integer_constant(two[1]), integer_constant(two[3])
        return (left or 0) + (right or 0) * (1 if two[2] == "+" else -1)
    if not _INTEGER.match(text):
        return None
    digits = text.rstrip("U").lower()
    sign, digits = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
    octal = len(digits) > 1 and digits.isdigit() and digits.startswith("0")
    return sign * int(digits, 8 if octal else 0)


def mask(value: int, bits: int = 32) -> str:
    """An unsigned bit mask in hexadecimal."""
    return f"{value % (1 << bits):#x}{'ull' if bits == 64 else 'u'}"


def as_bits(held: PtxType, wanted: PtxType, source: str) -> str:
    """The bits of a value under a type of the same width and the other kind."""
    if held.floating:
        call = "__float_as_uint" if held.bits == 32 else "__double_as_longlong"
        plain = TYPES["u32"] if held.bits == 32 else TYPES["s64"]
        return f"{call}({source})" if wanted.cpp == plain.cpp else f"({wanted.cpp}){call}({source})"
    if held.cpp == "unsigned long long" or held.bits == 64:
        return f"__longlong_as_double((long long){source})"
    return f"__uint_as_float({source})" if not held.signed else f"__int_as_float({source})"


def is_float_constant(text: str) -> bool:
    """Whether a text is a constant that PTX reads as a float."""
    return bool(_BITS.match(text) or _DECIMAL.match(text))


def float_constant(text: str, wanted: PtxType) -> str:
    """A float constant in C++, by its bits where PTX gives those."""
    bits = _BITS.match(text)
    if bits is None:
        if _DECIMAL.match(text):
            return f"({wanted.cpp})({text})"
        raise NotLowered("it has an integer where a float belongs")
    if bits[1] and wanted.bits == 32:
        return f"__int_as_float({literal_int(int(bits[1], 16))})"
    if bits[2] and wanted.bits == 64:
        return f"__longlong_as_double((long long){mask(int(bits[2], 16), 64)})"
    raise NotLowered(f"the constant {text} does not have the type of the instruction")


def literal_int(value: int) -> str:
    """32 bits as an ``int`` constant."""
    return f"{value:#x}" if value < 1 << 31 else f"(int){value:#x}u"
