import pytest

WANTED = ["add 1", "sum 1 1", "reversed 1", "indices 1"]


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:1", "random:2"])
def test_kernels_compute_what_they_should_under_every_schedule(run, schedule: str):
    ran = run("basics.cpp", schedule=schedule)
    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[:4] == WANTED
    assert ran.out.splitlines()[-1] == "last no error"
    assert ran.findings == []


def test_two_runs_print_the_same(run):
    assert run("basics.cpp").out == run("basics.cpp").out


def test_the_device_tells_its_lanes(device):
    assert "lanes 128 128" in device.run("basics.cpp", "musa", 128).out
    assert "lanes 32 32" in device.run("basics.cpp", "musa", 32).out


def test_both_sides_log_the_same_launches(device):
    cuda, musa = (device.run("basics.cpp", side, 32).log for side in ("cuda", "musa"))
    assert cuda == musa
    assert [line["kernel"] for line in cuda] == ["add", "sum", "reversed", "indices", "indices"]
    a, _, c, n = cuda[0]["arguments"]
    assert n == {"kind": "int", "size": 4, "value": 1000}
    assert (a["element"], a["size"], a["allocation"], a["offset"]) == ("float", 4, 4000, 0)
    assert c["hash"] != a["hash"]
