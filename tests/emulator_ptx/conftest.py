"""The device's core and a way to build and run programs with it, once for a session."""

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from musify_ai.emulator import core_sources
from musify_ai.emulator.headers import header_dirs
from musify_ai.emulator.prepare import prepare
from tests.emulator_ptx.bench import COMPILER, FLAGS


class Ran(NamedTuple):
    """How a program ended, what it printed, and what the device noticed."""

    status: int
    out: str
    findings: list[dict[str, object]]

    def assumptions(self) -> set[str]:
        return {str(each["assumption"]) for each in self.findings if each["assumption"]}

    def noticed(self) -> list[tuple[object, object]]:
        return [(each["kind"], each["message"]) for each in self.findings if each["kind"] != "assumption"]


class Device:
    """Prepares, compiles and runs CUDA sources on the CPU device."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.objects = [root / f"{core.stem}.o" for core in core_sources()]
        commands = [
            [str(COMPILER), "-std=c++17", "-O1", "-c", str(core), "-o", str(target)]
            for core, target in zip(core_sources(), self.objects, strict=True)
        ]
        jobs = [subprocess.Popen(command) for command in commands]
        assert all(job.wait() == 0 for job in jobs)

    def build(self, name: str, text: bytes, problems: tuple[str, ...] = ()) -> Path:
        """A program of one source; ``problems`` are the opcodes that it knowingly uses and that are not had."""
        prepared = prepare(text, "cuda")
        assert tuple(problem.message.split(": ")[1] for problem in prepared.problems) == problems
        source, program = self.root / f"{name}.cpp", self.root / name
        source.write_bytes(prepared.text)
        includes = [f"-I{path}" for path in header_dirs("cuda", self.root / "headers")]
        command = [str(COMPILER), *FLAGS, "-DMUSIFY_EMU_ARCH=800", *includes, "-include", "cuda_runtime.h", str(source)]
        built = subprocess.run([*command, *map(str, self.objects), "-o", str(program)], capture_output=True, text=True)
        assert built.returncode == 0, built.stderr[:4000]
        return program

    def run(self, program: Path, *arguments: str, schedule: str = "forward", poison: int = 255) -> Ran:
        """Run a program with arguments under a schedule."""
        findings = program.with_suffix(".jsonl")
        findings.unlink(missing_ok=True)
        environment = {
            "PATH": os.environ["PATH"],
            "MUSIFY_EMU_SCHEDULE": schedule,
            "MUSIFY_EMU_FINDINGS": str(findings),
            "MUSIFY_EMU_LANES": "32",
            "MUSIFY_EMU_POISON": str(poison),
        }
        done = subprocess.run(
            [str(program), *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        lines = findings.read_text().splitlines() if findings.exists() else []
        return Ran(done.returncode, done.stdout, [json.loads(line) for line in lines])


@pytest.fixture(scope="session")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    if COMPILER is None:
        pytest.skip("no g++ or clang++ on this machine")
    return Device(tmp_path_factory.mktemp("device"))
