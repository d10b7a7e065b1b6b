"""Building and running one side on the CPU device: its core once for each compiler, then unit after unit, from a cache.

A unit is a mirror tree (its files, prepared) and one source text that includes it; it becomes one program, linked with
the device and the driver. Everything is compiled inside the mirror tree by relative paths, so that what a compiler
says, and what ``__FILE__`` gives, is the same on every machine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai import emulator
from musify_ai.backends.cache import Cache, digest
from musify_ai.backends.diagnostics import Diagnostic, parse
from musify_ai.backends.flags import (
    APART,
    APART_FLAGS,
    C_FLAGS,
    CORE_FLAGS,
    UNIT_FLAGS,
    array_bounds,
    error_limit,
    unit_flags,
)
from musify_ai.backends.harness_files import harness_dir
from musify_ai.backends.limits import Completed, Limits, clean_environment, run_limited, scratch
from musify_ai.backends.linking import Linker
from musify_ai.backends.modes import PLAIN, Mode
from musify_ai.backends.own_names import separate
from musify_ai.backends.sandbox import Access
from musify_ai.backends.toolchain import Toolchain
from musify_ai.backends.zig import LibraryError, environment

Side = Literal["cuda", "musa"]
SIDES: tuple[Side, Side] = ("cuda", "musa")

RUNTIME_HEADER: dict[Side, str] = {"cuda": "cuda_runtime.h", "musa": "musa_runtime.h"}

# What every compilation reads: the device's headers and the harness.
_OURS = (emulator.device_dir(), harness_dir())

COMPILE_LIMITS = Limits(cpu=120, wall=600, memory=6144, output=2_000_000)
RUN_LIMITS = Limits(cpu=300, wall=900, memory=16384, output=2_000_000)

MAIN = "musify_main.cpp"
"""The name of the text that includes the unit, in the mirror tree."""


class Unit(NamedTuple):
    """What is compiled into one program: files of the mirror tree as they are before preparation, by path with ``/``;
    the text that includes them; folders of the tree that are searched for includes; files that are included before
    all others. A C unit sees no header of the device's."""

    sources: Mapping[str, bytes]
    main: str
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    language: Literal["c++", "c"] = "c++"


class Companions(NamedTuple):
    """Headers that a build for MUSA needs besides the sources: a folder of them, by name below it, which is searched
    first, and the one that is included before all else. ``names`` are what it defines, with what each stands for."""

    folder: str
    files: Mapping[str, bytes]
    forced: str
    names: Mapping[str, str] = {}

    def beside(self, unit: Unit) -> Unit:
        """A unit with these headers."""
        placed = {f"{self.folder}/{name}": text for name, text in self.files.items()}
        return unit._replace(
            sources={**unit.sources, **placed},
            include_dirs=(self.folder, *unit.include_dirs),
            forced=(*unit.forced, f"{self.folder}/{self.forced}"),
        )


class Built(NamedTuple):
    """A program, and the names that it mentions but nothing defines."""

    program: Path
    undefined: tuple[str, ...] = ()


class BuildFailure(NamedTuple):
    """Why there is no program: the errors, in the compiler's order, and its text."""

    diagnostics: tuple[Diagnostic, ...]
    text: str


class DeviceBuildError(RuntimeError):
    """The device itself does not build here: a fault of the installation or of the compiler, not of a user's file."""


