"""Opcodes that compute with integers and bits."""

from collections.abc import Callable

from musify_ai.emulator.prepare.ptx.context import Context
from musify_ai.emulator.prepare.ptx.floats import HALVES, REALS, float_binary, float_minmax, float_unary, fused

INTEGERS = ("u16", "u32", "u64", "s16", "s32", "s64")
_BY_HALVES = ("u16", "u32", "s16", "s32")

Handler = Callable[[Context], str]


def _is_float(c: Context) -> bool:
    return bool(c.mods) and c.mods[-1] in (*REALS, *HALVES, "f32x2")


def add_or_sub(name: str) -> Handler:
    """add, sub: integers (with .sat or .cc) and floats."""

    def handle(c: Context) -> str:
        if _is_float(c):
            return float_binary(c, name)
        carry, sat = c.flag("cc"), c.flag("sat")
        kind = c.type(*INTEGERS)
        c.done(3)
        if carry:
            return c.call(f"{name}_carry", kind, False, True, kind=kind)
        if sat:
            if kind != "s32":
                raise c.unsupported()
            return c.call(f"{name}_sat", kind=kind)
        return c.call(name, kind, kind=kind)

    return handle


def with_carry(name: str) -> Handler:
    """addc, subc, with or without .cc."""

    def handle(c: Context) -> str:
        out = c.flag("cc")
        kind = c.type("u32", "s32", "u64", "s64", "b32", "b64")
        c.done(3)
        return c.call(f"{name}_carry", kind, True, out, kind=kind)

    return handle


def mul(c: Context) -> str:
    """mul: .lo, .hi, .wide of integers; floats."""
    if _is_float(c):
        return float_binary(c, "mul")
    half = c.choice(("lo", "hi", "wide"))
    kind = c.type(*(_BY_HALVES if half == "wide" else INTEGERS))
    c.done(3)
    return c.call(f"mul_{half}", kind, kind=kind)


def mad(carry_in: bool) -> Handler:
    """mad and madc: as mul, plus a third operand; .cc and madc go through the carry flag."""

    def handle(c: Context) -> str:
        if _is_float(c) and not carry_in:
            return fused(c)
        half = c.choice(("lo", "hi", "wide"))
        carry, sat = c.flag("cc"), c.flag("sat")
        kind = c.type(*(_BY_HALVES if half == "wide" else INTEGERS))
        c.done(4)
        if carry_in or carry:
            if half == "wide" or kind[1:] == "16":
                raise c.unsupported()
            return c.call("mad_carry", kind, half == "hi", carry_in, carry, kind=kind)
        if sat:
            if (half, kind) != ("hi", "s32"):
                raise c.unsupported()
            return c.call("mad_hi_sat", kind=kind)
        return c.call(f"mad_{half}", kind, kind=kind)

    return handle


def of_24_bits(name: str, operands: int) -> Handler:
    """mul24, mad24."""

    def handle(c: Context) -> str:
        half, sat = c.choice(("lo", "hi")), c.flag("sat")
        kind = c.type("u32", "s32")
        c.done(operands)
        if sat:
            if (name, half, kind) != ("mad24", "hi", "s32"):
                raise c.unsupported()
            return c.call("mad24_hi_sat", kind=kind)
        return c.call(f"{name}_{half}", kind, kind=kind)

    return handle


def simple(function: str, operands: int, *types: str) -> Handler:
    """An opcode whose only modifier is its type."""

    def handle(c: Context) -> str:
        kind = c.type(*types)
        c.done(operands)
        return c.call(function, kind, kind=kind)

    return handle


def unary(name: str) -> Handler:
    """abs, neg: signed integers and floats."""

    def handle(c: Context) -> str:
        if _is_float(c):
            return float_unary(c, name)
        kind = c.type("s16", "s32", "s64")
        c.done(2)
        return c.call(name, kind, kind=kind)

    return handle


