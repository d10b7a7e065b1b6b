"""The flags that units and the device are compiled and linked with."""

from musify_ai.backends.toolchain import Toolchain

# No contraction: both sides must round alike. No strict aliasing: device code reads memory as what it is not.
UNIT_FLAGS = (
    "-std=c++17",
    "-O1",
    "-w",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fdiagnostics-color=never",
    "-fdata-sections",
)
CORE_FLAGS = ("-std=c++17", "-O2", "-w", "-ffp-contract=off", "-fno-strict-aliasing")

# Said after the flags of a unit, of which the language is the one that C takes back.
C_FLAGS = ("-x", "c", "-std=gnu17")

# A constant array that is read past its end must not show its neighbour, which is another on each side: zeros up to
# the next 64 KiB. The linker puts the most aligned data first, so that nothing smaller fills the gaps.
APART = "#undef __constant__\n#define __constant__ __attribute__((aligned(65536)))\n"
APART_FLAGS = ("-Wl,--sort-section=alignment",)


def unit_flags(toolchain: Toolchain) -> tuple[str, ...]:
    """A variable that nobody sets holds the same pattern on both sides, not a zero that hides the lack of one."""
    major = toolchain.version.split(".", 1)[0]
    known = toolchain.is_zig or (major.isdigit() and int(major) >= (9 if toolchain.is_clang else 12))
    return (*UNIT_FLAGS, "-ftrivial-auto-var-init=pattern") if known else UNIT_FLAGS


def array_bounds(toolchain: Toolchain) -> tuple[str, ...]:
    """Ends a thread that goes outside an array of fixed size, which else reads or writes whatever the linker put there.

    All of clang's ``bounds`` goes with no header that was compiled without it.
    """
    kind = "array-bounds" if toolchain.is_clang else "bounds"
    return (f"-fsanitize={kind}", "-fsanitize-undefined-trap-on-error")


def error_limit(toolchain: Toolchain) -> tuple[str, ...]:
    """More errors than compilers show by themselves, each without the source around it."""
    if toolchain.is_clang:
        return ("-ferror-limit=200", "-fno-caret-diagnostics")
    return ("-fmax-errors=200", "-fno-diagnostics-show-caret")
