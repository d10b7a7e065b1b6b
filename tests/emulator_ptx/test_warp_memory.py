"""Matrices in shared memory, asynchronous copies, mbarriers and barriers by number, run on the CPU device."""

from pathlib import Path

import pytest

from tests.emulator_ptx.conftest import Device

DATA = Path(__file__).parents[1] / "data" / "emulator_prepare"


@pytest.fixture(scope="module")
def program(device: Device) -> Path:
    return device.build("warp_memory", (DATA / "warp_memory.cu").read_bytes())


@pytest.mark.parametrize(("schedule", "poison"), [("forward", 255), ("reverse", 0), ("random:3", 255)])
def test_closed_forms(device: Device, program: Path, schedule: str, poison: int) -> None:
    ran = device.run(program, schedule=schedule, poison=poison)
    assert (ran.status, ran.out, ran.findings) == (0, "ok\n", [])


@pytest.mark.parametrize(
    ("last", "kind", "message"),
    [
        ("part", "warp-mask", "a product of matrices by the lanes 0x7fffffff of a warp: all 32 have to take part"),
        ("misaligned", "fault", "a matrix row that is not aligned to 16 bytes"),
        ("never made", "fault", "an mbarrier that was not initialised, or was invalidated"),
        ("nobody arrives", "time-limit", "every thread waits in a loop for something that nobody does"),
    ],
)
def test_what_a_kernel_is_found_at_fault_for(device: Device, program: Path, last: str, kind: str, message: str) -> None:
    assert (kind, message) in device.run(program, last).noticed()
