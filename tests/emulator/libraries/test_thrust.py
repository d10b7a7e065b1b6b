"""Thrust on the CPU device."""

import pytest

from musify_ai.emulator import headers

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_algorithms(passes):
    ran = passes("thrust_algorithms.cpp", 73)
    assert ran.findings == []


@both
def test_vectors_pointers_and_numbers(passes):
    ran = passes("thrust_types.cpp", 16)
    assert ran.kinds() == {"trap"}  # the one that is asked for


@both
@pytest.mark.parametrize("program", ["algorithms", "types"])
def test_what_runs_on_the_device_is_the_devices(run, program):
    # Also where no iterator leads to memory: a functor over counted numbers writes through pointers of its own.
    ran = run(f"libraries/thrust_{program}.cpp", environment={"MUSIFY_EMU_PROTECT": "1"})
    assert ran.status == 0, ran.err
    assert "host-access" not in ran.kinds(), ran.findings
    assert "WRONG" not in ran.out


def test_algorithms_are_launches_where_they_run_on_the_device(device):
    log = [row["kernel"] for row in device.run("libraries/thrust_types.cpp", "cuda", 32).log]
    assert "thrust::transform" in log
    assert log.count("doubled") == 2


def test_a_shuffle_says_why_it_is_not_there():
    for side in ("cuda", "musa"):
        assert (
            '#error "thrust/shuffle.h: thrust::shuffle is not emulated'
            in dict(headers.header_set(side))["thrust/shuffle.h"]
        )
