"""A program for a real device: the unit and the harness's device driver, built and run in a session on some machine.

What differs between compilers is in a `Builder` (`musify_ai.backends.nvcc`, `mcc`, `musa_on_nvidia`): where it is, its
flags, and headers of its own.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple, Protocol

from musify_ai.backends.cache import digest
from musify_ai.backends.diagnostics import Diagnostic
from musify_ai.backends.emulated import MAIN, STOPPED, BuildFailure, BuildStoppedError, Side, Unit
from musify_ai.backends.hardware import DeviceReport, Maker, nodes_of, read_report, why_no_gpu
from musify_ai.backends.harness_files import harness_dir
from musify_ai.backends.limits import Completed, Limits
from musify_ai.backends.machines import Machine, MachineError, Probe, Session, probe
from musify_ai.records import Arch

BUILD_LIMITS = Limits(cpu=300, wall=900, memory=12288, output=2_000_000)
RUN_LIMITS = Limits(cpu=600, wall=1800, memory=16384, output=2_000_000, file=2048, scratch=4096, addresses=False)

HARNESS, UNIT = "harness", "unit"
"""Folders of a session: the driver's sources, and the unit's files."""
DRIVER = ("gpu/device.cpp", "plan.cpp", "registry.cpp", "values.cpp")


class Compiler(NamedTuple):
    """A compiler on a machine: its path there, what it says of its version, folders that it reads, and what it needs
    in the environment."""

    program: str
    version: str
    roots: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


class Builder(Protocol):
    """How one side is built for a real device."""

    @property
    def key(self) -> str:
        """The backend's name on the command line."""

    @property
    def side(self) -> Side:
        """Whose sources it takes."""

    @property
    def maker(self) -> Maker:
        """Whose GPU its programs run on."""

    def detect(self, session: Session, machine: Machine) -> Compiler:
        """The compiler of a machine. Raises `MachineError` where there is none, saying what to do."""

    def headers(self, arch: Arch) -> Mapping[str, bytes]:
        """Files of its own, below the session's folder."""

    def arch_of(self, arch: Arch) -> str:
        """What is built for to stand for an arch, in the compiler's words."""

    def compile_unit(self, compiler: Compiler, unit: Unit, arch: Arch) -> list[str]:
        """The command that compiles `MAIN` to ``../unit.o``, in the folder `UNIT`."""

    def compile_driver(self, compiler: Compiler, sources: Sequence[str]) -> list[str]:
        """The command that compiles files of the harness, each to ``<stem>.o``, in the folder `HARNESS`."""

    def link(self, compiler: Compiler, objects: Sequence[str], program: str) -> list[str]:
        """The command that links a program, in the session's folder."""

    def read_errors(self, stderr: bytes) -> list[Diagnostic]:
        """The errors among what the compiler printed."""


class Loaded(NamedTuple):
    """A built program on a machine: its folder below the session's."""

    folder: str


class DeviceRun(NamedTuple):
    """What a program reported: the device, its lines a case, and the contents of buffers, one after the other."""

    report: DeviceReport | None
    lines: tuple[str, ...]
    contents: bytes
    trouble: str = ""


