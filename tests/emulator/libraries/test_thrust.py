"""Thrust on the CPU device."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_algorithms(passes):
    ran = passes("thrust_algorithms.cpp", 66)
    assert ran.findings == []


@both
def test_vectors_pointers_and_numbers(passes):
    ran = passes("thrust_types.cpp", 16)
    assert ran.kinds() == {"trap"}  # the one that is asked for


def test_algorithms_are_launches_where_they_run_on_the_device(device):
    log = [row["kernel"] for row in device.run("libraries/thrust_types.cpp", "cuda", 32).log]
    assert "thrust::transform" in log
    assert log.count("doubled") == 2
