"""Every function that the headers declare is called by some test program."""

from pathlib import Path

import pytest

from musify_ai.emulator.headers import Side
from tests.emulator.conftest import COMPILER, DATA, Device
from tests.emulator.naming import declared_functions, named

GPU_CHECK = Path(__file__).parents[2] / "benchmarks" / "gpu_check" / "kernels.cu"


@pytest.mark.parametrize(("side", "lanes"), [("cuda", 32), ("musa", 32), ("musa", 128)])
def test_functions_that_no_other_program_calls(device: Device, side: Side, lanes: int) -> None:
    ran = device.run("every.cpp", side, lanes)
    assert (ran.status, ran.findings) == (0, []), ran.err
    assert [line for line in ran.out.splitlines() if not line.startswith("ok ")] == []


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler: what test programs call is not counted")
@pytest.mark.parametrize(("side", "arch"), [("cuda", 900), ("musa", 310)])
def test_no_function_is_without_a_test(side: Side, arch: int, tmp_path: Path) -> None:
    programs = sorted([*DATA.glob("*.cpp"), *DATA.glob("libraries/*.cpp")])
    programs += [GPU_CHECK] if side == "cuda" else []
    # A new function comes with a test.
    assert sorted(declared_functions(side) - named(str(COMPILER), side, arch, programs, tmp_path)) == []