class OnDevice:
    """A backend in a session on a machine, with its compiler found; units are built once each."""

    def __init__(self, builder: Builder, machine: Machine, session: Session) -> None:
        self.builder, self.machine, self.session = builder, machine, session
        self.compiler = builder.detect(session, machine)
        self.probe: Probe = probe(session)
        self._built: dict[str, Loaded | BuildFailure] = {}
        self._driver: list[str] = []

    @property
    def name(self) -> str:
        """The backend for evidence rows: compiler, and where it is."""
        where = f" at {self.machine.name}" if self.machine.name else ""
        return f"{self.builder.side} {self.compiler.version}{where}"

    def why_no_gpu(self, report: DeviceReport | None) -> str:
        """Why a run is no run on a GPU of the maker; empty where it is one."""
        return why_no_gpu(self.builder.maker, report, self.probe)

    def build(self, unit: Unit, arch: Arch) -> Loaded | BuildFailure:
        """The program of a unit for an arch, or why there is none. Raises `BuildStoppedError` where the compiler ran
        out of something, `MachineError` where the machine failed."""
        key = _key(unit, self.builder.arch_of(arch))
        if key not in self._built:
            self._built[key] = self._build(unit, arch, f"b{len(self._built)}")
        return self._built[key]

    def _build(self, unit: Unit, arch: Arch, folder: str) -> Loaded | BuildFailure:
        driver = self._drivers()
        files = {f"{folder}/{UNIT}/{path}": src for path, src in unit.sources.items()}
        files[f"{folder}/{UNIT}/{MAIN}"] = unit.main.encode("utf-8", "surrogateescape")
        files |= {f"{folder}/{name}": text for name, text in self.builder.headers(arch).items()}
        self.session.put(files)
        done = self._compiled(self.builder.compile_unit(self.compiler, unit, arch), f"{folder}/{UNIT}")
        if not done.ok:
            return self._failure(done)
        objects = ["unit.o", *(f"../{HARNESS}/{each}" for each in driver)]
        done = self._compiled(self.builder.link(self.compiler, objects, "program"), folder)
        return Loaded(folder) if done.ok else self._failure(done)

    def _drivers(self) -> list[str]:
        """The driver's object files, compiled once a session."""
        if not self._driver:
            texts = [each for each in sorted(harness_dir().rglob("*")) if each.suffix in (".cpp", ".h")]
            self.session.put({f"{HARNESS}/{each.relative_to(harness_dir())}": each.read_bytes() for each in texts})
            done = self._compiled(self.builder.compile_driver(self.compiler, DRIVER), HARNESS)
            if not done.ok:
                text = done.stderr.decode("utf-8", "replace").strip()[:1500] or done.describe()
                raise MachineError(f"{self.name} does not build the harness: {text}")
            self._driver = [f"{PurePosixPath(source).stem}.o" for source in DRIVER]
        return self._driver

    def _compiled(self, command: Sequence[str], within: str) -> Completed:
        return self.session.run(
            command, within=within, limits=BUILD_LIMITS, read=self.compiler.roots, env=dict(self.compiler.env)
        )

    def _failure(self, done: Completed) -> BuildFailure:
        if done.ended != "exit":
            raise BuildStoppedError(f"{self.name} was stopped: {done.describe()}")
        errors = tuple(self.builder.read_errors(done.stderr + done.stdout))
        said = done.stderr.decode("utf-8", "replace")
        stopped = next((line.strip() for line in said.splitlines() if STOPPED.search(line)), None)
        if stopped is not None and not any(each.line for each in errors):
            raise BuildStoppedError(f"{self.name} was stopped: {stopped[:200]}")
        text = said or f"the compiler ended without a word: {done.describe()}"
        return BuildFailure(errors or (Diagnostic("", 0, text.strip()[:300]),), text)

    def describe(self, program: Loaded) -> list[str]:
        """What a program says that it holds; no device is needed. Empty where it does not start."""
        out = f"{program.folder}/described"
        self.session.put({out: b""})
        done = self._run(program, ["describe", "described"])
        found = self.session.fetch([out]) if done.ok else {}
        return found.get(out, b"").decode("utf-8", "replace").splitlines()

    def run(self, program: Loaded, plan: Sequence[str]) -> DeviceRun:
        """Run the cases of a plan. ``trouble`` says why there are none where there are none."""
        out = {name: f"{program.folder}/{name}" for name in ("plan", "lines", "contents")}
        # What a run before left there must not be taken for this one's.
        self.session.put({out["plan"]: ("\n".join(plan) + "\n").encode(), out["lines"]: b"", out["contents"]: b""})
        done = self._run(program, ["run", "plan", "lines", "contents"])
        found = self.session.fetch([out["lines"], out["contents"]])
        lines = found.get(out["lines"], b"").decode("utf-8", "replace").splitlines()
        report = next((each for each in map(read_report, lines) if each is not None), None)
        rows = tuple(line for line in lines if not line.startswith('{"device"'))
        trouble = _no_device(rows)
        if not trouble and (not done.ok or not rows):
            said = done.stderr.decode("utf-8", "replace").strip()[:300]
            trouble = f"the program ended early: {said or done.describe()}"
        return DeviceRun(report, rows, found.get(out["contents"], b""), trouble)

    def _run(self, program: Loaded, arguments: Sequence[str]) -> Completed:
        return self.session.run(
            ["./program", *arguments], within=program.folder, limits=RUN_LIMITS, read=self.compiler.roots,
            nodes=nodes_of(self.builder.maker, self.probe), env=dict(self.compiler.env),
        )  # fmt: skip


def _key(unit: Unit, arch: str) -> str:
    parts: list[str | bytes] = [arch, unit.main, *unit.include_dirs, "|", *unit.defines, "|", *unit.forced]
    for path in sorted(unit.sources):
        parts += [path, unit.sources[path]]
    return digest(parts)


def _no_device(rows: Sequence[str]) -> str:
    """What a driver said where the runtime found no device."""
    for row in rows[:1]:
        try:
            case = json.loads(row)
        except json.JSONDecodeError:
            return ""
        if case.get("state") == "no-device":
            return str(case.get("message"))
    return ""


def options_of(unit: Unit) -> list[str]:
    """The macros of a unit, as options: what else a unit carries is for the host's compiler."""
    return [each for each in unit.defines if each.startswith(("-D", "-U"))]
