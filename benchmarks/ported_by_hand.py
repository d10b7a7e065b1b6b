"""Where a person replaced PTX by hand, and we by rule, is it the same: ``python benchmarks/ported_by_hand.py [ROWS]``.

The pairs are those of MooreThreads/muAlg (``cub/util_ptx.cuh``, ``thread_load.cuh``, ``thread_store.cuh``) and the
NVIDIA CUB 1.12.1 that it was made from. What only computes runs on edge values and random ones: the statement as the
emulator's library or the manual has it, what it is lowered to, and what the port has, written here once more. A shuffle
is compared by the manual's formula. For the rest there is a sentence. Prints a table; exits with 1 where ours differs.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Pair(NamedTuple):
    """A statement of CUB with the constraints of its results and inputs, and what the port has in its place."""

    name: str
    text: str
    outputs: str
    inputs: str
    theirs: str
    manual: str = ""  # where the library does not have it


COMPUTED = (
    Pair(
        "SHR_ADD",
        "vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;",
        "r",
        "rrr",
        "d0 = (a0 >> (a1 & 31)) + a2;",
        "d0 = (a1 > 31 ? 0 : a0 >> a1) + a2;",
    ),
    Pair(
        "SHL_ADD",
        "vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;",
        "r",
        "rrr",
        "d0 = (a0 << (a1 & 31)) + a2;",
        "d0 = (a1 > 31 ? 0 : a0 << a1) + a2;",
    ),
    Pair(
        "BFE",
        "bfe.u32 %0, %1, %2, %3;",
        "r",
        "rrr",
        "unsigned p = a1 & 255, n = a2 & 255; d0 = p > 31 ? 0 : n > 31 ? a0 >> p : a0 >> p & ((1u << n) - 1);",
    ),
)
"""The port's shifts are C++'s, which count over 31 leaves undefined; written here as the processor's, modulo 32. Its
``__bfe_u32`` is taken to be what its name says."""
SAID = (
    ("BFI, IADD3, PRMT, FMUL_RZ, FFMA_RZ, WarpId", "deleted, callers use C++", "lowered, equal to the library"),
    ("BAR (bar.sync 1, n)", "deleted: no barrier of part of a block", "handed on (MUS407)"),
    ("ThreadExit (exit)", "__musa_exit()", "a return in a kernel; elsewhere handed on (MUS402)"),
    ("ThreadTrap (trap)", "deleted: a thread that should stop the kernel goes on", "__trap()"),
    ("LaneId", "__get_laneid() & 31, the same", "the thread's number modulo 32, the same"),
    ("LaneMaskLt, Le, Gt, Ge", "__get_lanemask_*(): of 32 bits, unknown for lanes over 31", "the mask within 32 lanes"),
    ("MatchAny (vote.ballot)", "__ballot_sync: on 128 lanes unknown", "the same at 32 lanes; else handed on (MUS403)"),
    ("LOAD_CV, STORE_WT, volatile: one word", "a volatile access, the same", "a volatile access, the same"),
    ("LOAD_CV, STORE_WT: vectors", "a plain access: it may be left out or moved", "volatile words of 64 bits"),
    ("LOAD_CA, CG, CS, LDG; STORE_WB, CG, CS", "a plain or volatile access, the same value", "the same value"),
)


def shuffles(rows: int) -> list[tuple[str, int, int]]:
    """For ShuffleUp, ShuffleDown and ShuffleIndex how often the port differs from the manual: its width is
    ``32 - (flags >> 8)``, and the clamp is not looked at."""
    state, found = 88172645463325252, []

    def draw(limit: int) -> int:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % limit

    for mode in ("up", "down", "idx"):
        differs = 0
        for _ in range(rows):
            lane, by, width = draw(32), draw(32), 1 << draw(6)
            segment = 32 - width
            end = draw(width)
            # CUB gives the last lane that takes part to ShuffleDown only.
            clamp = {"up": 0, "down": (lane & segment) | end, "idx": width - 1}[mode]
            most, least = (lane & segment) | (clamp & ~segment & 31), lane & segment
            source = {"up": lane - by, "down": lane + by, "idx": least | (by & ~segment & 31)}[mode]
            manual = source if (source >= most if mode == "up" else source <= most) else lane
            theirs = {
                "up": lane - by if lane - by >= least else lane,
                "down": lane + by if lane + by < least + width else lane,
                "idx": least + by % width,
            }[mode]
            differs += manual != theirs
        found.append((mode, rows, differs))
    return found


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from tests.translate.ptx import manual, on_device
    from tests.translate.ptx.compared import compare, one

    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    bad = 0
    print(f"{'':44}{'the port by hand':58}ours")
    for pair in COMPUTED:
        with TemporaryDirectory() as directory:
            ours = compare([one(pair.text, pair.outputs, pair.inputs, pair.manual)], rows, Path(directory))
            theirs = compare([one(pair.text, pair.outputs, pair.inputs, pair.theirs)], rows, Path(directory))
        example = theirs[0].split(" of ", 1)[1].split(": lowered")[0] if theirs else ""
        told = f"differs, as on {example}" if theirs else "the same"
        print(f"{pair.name:44}{told:58}{'differs' if ours else 'the same'}")
        bad += bool(ours)
    with TemporaryDirectory() as directory:
        ours = on_device.compare(list(manual.shuffles()), 512, Path(directory), ("mp_22", "mp_31"))
    bad += bool(ours)
    for mode, count, differs in shuffles(rows):
        told = f"differs on {differs} of {count} rows: the clamp is dropped" if differs else "the same"
        print(f"{f'Shuffle, {mode}':44}{told:58}{'differs' if ours else 'the same'}")
    for name, theirs_said, ours_said in SAID:
        print(f"{name:44}{theirs_said:58}{ours_said}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
