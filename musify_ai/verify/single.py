"""One program on one side: any CUDA or MUSA source built for the CPU device and run as the user's own program.

Nothing is compared. The program gets the user's directory, environment, input and output; what the device noticed is
read back afterwards, and what a sanitizer said with it.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from musify_ai.backends import modes
from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import BuildFailure, Emulated, Side, Unit
from musify_ai.backends.limits import scratch
from musify_ai.backends.toolchain import Toolchain, no_compiler
from musify_ai.records import ARCHS
from musify_ai.verify.checking import CompilerMissing
from musify_ai.verify.closures import Sources
from musify_ai.verify.noticed import findings, rows, settings
from musify_ai.verify.stray_reads import GUARDS, Told, stray_reads
from musify_ai.verify.whole_units import whole_unit

CUDA_ARCHS: dict[str, int] = {arch.cuda: arch.cuda_macro for arch in ARCHS.values()}
MODES = ("plain", "races", "sanitize")
NOTES = ("assumption", "barrier-after-exit", "not-repeatable")
"""Kinds of findings that hold no fault of the program's."""

_SOURCES = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".muh", ".inl", ".inc", ".cu", ".mu", ".cpp", ".cc", ".cxx", ".c")
_MUSA = re.compile(rb"\b(?:musa_runtime|musa_fp16|musa\.h|musa[A-Z]\w+)\b")
_CUDA = re.compile(rb"\b(?:cuda_runtime|cuda_fp16|cuda\.h|cuda[A-Z]\w+)\b")
_RUNTIME_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: runtime error: (?P<text>.*)$", re.M)
_SUMMARY = re.compile(r"^SUMMARY: AddressSanitizer: (?P<kind>\S+) (?P<file>[^\s:]+)(?::(?P<line>\d+))?", re.M)


class Asked(NamedTuple):
    """What is run and how. ``files`` are compiled and linked in this order; ``includes`` are folders to search;
    ``defines`` as a compiler takes them. ``seconds`` of processor time may a launch take; a log of the launches is
    written to the file ``log``, where it is named. ``streams`` is when streams do their work: ``at-once``, ``late`` or
    ``late-reverse``; with ``protect`` device memory is the host's only while it calls the API. With ``stray_reads`` the
    program is run again, silently and without input, with other bytes around its buffers."""

    files: tuple[Path, ...]
    side: Side
    arch: str
    mode: str = "plain"
    schedule: str = "forward"
    poison: int = 255
    seconds: float = 60
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    log: str = ""
    streams: str = "at-once"
    protect: bool = False
    stray_reads: bool = False


class NotBuilt(RuntimeError):
    """The program does not build: the compiler's words."""


class Ran(NamedTuple):
    """How the program ended, as a shell would say it, and what was noticed."""

    status: int
    findings: tuple[Mapping[str, Any], ...]

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """The findings that are more than a note."""
        return tuple(each for each in self.findings if each.get("kind") not in NOTES)


def side_of(path: Path, arch: str = "") -> Side:
    """The side a file is written for: by its suffix, else by the names it uses, else by the arch that is asked for (a
    file that keeps to Thrust, for one, names neither side)."""
    if path.suffix in (".mu", ".muh"):
        return "musa"
    try:
        src = path.read_bytes()
    except OSError:
        return "cuda"
    return "musa" if _MUSA.search(src) or (arch in ARCHS and not _CUDA.search(src)) else "cuda"


def lanes_and_macro(side: Side, arch: str) -> tuple[int, int]:
    """Lanes of a warp and the value of the arch macro. `KeyError` for an arch that the side does not have."""
    if side == "cuda":
        return 32, CUDA_ARCHS[arch]
    return ARCHS[arch].lanes, ARCHS[arch].macro