class Emulated:
    """The emulated backends of both sides, with one compiler, one cache and one way of building."""

    def __init__(
        self,
        toolchain: Toolchain,
        cache: Cache | None = None,
        mode: Mode = PLAIN,
        companions: Companions | None = None,
    ) -> None:
        self.mode = mode
        self.companions = companions
        self.toolchain = toolchain
        self.cache = cache or Cache()
        self._linker = Linker(toolchain, self.cache.root)

    def core(self) -> list[Path]:
        """The object files of the device and of the harness driver, compiled if they are not there."""
        from concurrent.futures import ThreadPoolExecutor

        try:
            self._linker.prepare()
        except LibraryError as error:
            raise DeviceBuildError(str(error)) from None
        sources = [*emulator.core_sources(), *_driver_sources()]
        flags = (*CORE_FLAGS, *self.mode.core)
        key = digest([self.toolchain.name, *self.toolchain.command, *flags, _device_digest(), _harness_digest()])

        def fill(place: Path) -> None:
            with scratch() as work:
                compile_all(place, work)

        def compile_all(place: Path, work: Path) -> None:
            def one(source: Path) -> None:
                target = place / f"{'driver-' if source.parent == harness_dir() else ''}{source.stem}.o"
                done = run_limited(
                    [*self.toolchain.command, *flags, *self._core_includes(), "-c", source, "-o", target],
                    cwd=place, limits=COMPILE_LIMITS, env=self._environment(work), access=Access(_OURS, (work,)),
                )  # fmt: skip
                if not done.ok:
                    text = done.stderr.decode("utf-8", "replace")[:2000]
                    raise DeviceBuildError(f"the emulated device does not build with {self.toolchain.name}: {text}")

            with ThreadPoolExecutor(2) as pool:
                list(pool.map(one, sources))

        return sorted(self.cache.make("core", key, fill).glob("*.o"))

    def build(self, unit: Unit, side: Side, macro: int) -> Built | BuildFailure:
        """The driver of a unit for a side and an arch (its macro's value), from the cache where it was made before.

        A failure is remembered too; where the compiler ran out of something, `BuildStoppedError` is raised instead.
        What the unit calls and does not define is left open: the harness does not need all of a program.
        """
        compiled = self.compile(unit, side, macro)
        if isinstance(compiled, BuildFailure):
            return compiled
        return self._link([compiled], self.core(), APART_FLAGS, open_ends=True)

    def build_strict(self, unit: Unit, side: Side, macro: int) -> Built | BuildFailure:
        """As `build`, but a thread that goes outside an array of fixed size ends its launch with a trap."""
        return self.build(unit._replace(defines=(*unit.defines, *array_bounds(self.toolchain))), side, macro)

    def build_program(self, units: Sequence[Unit], side: Side, macro: int, jobs: int = 2) -> Built | BuildFailure:
        """A whole program: its units compiled and linked as they are, with its own ``main``."""
        from concurrent.futures import ThreadPoolExecutor

        self.core()
        with ThreadPoolExecutor(max(jobs, 1)) as pool:
            compiled = list(pool.map(lambda unit: self.compile(unit, side, macro), units))
        failures = [each for each in compiled if isinstance(each, BuildFailure)]
        if failures:
            diagnostics = tuple(one for each in failures for one in each.diagnostics)
            return BuildFailure(diagnostics, "".join(each.text for each in failures))
        driver = {f"driver-{each.stem}" for each in _driver_sources()}
        core = [each for each in self.core() if each.stem not in driver]
        objects = [each for each in compiled if isinstance(each, Path)]
        return self._link(objects, core, (), tuple(unit.sources for unit in units))

    def compile(self, unit: Unit, side: Side, macro: int) -> Path | BuildFailure:
        """The object file of a unit, or why there is none; from the cache where it was made before."""
        if side == "musa" and self.companions is not None:
            unit = self.companions.beside(unit)
        key = self._unit_key(unit, side, macro)
        found = self.cache.find("unit", key)
        if found is None:
            prefix = self._prefix(side, macro) if unit.language == "c++" else C_FLAGS

            def fill(place: Path) -> None:
                self._compile_into(place, unit, side, macro, prefix)

            found = self.cache.make("unit", key, fill)
        failure = _read_failure(found)
        return found / "unit.o" if failure is None else failure

    def preprocessed(self, unit: Unit, side: Side, macro: int) -> bytes:
        """What a compiler of a side sees of a unit: all includes and macros resolved, without line numbers, so that
        two units of the same text are the same. Files are not prepared first. Empty where the preprocessor fails."""
        with scratch() as work:
            tree = work / "tree"
            tree.mkdir()
            for path, src in unit.sources.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(src)
            (tree / MAIN).write_text(unit.main, "utf-8", "surrogateescape")
            command: list[str | Path] = [
                *self.toolchain.command, *UNIT_FLAGS, f"-DMUSIFY_EMU_ARCH={macro}", *unit.defines,
                "-E", "-P", "-U__LINE__", "-D__LINE__=0", "-include", RUNTIME_HEADER[side],
                *(f"-I{folder}" for folder in unit.include_dirs), *self._side_includes(side), MAIN,
            ]  # fmt: skip
            limits = COMPILE_LIMITS._replace(output=200_000_000)
            access = Access((*_OURS, self.cache.root / "headers"), (work,))
            done = run_limited(command, cwd=tree, limits=limits, env=self._environment(work), access=access)
            return done.stdout if done.ok else b""

    def _link(
        self, objects: Sequence[Path], core: Sequence[Path], flags: Sequence[str],
        sources: Sequence[Mapping[str, bytes]] = (), *, open_ends: bool = False,
    ) -> Built | BuildFailure:  # fmt: skip
        # An object's folder is named by the digest of all it was made from.
        flags = (*flags, *self.mode.link)
        how = ("own names" if sources else "", "open" if open_ends else "")
        key = digest([*(each.parent.name for each in (*objects, *core[:1])), *flags, *how])

        def fill(place: Path) -> None:
            linked = separate(objects, sources, place)
            made = self._linker.link(
                [*linked, *core], place / "program", flags, open_ends=open_ends, limits=COMPILE_LIMITS
            )
            if not made.done.ok or not (place / "program").is_file():
                _write_failure(place, made.done)
                return
            for copy in place.glob("unit*.o"):
                copy.unlink()
            (place / "built.json").write_text(json.dumps({"undefined": made.undefined}), "utf-8")

        place = self.cache.make("program", key, fill)
        failure = _read_failure(place)
        if failure is not None:
            return failure
        notes = json.loads((place / "built.json").read_text("utf-8"))
        return Built(place / "program", tuple(notes["undefined"]))

    def run(
        self, built: Built, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None,
        limits: Limits = RUN_LIMITS,
    ) -> Completed:  # fmt: skip
        """Run a built program in a directory, under limits."""
        given = {**dict(self.mode.env), **(env or {})}
        access = Access((built.program.parent,))
        env = clean_environment(cwd, given)
        return run_limited([built.program, *arguments], cwd=cwd, limits=limits, env=env, access=access)

    def _unit_key(self, unit: Unit, side: Side, macro: int) -> str:
        parts: list[bytes | str] = [
            self.toolchain.name, *self.toolchain.command, *unit_flags(self.toolchain), *self.mode.unit, side,
            str(macro),
            _device_digest(), _harness_digest(), unit.main, *unit.include_dirs, "|", *unit.defines,
            "|", *unit.forced, unit.language,
        ]  # fmt: skip
        for path in sorted(unit.sources):
            parts += [path, unit.sources[path]]
        return digest(parts)

    def _compile_into(self, place: Path, unit: Unit, side: Side, macro: int, prefix: Sequence[str]) -> None:
        from musify_ai.emulator.prepare import prepare_tree

        with scratch() as work:
            tree = work / "tree"
            tree.mkdir()
            prepare_tree(tree, unit.sources, tree, side, unit.sources)
            (tree / MAIN).write_text(unit.main, "utf-8", "surrogateescape")
            command: list[str | Path] = [
                *self.toolchain.command, *unit_flags(self.toolchain), *self.mode.unit,
                f"-DMUSIFY_EMU_ARCH={macro}", *unit.defines, *prefix, f"-fdebug-prefix-map={tree}=.",
                *(part for header in unit.forced for part in ("-include", header)),
                *(f"-I{folder}" for folder in unit.include_dirs), *self._side_includes(side),
                *error_limit(self.toolchain), "-c", MAIN, "-o", place / "unit.o",
            ]  # fmt: skip
            # The folder of a precompiled header is the last word's: ``-include <folder>/musify_prefix.h``.
            precompiled = (Path(prefix[-1]).parent,) if unit.language == "c++" else ()
            access = Access((*_OURS, self.cache.root / "headers", *precompiled), (work, place))
            done = run_limited(command, cwd=tree, limits=COMPILE_LIMITS, env=self._environment(work), access=access)
            if not done.ok:
                _write_failure(place, done)

    def _prefix(self, side: Side, macro: int) -> list[str]:
        """The options that include the runtime header and the harness, precompiled."""
        text = f'#include <{RUNTIME_HEADER[side]}>\n#include "{harness_dir() / "musify_check.h"}"\n{APART}'
        command = [*self.toolchain.command, *unit_flags(self.toolchain), *self.mode.unit, f"-DMUSIFY_EMU_ARCH={macro}"]
        clang = self.toolchain.is_clang
        # clang looks for the header again by the path it had, and a result's folder is renamed once it is made.
        source = str(self._kept(text)) if clang else "musify_prefix.h"
        key = digest([self.toolchain.name, *command, source, side, text, _device_digest(), _harness_digest()])

        def fill(place: Path) -> None:
            (place / "musify_prefix.h").write_text(text, "utf-8")
            out = place / ("musify_prefix.pch" if clang else "musify_prefix.h.gch")
            with scratch() as work:
                done = run_limited(
                    [*command, *self._side_includes(side), "-x", "c++-header", source, "-o", out],
                    cwd=place, limits=COMPILE_LIMITS, env=self._environment(work),
                    access=Access((*_OURS, self.cache.root / "headers"), (work,)),
                )  # fmt: skip
            if not done.ok:
                shown = done.stderr.decode("utf-8", "replace")[:2000]
                raise DeviceBuildError(f"the {side} headers do not build with {self.toolchain.name}: {shown}")

        place = self.cache.make("prefix", key, fill)
        if clang:
            return ["-include-pch", str(place / "musify_prefix.pch")]
        return ["-include", str(place / "musify_prefix.h")]

    def _kept(self, text: str) -> Path:
        """A file with this text that stays where it is, and is written once."""
        place = self.cache.root / "headers" / f"prefix-{digest([text])}.h"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with scratch(place.parent) as work:
                fresh = work / "fresh.h"
                fresh.write_text(text, "utf-8")
                with suppress(FileExistsError):  # another process was first
                    place.hardlink_to(fresh)
        return place

    def _environment(self, work: Path) -> dict[str, str]:
        """What the compiler sees; ``work`` is a folder it may fill."""
        return clean_environment(work, environment(work) if self.toolchain.is_zig else None)

    def _side_includes(self, side: Side) -> list[str]:
        from musify_ai.emulator.headers import header_dirs

        folders = header_dirs(side, self.cache.root / "headers")
        return [f"-I{folder}" for folder in folders]

    def _core_includes(self) -> list[str]:
        device = emulator.device_dir()
        return [f"-I{device / 'include'}", f"-I{device}"]