def min_or_max(name: str) -> Handler:
    """min, max: integers and floats."""

    def handle(c: Context) -> str:
        if _is_float(c):
            return float_minmax(c, name)
        relu = c.flag("relu")
        kind = c.type(*INTEGERS)
        c.done(3)
        if relu:
            raise c.unsupported()
        return c.call(name, kind, kind=kind)

    return handle


def div(c: Context) -> str:
    """div: integers and floats."""
    if _is_float(c):
        return float_binary(c, "div")
    return simple("div", 3, *INTEGERS)(c)


def dot(name: str) -> Handler:
    """dp4a, dp2a."""

    def handle(c: Context) -> str:
        half = c.choice(("lo", "hi")) if name == "dp2a" else ""
        if len(c.mods) != 2 or any(mod not in ("u32", "s32") for mod in c.mods):
            raise c.unsupported()
        first, second = c.mods
        c.mods = []
        c.done(4)
        extra = (half == "hi",) if half else ()
        return c.call(name, first, second, *extra, kind="b32")

    return handle


def lop3(c: Context) -> str:
    """lop3.b32."""
    c.type("b32")
    c.done(5)
    return c.call("lop3", kind="b32")


def funnel(c: Context) -> str:
    """shf."""
    side, mode = c.choice(("l", "r")), c.choice(("clamp", "wrap"))
    c.type("b32")
    c.done(4)
    return c.call(f"shf_{side}", mode == "wrap", kind="b32")


def field_mask(c: Context) -> str:
    """bmsk."""
    mode = c.choice(("clamp", "wrap"))
    c.type("b32")
    c.done(3)
    return c.call("bmsk", mode == "wrap", kind="b32")


def bfind(c: Context) -> str:
    """bfind."""
    shift = c.flag("shiftamt")
    kind = c.type("u32", "s32", "u64", "s64")
    c.done(2)
    return c.call("bfind", kind, shift, kind=kind)


def fns(c: Context) -> str:
    """fns.b32."""
    c.type("b32")
    c.done(4)
    return c.call("fns", kind="b32")


def prmt(c: Context) -> str:
    """prmt, with or without a mode."""
    c.choice(("b32",))
    mode = c.choice(("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"), "")
    c.done(4)
    return c.call("prmt_mode", f"Permute::{mode}", kind="b32") if mode else c.call("prmt", kind="b32")


_LOGIC = ("pred", "b16", "b32", "b64")

ARITHMETIC: dict[str, Handler] = {
    "add": add_or_sub("add"),
    "sub": add_or_sub("sub"),
    "addc": with_carry("add"),
    "subc": with_carry("sub"),
    "mul": mul,
    "mad": mad(False),
    "madc": mad(True),
    "mul24": of_24_bits("mul24", 3),
    "mad24": of_24_bits("mad24", 4),
    "sad": simple("sad", 4, *INTEGERS),
    "div": div,
    "rem": simple("rem", 3, *INTEGERS),
    "abs": unary("abs"),
    "neg": unary("neg"),
    "min": min_or_max("min"),
    "max": min_or_max("max"),
    "dp4a": dot("dp4a"),
    "dp2a": dot("dp2a"),
    "and": simple("and_", 3, *_LOGIC),
    "or": simple("or_", 3, *_LOGIC),
    "xor": simple("xor_", 3, *_LOGIC),
    "not": simple("not_", 2, *_LOGIC),
    "cnot": simple("cnot", 2, "b16", "b32", "b64"),
    "lop3": lop3,
    "shl": simple("shl", 3, "b16", "b32", "b64"),
    "shr": simple("shr", 3, "b16", "b32", "b64", *INTEGERS),
    "shf": funnel,
    "bfe": simple("bfe", 4, "u32", "s32", "u64", "s64"),
    "bfi": simple("bfi", 5, "b32", "b64"),
    "bmsk": field_mask,
    "bfind": bfind,
    "fns": fns,
    "popc": simple("popc", 2, "b32", "b64"),
    "clz": simple("clz", 2, "b32", "b64"),
    "brev": simple("brev", 2, "b32", "b64"),
    "prmt": prmt,
}
