"""What checking takes on assumption, because nobody has published it: the CPU device, whose run-time reports each id it
used, and the comparison of real devices."""

ASSUMPTIONS: dict[str, str] = {
    "warp128-ballot-segment": (
        "On 128-lane warps a ballot, a match and the active mask have 32 bits, which are those of the caller's own "
        "32-lane segment."
    ),
    "warp128-vote-segment": (
        "On 128-lane warps any and all ask the lanes of the caller's own 32-lane segment, not the whole warp."
    ),
    "warp128-reduce-segment": (
        "On 128-lane warps a warp reduction is over the lanes of the caller's own 32-lane segment."
    ),
    "warp128-partial-mask": (
        "On 128-lane warps a member mask that is not full names lanes of the caller's own 32-lane segment."
    ),
    "mma-accumulation": (
        "A product on tensor cores adds its exact products to the accumulator one after another, k ascending, each sum "
        "rounded to 32 bits (64 for doubles; 16-bit accumulators once at the end). Hardware's order and its rounding "
        "inside are published nowhere; where no order could round anything, this is not called on."
    ),
    "mma-tf32-truncation": (
        "A tf32 operand of a product on tensor cores is cut to its 19 bits; what hardware makes of the bits below, "
        "where a program leaves some, is not specified."
    ),
    "wmma-elements": (
        "Which elements of a matrix a lane's fragment holds is a layout of ours: CUDA leaves it open, and a program "
        "may only treat all elements alike."
    ),
    "texture-weights": (
        "Linear filtering weighs texels by fractions of 8 bits, as CUDA documents, rounded to the nearest, which is "
        "published nowhere; MUSA is taken to do the same."
    ),
    "warp128-absent-lanes": (
        "A shuffle wider than 32 on 128-lane warps goes on without the lanes that do not call it; whoever reads one of "
        "those gets no defined value."
    ),
    "device-figures": (
        "Multiprocessors, clocks, memory and what fits on a multiprocessor are figures of ours on every arch; the "
        "original was run on a device that reports the target's, because the program prints them or sizes work by them."
    ),
    "murand-sequences": (
        "muRAND's generators give the numbers of cuRAND's for the same seed, subsequence, offset and order."
    ),
    "musa-function-accuracy": (
        "MUSA's mathematical functions are as exact as NVIDIA's guide says of CUDA's: results of a Moore Threads GPU "
        "were compared within twice those bounds, for MUSA has published none."
    ),
    "device-identity": (
        "The program prints what it makes of the device's compute capability or warp width, so the original's host "
        "was told the target's. Its launches are the same without that."
    ),
}
"""The sentence for each id, as it stands in the evidence of a check."""

OF_THE_ORIGINAL = frozenset(("mma-accumulation", "mma-tf32-truncation", "wmma-elements"))
"""Those of what only CUDA's side has: whatever is equal to such an original rests on them, whoever made it so."""
