"""mma.h: products of fragments of every shape, type and layout, run on the CPU device."""

from pathlib import Path

import pytest

from tests.emulator_ptx.conftest import Device

DATA = Path(__file__).parents[1] / "data" / "emulator_prepare"


@pytest.fixture(scope="module")
def program(device: Device) -> Path:
    return device.build("wmma", (DATA / "wmma.cu").read_bytes())


def test_products(device: Device, program: Path) -> None:
    ran = device.run(program)
    assert (ran.status, ran.out, ran.findings) == (0, "ok 68\n", [])


def test_work_on_elements_is_said(device: Device, program: Path) -> None:
    """Their places are ours alone, so nothing that looks at them one by one is plainly equal."""
    ran = device.run(program, "elements")
    assert (ran.out, ran.assumptions()) == ("ok\n", {"wmma-elements"})