def run_program(
    asked: Asked, arguments: Sequence[str] = (), *, stdout: int | None = None, cache: Cache | None = None
) -> Ran:
    """Build and run a program. ``stdout`` is a file descriptor in place of our own.

    Raises `CompilerMissing` where there is no C++ compiler, `NotBuilt` where the program does not build.
    """
    import subprocess

    toolchain = Toolchain.detect()
    if toolchain is None:
        raise CompilerMissing(no_compiler())
    lanes, macro = lanes_and_macro(asked.side, asked.arch)
    tells_lines = asked.protect or asked.streams != "at-once"
    plain = modes.lockstep if asked.schedule == "lockstep" else modes.lined if tells_lines else lambda _: modes.PLAIN
    mode = {"plain": plain, "races": modes.races, "sanitize": modes.sanitized}[asked.mode](toolchain)
    backend = Emulated(toolchain, cache, mode)
    built = backend.build_program(_units(asked), asked.side, macro)
    if isinstance(built, BuildFailure):
        raise NotBuilt(built.text.strip())
    with scratch() as work:
        env = {
            **os.environ, **dict(mode.env),
            **settings(work, lanes=lanes, schedule=asked.schedule, poison=asked.poison, seconds=asked.seconds),
            **({"MUSIFY_EMU_LOG": str(Path(asked.log).absolute())} if asked.log else {}),
            "MUSIFY_EMU_STREAMS": asked.streams, "MUSIFY_EMU_PROTECT": "1" if asked.protect else "0",
        }  # fmt: skip
        listens = asked.mode == "sanitize"
        with subprocess.Popen(
            [built.program, *arguments], env=env, stdout=stdout, stderr=subprocess.PIPE if listens else None
        ) as process:
            said = [_passed_on(line) for line in process.stderr or ()]
        noted = [*findings(work), *_sanitizer(b"".join(said).decode("utf-8", "replace"))]
        if asked.stray_reads:
            told = [_told(built.program, arguments, env, work / f"again{n}", GUARDS[n == 1]) for n in range(3)]
            stray = stray_reads(*told)
            noted += [stray] if stray else []
    return Ran(process.returncode if process.returncode >= 0 else 128 - process.returncode, tuple(noted))


def _told(program: Path, arguments: Sequence[str], env: Mapping[str, str], place: Path, guard: int) -> Told:
    import subprocess

    place.mkdir()
    log = place / "log"
    again = {**env, "MUSIFY_EMU_LOG": str(log), "MUSIFY_EMU_FINDINGS": str(place / "f"), "MUSIFY_EMU_GUARD": str(guard)}
    done = subprocess.run(
        [program, *arguments], env=again, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return Told(rows(log), done.stdout, done.returncode)


def _passed_on(line: bytes) -> bytes:
    os.write(2, line)
    return line if b"runtime error: " in line or line.startswith(b"SUMMARY: ") else b""


def _units(asked: Asked) -> list[Unit]:
    """The units, in a tree whose root holds all files and folders named, and what the files include above them."""
    places = [path.resolve() for path in asked.files]
    folders = [path.resolve() for path in asked.includes]
    root = Path(os.path.commonpath([*(path.parent for path in places), *folders]))
    for path in places:
        ups = max((_ups(line) for line in path.read_bytes().splitlines()), default=0)
        above = path.parents[min(ups, len(path.parents) - 1)]
        if above in root.parents:
            root = above
    listed = [path.relative_to(root).as_posix() for path in places]
    for folder in folders:
        found = (path for path in sorted(folder.rglob("*")) if path.suffix in _SOURCES and path.is_file())
        listed += [path.relative_to(root).as_posix() for path in found]
    sources = Sources(root, listed)
    given = tuple(folder.relative_to(root).as_posix() for folder in folders)
    units = []
    for unit in listed[: len(places)]:
        closure = sources.closure(unit)
        texts = {each: sources.read(each) or b"" for each in closure.files}
        include_dirs = tuple(dict.fromkeys((*given, *closure.include_dirs, str(PurePosixPath(unit).parent))))
        defines = tuple(f"-D{each}" for each in asked.defines)
        units.append(whole_unit(unit, texts, include_dirs, defines))
    return units


def _ups(line: bytes) -> int:
    if b"include" not in line or b'"' not in line:
        return 0
    return line.split(b'"')[1].split(b"/").count(b"..")


def _sanitizer(text: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    matches = sorted((*_RUNTIME_ERROR.finditer(text), *_SUMMARY.finditer(text)), key=lambda m: m.start())
    for match in matches:
        parts = match.groupdict()
        message = parts.get("text") or f"AddressSanitizer: {parts['kind']}"
        file, line = parts["file"].removeprefix("./"), int(parts["line"] or 0)
        row = {"kind": "sanitizer", "message": message, "file": file, "line": line}
        if row not in found:
            found.append(row)
    return found


__all__ = ["CUDA_ARCHS", "Asked", "NotBuilt", "Ran", "lanes_and_macro", "run_program", "side_of"]
