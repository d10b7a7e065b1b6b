"""The random library on the CPU device: known answers of each generator, on the device and from the host."""

import pytest

both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


@both
def test_known_answers(passes, side):
    ran = passes("random.cpp", 39)
    # nobody has published muRAND's sequences
    assert ran.assumptions() == ({"murand-sequences"} if side[0] == "musa" else set())


@both
def test_a_generator_that_is_not_here_ends_the_program_by_name(run, side):
    ran = run("libraries/random.cpp", "quasi")
    assert ran.status == 70
    call = "curandCreateGenerator" if side[0] == "cuda" else "murandCreateGenerator"
    assert [f["message"] for f in ran.findings if f["kind"] == "unsupported"] == [f"{call} of this type: not emulated"]
