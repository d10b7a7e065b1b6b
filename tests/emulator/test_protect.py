"""Device memory that the host may not touch but through the API: who does is told of, by line, and goes on."""

import pytest

PROTECTED = {"MUSIFY_EMU_PROTECT": "1"}


def line_of(device, mark):
    text = (device.data / "protect.cpp").read_text().splitlines()
    return next(number for number, line in enumerate(text, 1) if line.rstrip().endswith(f"// {mark}"))


def test_what_the_host_touches_is_told_of(run, device):
    plain, done = run("protect.cpp"), run("protect.cpp", environment=PROTECTED)
    assert done.status == 0, done.err
    assert plain.kinds() == set()
    assert done.out == plain.out
    assert done.out.splitlines() == ["allowed 4950 4950 4950", "not allowed 4933", "and went on 1"]
    told = [(f["line"], f["message"].split(" (")[0]) for f in done.findings]
    reads, writes = "the host reads device memory", "the host writes to device memory"
    expected = [
        (line_of(device, "SUMS"), reads),
        (line_of(device, "WRITES"), writes),
        (line_of(device, "COPIES"), reads),
    ]
    assert told == expected
    assert all(f["kind"] == "host-access" for f in done.findings)
    assert "byte 12 of a buffer of 400 bytes" in done.findings[1]["message"]


@pytest.mark.parametrize("program", ["host.cpp", "textures.cpp", "driver.cpp", "graphs.cpp"])
def test_the_api_itself_touches_what_it_may(run, program):
    plain, done = run(program), run(program, environment=PROTECTED)
    assert done.status == plain.status
    assert "host-access" not in done.kinds(), done.findings
    assert done.out == plain.out
