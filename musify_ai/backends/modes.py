"""How the CPU device and what runs on it are built: plainly, watching for races, or under the compiler's sanitizers."""

from typing import NamedTuple

from musify_ai.backends.toolchain import Toolchain


class Mode(NamedTuple):
    """Flags that a mode adds for units, for the device's core and for linking; the environment that it needs."""

    name: str = "plain"
    unit: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


PLAIN = Mode()


class ModeMissing(RuntimeError):
    """A compiler cannot build that way: which could."""


_SANITIZERS = "-fsanitize=address,undefined"


def races(toolchain: Toolchain) -> Mode:
    """Every access of a unit calls the device, which has the hooks of the thread sanitizer's run-time itself: that
    library is not linked. Line tables say where in the user's file an access is."""
    if toolchain.is_clang:
        options: tuple[str, ...] = (
            "-gline-tables-only",
            "-gdwarf-4",  # GNU's addr2line reads the inlined calls of these tables, not of newer ones
            "-mllvm", "-tsan-distinguish-volatile=1",
            "-mllvm", "-tsan-instrument-func-entry-exit=0",
            "-mllvm", "-tsan-instrument-read-before-write=1",
        )  # fmt: skip
    else:
        options = (
            "-g",
            "-gdwarf-4",
            "--param=tsan-distinguish-volatile=1",
            "--param=tsan-instrument-func-entry-exit=0",
        )
    return Mode(
        "races",
        unit=("-fsanitize=thread", "-DMUSIFY_EMU_RACES", *options),
        link=("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",),
        env=(("MUSIFY_EMU_RACES", "1"),),
    )


def lined(toolchain: Toolchain) -> Mode:
    """Plain, with line tables, so that the device can say which line of the host's touched what it may not; accesses
    stay on their lines."""
    table = "-gline-tables-only" if toolchain.is_clang else "-g1"
    return Mode("lined", unit=(table, "-gdwarf-4", "-Og"))


def lockstep(toolchain: Toolchain) -> Mode:
    """Every access of a unit calls the device, as in race mode, so that a warp's lanes can make theirs together; races
    are not looked for. Unoptimised code lies in the order of the source, by which the lanes find together again."""
    mode = races(toolchain)
    return mode._replace(name="lockstep", unit=(*mode.unit, "-O0"), env=())


def sanitized(toolchain: Toolchain) -> Mode:
    """The address sanitizer over units and device, the one for undefined behaviour over units; guard zones of device
    memory are out of bounds. Leaks are no matter here, and a thread's stack is the device's. Raises `ModeMissing` for
    zig, which does not carry the address sanitizer's library."""
    if toolchain.is_zig:
        raise ModeMissing("--sanitize needs g++ or clang++: zig does not carry the address sanitizer's library")
    return Mode(
        "sanitize",
        unit=(_SANITIZERS, "-g", "-fno-omit-frame-pointer"),
        core=("-fsanitize=address", "-fno-omit-frame-pointer"),
        link=(_SANITIZERS,),
        env=(
            (
                "ASAN_OPTIONS",
                "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0:handle_segv=0:handle_sigbus=0"
                ":handle_sigfpe=0:handle_sigill=0:allocator_may_return_null=1:abort_on_error=0:exitcode=99",
            ),
            ("UBSAN_OPTIONS", "print_stacktrace=0"),
        ),
    )


__all__ = ["PLAIN", "Mode", "ModeMissing", "lined", "lockstep", "races", "sanitized"]