def _read_failure(place: Path) -> BuildFailure | None:
    failure = place / "failure.txt"
    if not failure.is_file():
        return None
    text = failure.read_text("utf-8")
    return BuildFailure(tuple(parse(text.encode())) or (Diagnostic("", 0, text.strip()[:300]),), text)


class BuildStoppedError(RuntimeError):
    """The compiler ran out of time, memory or disk; nothing about the file is known, and nothing is remembered."""


# What compilers and linkers say, with an exit status like any other, when a pass of theirs was ended or found no room.
STOPPED = re.compile(
    r"signal terminated program|out of memory|(?:virtual )?memory exhausted|[Cc]annot allocate memory"
    r"|No space left on device|Disk quota exceeded|File size limit|Too many open files"
    r"|Resource temporarily unavailable"
)


def _write_failure(place: Path, done: Completed) -> None:
    text = done.stderr.decode("utf-8", "replace")
    if done.ended == "timeout":
        raise BuildStoppedError("the compiler did not end within its time limit")
    if done.ended != "exit":
        raise BuildStoppedError(f"the compiler was stopped: {done.describe()}")
    # A user's own #error may say any of this, but then the compiler names a line of the file.
    stopped = next((line for line in text.splitlines() if STOPPED.search(line)), None)
    if stopped is not None and not any(each.line for each in parse(done.stderr)):
        raise BuildStoppedError(f"the compiler was stopped: {stopped.strip()[:200]}")
    text = text or f"the compiler ended without a word: {done.describe()}"
    (place / "failure.txt").write_text(text, "utf-8")


def _driver_sources() -> list[Path]:
    return sorted(harness_dir().glob("*.cpp"))


@cache
def _device_digest() -> str:
    return _tree_digest(Path(emulator.__file__).parent)


@cache
def _harness_digest() -> str:
    return _tree_digest(harness_dir())


def _tree_digest(root: Path) -> str:
    parts: list[bytes | str] = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            parts += [path.relative_to(root).as_posix(), path.read_bytes()]
    return digest(parts)


__all__ = ["SIDES", "BuildFailure", "BuildStoppedError", "Built", "DeviceBuildError", "Emulated", "Side", "Unit"]
