"""Builds the device's core and its test programs once for a session."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from musify_ai.emulator import core_sources
from musify_ai.emulator.headers import Side, header_dirs

DATA = Path(__file__).parents[1] / "data" / "emulator"
# CXX chooses, as for the product.
COMPILER = shutil.which(os.environ.get("CXX") or "g++") or shutil.which("clang++")
FLAGS = ("-std=c++17", "-O1", "-g1", "-w", "-ffp-contract=off", "-fno-strict-aliasing")
ARCH: dict[tuple[str, int], int] = {("cuda", 32): 800, ("musa", 32): 310, ("musa", 128): 220}


class Ran(NamedTuple):
    status: int
    out: str
    err: str
    findings: list[dict[str, object]]
    log: list[dict[str, object]]

    def kinds(self) -> set[str]:
        return {str(f["kind"]) for f in self.findings}

    def assumptions(self) -> set[str]:
        return {str(f["assumption"]) for f in self.findings if f["assumption"]}


class Device:
    """Compiles test programs for a side and lanes, and runs them."""

    data = DATA

    def __init__(self, root: Path) -> None:
        self.root = root
        self.objects: list[Path] = []
        assert COMPILER
        jobs = []
        for source in core_sources():
            target = root / f"{source.stem}.o"
            jobs.append(subprocess.Popen([COMPILER, "-std=c++17", "-O2", "-c", str(source), "-o", str(target)]))
            self.objects.append(target)
        assert all(job.wait() == 0 for job in jobs)

    def compile(self, source: Path, side: Side, arch: int) -> subprocess.CompletedProcess[str]:
        includes = [f"-I{path}" for path in [*header_dirs(side, self.root / "headers"), DATA]]
        target = self.target(source, side, arch).with_suffix(".o")
        command = [str(COMPILER), *FLAGS, f"-DMUSIFY_EMU_ARCH={arch}", *includes, "-include", f"{side}_runtime.h"]
        command += ["-c", str(source), "-o", str(target)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def target(self, source: Path, side: str, arch: int) -> Path:
        return self.root / f"{source.stem}-{side}-{arch}"

    def program(self, name: str, side: Side, lanes: int) -> Path:
        source = DATA / name
        arch = ARCH[side, lanes]
        target = self.target(source, side, arch)
        if not target.exists():
            done = self.compile(source, side, arch)
            assert done.returncode == 0, done.stderr
            command = [
                str(COMPILER),
                "-no-pie",
                str(target.with_suffix(".o")),
                *map(str, self.objects),
                "-o",
                str(target),
            ]
            subprocess.run(command, check=True, timeout=300)
        return target

    def run(
        self,
        name: str,
        side: Side,
        lanes: int,
        *arguments: str,
        schedule: str = "forward",
        poison: int = 255,
        seconds: str = "20",
        environment: Mapping[str, str] | None = None,
    ) -> Ran:
        program = self.program(name, side, lanes)
        findings, log = self.root / "findings.jsonl", self.root / "log.jsonl"
        for path in (findings, log):
            path.unlink(missing_ok=True)
        settings = {
            "PATH": os.environ["PATH"],
            "MUSIFY_EMU_LANES": str(lanes),
            "MUSIFY_EMU_SCHEDULE": schedule,
            "MUSIFY_EMU_POISON": str(poison),
            "MUSIFY_EMU_SECONDS": seconds,
            "MUSIFY_EMU_FINDINGS": str(findings),
            "MUSIFY_EMU_LOG": str(log),
            **(environment or {}),
        }
        done = subprocess.run([str(program), *arguments], env=settings, capture_output=True, text=True, timeout=120)

        def lines(path: Path) -> list[dict[str, object]]:
            return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

        return Ran(done.returncode, done.stdout, done.stderr, lines(findings), lines(log))


SIDES: list[tuple[Side, int]] = [("cuda", 32), ("musa", 32), ("musa", 128)]


@pytest.fixture(scope="session")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    if COMPILER is None:
        pytest.skip("no C++ compiler (g++ or clang++): the CPU device is not tested")
    return Device(tmp_path_factory.mktemp("device"))


@pytest.fixture(params=SIDES, ids=["cuda-32", "musa-32", "musa-128"])
def side(request: pytest.FixtureRequest) -> tuple[Side, int]:
    chosen: tuple[Side, int] = request.param
    return chosen


@pytest.fixture
def run(device: Device, side: tuple[Side, int]) -> Callable[..., Ran]:
    def call(name: str, *arguments: str, **options: object) -> Ran:
        return device.run(name, *side, *arguments, **options)

    return call
