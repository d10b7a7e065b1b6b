"""Every function that the headers declare is called by some test program, or is listed as one that is not."""

from pathlib import Path

import pytest

from musify_ai.emulator.headers import Side
from tests.emulator.conftest import COMPILER, DATA, Device
from tests.emulator.naming import declared_functions, named

GPU_CHECK = Path(__file__).parents[2] / "benchmarks" / "gpu_check" / "kernels.cu"
UNTESTED = DATA / "untested.txt"


@pytest.mark.parametrize(("side", "lanes"), [("cuda", 32), ("musa", 32), ("musa", 128)])
def test_functions_that_no_other_program_calls(device: Device, side: Side, lanes: int) -> None:
    ran = device.run("every.cpp", side, lanes)
    assert (ran.status, ran.findings) == (0, []), ran.err
    assert [line for line in ran.out.splitlines() if not line.startswith("ok ")] == []


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler: what test programs call is not counted")
@pytest.mark.parametrize(("side", "arch"), [("cuda", 900), ("musa", 310)])
def test_the_list_of_functions_without_a_test_is_right(side: Side, arch: int, tmp_path: Path) -> None:
    programs = sorted([*DATA.glob("*.cpp"), *DATA.glob("libraries/*.cpp")])
    programs += [GPU_CHECK] if side == "cuda" else []
    listed = {line.split()[1] for line in UNTESTED.read_text("utf-8").splitlines() if line.split()[:1] == [side]}
    missing = declared_functions(side) - named(str(COMPILER), side, arch, programs, tmp_path)
    # A new function comes with a test; a test that is written for an old one takes it off the list.
    assert sorted(missing - listed) == []
    assert sorted(listed - missing) == []
