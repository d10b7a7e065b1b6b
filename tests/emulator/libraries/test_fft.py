"""The FFT library on the CPU device."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_sizes_types_ranks_and_layouts(passes):
    ran = passes("fft.cpp", 19)
    assert ran.findings == []
