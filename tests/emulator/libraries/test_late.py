"""Library calls that streams hold back give what they give at once: their arguments are theirs by then."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
@pytest.mark.parametrize("program", ["cub_device", "fft", "random", "sparse", "thrust_algorithms"])
def test_late_calls_give_the_same(run, program):
    plain = run(f"libraries/{program}.cpp")
    late = run(f"libraries/{program}.cpp", environment={"MUSIFY_EMU_STREAMS": "late"})
    assert (late.status, late.out, late.kinds()) == (plain.status, plain.out, plain.kinds()), late.err
