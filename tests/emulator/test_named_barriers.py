import pytest


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:1"])
def test_groups_wait_for_their_own_barrier(run, schedule: str):
    ran = run("named_barriers.cpp", schedule=schedule)
    assert ran.out.splitlines() == ["groups 1", "producer 1"]
    assert ran.findings == []


def test_a_barrier_that_nobody_completes_ends_the_launch(run):
    ran = run("named_barriers.cpp", "incomplete")
    assert ran.status == 0
    assert ran.out != "incomplete 0\n"
    assert "32 threads wait at a named barrier" in str(ran.findings)
