"""Inline PTX that touches memory, warps and blocks, run on the CPU device itself."""

from pathlib import Path

import pytest

from tests.emulator_ptx.conftest import Device

DATA = Path(__file__).parents[1] / "data" / "emulator_prepare"


@pytest.fixture(scope="module")
def program(device: Device) -> Path:
    return device.build("threads", (DATA / "threads.cu").read_bytes(), ("wgmma.fence.sync.aligned",) * 2)


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:3"])
def test_memory_warps_and_blocks(device: Device, program: Path, schedule: str) -> None:
    ran = device.run(program, schedule=schedule)
    assert (ran.status, ran.out) == (0, "ok\n")


@pytest.mark.parametrize(
    ("last", "kind", "message"),
    [
        ("wgmma", "unsupported", "wgmma.fence.sync.aligned"),
        ("trap", "trap", "trap in inline PTX"),
    ],
)
def test_what_is_not_had_ends_the_launch_by_its_name(
    device: Device, program: Path, last: str, kind: str, message: str
) -> None:
    ran = device.run(program, last)
    assert ran.status == 3
    assert ran.noticed() == [(kind, message)]
