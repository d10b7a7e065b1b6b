"""Opcodes of a warp's matrices: mma, ldmatrix, stmatrix and movmatrix.

Shapes and types are those of the PTX ISA's tables ("Warp-level matrix instructions: mma"). The Volta form of f16
(m8n8k4), sparse matrices (mma.sp), block scales and the older wmma opcodes are refused by name.
"""

from musify_ai.emulator.prepare.ptx.context import LIBRARY, Context
from musify_ai.emulator.prepare.ptx.memory import space
from musify_ai.emulator.prepare.ptx.text import Operand

_HALF_SHAPES = ("m16n8k8", "m16n8k16")
# What A and B may be, and for which shapes; the accumulators' type follows or stands in the opcode.
SHAPES: dict[tuple[str, str], tuple[str, ...]] = {
    ("f16", "f16"): _HALF_SHAPES,
    ("bf16", "bf16"): _HALF_SHAPES,
    ("tf32", "tf32"): ("m16n8k4", "m16n8k8"),
    ("f64", "f64"): ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"),
    **{(a, b): ("m8n8k16", "m16n8k16", "m16n8k32") for a in ("s8", "u8") for b in ("s8", "u8")},
    **{(a, b): ("m8n8k32", "m16n8k32", "m16n8k64") for a in ("s4", "u4") for b in ("s4", "u4")},
    **{(a, b): ("m16n8k16", "m16n8k32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")},
    ("b1", "b1"): ("m8n8k128", "m16n8k128", "m16n8k256"),
}
_ACCUMULATORS = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",)}
_SMALL_FLOATS = {"e4m3": ("f32", "f16"), "e5m2": ("f32", "f16")}
_WIDTHS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64, "e4m3": 8, "e5m2": 8}
_INTEGER_WIDTHS = {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}


def mma(c: Context) -> str:
    """mma.sync of one of the shapes above."""
    how = "none"
    if c.flag("popc"):
        how = {"xor": "differ", "and": "both"}[c.choice(("xor", "and"))]
    types = c.mods[-4:]
    if len(types) != 4:
        raise c.unsupported()
    c.choice(("sync",))
    c.drop("aligned")
    d, a, b, accumulated = types
    shape = c.choice(SHAPES.get((a, b), ()))
    if c.mods[-4:] != types or accumulated != d:
        raise c.unsupported()
    del c.mods[-4:]
    if d not in _ACCUMULATORS.get(a, _SMALL_FLOATS.get(a, ("s32",))):
        raise c.unsupported()
    c.choice(("row",))
    c.choice(("col",))
    if (a == "b1") != (how != "none"):
        raise c.unsupported()
    saturate = d == "s32" and a != "b1" and c.flag("satfinite")
    c.done(4)
    m, n, k = (int(each) for each in shape[1:].replace("n", " ").replace("k", " ").split())
    kind = "uint64_t" if a == "f64" else "uint32_t"
    outs = _registers(c, c.operands[0], _count(m * n, d))
    parts = [
        f"const {kind} emu_{name}[] = {{{', '.join(c.value(item, 'b64' if a == 'f64' else 'b32') for item in items)}}};"
        for name, items in (
            ("ma", _registers(c, c.operands[1], _count(m * k, a))),
            ("mb", _registers(c, c.operands[2], _count(k * n, b))),
            ("mc", _registers(c, c.operands[3], _count(m * n, accumulated))),
        )
    ]
    numbers = ", ".join(f"::emu::Number::{each}" for each in (a, b, d))
    call = (
        f"{LIBRARY}mma<{m}, {n}, {k}, {numbers}, {str(saturate).lower()}, ::emu::Bits::{how}>"
        "(emu_ma, emu_mb, emu_mc, emu_md);"
    )
    writes = " ".join(f"{c.destination(item)} = emu_md[{i}];" for i, item in enumerate(outs))
    return f"{{ {' '.join(parts)} {kind} emu_md[{len(outs)}]; {call} {writes} }}"


def _count(elements: int, kind: str) -> int:
    """The registers of a lane for so many elements of a warp: of 64 bits for f64, of 32 for the others."""
    width = _WIDTHS.get(kind) or _INTEGER_WIDTHS[kind]
    return elements * width // 32 // (64 if kind == "f64" else 32)


def _registers(c: Context, operand: Operand, count: int) -> tuple[Operand, ...]:
    items = operand.items if operand.kind == "vector" else (operand,)
    if len(items) != count:
        raise c.unsupported()
    return items


def _matrices(c: Context) -> tuple[int, bool, str]:
    """What ldmatrix and stmatrix have in common: how many matrices, whether transposed, and the space."""
    c.choice(("sync",))
    c.drop("aligned")
    c.choice(("m8n8",))
    count = int(c.choice(("x1", "x2", "x4"))[1:])
    transposed = c.flag("trans")
    c.type("b16")
    where = space(c)
    c.done(2)
    return count, transposed, f"{LIBRARY}{where}"


def ldmatrix(c: Context) -> str:
    """ldmatrix of one, two or four matrices of 8 by 8 elements of 16 bits."""
    count, transposed, where = _matrices(c)
    outs = _registers(c, c.operands[0], count)
    call = f"{LIBRARY}ldmatrix<{count}, {str(transposed).lower()}, {where}>(emu_md, {c.address(c.operands[1])});"
    writes = " ".join(f"{c.destination(item)} = emu_md[{i}];" for i, item in enumerate(outs))
    return f"{{ uint32_t emu_md[{count}]; {call} {writes} }}"


def stmatrix(c: Context) -> str:
    """stmatrix, its mirror image."""
    count, transposed, where = _matrices(c)
    values = ", ".join(c.value(item, "b32") for item in _registers(c, c.operands[1], count))
    call = f"{LIBRARY}stmatrix<{count}, {str(transposed).lower()}, {where}>({c.address(c.operands[0])}, emu_ma);"
    return f"{{ const uint32_t emu_ma[] = {{{values}}}; {call} }}"


def movmatrix(c: Context) -> str:
    """movmatrix: transposes a matrix that lies in registers."""
    c.choice(("sync",))
    c.drop("aligned")
    c.choice(("m8n8",))
    c.choice(("trans",))
    c.type("b16")
    c.done(2)
    return c.assign(f"{LIBRARY}movmatrix({c.value(c.operands[1], 'b32')})")
