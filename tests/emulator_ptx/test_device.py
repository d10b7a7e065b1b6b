"""Inline PTX that touches memory, warps and blocks, run on the CPU device itself."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from musify_ai.emulator import core_sources
from musify_ai.emulator.headers import header_dirs
from musify_ai.emulator.prepare import prepare
from tests.emulator_ptx.bench import COMPILER, FLAGS

DATA = Path(__file__).parents[1] / "data" / "emulator_prepare"
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no g++ or clang++ on this machine")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("device")
    prepared = prepare((DATA / "threads.cu").read_bytes(), "cuda")
    assert [problem.message.split(": ")[1] for problem in prepared.problems] == ["wgmma.fence.sync.aligned"] * 2
    source = root / "threads.cpp"
    source.write_bytes(prepared.text)
    objects = [root / f"{core.stem}.o" for core in core_sources()]
    jobs = [
        subprocess.Popen([str(COMPILER), "-std=c++17", "-O1", "-c", str(core), "-o", str(target)])
        for core, target in zip(core_sources(), objects, strict=True)
    ]
    assert all(job.wait() == 0 for job in jobs)
    includes = [f"-I{path}" for path in header_dirs("cuda", root / "headers")]
    command = [str(COMPILER), *FLAGS, "-DMUSIFY_EMU_ARCH=800", *includes, "-include", "cuda_runtime.h", str(source)]
    built = subprocess.run([*command, *map(str, objects), "-o", str(root / "threads")], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:4000]
    return root / "threads"


def run(program: Path, schedule: str = "forward", last: str = "") -> tuple[int, str, list[dict[str, object]]]:
    findings = program.with_suffix(".jsonl")
    findings.unlink(missing_ok=True)
    settings = {"MUSIFY_EMU_SCHEDULE": schedule, "MUSIFY_EMU_FINDINGS": str(findings), "MUSIFY_EMU_LANES": "32"}
    environment = {"PATH": os.environ["PATH"], "LAST": last, **settings}
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=60)
    lines = findings.read_text().splitlines() if findings.exists() else []
    return done.returncode, done.stdout, [json.loads(line) for line in lines]


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:3"])
def test_memory_warps_and_blocks(program: Path, schedule: str) -> None:
    status, out, _ = run(program, schedule)
    assert (status, out) == (0, "ok\n")


@pytest.mark.parametrize(
    ("last", "kind", "message"),
    [
        ("wgmma", "unsupported", "wgmma.fence.sync.aligned"),
        ("trap", "trap", "trap in inline PTX"),
    ],
)
def test_what_is_not_had_ends_the_launch_by_its_name(program: Path, last: str, kind: str, message: str) -> None:
    status, _, findings = run(program, last=last)
    assert status == 3
    assert [(f["kind"], f["message"]) for f in findings if f["kind"] != "assumption"] == [(kind, message)]
