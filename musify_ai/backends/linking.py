"""Making a program of objects: by the compiler, or by zig's own linker."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.backends import zig
from musify_ai.backends.diagnostics import undefined_references
from musify_ai.backends.limits import Completed, Limits, clean_environment, run_limited
from musify_ai.backends.sandbox import Access
from musify_ai.backends.toolchain import Toolchain

# A name that nothing defines is 0, and told of.
_OPEN_ENDS = ("-Wl,--warn-unresolved-symbols", "-no-pie")


class Linked(NamedTuple):
    """How linking ended, and the names that are open."""

    done: Completed
    undefined: tuple[str, ...] = ()


class Linker(NamedTuple):
    """One compiler's way; ``cache`` is the cache's root, where zig's library is."""

    toolchain: Toolchain
    cache: Path

    def prepare(self) -> None:
        """Whatever has to be done once before anything can be linked. Raises `zig.LibraryError`."""
        if self.toolchain.is_zig:
            zig.link_line(self.cache, self.toolchain.command, self.toolchain.version)

    def slow_start(self) -> str:
        """Why the first program takes long, where it will; else nothing."""
        compiler, version = self.toolchain.command, self.toolchain.version
        if not self.toolchain.is_zig or zig.library_there(self.cache, compiler, version):
            return ""
        return f"{self.toolchain.name} builds its C++ library first, once: a minute or two (kept in {self.cache})"

    def link(
        self, objects: Sequence[Path], program: Path, flags: Sequence[str], *, open_ends: bool, limits: Limits
    ) -> Linked:
        """Link ``objects`` into ``program``, in whose folder the linker runs. Raises `zig.LibraryError`."""
        if self.toolchain.is_zig:
            return self._by_zig(objects, program, flags, open_ends=open_ends, limits=limits)
        more = (*_OPEN_ENDS, *flags) if open_ends else flags
        command: list[str | Path] = [*self.toolchain.command, *objects, "-o", program, "-lm", "-lpthread", *more]
        done = self._run(command, objects, program, limits)
        return Linked(done, tuple(undefined_references(done.stderr)))

    def _by_zig(
        self, objects: Sequence[Path], program: Path, flags: Sequence[str], *, open_ends: bool, limits: Limits
    ) -> Linked:
        compiler, version = self.toolchain.command, self.toolchain.version
        line = zig.link_line(self.cache, compiler, version)
        library = zig.place_of(self.cache, compiler, version)

        def run(*more: str) -> Completed:
            command: list[str | Path] = [
                compiler[0], "ld.lld", *line.before, *objects, *line.after, "-o", program, *zig.plain(flags), *more,
            ]  # fmt: skip
            return self._run(command, objects, program, limits, library)

        done = run(*(("--warn-unresolved-symbols",) if open_ends else ()))
        undefined = tuple(undefined_references(done.stderr)) if done.ok and open_ends else ()
        if undefined:
            # LLD leaves an open name to the loader, which would not start the program: it is 0 here too.
            mangled = undefined_references(run("--warn-unresolved-symbols", "--no-demangle").stderr)
            done = run(*(f"--defsym={name}=0" for name in mangled))
        return Linked(done, undefined)

    def _run(
        self, command: Sequence[str | Path], objects: Sequence[Path], program: Path, limits: Limits, *more: Path
    ) -> Completed:
        place = program.parent
        access = Access(tuple({*(each.parent for each in objects if each.parent != place), *more}))
        return run_limited(command, cwd=place, limits=limits, env=clean_environment(place), access=access)
