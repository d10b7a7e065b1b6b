"""PTX that is handed on: which rule speaks for a statement, by the hardest of its opcodes."""

from __future__ import annotations

from musify_ai.translate.ptx.instructions import ESCAPED_PERCENT, Instruction

LANES, TENSOR, ASYNC, MEMORY, BARRIER, OTHER = "MUS403", "MUS404", "MUS405", "MUS406", "MUS407", "MUS402"

_FAMILIES: tuple[tuple[str, frozenset[str]], ...] = (
    (TENSOR, frozenset(("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05"))),
    (
        ASYNC,
        frozenset(
            (
                "mbarrier",
                "tensormap",
                "griddepcontrol",
                "clusterlaunchcontrol",
                "mapa",
                "multimem",
                "setmaxnreg",
                "createpolicy",
                "getctarank",
                "cp",
            )
        ),
    ),
    (BARRIER, frozenset(("bar", "barrier"))),
    (LANES, frozenset(("shfl", "vote", "match", "redux", "activemask", "elect"))),
    (
        MEMORY,
        frozenset(
            (
                "ld",
                "ldu",
                "st",
                "red",
                "atom",
                "fence",
                "membar",
                "prefetch",
                "prefetchu",
                "cvta",
                "isspacep",
                "discard",
                "applypriority",
                "suld",
                "sust",
                "sured",
                "suq",
                "tex",
                "tld4",
                "txq",
            )
        ),
    ),
)
_LANE_REGISTERS = tuple(ESCAPED_PERCENT + name for name in ("laneid", "lanemask", "warpid", "nwarpid"))

_OTHER_ROOTS = (
    "abs add addc and bfe bfi bfind bmsk brev brx call clz cnot copysign cos cvt div dp2a dp4a ex2 exit fma fns "
    "lg2 lop3 mad mad24 madc max min mov mul mul24 nanosleep neg not or pack pmevent popc prmt rcp rem rsqrt sad "
    "selp set setp shf shl shr sin slct sqrt sub subc szext tanh testp trap vabsdiff vabsdiff2 vabsdiff4 vadd "
    "vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4 "
    "xor alloca stacksave stackrestore ret bra brkpt "
)
PTX_ROOTS = frozenset(_OTHER_ROOTS.split()).union(*(roots for _, roots in _FAMILIES))
"""First parts of PTX opcodes; with a dot after them they are no host assembly."""


def family(instructions: tuple[Instruction, ...]) -> str:
    """The code of the rule that speaks for a statement."""
    roots = {instruction.parts[0] for instruction in instructions}
    if any("async" in instruction.parts or "proxy" in instruction.parts for instruction in instructions):
        return TENSOR if roots & _FAMILIES[0][1] else ASYNC
    if any(instruction.parts[:2] in (("barrier", "cluster"), ("bar", "warp")) for instruction in instructions):
        return ASYNC if any(instruction.parts[0] == "barrier" for instruction in instructions) else LANES
    for code, known in _FAMILIES:
        if roots & known:
            return code
    if any(operand.startswith(_LANE_REGISTERS) for each in instructions for operand in each.operands):
        return LANES
    return OTHER


def opcodes(instructions: tuple[Instruction, ...]) -> str:
    """The opcodes of a statement, each once, in order."""
    return ", ".join(dict.fromkeys(instruction.opcode for instruction in instructions))
